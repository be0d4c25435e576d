"""Governance: the audit log, licences, rates, and what review needs of an item"""

import sqlalchemy as sa
from alembic import op

from workspace_memory.storage.tables import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    # Plainly added, not by copying the tables, which on SQLite would drop the triggers of the history.
    op.add_column("memory_items", sa.Column("replaces_version", sa.Integer(), nullable=True))
    op.add_column("memory_items", sa.Column("held", sa.Text(), nullable=True))
    op.add_column("memory_items", sa.Column("token_id", sa.String(length=36), nullable=True))
    op.add_column("memory_item_history", sa.Column("token_id", sa.String(length=36), nullable=True))
    op.create_table(
        "audit_events",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("actor_id", sa.String(length=36), nullable=True),
        sa.Column("action", sa.String(length=50), nullable=False),
        sa.Column("subject_id", sa.String(length=36), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("previous", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_audit_events_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "number", name=op.f("pk_audit_events")),
    )
    op.create_index("ix_audit_events_action", "audit_events", ["workspace_id", "action", "number"])
    op.create_table(
        "licences",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("licence_key", sa.Text(), nullable=False),
        sa.Column("stored_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_licences_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_licences")),
    )
    op.create_table(
        "rate_counts",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("subject_id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("period", sa.BigInteger(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_rate_counts_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "subject_id", "kind", name=op.f("pk_rate_counts")),
    )
    for statement in AUDIT_TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)


# The log is append-only: no event is ever changed, and none goes before its workspace, which takes all along.
AUDIT_TRIGGERS = {
    "sqlite": (
        """
        CREATE TRIGGER audit_events_update BEFORE UPDATE ON audit_events
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
        """
        CREATE TRIGGER audit_events_delete BEFORE DELETE ON audit_events
        WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id)
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
    ),
    "postgresql": (
        """
        CREATE FUNCTION audit_events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' OR EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) THEN
                RAISE EXCEPTION 'the audit log is append-only';
            END IF;
            RETURN OLD;
        END $$
        """,
        """
        CREATE TRIGGER audit_events_are_append_only BEFORE UPDATE OR DELETE ON audit_events
        FOR EACH ROW EXECUTE FUNCTION audit_events_are_append_only()
        """,
    ),
}

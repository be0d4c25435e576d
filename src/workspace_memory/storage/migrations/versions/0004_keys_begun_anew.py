"""Workspace keys: an epoch after the first may keep no older key, where nobody held that one any more"""

import sqlalchemy as sa
from alembic import op

from workspace_memory.storage.tables import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

OLDER = "epoch > 1 OR older_sealed IS NULL"


def upgrade() -> None:
    """Bring the schema to this revision."""
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint(op.f("ck_workspace_key_epochs_older"), "workspace_key_epochs", type_="check")
        op.create_check_constraint(op.f("ck_workspace_key_epochs_older"), "workspace_key_epochs", OLDER)
        return
    # SQLite changes no check of a table that is there. Dropping the epochs would take the grants along by their
    # foreign key, so that these are set aside first; no other table refers to either.
    op.execute("CREATE TABLE kept_key_grants AS SELECT * FROM key_grants")
    op.drop_table("key_grants")
    op.rename_table("workspace_key_epochs", "kept_key_epochs")
    _create_epochs()
    op.execute(f"INSERT INTO workspace_key_epochs ({EPOCHS}) SELECT {EPOCHS} FROM kept_key_epochs")  # noqa: S608  columns below
    op.drop_table("kept_key_epochs")
    _create_grants()
    op.execute(f"INSERT INTO key_grants ({GRANTS}) SELECT {GRANTS} FROM kept_key_grants")  # noqa: S608  columns below
    op.drop_table("kept_key_grants")


EPOCHS = "workspace_id, epoch, maker_id, check_value, check_signature, older_sealed, rotation_due, created_at"
GRANTS = (
    "workspace_id, epoch, member_id, granter_id, member_public, sealed, signature, granter_public, created_at"
)


def _create_epochs() -> None:
    op.create_table(
        "workspace_key_epochs",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("maker_id", sa.String(length=36), nullable=False),
        sa.Column("check_value", sa.LargeBinary(), nullable=False),
        sa.Column("check_signature", sa.LargeBinary(), nullable=False),
        sa.Column("older_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("rotation_due", sa.Boolean(name="rotation_due"), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(OLDER, name=op.f("ck_workspace_key_epochs_older")),
        sa.CheckConstraint("epoch >= 1", name=op.f("ck_workspace_key_epochs_epoch")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_workspace_key_epochs_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "epoch", name=op.f("pk_workspace_key_epochs")),
    )


def _create_grants() -> None:
    op.create_table(
        "key_grants",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("member_id", sa.String(length=36), nullable=False),
        sa.Column("granter_id", sa.String(length=36), nullable=False),
        sa.Column("member_public", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("granter_public", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "epoch"],
            ["workspace_key_epochs.workspace_id", "workspace_key_epochs.epoch"],
            name=op.f("fk_key_grants_workspace_id_epoch"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "member_id"],
            ["members.workspace_id", "members.user_id"],
            name=op.f("fk_key_grants_workspace_id_member_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "epoch", "member_id", name=op.f("pk_key_grants")),
    )
    op.create_index("ix_key_grants_member", "key_grants", ["workspace_id", "member_id"], unique=False)

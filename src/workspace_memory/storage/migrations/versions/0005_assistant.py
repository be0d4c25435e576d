"""The Assistant: titles, sealed messages, turns with their cost, and what a day has cost"""

import sqlalchemy as sa
from alembic import op

from workspace_memory.storage.tables import UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.add_column("conversations", sa.Column("title_epoch", sa.Integer()))
    op.add_column("conversations", sa.Column("title_sealed", sa.LargeBinary()))
    op.add_column(
        "workspace_settings",
        sa.Column(
            "assistant_tokens_per_day", sa.Integer(), nullable=False, server_default=sa.text("2000000")
        ),
    )
    op.create_table(
        "assistant_days",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_assistant_days_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "day", name=op.f("pk_assistant_days")),
    )
    op.create_table(
        "assistant_turns",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("conversation_id", sa.String(length=36), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("admission_id", sa.String(length=36), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime()),
        sa.Column("lease_until", UtcDateTime(), nullable=False),
        sa.Column("error", sa.String(length=60)),
        sa.Column("body_mac", sa.LargeBinary(), nullable=False),
        sa.Column("body_epoch", sa.Integer(), nullable=False),
        sa.Column("calls", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("input_tokens", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("output_tokens", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("memory_bytes", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "state IN ('running', 'done', 'failed', 'stopped')", name=op.f("ck_assistant_turns_state")
        ),
        sa.CheckConstraint("(state = 'running') = (ended_at IS NULL)", name=op.f("ck_assistant_turns_ended")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "admission_id"],
            ["admissions.workspace_id", "admissions.id"],
            name=op.f("fk_assistant_turns_workspace_id_admission_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "conversation_id"],
            ["conversations.workspace_id", "conversations.id"],
            name=op.f("fk_assistant_turns_workspace_id_conversation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "conversation_id", "turn", name=op.f("pk_assistant_turns")),
    )
    op.create_table(
        "conversation_messages",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("conversation_id", sa.String(length=36), nullable=False),
        sa.Column("sequence", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("framework", sa.String(length=60), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('request', 'response')", name=op.f("ck_conversation_messages_kind")),
        sa.CheckConstraint("sequence >= 1", name=op.f("ck_conversation_messages_sequence")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "conversation_id"],
            ["conversations.workspace_id", "conversations.id"],
            name=op.f("fk_conversation_messages_workspace_id_conversation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "workspace_id", "conversation_id", "sequence", name=op.f("pk_conversation_messages")
        ),
    )
    op.create_index(
        "ix_conversation_messages_turn",
        "conversation_messages",
        ["workspace_id", "conversation_id", "turn", "sequence"],
    )

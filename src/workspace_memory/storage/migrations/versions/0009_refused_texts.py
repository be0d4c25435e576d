"""Texts that a model refused, so that they are tried again; versions of signs, so that these can be kept in RAM"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.add_column(
        "search_vector_chunks",
        sa.Column("version", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
    )
    op.create_table(
        "search_vector_refusals",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("space", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("tried_at_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "workspace_id", "list_key", "number", "space", name=op.f("pk_search_vector_refusals")
        ),
        sqlite_with_rowid=False,
    )

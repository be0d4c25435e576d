"""The optional semantic signal of the search: vectors of items, and their signs for a first look"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.create_table(
        "search_vectors",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("space", sa.String(length=64), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint(
            "workspace_id", "list_key", "number", "space", name=op.f("pk_search_vectors")
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "search_vector_chunks",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column("space", sa.String(length=64), nullable=False),
        sa.Column("chunk", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("numbers", sa.LargeBinary(), nullable=False),
        sa.Column("signs", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint(
            "workspace_id", "list_key", "space", "chunk", name=op.f("pk_search_vector_chunks")
        ),
        sqlite_with_rowid=False,
    )

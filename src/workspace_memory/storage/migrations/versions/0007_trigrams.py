"""Search: the vocabulary by trigrams, and an index over times; `migrating.py` then makes the terms anew"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.drop_table("search_vocabulary")
    op.create_table(
        "search_trigrams",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column(
            "trigram",
            sa.String(length=3).with_variant(sa.String(length=3, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "list_key", "trigram", name=op.f("pk_search_trigrams")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_search_documents_time",
        "search_documents",
        ["workspace_id", "list_key", "created_at_us"],
        unique=False,
    )

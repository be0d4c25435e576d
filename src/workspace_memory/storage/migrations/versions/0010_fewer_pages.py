"""Items that wait for their postings; versions of signs are read without the signs"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.add_column(
        "search_segments", sa.Column("waiting", sa.Text(), nullable=False, server_default=sa.text("''"))
    )
    op.create_index(
        "ix_search_vector_chunks_version",
        "search_vector_chunks",
        ["workspace_id", "list_key", "space", "chunk", "version"],
    )

"""An index of the items that are not active, by which a save counts them"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.create_index(
        "ix_memory_items_waiting",
        "memory_items",
        ["workspace_id", "status"],
        sqlite_where=sa.text("status <> 'active'"),
        postgresql_where=sa.text("status <> 'active'"),
    )

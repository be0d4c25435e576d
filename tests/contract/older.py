"""Empty databases of earlier releases, for the tests of migrations."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from workspace_memory.storage import migrating


def upgrade_to(connection: Connection, revision: str) -> None:
    """Bring an empty database to the schema of this revision."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrating.__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)

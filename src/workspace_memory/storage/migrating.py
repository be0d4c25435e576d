"""Bringing a database to the newest schema. One Alembic line serves both databases."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from workspace_memory.domain.errors import SchemaTooNew
from workspace_memory.storage import search_tables, tables
from workspace_memory.storage.database import Database
from workspace_memory.storage.metadata import metadata

_SCRIPTS = Path(__file__).parent / "migrations"

# Importing the modules is what fills the metadata with their tables.
TABLES = (tables, search_tables)
TARGET = metadata


def migrate(database: Database) -> None:
    """Run the missing migrations. Raises: SchemaTooNew when a newer program has written the database."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    scripts = ScriptDirectory.from_config(config)
    with database.dialect.writing(), database.dialect.writer.begin() as connection:
        if connection.dialect.name == "postgresql":
            # Several processes may start at once; the one number is this product's own.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(8787001)")
        current = MigrationContext.configure(connection).get_current_revision()
        known = {script.revision for script in scripts.walk_revisions()}
        if current is not None and current not in known:
            raise SchemaTooNew
        if current != scripts.get_current_head():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

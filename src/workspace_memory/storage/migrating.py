"""Bringing a database to the newest schema. One Alembic line serves both databases."""

from pathlib import Path

from sqlalchemy import Connection, inspect

from workspace_memory.domain.errors import SchemaTooNew
from workspace_memory.storage import (
    assistant_tables,
    document_tables,
    governance_tables,
    key_tables,
    search_tables,
    tables,
)
from workspace_memory.storage.database import Database
from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.search_rebuilding import make_index_anew

NEWEST = "0010"
# What an item is found by is made by the program and not by a migration: whoever changes it in `domain/terms.py`
# adds a revision, and names it here.
SEARCH_INDEX_SINCE = "0007"
_SCRIPTS = Path(__file__).parent / "migrations"

# Importing the modules is what fills the metadata with their tables.
TABLES = (tables, search_tables, governance_tables, document_tables, key_tables, assistant_tables)
TARGET = metadata


def migrate(database: Database) -> None:
    """Run the missing migrations. Raises: SchemaTooNew when a newer program has written the database."""
    with database.dialect.writing(), database.dialect.writer.begin() as connection:
        if connection.dialect.name == "postgresql":
            # Several processes may start at once; the one number is this product's own.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(8787001)")
            # The bound of every other statement would cut off an index over a large table at each start anew, so that
            # such a database could never be brought up to date.
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        before = _revision(connection)
        if before != NEWEST:
            _upgrade(connection)
        if before is not None and before < SEARCH_INDEX_SINCE:
            make_index_anew(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _upgrade(connection: Connection) -> None:
    # Here, since Alembic costs half a second of every start, and is needed at the first one of a release alone.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if _revision(connection) not in {None, *known}:
        raise SchemaTooNew
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

"""Rows of the memory document's tables, read and doctored past every service: what no use case brings about."""

from pathlib import Path

from sqlalchemy import Table, func, select, update
from tests.conftest import World

from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.sqlite import SqliteDialect


def doctor(world: World, table: Table, **values: object) -> None:
    """Set columns in every row of the cast's workspace."""
    with world.deps.database.begin() as tx:
        tx.connection.execute(update(table).where(table.c.workspace_id == world.workspace).values(**values))


def count(world: World, table: Table) -> int:
    """How many rows the cast's workspace has in a table."""
    with world.deps.database.read() as tx:
        return tx.connection.execute(
            select(func.count()).select_from(table).where(table.c.workspace_id == world.workspace)
        ).scalar_one()


def counts(world: World) -> dict[str, int]:
    """How many rows each table has."""
    with world.deps.database.read() as tx:
        return {
            name: tx.connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in metadata.tables.items()
        }


def column(world: World, table: Table, name: str) -> list[object]:
    """The values of one column in the cast's workspace."""
    with world.deps.database.read() as tx:
        statement = select(table.c[name]).where(table.c.workspace_id == world.workspace)
        return list(tx.connection.execute(statement).scalars())


def every_byte(world: World) -> bytes:
    """All that is stored: each value of each table, and on SQLite the bytes of the file and its log as well."""
    found: list[bytes] = []
    with world.deps.database.read() as tx:
        for table in metadata.tables.values():
            for row in tx.connection.execute(table.select()):
                found += [value if isinstance(value, bytes) else str(value).encode() for value in row]
    dialect = world.deps.database.dialect
    if isinstance(dialect, SqliteDialect):
        found += [path.read_bytes() for path in _files(dialect.path)]
    return b"\n".join(found)


def _files(database: Path) -> list[Path]:
    return sorted(path for path in database.parent.glob(f"{database.name}*") if path.is_file())

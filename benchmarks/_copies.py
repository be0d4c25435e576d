"""Fills a workspace with the rows of another one, inside the database: every table that a search touches.

The first workspace is filled by the product; writing 49 more in that way would only take long. Rows are copied as
they are, under the other workspace's id and with ids of items of their own. Nobody else may use the database then.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import psycopg
from sqlalchemy import Table

from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.search_tables import TABLES as SEARCH_TABLES
from workspace_memory.storage.tables import memory_item_history, memory_items

COPIED: Sequence[Table] = (memory_items, memory_item_history, *SEARCH_TABLES)
# Which columns hold the id of an item.
_ITEM_IDS: Mapping[str, frozenset[str]] = {memory_items.name: frozenset({"id", "replaces_id"})}
_ITEM_ID = frozenset({"item_id"})
_ID_KEPT = 32


def copy_statement(table: Table, *, marker: str) -> str:
    """The INSERT that copies a table's rows; takes the new workspace, a suffix for each id of an item, the old one.

    `marker` is the driver's sign for a parameter. Raises: ValueError for a table without workspaces.
    """
    names = [column.name for column in table.columns]
    if "workspace_id" not in names:
        raise ValueError(f"{table.name} has no workspace_id")
    ids = _ITEM_IDS.get(table.name, _ITEM_ID)
    # The beginning of a UUIDv7 is its time, by which ids sort; four of its last, random digits are enough.
    values = [f"substr({name}, 1, {_ID_KEPT}) || s.suffix" if name in ids else name for name in names]
    values[names.index("workspace_id")] = "s.workspace"
    return (
        f"INSERT INTO {table.name} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table.name}, "  # noqa: S608  names of ours
        f"(SELECT CAST({marker} AS VARCHAR(36)) AS workspace, CAST({marker} AS VARCHAR(4)) AS suffix) AS s"
        f" WHERE workspace_id = {marker}"
    )


def id_suffix(number: int) -> str:
    """The last four digits of the ids of items in the copy of this number, 0 to 65,535."""
    return f"{number:04x}"


def copy_in_sqlite(path: Path, source: WorkspaceId, copies: Mapping[int, WorkspaceId]) -> None:
    """Copy the source's rows into the workspaces, by their numbers; the file's folder must be in nobody's use."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # A copy that a power cut breaks is made again, and keys are right because they were so in the source.
        for pragma in ("synchronous=OFF", "foreign_keys=OFF", "cache_size=-200000"):
            connection.execute(f"PRAGMA {pragma}")
        for number, workspace in copies.items():
            connection.execute("BEGIN IMMEDIATE")
            for table in COPIED:
                statement = copy_statement(table, marker="?")
                connection.execute(statement, (workspace, id_suffix(number), source))
            connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def copy_in_postgresql(url: str, source: WorkspaceId, copies: Mapping[int, WorkspaceId]) -> None:
    """The same in a PostgreSQL database; afterwards its statistics are up to date, as autovacuum would have it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        for number, workspace in copies.items():
            with connection.transaction():
                for table in COPIED:
                    statement = copy_statement(table, marker="%s")
                    connection.execute(statement.encode(), (workspace, id_suffix(number), source))
        connection.execute("VACUUM ANALYZE")

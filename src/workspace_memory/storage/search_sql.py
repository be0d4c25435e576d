"""How the search index talks to the two databases: one SQL text for both, without the cost of building it.

A search is a few statements with lists of terms, and expanding and compiling a generic statement would take
longer than running it. `IN (?*)` stands for "one of this list": a JSON array on SQLite, an array on PostgreSQL;
the text never changes, so either database keeps its plan.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import Connection

Value = str | int | bytes | datetime | Sequence[str] | Sequence[int]


class Statement:
    """A statement with `?` for each value and `IN (?*)` for each list of texts or whole numbers.

    `sqlite` is another text for SQLite with the same values in the same order, where its planner needs one.
    """

    def __init__(self, sql: str, *, sqlite: str = "") -> None:
        self._sqlite = (sqlite or sql).replace("IN (?*)", "IN (SELECT value FROM json_each(?))")
        self._postgresql = sql.replace("IN (?*)", "= ANY (?)").replace("?", "%s")

    def run(self, connection: Connection, *values: Value) -> None:
        """Run it for what it changes."""
        connection.exec_driver_sql(*self.for_driver(connection, values))

    def run_many(self, connection: Connection, rows: Sequence[tuple[str | int | bytes, ...]]) -> None:
        """Run it for each row of values, with no list among them."""
        if rows:
            sql = self._sqlite if connection.dialect.name == "sqlite" else self._postgresql
            connection.exec_driver_sql(sql, list(rows))

    def rows(self, connection: Connection, *values: Value) -> list[tuple[Any, ...]]:
        """Run it and return what it finds: by the driver alone, since what SQLAlchemy adds costs more than the reading.

        `Database.translating` knows the driver's errors as well.
        """
        raw = connection.connection.driver_connection
        assert raw is not None  # noqa: S101  an open connection has one
        sql, given = self.for_driver(connection, values)
        # In PostgreSQL's text form bytes would be twice as long, and each of them would have to be parsed.
        form = {} if connection.dialect.name == "sqlite" else {"binary": True}
        return cast("list[tuple[Any, ...]]", raw.execute(sql, given, **form).fetchall())

    def for_driver(self, connection: Connection, values: Sequence[Value]) -> tuple[str, tuple[Value, ...]]:
        """The text and the values as this database's driver takes them."""
        if connection.dialect.name != "sqlite":
            return self._postgresql, tuple(values)
        return self._sqlite, tuple(
            value if isinstance(value, str | int | bytes) else _for_sqlite(value) for value in values
        )


def _for_sqlite(value: datetime | Sequence[str] | Sequence[int]) -> str:
    """A list as JSON; a time as the column type of `tables.py` keeps it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
    return json.dumps(value)


class Upsert:
    """Inserts rows that share the first values of their key, or changes the last column of those that exist.

    `columns` names the shared key columns, then the key column of each row, then the column that is replaced or,
    with `appends`, prolonged; `types` are PostgreSQL's names for the last two. One round trip for all rows on either
    database.
    """

    def __init__(
        self, table: str, columns: Sequence[str], types: tuple[str, str], *, appends: bool = False
    ) -> None:
        *shared, each, replaced = columns
        into = f"INSERT INTO {table} ({', '.join(columns)})"
        value = f"{table}.{replaced} || excluded.{replaced}" if appends else f"excluded.{replaced}"
        conflict = f"ON CONFLICT ({', '.join((*shared, each))}) DO UPDATE SET {replaced} = {value}"
        self._sqlite = f"{into} VALUES ({', '.join('?' * len(columns))}) {conflict}"
        self._postgresql = (
            f"{into} SELECT {'%s, ' * len(shared)}each, replaced"  # noqa: S608  names of this module's callers only
            f" FROM unnest(%s::{types[0]}[], %s::{types[1]}[]) AS new (each, replaced) {conflict}"
        )

    def run(
        self,
        connection: Connection,
        shared: tuple[str | int, ...],
        rows: Iterable[tuple[str | int, str | bytes]],
    ) -> None:
        """Put these rows; their order does not matter."""
        ordered = sorted(rows)
        if not ordered:
            return
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(self._sqlite, [(*shared, *row) for row in ordered])
        else:
            keys = [key for key, _ in ordered]
            connection.exec_driver_sql(self._postgresql, (*shared, keys, [value for _, value in ordered]))

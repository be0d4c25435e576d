"""How the search index talks to the two databases: one SQL text for both, without the cost of building it.

A search is a few statements with lists of terms, and expanding and compiling a generic statement would take
longer than running it. `IN (?*)` stands for "one of this list": a JSON array on SQLite, an array on PostgreSQL;
the text never changes, so either database keeps its plan.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, cast

from sqlalchemy import Connection

Single = str | int | bytes | date
Value = Single | Sequence[str] | Sequence[int]
# What SQLite's driver takes as it is. A union of types would be put together anew at each look.
_PLAIN = (str, int, bytes)


def driver_of(connection: Connection) -> Any:
    """The driver's own connection: what SQLAlchemy adds to a statement costs more than to run it.

    `Database.translating` knows the driver's errors as well.
    """
    raw = connection.connection.driver_connection
    assert raw is not None  # noqa: S101  an open connection has one
    return raw


class Statement:
    """A statement with `?` for each value and `IN (?*)` for each list of texts or whole numbers.

    `sqlite` is another text for SQLite with the same values in the same order, where its planner needs one.
    """

    def __init__(self, sql: str, *, sqlite: str = "") -> None:
        self._sqlite = (sqlite or sql).replace("IN (?*)", "IN (SELECT value FROM json_each(?))")
        self._postgresql = sql.replace("IN (?*)", "= ANY (?)").replace("?", "%s")

    def run(self, connection: Connection, *values: Value) -> None:
        """Run it for what it changes."""
        driver_of(connection).execute(*self.for_driver(connection, values))

    def run_many(self, connection: Connection, rows: Sequence[tuple[Single | None, ...]]) -> None:
        """Run it for each row of values, with no list among them."""
        if not rows:
            return
        if connection.dialect.name == "sqlite":
            kept = [tuple(_single_for_sqlite(value) for value in row) for row in rows]
            driver_of(connection).cursor().executemany(self._sqlite, kept)
        else:
            driver_of(connection).cursor().executemany(self._postgresql, rows)

    def rows(self, connection: Connection, *values: Value) -> list[tuple[Any, ...]]:
        """Run it and return what it finds."""
        sql, given = self.for_driver(connection, values)
        # In PostgreSQL's text form bytes would be twice as long, and each of them would have to be parsed.
        form = {} if connection.dialect.name == "sqlite" else {"binary": True}
        found = driver_of(connection).execute(sql, given, **form)
        return cast("list[tuple[Any, ...]]", found.fetchall())

    def for_driver(self, connection: Connection, values: Sequence[Value]) -> tuple[str, tuple[Value, ...]]:
        """The text and the values as this database's driver takes them."""
        if connection.dialect.name != "sqlite":
            return self._postgresql, tuple(values)
        return self._sqlite, tuple([v if isinstance(v, _PLAIN) else _for_sqlite(v) for v in values])


def _for_sqlite(value: date | Sequence[str] | Sequence[int]) -> str:
    """A list as JSON; a time or date as the column types of `tables.py` keep it."""
    if isinstance(value, date):
        return _time_for_sqlite(value)
    return json.dumps(value)


def _single_for_sqlite(value: Single | None) -> str | int | bytes | None:
    return _time_for_sqlite(value) if isinstance(value, date) else value


def _time_for_sqlite(value: date) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
    return value.isoformat()


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
            driver_of(connection).cursor().executemany(self._sqlite, [(*shared, *row) for row in ordered])
        else:
            keys = [key for key, _ in ordered]
            driver_of(connection).execute(self._postgresql, (*shared, keys, [value for _, value in ordered]))

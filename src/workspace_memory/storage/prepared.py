"""Statements of SQLAlchemy that run at every call: compiled once to a fixed text, then run by the driver alone.

Written with tables and columns, so that a rule stands in one place and a test finds a column that is gone; executed
without what SQLAlchemy does anew at each execution, which takes many times longer than SQLite does.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, SelectBase, Table
from sqlalchemy.dialects import sqlite

from workspace_memory.storage.search_sql import Single, Statement, Value

# How SQLAlchemy writes the list of `column.in_(bindparam(…, expanding=True))` before it has the values.
_LIST = re.compile(r"IN \(__\[POSTCOMPILE_\w+\]\)")


class Prepared:
    """A SELECT whose values have names (`bindparam`), for both databases: nothing in it may differ between them.

    Rows are the driver's own: `as_time`, `as_date` and `bool` read what SQLite keeps in another type.
    """

    def __init__(self, select: SelectBase) -> None:
        compiled = select.compile(dialect=sqlite.dialect())
        self._statement = Statement(_LIST.sub("IN (?*)", compiled.string))
        self._values: Sequence[tuple[str, Value]] = [
            (name, compiled.params[name]) for name in compiled.positiontup or ()
        ]

    def rows(self, connection: Connection, **values: Value) -> list[tuple[Any, ...]]:
        """Run it with these values."""
        return self._statement.rows(
            connection, *[values.get(name, constant) for name, constant in self._values]
        )


class PreparedInsert:
    """An INSERT of whole rows of a table, for both databases."""

    def __init__(self, table: Table) -> None:
        self._columns = [column.name for column in table.columns]
        places = ", ".join("?" * len(self._columns))
        self._statement = Statement(
            f"INSERT INTO {table.name} ({', '.join(self._columns)}) VALUES ({places})"  # noqa: S608  own names
        )

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Single | None]]) -> None:
        """Insert these rows; each has a value for every column. Times are aware."""
        self._statement.run_many(connection, [tuple(row[name] for name in self._columns) for row in rows])


def as_time(value: str | datetime) -> datetime:
    """A stored time in UTC, as SQLite's driver, PostgreSQL's or a typed row gives it."""
    return datetime.fromisoformat(f"{value}+00:00") if isinstance(value, str) else value.astimezone(UTC)


def as_date(value: str | date) -> date:
    """A stored date, from either driver."""
    return date.fromisoformat(value) if isinstance(value, str) else value

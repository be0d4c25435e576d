"""What is kept from test to test, since making it anew takes longer than most tests: compiled statements, the routes
of the REST interface, one PostgreSQL database with its connections, and the rows of the cast.

Each test still has a database without a row of another test.
"""

from typing import Any

import psycopg
import sqlalchemy
from fastapi import APIRouter, FastAPI
from psycopg import sql
from sqlalchemy import Connection, Dialect, Engine, Table, event, insert, select
from sqlalchemy.pool import QueuePool
from sqlalchemy.util import LRUCache
from starlette.routing import BaseRoute

from workspace_memory.api import framing
from workspace_memory.storage import postgresql, sqlite
from workspace_memory.storage.database import Database
from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.postgresql import PostgresqlDialect

STATEMENTS_MAX = 2_000
END_MILLISECONDS = 5_000
# Row by row: tests write few of them, and a TRUNCATE makes a new file of each table and index.
_EMPTYING = sql.SQL("; ").join(
    sql.SQL("DELETE FROM {}").format(sql.Identifier(name)) for name in metadata.tables
)

_compiled: LRUCache[Any, Any] = LRUCache(STATEMENTS_MAX)
# Of each kind of database the first one whose connection told it which version it speaks to.
_dialects: dict[str, Dialect] = {}

Rows = list[tuple[Table, list[dict[str, Any]]]]


def share_compiled_statements() -> None:
    """Let all databases that this process opens from here on compile a statement once.

    Shared is the text of statements alone. Connections, pools and listeners are each engine's own.
    """
    for module in (sqlite, postgresql):
        vars(module)["create_engine"] = _create_engine


def _create_engine(url: sqlalchemy.URL, **options: Any) -> Engine:
    engine = sqlalchemy.create_engine(url, **options)
    engine.update_execution_options(compiled_cache=_compiled)
    # The cache finds a statement by its dialect too.
    if known := _dialects.get(engine.name):
        engine.dialect = known
    else:
        event.listen(engine, "engine_connect", _remember_dialect, once=True)
    return engine


def _remember_dialect(connection: Connection) -> None:
    _dialects.setdefault(connection.dialect.name, connection.dialect)


_routes: dict[tuple[int, str], list[BaseRoute]] = {}


def share_routes() -> None:
    """Let all applications that this process makes from here on work out once what a router's routes take and answer.

    Shared are the routes alone, which are each router's own anyway and find in the request whose application they
    answer for. Runner, settings, handlers of errors and middleware are each application's own.
    """
    framing.FastAPI = _WithSharedRoutes


class _WithSharedRoutes(FastAPI):
    def include_router(self, router: APIRouter, *, prefix: str = "", **more: Any) -> None:
        known = _routes.get((id(router), prefix))
        if known is not None:
            self.router.routes.extend(known)
            return
        before = len(self.router.routes)
        super().include_router(router, prefix=prefix, **more)
        # They hold the router, so that no other one gets its id.
        _routes[id(router), prefix] = self.router.routes[before:]


class KeptPostgresql:
    """A migrated database, to be emptied, and a pool of connections to it that have read its catalogue by now."""

    def __init__(self, url: str, *, wait_seconds: float) -> None:
        self.url = url
        self.dialect = PostgresqlDialect(url, wait_seconds=wait_seconds)
        self._own: set[int] = set()
        event.listen(self.dialect.writer, "connect", self._remember)
        self._admin = self._connected()

    def _connected(self) -> psycopg.Connection:
        admin = psycopg.connect(self.url, autocommit=True)
        # Without triggers, so that the tables can be emptied in any order.
        admin.execute("SET session_replication_role = replica")
        return admin

    def _remember(self, connection: Any, _record: object) -> None:
        self._own.add(connection.info.backend_pid)

    def empty(self) -> None:
        """Delete every row, after whatever a test before left at work has ended."""
        pool = self.dialect.writer.pool
        if isinstance(pool, QueuePool) and pool.checkedout():
            self.dialect.close()
            self._own.clear()
        try:
            self._empty()
        except psycopg.OperationalError:
            # A test before has ended all connections to the server.
            self._admin.close()
            self._admin = self._connected()
            self._empty()

    def _empty(self) -> None:
        self._admin.execute(
            "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND pid <> ALL(%s)",
            (END_MILLISECONDS, list(self._own)),
        )
        self._admin.execute(_EMPTYING)

    def close(self) -> None:
        """Close every connection."""
        self.dialect.close()
        self._admin.close()


def rows_of(database: Database) -> Rows:
    """Every row of every table, parents first."""
    with database.read() as tx:
        found = [
            (table, tx.connection.execute(select(table)).mappings().all()) for table in metadata.sorted_tables
        ]
    return [(table, [dict(row) for row in rows]) for table, rows in found if rows]


def write_rows(database: Database, rows: Rows) -> None:
    """Write them into the empty tables of another database."""
    with database.begin() as tx:
        for table, values in rows:
            tx.connection.execute(insert(table), values)

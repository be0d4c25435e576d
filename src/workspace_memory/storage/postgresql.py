"""PostgreSQL's half of the differences: a pool, the workspace row as the lock, and its error codes.

READ COMMITTED with the lock taken first is the isolation that the commit fence and the limits need:
docs/explanation/transactions.md tells why a stronger level without the lock is not enough.
"""

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager

import psycopg
from sqlalchemy import Connection, Engine, case, create_engine, exc, make_url, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.pool import QueuePool

from workspace_memory.domain.errors import Busy, DomainError, StorageFull
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.governance_tables import rate_counts
from workspace_memory.storage.search_tables import TABLES as SEARCH_TABLES
from workspace_memory.storage.tables import idempotency_keys, memory_item_history, memory_items

WAIT_SECONDS = 10.0
CONNECTIONS = 10

# This product's own numbers; migrating.py uses 8787001.
_LOCK_INSTANCE = text("SELECT pg_advisory_xact_lock(8787002)")
_BOUND = text(
    "SELECT set_config('lock_timeout', :milliseconds, true), set_config('statement_timeout', :milliseconds, true)"
)
_LOCK = text("SELECT 1 FROM workspaces WHERE id = :workspace FOR NO KEY UPDATE")


class PostgresqlDialect:
    """One database, given by a URL such as postgresql://user@host/name."""

    driver_error = psycopg.Error

    def __init__(self, url: str, *, wait_seconds: float = WAIT_SECONDS) -> None:
        milliseconds = int(wait_seconds * 1000)
        engine = create_engine(
            make_url(url).set(drivername="postgresql+psycopg"),
            poolclass=QueuePool,
            pool_size=CONNECTIONS,
            max_overflow=CONNECTIONS,
            pool_timeout=wait_seconds,
            pool_pre_ping=True,
            isolation_level="READ COMMITTED",
            connect_args={
                "connect_timeout": max(1, int(wait_seconds)),  # 0 would be no bound at all
                "application_name": "workspace-memory",
                # Half, since whoever is third in line waits twice: for the place behind the holder, and for the holder.
                "options": f"-c lock_timeout={milliseconds // 2} -c statement_timeout={3 * milliseconds}"
                " -c idle_in_transaction_session_timeout=60000 -c timezone=UTC",
            },
        )
        self.writer: Engine = engine
        # A snapshot for all statements of one read: it never waits for a writer and never blocks one.
        self.reader: Engine = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    def reading(self) -> AbstractContextManager[Connection]:
        """By SQLAlchemy's own transaction, which knows what to do with a connection that is lost in it."""
        return self.reader.begin()

    @contextmanager
    def writing(self, within: float | None = None) -> Generator[None]:  # noqa: ARG002  `bound` does it
        """Nothing: PostgreSQL queues the waiters of a row lock itself."""
        yield

    def bound(self, connection: Connection, within: float) -> None:
        """By the server's own time-outs, for this transaction alone."""
        milliseconds = max(1, int(within * 1000))
        connection.execute(_BOUND, {"milliseconds": f"{milliseconds}ms"})

    def lock_workspace(self, connection: Connection, workspace: WorkspaceId) -> bool:
        """Lock the workspace's row; the first statement of every transaction that writes."""
        return connection.execute(_LOCK, {"workspace": workspace}).first() is not None

    def lock_instance(self, connection: Connection) -> None:
        """An advisory lock, since there may be no row yet."""
        connection.execute(_LOCK_INSTANCE)

    def translate(self, error: Exception) -> DomainError | Contention | None:
        """By SQLSTATE: contention may be run again, a full disk and a lost server may not."""
        if isinstance(error, exc.TimeoutError):
            return Busy()
        cause = error.orig if isinstance(error, exc.DBAPIError) else error
        if not isinstance(cause, psycopg.Error):
            return None
        match cause.sqlstate:
            case "40P01" | "55P03" | "40001":
                return Contention()
            case "53100":
                return StorageFull()
            case "57014" | "53300":
                return Busy()
            case None if isinstance(cause, psycopg.OperationalError):
                return Busy()  # the connection is lost: the server restarts or fails over
            case str(state) if state.startswith(("08", "57P")):
                return Busy()
            case _:
                return None

    def count_call(self, workspace: WorkspaceId, subject: str, kind: str, period: int) -> int:
        """In a row of its own, in a short transaction of its own: it waits for no writer of the workspace."""
        new = insert(rate_counts).values(
            workspace_id=workspace, subject_id=subject, kind=kind, period=period, calls=1
        )
        known = rate_counts.c
        calls = case((known.period == new.excluded.period, known.calls + 1), else_=1)
        statement = new.on_conflict_do_update(
            index_elements=[known.workspace_id, known.subject_id, known.kind],
            set_={"period": new.excluded.period, "calls": calls},
        ).returning(known.calls)
        try:
            with self.writer.begin() as connection:
                # A count that a crash loses does no harm, so nobody waits for the disk.
                connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
                return connection.execute(statement).scalar_one()
        except exc.IntegrityError:
            return 1  # the workspace is gone by now, which the use case itself will say

    @property
    def deletion_remains(self) -> str:
        """What no command of this product reaches."""
        return (
            "The rows and index entries are deleted and vacuumed. PostgreSQL's write-ahead log and your backups keep "
            "the text until they are recycled."
        )

    def forget_deleted(self) -> None:
        """Vacuum the tables that hold texts, so that the rows' space is given free and reused."""
        with self.writer.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in (memory_items, memory_item_history, idempotency_keys, *SEARCH_TABLES):
                connection.exec_driver_sql(f"VACUUM {table.name}")

    @property
    def owes_forgetting(self) -> bool:
        """Never: a vacuum that has to wait is the server's own business."""
        return False

    def close(self) -> None:
        """Close every connection of the pool."""
        self.writer.dispose()

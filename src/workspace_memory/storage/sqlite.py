"""SQLite's half of the differences: one writer at a time in a fair queue, and a pool of readers.

`BEGIN IMMEDIATE` is the workspace lock: whoever holds it is the only writer of the whole file. An acknowledged
write survives a power cut (`synchronous=FULL`), and deleted text is gone from every file (`forget_deleted`).
"""

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc
from sqlalchemy.pool import QueuePool

from workspace_memory.domain.errors import Busy, DomainError, FolderUnusable, StorageFull
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.search_sql import Statement, driver_of

WAIT_SECONDS = 10.0
READERS = 8
# Each connection has a page cache of its own, and the system's cache of the file serves all of them: larger ones cost
# 80 MiB in all and make neither a search nor an import quicker (docs/explanation/performance.md).
READER_CACHE_KIB = 1_000
WRITER_CACHE_KIB = 2_000
# A search takes a few milliseconds. Whoever reads for longer, such as an export, holds nobody up for more than this.
READING_TURN_SECONDS = 0.05
# From 16 MB on the log is folded into the file. Most pages of an import are changed by every part of it, and with the
# usual 4 MB they would be written once more for each.
LOG_PAGES = 4_000
CALL_COUNTS_MAX = 100_000

_WORKSPACE = Statement("SELECT 1 FROM workspaces WHERE id = ?")


class SqliteDialect:
    """One database file. Raises Busy where the writer's place is not free within ten seconds."""

    driver_error = sqlite3.Error

    def __init__(self, path: Path, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.path = path
        self._wait_seconds = wait_seconds
        self._queue = _WriterQueue()
        self._give_up_at = 0.0
        self._calls = _CallCounts()
        self._scrub_guard = threading.Lock()
        self._reading_turn = threading.Lock()
        # A process that ended in an orderly way folded its log into the file. After any other end the log is still
        # there, and with it perhaps what was deleted in the last moment.
        self._scrubs_asked = int(_has_log(path))
        self._scrubs_done = 0
        self.writer = self._engine(connections=1, cache_kib=WRITER_CACHE_KIB)
        self.reader = self._engine(connections=READERS, cache_kib=READER_CACHE_KIB)
        event.listen(self.writer, "begin", self._begin_writing)
        event.listen(self.reader, "connect", _only_read)

    def _engine(self, *, connections: int, cache_kib: int) -> Engine:
        engine = create_engine(
            # Made of parts: in a URL's text a ? or % of the path would mean something else.
            URL.create("sqlite", database=str(self.path.absolute())),
            poolclass=QueuePool,
            pool_size=connections,
            max_overflow=0 if connections == 1 else READERS,
            # The one that was used last: its page cache and its statements are the warmest.
            pool_use_lifo=True,
            pool_timeout=self._wait_seconds,
            connect_args={
                "isolation_level": None,
                "check_same_thread": False,
                "timeout": self._wait_seconds,
                "cached_statements": 512,
            },
        )
        event.listen(engine, "connect", partial(_configure, cache_kib))
        return engine

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """One snapshot from the first statement on; the pool rolls back what comes back to it.

        One such transaction after the other, unless one takes long: reading gives up the interpreter at each row, and
        several threads that take it from each other spend twice as much processor time on the same work.
        """
        mine = self._reading_turn.acquire(timeout=READING_TURN_SECONDS)
        try:
            with self._snapshot() as connection:
                yield connection
        finally:
            if mine:
                self._reading_turn.release()

    def _snapshot(self) -> Connection:
        connection = self.reader.connect()
        try:
            # By the driver alone: every read begins here, and SQLAlchemy's transaction would cost ten times the rest.
            raw = connection.connection.driver_connection
            assert raw is not None  # noqa: S101  an open connection has one
            raw.execute("BEGIN")
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin_writing(self, connection: Connection) -> None:
        # What is left of the wait after the queue: a lock of another process must not begin it anew.
        left = max(0.0, self._give_up_at - time.monotonic())
        raw = driver_of(connection)
        raw.execute(f"PRAGMA busy_timeout={int(left * 1000)}")
        raw.execute("BEGIN IMMEDIATE")

    @contextmanager
    def writing(self, within: float | None = None) -> Generator[None]:
        """Wait for the one writer's place, first come first served."""
        wait_seconds = self._wait_seconds if within is None else min(within, self._wait_seconds)
        give_up_at = time.monotonic() + wait_seconds
        if not self._queue.acquire(wait_seconds):
            raise Busy
        self._give_up_at = give_up_at
        try:
            yield
        finally:
            self._queue.release()

    def bound(self, connection: Connection, within: float) -> None:
        """Nothing to do: a reader never waits, and a writer has waited when its transaction begins."""

    @property
    def writers_waiting(self) -> int:
        """How many writers stand in line behind the present one."""
        return len(self._queue)

    def lock_workspace(self, connection: Connection, workspace: WorkspaceId) -> bool:
        """Nothing to lock, since BEGIN IMMEDIATE did it; only look whether the workspace exists."""
        return bool(_WORKSPACE.rows(connection, workspace))

    def lock_instance(self, connection: Connection) -> None:
        """Nothing to do, since BEGIN IMMEDIATE locks the whole file."""

    def translate(self, error: Exception) -> DomainError | Contention | None:
        """By SQLite's own error code: busy, full, damaged."""
        cause = error.orig if isinstance(error, exc.DBAPIError) else error
        if isinstance(error, exc.TimeoutError):
            return Busy()
        if not isinstance(cause, sqlite3.Error):
            return None
        # The driver waited for the whole of `timeout` before it said busy, so there is nothing to try again.
        match getattr(cause, "sqlite_errorcode", 0) & 0xFF:
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return Busy()
            case sqlite3.SQLITE_FULL:
                return StorageFull()
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                reason = f"its database {self.path.name} is damaged; put a backup of it in its place"
                return FolderUnusable(folder=str(self.path.parent), reason=reason)
            case _:
                return None

    def count_call(self, workspace: WorkspaceId, subject: str, kind: str, period: int) -> int:
        """In RAM, since one process owns the file."""
        return self._calls.add((workspace, subject, kind), period)

    @property
    def deletion_remains(self) -> str:
        """Nowhere, once `forget_deleted` has written the files anew."""
        if not self.owes_forgetting:
            return ""
        return (
            "The items are deleted, but their text is still in the database's files, which could not be written anew "
            "just now. The server tries again every half minute."
        )

    def forget_deleted(self) -> None:
        """Write the whole file anew and empty the write-ahead log, so that neither holds what was deleted.

        `secure_delete` overwrites a deleted row, but not the copies that stay in the unused part of a page when rows
        move to another one. Of several callers at once one does the work for all who came before it began.
        """
        with self._scrub_guard:
            self._scrubs_asked += 1
            mine = self._scrubs_asked
        with self.writing(), self.writer.connect() as connection:
            if self._scrubs_done >= mine:
                return
            covered = self._scrubs_asked
            raw = connection.connection.dbapi_connection
            assert raw is not None  # noqa: S101  an open connection has one
            try:
                raw.execute(f"PRAGMA busy_timeout={int(self._wait_seconds * 1000)}")
                raw.execute("VACUUM")
                # Its answer is a row: 1 when a reader that began earlier still needs the log, which stays as it is.
                (blocked, *_) = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error as error:
                raise self.translate(error) or error from None
            if not blocked:
                self._scrubs_done = covered

    @property
    def owes_forgetting(self) -> bool:
        """Whether something that was deleted may still be readable in a file; `forget_deleted` tries again."""
        return self._scrubs_done < self._scrubs_asked

    def close(self) -> None:
        """Close every connection; SQLite then folds the log into the file."""
        if self.owes_forgetting:
            with suppress(Exception):  # whatever is in the way now, nothing was promised to whoever closes
                self.forget_deleted()
        self.reader.dispose()
        self.writer.dispose()


def _has_log(path: Path) -> bool:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False


def _only_read(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only=ON")


def _configure(cache_kib: int, connection: sqlite3.Connection, _record: object) -> None:
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
        "temp_store=MEMORY",
        f"cache_size=-{cache_kib}",  # negative: KiB instead of pages
        f"wal_autocheckpoint={LOG_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


class _CallCounts:
    """How many calls were made in the latest period of each kind and subject."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._counts: dict[tuple[str, str, str], tuple[int, int]] = {}

    def add(self, subject: tuple[str, str, str], period: int) -> int:
        """One call more; how many there are in this period."""
        with self._guard:
            known, calls = self._counts.get(subject, (period, 0))
            calls = calls + 1 if known == period else 1
            if len(self._counts) >= CALL_COUNTS_MAX and subject not in self._counts:
                self._counts.clear()  # a burst of very many tokens: rather a minute without limits than a full RAM
            self._counts[subject] = (period, calls)
            return calls


class _WriterQueue:
    """A lock that serves its waiters in the order in which they came; `threading.Lock` promises no order."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        self._waiting: deque[threading.Event] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def acquire(self, timeout: float) -> bool:
        """Take the place, waiting at most `timeout` seconds; False when it was not free in time."""
        with self._guard:
            if not self._held:
                self._held = True
                return True
            turn = threading.Event()
            self._waiting.append(turn)
        if turn.wait(timeout):
            return True
        with self._guard:
            # The place may have been handed over between the end of the wait and this line.
            if turn.is_set():
                return True
            self._waiting.remove(turn)
            return False

    def release(self) -> None:
        """Hand the place to the next in line."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._held = False

"""What differs between the two databases, behind one small Protocol.

`sqlite.py` and `postgresql.py` implement it; nothing else in the product asks which database it is.
"""

from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection, Engine

from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.ids import WorkspaceId


class Contention(Exception):
    """Another transaction is in the way. The whole use case may be run again; nothing was written."""


class Dialect(Protocol):
    """A database's own way to begin, to lock and to fail."""

    @property
    def reader(self) -> Engine:
        """The engine for transactions that only read."""
        ...

    @property
    def writer(self) -> Engine:
        """The engine for transactions that write."""
        ...

    @property
    def driver_error(self) -> type[Exception]:
        """What the driver raises where a statement goes straight to it (`search_sql.py`)."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection over one snapshot; nothing is left of its transaction afterwards, however it ended."""
        ...

    def writing(self, within: float | None = None) -> AbstractContextManager[None]:
        """What is held around a writing transaction: on SQLite the one place in the queue of writers.

        `within` shortens the wait for it, in seconds.
        """
        ...

    def bound(self, connection: Connection, within: float) -> None:
        """Let no statement of this transaction wait longer than so many seconds."""
        ...

    def lock_workspace(self, connection: Connection, workspace: WorkspaceId) -> bool:
        """Take the workspace lock until the transaction ends; False when there is no such workspace."""
        ...

    def lock_instance(self, connection: Connection) -> None:
        """Take the lock on what belongs to no workspace until the transaction ends."""
        ...

    def translate(self, error: Exception) -> DomainError | Contention | None:
        """The product's own error for a driver's one, or None when it is a bug and stays as it is."""
        ...

    def count_call(self, workspace: WorkspaceId, subject: str, kind: str, period: int) -> int:
        """Count a call where every process of the installation sees it; how many there are in this period."""
        ...

    @property
    def deletion_remains(self) -> str:
        """Where deleted text is kept for a while nevertheless, as a sentence; empty for nowhere."""
        ...

    def forget_deleted(self) -> None:
        """Make what was deleted unreadable in the database's files, as far as the database can."""
        ...

    @property
    def owes_forgetting(self) -> bool:
        """Whether `forget_deleted`, here or in an earlier process, could not finish."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...

"""Transactions: the only way to the tables.

`begin()` writes, `read()` only reads; each yields one Transaction with the repositories. A use case opens exactly
one, takes the workspace lock first when it writes, and the transaction has ended before an answer starts.
"""

import logging
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from workspace_memory.domain.errors import Busy, NotFound, StorageFull
from workspace_memory.domain.ids import TokenId, UserId, WorkspaceId, is_id
from workspace_memory.storage.accounts import Accounts
from workspace_memory.storage.admissions import Admissions
from workspace_memory.storage.assistant_days import AssistantDays
from workspace_memory.storage.audit import AuditLog
from workspace_memory.storage.client_items import ClientItems
from workspace_memory.storage.conversations import Conversations
from workspace_memory.storage.dialect import Contention, Dialect
from workspace_memory.storage.documents import Documents
from workspace_memory.storage.entries import Entries
from workspace_memory.storage.fence import CommitFence
from workspace_memory.storage.idempotency import IdempotencyKeys
from workspace_memory.storage.items import Items
from workspace_memory.storage.key_sessions import KeySessions
from workspace_memory.storage.licences import Licences
from workspace_memory.storage.links import Links
from workspace_memory.storage.members import Members
from workspace_memory.storage.messages import Messages
from workspace_memory.storage.policies import Policies
from workspace_memory.storage.proposals import Proposals
from workspace_memory.storage.receipts import Receipts
from workspace_memory.storage.reviews import Reviews
from workspace_memory.storage.search import SearchIndex
from workspace_memory.storage.servers import Servers
from workspace_memory.storage.sessions import SignIns
from workspace_memory.storage.sqlite import SqliteDialect
from workspace_memory.storage.tokens import Tokens
from workspace_memory.storage.turns import Turns
from workspace_memory.storage.user_keys import UserKeys
from workspace_memory.storage.vector_cache import SignCache
from workspace_memory.storage.vectors import Vectors
from workspace_memory.storage.workspace_keys import WorkspaceKeys
from workspace_memory.storage.workspaces import Workspaces

_logger = logging.getLogger(__name__)


class Transaction:
    """One transaction's repositories, all on the same connection."""

    def __init__(self, connection: Connection, dialect: Dialect, signs: SignCache) -> None:
        self.connection = connection
        self._dialect = dialect
        self._signs = signs

    def lock_workspace(self, workspace: WorkspaceId) -> None:
        """Take the one lock, before anything is read that the write depends on.

        Raises: NotFound when there is no such workspace.
        """
        if not is_id(workspace) or not self._dialect.lock_workspace(self.connection, workspace):
            raise NotFound("workspace")

    def lock_instance(self) -> None:
        """Take the lock on what belongs to no workspace (accounts, failed sign-ins), after any workspace lock.

        Where a row has to be looked for before it is made, there is no row yet that could be locked.
        """
        self._dialect.lock_instance(self.connection)

    @cached_property
    def accounts(self) -> Accounts:
        """Accounts of this installation."""
        return Accounts(self.connection)

    @cached_property
    def workspaces(self) -> Workspaces:
        """Workspaces and their settings."""
        return Workspaces(self.connection)

    @cached_property
    def members(self) -> Members:
        """Memberships."""
        return Members(self.connection)

    @cached_property
    def servers(self) -> Servers:
        """MCP servers."""
        return Servers(self.connection)

    @cached_property
    def tokens(self) -> Tokens:
        """Personal access tokens."""
        return Tokens(self.connection)

    @cached_property
    def entries(self) -> Entries:
        """What decides about a call over MCP."""
        return Entries(self.connection)

    @cached_property
    def links(self) -> Links:
        """One-time links."""
        return Links(self.connection)

    @cached_property
    def sign_ins(self) -> SignIns:
        """Signed-in sessions and failed attempts."""
        return SignIns(self.connection)

    @cached_property
    def items(self) -> Items:
        """Memory items and their history."""
        return Items(self.connection)

    @cached_property
    def reviews(self) -> Reviews:
        """What waits for a person."""
        return Reviews(self.connection)

    @cached_property
    def client_items(self) -> ClientItems:
        """What one token made."""
        return ClientItems(self.connection)

    @cached_property
    def search(self) -> SearchIndex:
        """The search index over active items."""
        return SearchIndex(self.connection)

    @cached_property
    def vectors(self) -> Vectors:
        """What the semantic signal of the search goes by."""
        return Vectors(self.connection, self._signs)

    @cached_property
    def idempotency(self) -> IdempotencyKeys:
        """Answers that a repeated request is given again."""
        return IdempotencyKeys(self.connection)

    @cached_property
    def audit(self) -> AuditLog:
        """The audit log; append under the workspace lock."""
        return AuditLog(self.connection)

    @cached_property
    def licences(self) -> Licences:
        """The licence keys of workspaces."""
        return Licences(self.connection)

    @cached_property
    def policies(self) -> Policies:
        """The memory policy and the AI consent."""
        return Policies(self.connection)

    @cached_property
    def documents(self) -> Documents:
        """The memory document and notes, sealed."""
        return Documents(self.connection)

    @cached_property
    def conversations(self) -> Conversations:
        """Conversations with their delivery slot."""
        return Conversations(self.connection)

    @cached_property
    def turns(self) -> Turns:
        """Turns of the Assistant."""
        return Turns(self.connection)

    @cached_property
    def messages(self) -> Messages:
        """Sealed messages of conversations."""
        return Messages(self.connection)

    @cached_property
    def assistant_days(self) -> AssistantDays:
        """What the Assistant has cost, by day."""
        return AssistantDays(self.connection)

    @cached_property
    def admissions(self) -> Admissions:
        """What turns were admitted under."""
        return Admissions(self.connection)

    @cached_property
    def fence(self) -> CommitFence:
        """The commit fence."""
        return CommitFence(self.connection)

    @cached_property
    def receipts(self) -> Receipts:
        """Receipts of recalls and captures."""
        return Receipts(self.connection)

    @cached_property
    def proposals(self) -> Proposals:
        """Sealed proposals."""
        return Proposals(self.connection)

    @cached_property
    def key_sessions(self) -> KeySessions:
        """Opened key sessions and their revocations."""
        return KeySessions(self.connection)

    @cached_property
    def user_keys(self) -> UserKeys:
        """People's own keys, sealed."""
        return UserKeys(self.connection)

    @cached_property
    def workspace_keys(self) -> WorkspaceKeys:
        """Workspace keys by epoch, and grants."""
        return WorkspaceKeys(self.connection)


class Database:
    """Begins transactions and translates what the driver raises."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.signs = SignCache()

    @contextmanager
    def begin(self, *, within: float | None = None) -> Generator[Transaction]:
        """A writing transaction: committed at the end, rolled back on any exception.

        `within` is how many seconds it may wait for others, where that is less than usual.
        Raises: Busy, StorageFull; Contention, which the runner of use cases answers by running again.
        """
        with (
            self.dialect.writing(within),
            self.translating(),
            self.dialect.writer.begin() as connection,
        ):
            if within is not None:
                self.dialect.bound(connection, within)
            yield Transaction(connection, self.dialect, self.signs)

    @contextmanager
    def read(self, *, within: float | None = None) -> Generator[Transaction]:
        """A reading transaction over one snapshot; no writer is waited for. `within` as in `begin`. Raises: Busy."""
        with self.translating(), self.dialect.reading() as connection:
            if within is not None:
                self.dialect.bound(connection, within)
            yield Transaction(connection, self.dialect, self.signs)

    @contextmanager
    def translating(self) -> Generator[None]:
        """Turns the driver's exceptions into the product's own. Raises: Busy, StorageFull, Contention."""
        try:
            yield
        except (SQLAlchemyError, self.dialect.driver_error) as error:
            translated = self.dialect.translate(error)
            if translated is None:
                raise
            # The driver's text may quote a row, so it must not travel along as the cause.
            raise translated from None

    def count_call(self, workspace: WorkspaceId, subject: TokenId | UserId, kind: str, period: int) -> int:
        """Count a call of a token (or user) within a period; how many there are now. Outside any transaction.

        Raises: Busy, Contention.
        """
        with self.translating():
            return self.dialect.count_call(workspace, subject, kind, period)

    @property
    def deletion_remains(self) -> str:
        """Where deleted text is kept for a while nevertheless, as a sentence; empty for nowhere."""
        return self.dialect.deletion_remains

    def forget_deleted(self) -> None:
        """Make deleted text unreadable in the files, as far as the database can.

        The deletion itself is committed by now, so nothing here may say that nothing was written. Where another
        connection is in the way, the rest is done by the next call, by `forget_owed`, or at the end.
        """
        try:
            with suppress(Busy, StorageFull, Contention), self.translating():
                self.dialect.forget_deleted()
        except Exception as error:
            # Such as a file system that was made read-only. By type alone: a driver's text may quote a row.
            _logger.warning("deleted text could not be made unreadable: %s", type(error).__name__)

    def forget_owed(self) -> None:
        """Finish what `forget_deleted` could not, if anything; a server calls it now and then."""
        if self.dialect.owes_forgetting:
            self.forget_deleted()

    def close(self) -> None:
        """Close every connection."""
        self.dialect.close()


def open_sqlite(path: Path) -> Database:
    """The database in one file, which is made when it is missing."""
    return Database(SqliteDialect(path))


def open_postgresql(url: str) -> Database:
    """The database at a PostgreSQL URL."""
    # Here, since the driver costs start-up time that an installation on SQLite need not pay.
    from workspace_memory.storage.postgresql import PostgresqlDialect  # noqa: PLC0415

    return Database(PostgresqlDialect(url))

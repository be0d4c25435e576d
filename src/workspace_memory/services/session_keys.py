"""The way of a use case to the workspace key: the session by its token, the key borrowed, older keys by the chain.

The key lies in the key store, where no SQL predicate can see it, so that a use has two steps: `find_session` within
the transaction, `borrow_key` outside it.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from workspace_memory.crypto.errors import KeySessionNotHeld, KeyStoreUnavailable, SealBroken
from workspace_memory.crypto.key_sessions import KeyStore
from workspace_memory.crypto.session_sealing import session_token_hash
from workspace_memory.crypto.workspace_keys import WorkspaceKey, first_of_chain, open_older
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import EpochConflict, KeyLost, KeySessionRequired, KeyStoreDown
from workspace_memory.domain.ids import Epoch, UserId, WorkspaceId
from workspace_memory.domain.key_session import KeySession
from workspace_memory.services.audit import record
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.workspace_keys import KeyEpoch


@dataclass(frozen=True, slots=True)
class Keyring:
    """The workspace key of a session, and by it those of the epochs before, down to where it was begun anew."""

    newest: WorkspaceKey
    epochs: Sequence[KeyEpoch]

    @property
    def first(self) -> int:
        """The oldest epoch whose key can be opened; those before were lost."""
        return first_of_chain(
            self.newest.epoch, (each.epoch for each in self.epochs if each.older_sealed is None)
        )

    def at(self, epoch: int) -> WorkspaceKey:
        """The key of an epoch.

        Raises: KeySessionRequired for a newer one; KeyLost for one that nobody holds; SealBroken for a broken chain.
        """
        key = self.newest
        if epoch > key.epoch or epoch < 1:
            raise KeySessionRequired
        if epoch < self.first:
            raise KeyLost(epoch)
        sealed = {each.epoch: each.older_sealed for each in self.epochs}
        while key.epoch > epoch:
            older = sealed.get(Epoch(key.epoch))
            if older is None:
                raise SealBroken
            key = open_older(key, older)
        return key


def revoke_rows(deps: Deps, tx: Transaction, actor: Actor | None, *sessions: KeySession) -> None:
    """Write durable revocations under the lock that the caller holds; the caller drops the keys after its COMMIT."""
    for session in sessions:
        tx.key_sessions.revoke(
            session.workspace, session.id, by=None if actor is None else actor.user, at=deps.clock.now()
        )
        record(
            deps,
            tx,
            session.workspace,
            AuditAction.KEY_SESSION_REVOKED,
            actor,
            subject=session.user,
            key_session=session.id,
        )


def drop_keys(store: KeyStore, *sessions: KeySession) -> None:
    """Forget the keys of sessions whose revocation is committed. One that cannot be reached ends by its expiry."""
    # A store that does not answer for one is not asked for the next: each question is waited for.
    with suppress(KeyStoreUnavailable):
        for session in sessions:
            store.drop(session.id)


def find_session(
    deps: Deps, tx: Transaction, user: UserId, workspace: WorkspaceId, token: bytes | None
) -> KeySession:
    """The open session of this user and token, by the database. Raises: KeySessionRequired."""
    if token is None:
        raise KeySessionRequired
    session = tx.key_sessions.by_token(workspace, user, session_token_hash(token))
    if session is None or session.revoked or deps.clock.now() >= session.expires_at:
        raise KeySessionRequired
    return session


def borrow_key(store: KeyStore, session: KeySession, token: bytes) -> WorkspaceKey:
    """The session's key for one use. Not within a transaction: the key store may be another process.

    Raises: KeySessionRequired when it was evicted; KeyStoreDown.
    """
    try:
        return store.borrow(session.id, token=token, user=session.user, workspace=session.workspace)
    except (KeySessionNotHeld, SealBroken):
        raise KeySessionRequired from None
    except KeyStoreUnavailable:
        raise KeyStoreDown from None


def require_newest_epoch(tx: Transaction, workspace: WorkspaceId, epoch: int) -> None:
    """Raise EpochConflict for anything that was sealed under another key than the newest."""
    newest = tx.workspace_keys.newest(workspace)
    if newest is None or newest.epoch != epoch:
        raise EpochConflict(current=0 if newest is None else newest.epoch)


def require_newest_key(tx: Transaction, key: WorkspaceKey) -> None:
    """Raise KeySessionRequired for the key of a session that a newer key has ended."""
    newest = tx.workspace_keys.newest(key.workspace)
    if newest is None or newest.epoch != key.epoch:
        raise KeySessionRequired

"""The store of key sessions: workspace keys in RAM, each sealed under a token that only its client has.

One interface, two stores: `RamKeyStore` in this process, and `valkey_key_store.py` for several processes. Neither says
whether a session was revoked: the row in the database is the authority on that, and a key that is gone from here
(evicted, or lost with the process) is no revocation.
"""

import hmac
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from workspace_memory.crypto.errors import KeySessionNotHeld, KeyStoreFull
from workspace_memory.crypto.session_sealing import (
    SessionContext,
    open_from_store,
    seal_for_store,
    session_token_hash,
)
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId, WorkspaceId

IDLE_SECONDS = 30 * 60
ABSOLUTE_SECONDS = 12 * 60 * 60
CAPACITY = 10_000


@dataclass(frozen=True, slots=True)
class HeldKey:
    """A workspace key as it is kept: sealed, with whom it is for and the hash of the token that opens it."""

    user: UserId
    workspace: WorkspaceId
    epoch: int
    token_hash: bytes = field(repr=False)
    sealed: bytes = field(repr=False)


class KeyStore(Protocol):
    """Where sealed keys lie between requests. Safe to use from several threads."""

    def put(self, session_id: str, entry: HeldKey, *, idle_seconds: int, expires_at: datetime) -> None:
        """Keep a key until it is dropped, idle for that long, or expired. Replaces what the session had.

        `expires_at` is the one that the key was sealed with. Raises: KeyStoreFull, KeyStoreUnavailable.
        """
        ...

    def borrow(self, session_id: str, *, token: bytes, user: UserId, workspace: WorkspaceId) -> WorkspaceKey:
        """The open key, for one use by the caller, who keeps it nowhere. Counts as use, so idling begins anew.

        Raises: KeySessionNotHeld for every reason that is the caller's; SealBroken when what is kept was changed;
        KeyStoreUnavailable.
        """
        ...

    def drop(self, session_id: str) -> None:
        """Forget a session; one that is not there is no error. Raises: KeyStoreUnavailable."""
        ...

    def held(self, session_ids: Collection[str]) -> frozenset[str]:
        """Those of these sessions whose keys are kept now. It is no use, so that idling goes on.

        Raises: KeyStoreUnavailable.
        """
        ...

    def count(self) -> int:
        """How many sessions are kept. Raises: KeyStoreUnavailable."""
        ...


def held_key(
    key: WorkspaceKey, token: bytes, *, session_id: str, user: UserId, expires_at: datetime
) -> HeldKey:
    """Seal an open key for the store. A refreshed token is a new one of these under the same session."""
    context = SessionContext(session_id, user, key.workspace, expires_at)
    return HeldKey(
        user, key.workspace, key.epoch, session_token_hash(token), seal_for_store(key, token, context)
    )


def open_held(
    entry: HeldKey,
    *,
    session_id: str,
    token: bytes,
    user: UserId,
    workspace: WorkspaceId,
    expires_at: datetime,
    now: datetime,
) -> WorkspaceKey:
    """Check whose the kept key is, and open it. Raises: KeySessionNotHeld, SealBroken."""
    mine = hmac.compare_digest(entry.token_hash, session_token_hash(token))
    if not mine or (entry.user, entry.workspace) != (user, workspace):
        raise KeySessionNotHeld
    context = SessionContext(session_id, user, workspace, expires_at)
    if now.timestamp() >= context.expiry_seconds():
        raise KeySessionNotHeld
    return open_from_store(entry.sealed, token, context, entry.epoch)


@dataclass(slots=True)
class _Slot:
    entry: HeldKey
    idle: timedelta
    expires_at: datetime
    used_at: datetime

    def gone(self, now: datetime) -> bool:
        return now >= self.expires_at or now >= self.used_at + self.idle


class RamKeyStore:
    """Keys in the memory of this process: gone when it ends, and never shared with another."""

    def __init__(self, now: Callable[[], datetime], *, capacity: int = CAPACITY) -> None:
        self._now = now
        self._capacity = capacity
        self._slots: dict[str, _Slot] = {}
        self._lock = threading.Lock()

    def put(self, session_id: str, entry: HeldKey, *, idle_seconds: int, expires_at: datetime) -> None:
        """See KeyStore."""
        now = self._now()
        with self._lock:
            self._sweep(now)
            if session_id not in self._slots and len(self._slots) >= self._capacity:
                raise KeyStoreFull
            self._slots[session_id] = _Slot(entry, timedelta(seconds=idle_seconds), expires_at, now)

    def borrow(self, session_id: str, *, token: bytes, user: UserId, workspace: WorkspaceId) -> WorkspaceKey:
        """See KeyStore."""
        now = self._now()
        with self._lock:
            slot = self._slots.get(session_id)
            if slot is not None and slot.gone(now):
                del self._slots[session_id]
                slot = None
        if slot is None:
            raise KeySessionNotHeld
        key = open_held(
            slot.entry,
            session_id=session_id,
            token=token,
            user=user,
            workspace=workspace,
            expires_at=slot.expires_at,
            now=now,
        )
        with self._lock:
            # Dropped while it was being opened: whoever revoked it must not see it used afterwards.
            if self._slots.get(session_id) is not slot:
                raise KeySessionNotHeld
            slot.used_at = now
        return key

    def drop(self, session_id: str) -> None:
        """See KeyStore."""
        with self._lock:
            self._slots.pop(session_id, None)

    def held(self, session_ids: Collection[str]) -> frozenset[str]:
        """See KeyStore."""
        with self._lock:
            self._sweep(self._now())
            return frozenset(self._slots.keys() & set(session_ids))

    def count(self) -> int:
        """See KeyStore."""
        with self._lock:
            self._sweep(self._now())
            return len(self._slots)

    def _sweep(self, now: datetime) -> None:
        for session_id in [name for name, slot in self._slots.items() if slot.gone(now)]:
            del self._slots[session_id]

"""Key sessions in Valkey (or Redis), for a server of several processes. See `key_sessions.py` for what is kept.

Valkey sees sealed keys and hashes of tokens, never a token, so a dump of it opens nothing. It must be set to keep
nothing on a disk and to throw nothing away: both are checked when the store is made. This is the only module that
imports the client library, the optional dependency `valkey`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Protocol, TypeVar, cast

from valkey import Valkey
from valkey.exceptions import OutOfMemoryError, ResponseError, ValkeyError

from workspace_memory.crypto.errors import (
    KeySessionNotHeld,
    KeyStoreFull,
    KeyStoreUnavailable,
    KeyStoreUnsafe,
    SealBroken,
)
from workspace_memory.crypto.key_sessions import HeldKey, open_held
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.ids import UserId, WorkspaceId

_PREFIX = "wm:ks:"
_TIMEOUT_SECONDS = 2.0
_WANTED = {"save": "", "appendonly": "no", "maxmemory-policy": "noeviction"}

Answer = TypeVar("Answer")


class _Commands(Protocol):
    """The commands that are used, with the types that the library leaves open."""

    def hset(self, name: bytes, *, mapping: Mapping[str, bytes | str | int]) -> object: ...
    def hgetall(self, name: bytes) -> dict[bytes, bytes]: ...
    def expire(self, name: bytes, time: int) -> object: ...
    def delete(self, *names: bytes) -> object: ...
    def exists(self, *names: bytes) -> object: ...
    def scan_iter(self, *, match: str) -> Iterable[bytes]: ...
    def config_get(self, pattern: str) -> dict[str, str]: ...
    def pipeline(self, *, transaction: bool) -> "_Pipeline": ...


class _Pipeline(_Commands, Protocol):
    def execute(self) -> list[object]: ...


class ValkeyKeyStore:
    """A KeyStore that several processes share."""

    def __init__(self, url: str, now: Callable[[], datetime]) -> None:
        """Connect and check the settings. `url` is `valkey://`, `valkeys://` (TLS) or `unix://`.

        Raises: KeyStoreUnsafe, KeyStoreUnavailable. Neither shows the address, which may hold a password.
        """
        self._now = now
        self._client = _connected(url)
        self._require_safe()

    def put(self, session_id: str, entry: HeldKey, *, idle_seconds: int, expires_at: datetime) -> None:
        """See KeyStore."""
        fields: dict[str, bytes | str | int] = {
            "user": entry.user,
            "workspace": entry.workspace,
            "epoch": entry.epoch,
            "token_hash": entry.token_hash,
            "sealed": entry.sealed,
            "idle": idle_seconds,
            "expires": int(expires_at.timestamp()),
        }

        def write() -> object:
            batch = self._client.pipeline(transaction=True)
            batch.hset(_name(session_id), mapping=fields)
            batch.expire(_name(session_id), self._seconds_left(idle_seconds, expires_at))
            return batch.execute()

        _asked(write)

    def borrow(self, session_id: str, *, token: bytes, user: UserId, workspace: WorkspaceId) -> WorkspaceKey:
        """See KeyStore."""
        kept = _asked(lambda: self._client.hgetall(_name(session_id)))
        if not kept:
            raise KeySessionNotHeld
        entry, idle_seconds, expires_at = _read(kept)
        key = open_held(
            entry,
            session_id=session_id,
            token=token,
            user=user,
            workspace=workspace,
            expires_at=expires_at,
            now=self._now(),
        )
        # 0 says that it was dropped while it was being opened: whoever revoked it must not see it used afterwards.
        left = self._seconds_left(idle_seconds, expires_at)
        if not _asked(lambda: self._client.expire(_name(session_id), left)):
            raise KeySessionNotHeld
        return key

    def drop(self, session_id: str) -> None:
        """See KeyStore."""
        _asked(lambda: self._client.delete(_name(session_id)))

    def held(self, session_ids: Collection[str]) -> frozenset[str]:
        """See KeyStore."""

        def ask() -> list[object]:
            batch = self._client.pipeline(transaction=False)
            for session_id in session_ids:
                batch.exists(_name(session_id))
            return batch.execute()

        return frozenset(each for each, there in zip(session_ids, _asked(ask), strict=True) if there)

    def count(self) -> int:
        """See KeyStore."""
        return _asked(lambda: sum(1 for _ in self._client.scan_iter(match=f"{_PREFIX}*")))

    def _seconds_left(self, idle_seconds: int, expires_at: datetime) -> int:
        # Valkey deletes at once what has no second left.
        return min(idle_seconds, int(expires_at.timestamp()) - int(self._now().timestamp()))

    def _require_safe(self) -> None:
        for setting, wanted in _WANTED.items():
            try:
                answer = self._client.config_get(setting)
            except ResponseError:
                answer = None
            except ValkeyError:
                raise KeyStoreUnavailable from None
            if answer is None or setting not in answer:
                raise KeyStoreUnsafe(
                    f"it does not tell its setting {setting}. Let this user run CONFIG GET, so that it can be checked."
                )
            if answer[setting] != wanted:
                raise KeyStoreUnsafe(
                    f"its setting {setting} is '{answer[setting]}' and has to be '{wanted}', so that no key reaches a "
                    "disk and none is thrown away. Use a server of its own for key sessions."
                )


def _connected(url: str) -> _Commands:
    try:
        client = Valkey.from_url(  # pyright: ignore[reportUnknownMemberType]  # the library types no **kwargs
            url, socket_timeout=_TIMEOUT_SECONDS, socket_connect_timeout=_TIMEOUT_SECONDS
        )
    except ValueError:
        raise KeyStoreUnsafe("its address does not begin with valkey://, valkeys:// or unix://.") from None
    return cast("_Commands", client)


def _asked(ask: Callable[[], Answer]) -> Answer:
    failed: type[KeyStoreFull | KeyStoreUnavailable]
    try:
        return ask()
    except OutOfMemoryError:
        failed = KeyStoreFull
    except ValkeyError:
        failed = KeyStoreUnavailable
    # Raised out here: the library's errors may quote the command, and with it what was to be kept.
    raise failed


def _name(session_id: str) -> bytes:
    # A session id comes from outside and may be anything; what is no id has no record.
    return (_PREFIX + session_id).encode("utf-8", "surrogatepass")


def _read(kept: Mapping[bytes, bytes]) -> tuple[HeldKey, int, datetime]:
    """The entry, its idle seconds and its absolute expiry. Raises: SealBroken for a record that is none of ours."""
    try:
        entry = HeldKey(
            UserId(kept[b"user"].decode()),
            WorkspaceId(kept[b"workspace"].decode()),
            int(kept[b"epoch"]),
            kept[b"token_hash"],
            kept[b"sealed"],
        )
        return entry, int(kept[b"idle"]), datetime.fromtimestamp(int(kept[b"expires"]), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        raise SealBroken from None

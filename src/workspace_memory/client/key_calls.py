"""The calls about keys, as they are. `keys.py` makes and checks what they carry; nothing here opens anything."""

from collections.abc import Mapping, Sequence

from workspace_memory.client.connection import Connection, segment
from workspace_memory.client.key_answers import (
    KeySession,
    KeySessions,
    ListedKeySession,
    OwnKeys,
    WorkspaceKeys,
    to_text,
)
from workspace_memory.domain.user_key import PublicPair, Wrapping

Json = Mapping[str, object]


class KeyCalls(Connection):
    """Own keys, the key of the client's workspace, and key sessions there."""

    def own_keys(self) -> OwnKeys:
        """The own keys, sealed. Raises: NotFound before they are set up."""
        return self._read(OwnKeys, "GET", "/me/keys")

    def create_keys(self, public: PublicPair, wrapping: Wrapping) -> OwnKeys:
        """Store the own keys, once. Raises: KeysExist, Forbidden, LevelTooLow."""
        return self._read(OwnKeys, "PUT", "/me/keys", body=_keys(public, wrapping), repeatable=False)

    def rewrap_keys(self, version: int, wrapping: Wrapping, signature: bytes) -> OwnKeys:
        """Store the same keys in another wrapping. Raises: KeysMissing, VersionMismatch, Forbidden, LevelTooLow."""
        body = {"version": version, "wrapping": _wrapping(wrapping), "signature": to_text(signature)}
        return self._read(OwnKeys, "PATCH", "/me/keys", body=body)

    def store_other_keys(self, public: PublicPair, wrapping: Wrapping, *, password: str) -> OwnKeys:
        """Store other keys in place of lost ones; for a client that signed in.

        Raises: KeysMissing, Forbidden, SignInRefused, TooManyAttempts.
        """
        body = {**_keys(public, wrapping), "password": password}
        return self._read(OwnKeys, "POST", "/me/keys/replacement", body=body)

    def workspace_keys(self) -> WorkspaceKeys:
        """The state of the workspace key. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(WorkspaceKeys, "GET", f"{self._keyed}/keys")

    def post_first_key(
        self, *, check: bytes, signature: bytes, grant: Json, lost_epoch: int | None = None
    ) -> WorkspaceKeys:
        """Start the workspace key, or begin it anew after a lost one.

        Raises: EpochConflict, KeyStillHeld, KeysMissing, KeysChanged, NotFound, Forbidden.
        """
        body: dict[str, object] = {
            "check_value": to_text(check),
            "check_signature": to_text(signature),
            "grant": grant,
        }
        if lost_epoch is not None:
            body["lost_epoch"] = lost_epoch
        return self._read(WorkspaceKeys, "POST", f"{self._keyed}/keys", body=body)

    def post_grant(self, *, epoch: int, grant: Json) -> WorkspaceKeys:
        """Pass the newest key on. Raises: EpochConflict, KeysMissing, KeysChanged, NotFound, Forbidden."""
        body = {"epoch": epoch, "grant": grant}
        # Who holds the key already keeps the grant that is there.
        return self._read(WorkspaceKeys, "POST", f"{self._keyed}/keys/grants", body=body, repeatable=True)

    def post_next_key(
        self, *, epoch: int, check: bytes, signature: bytes, older_sealed: bytes, grants: Sequence[Json]
    ) -> WorkspaceKeys:
        """Begin the next epoch. Raises: EpochConflict, KeyHoldersChanged, KeysChanged, NotFound, Forbidden."""
        body = {
            "epoch": epoch,
            "check_value": to_text(check),
            "check_signature": to_text(signature),
            "older_sealed": to_text(older_sealed),
            "grants": list(grants),
        }
        return self._read(WorkspaceKeys, "POST", f"{self._keyed}/keys/rotation", body=body)

    def post_key_session(self, *, name: str, epoch: int, sealed: bytes, token: str) -> KeySession:
        """Open a key session. Raises: EpochConflict, KeyNotProved, KeyStoreDown, RateLimited, NotFound, Forbidden."""
        body = {"name": name, "epoch": epoch, "sealed": to_text(sealed)}
        headers = {"X-Key-Session": token}
        return self._read(KeySession, "POST", f"{self._keyed}/key-sessions", body=body, headers=headers)

    def list_key_sessions(self) -> tuple[ListedKeySession, ...]:
        """The own key sessions in the workspace that have not ended, newest first. Raises: NotFound, Forbidden."""
        return self._read(KeySessions, "GET", f"{self._keyed}/key-sessions").key_sessions

    def revoke_key_session(self, session: str) -> None:
        """End a key session for good; an admin anybody's. Raises: NotFound, Forbidden."""
        self._do("DELETE", f"{self._keyed}/key-sessions/{segment(session)}")

    def revoke_key_session_by_id(self, session: str) -> None:
        """The same, in whichever workspace of the caller it was opened. Raises: NotFound, Forbidden."""
        self._do("DELETE", f"/automation/key-sessions/{segment(session)}")

    @property
    def _keyed(self) -> str:
        return f"/workspaces/{segment(self.workspace)}"


def _keys(public: PublicPair, wrapping: Wrapping) -> dict[str, object]:
    pair = {"x25519": to_text(public.x25519), "ed25519": to_text(public.ed25519)}
    return {"public_keys": pair, "wrapping": _wrapping(wrapping)}


def _wrapping(wrapping: Wrapping) -> Json:
    return {
        "salt": to_text(wrapping.salt),
        "memory_kib": wrapping.memory_kib,
        "passes": wrapping.passes,
        "lanes": wrapping.lanes,
        "wrapped": to_text(wrapping.wrapped),
        "recovery_wrapped": to_text(wrapping.recovery_wrapped),
    }

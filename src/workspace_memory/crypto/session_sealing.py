"""How a workspace key travels into a key session, and how it lies there: sealed under a token that the server lacks.

The client makes the token. It sends the key sealed under it ("ks-open"), and the token beside it; the server opens the
key once, proves it, and keeps it sealed under the same token ("ks-seal"), bound to session, user, workspace and expiry.
Between two requests the server then holds nothing that opens: the token comes with each request and goes with it.
"""

import base64
import binascii
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.crypto.aead import derive_key, open_bytes, seal_bytes
from workspace_memory.crypto.errors import KeySessionNotHeld, SealBroken, WrongKey
from workspace_memory.crypto.packing import lp, utf8
from workspace_memory.crypto.workspace_keys import WorkspaceKey, opened_key, proves
from workspace_memory.domain.ids import UserId, WorkspaceId

TOKEN_BYTES = 32

_OPEN = "wm/v1/ks-open"
_SEAL = "wm/v1/ks-seal"


def new_session_token() -> bytes:
    """32 random bytes, made by the client. An OAuth client's access token, as its UTF-8, serves as well."""
    return secrets.token_bytes(TOKEN_BYTES)


def session_token_hash(token: bytes) -> bytes:
    """SHA-256 of the token (32 bytes): all that the database holds of it."""
    return hashlib.sha256(token).digest()


def write_session_token(token: bytes) -> str:
    """The token for a header or a cookie: base64url without padding."""
    return base64.urlsafe_b64encode(token).decode().rstrip("=")


def read_session_token(text: str) -> bytes:
    """The token from a header or a cookie. Raises: KeySessionNotHeld for anything that is none."""
    try:
        token = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise KeySessionNotHeld from None
    if len(token) != TOKEN_BYTES:
        raise KeySessionNotHeld
    return token


def seal_for_session(key: WorkspaceKey, token: bytes, user: UserId, nonce: bytes | None = None) -> bytes:
    """What the client sends to open a key session (60 bytes). `nonce` is for frozen test vectors alone."""
    _require_long(token)
    aad = lp(_OPEN, user, key.workspace, key.epoch)
    return seal_bytes(derive_key(token, _OPEN), aad, key.secret, nonce)


def open_for_session(
    sealed: bytes, token: bytes, *, user: UserId, workspace: WorkspaceId, epoch: int, check: bytes
) -> WorkspaceKey:
    """What the server does with that, once: open it, and prove by the check value that it is the key of the epoch.

    Raises: WrongKey when it does not open, or is not the workspace's key.
    """
    try:
        secret = open_bytes(derive_key(token, _OPEN), lp(_OPEN, user, workspace, epoch), sealed)
        key = opened_key(workspace, epoch, secret)
    except SealBroken:
        raise WrongKey from None
    if len(token) < TOKEN_BYTES or not proves(key, check):
        raise WrongKey
    return key


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What a kept key is bound to. `expires_at` is absolute and aware; its fraction of a second is cut off."""

    session_id: str
    user: UserId
    workspace: WorkspaceId
    expires_at: datetime

    def __post_init__(self) -> None:
        # The parts are joined by this sign and have no lengths in front of them.
        if any("|" in part for part in (self.session_id, self.user, self.workspace)):
            raise ValueError("an id has no vertical bar")

    def expiry_seconds(self) -> int:
        """The absolute expiry in whole seconds since 1970, UTC."""
        return int(self.expires_at.timestamp())

    def aad(self) -> bytes:
        """The associated data: `ks1|session|user|workspace|expiry`."""
        return utf8(f"ks1|{self.session_id}|{self.user}|{self.workspace}|{self.expiry_seconds()}")


def seal_for_store(
    key: WorkspaceKey, token: bytes, context: SessionContext, nonce: bytes | None = None
) -> bytes:
    """The key as it is kept between requests (60 bytes). `nonce` is for frozen test vectors alone."""
    _require_long(token)
    if key.workspace != context.workspace:
        raise ValueError("the key is of another workspace than the session")
    return seal_bytes(derive_key(token, _SEAL), context.aad(), key.secret, nonce)


def open_from_store(sealed: bytes, token: bytes, context: SessionContext, epoch: int) -> WorkspaceKey:
    """The kept key, for one use. Raises: SealBroken for another token, context or changed bytes."""
    secret = open_bytes(derive_key(token, _SEAL), context.aad(), sealed)
    return opened_key(context.workspace, epoch, secret)


def _require_long(token: bytes) -> None:
    if len(token) < TOKEN_BYTES:
        raise ValueError("a session token has at least 32 bytes")

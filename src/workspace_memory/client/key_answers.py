"""What the service answers about keys, as frozen values. Nothing here is trusted before `keys.py` has checked it."""

import base64
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator

from workspace_memory.crypto.workspace_keys import first_of_chain
from workspace_memory.domain.access import Role
from workspace_memory.domain.ids import Epoch, KeySessionId, UserId
from workspace_memory.domain.key_session import KeySessionWay


def to_text(raw: bytes) -> str:
    """Bytes as they travel: base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def to_bytes(text: object) -> bytes:
    """The bytes again. Raises: ValueError."""
    if not isinstance(text, str):
        raise ValueError("must be base64url")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


Binary = Annotated[bytes, BeforeValidator(to_bytes)]
Standing = Literal["holds", "waiting", "no_keys"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPair:
    """Somebody's public keys, as the service says."""

    x25519: Binary
    ed25519: Binary


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyWrapping:
    """The own private keys, sealed under the passphrase and under the recovery key."""

    salt: Binary
    memory_kib: int
    passes: int
    lanes: int
    wrapped: Binary = field(repr=False)
    recovery_wrapped: Binary = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnKeys:
    """The own keys. `version` is what a new wrapping has to name."""

    user_id: UserId
    version: int
    public_keys: PublicPair
    wrapping: KeyWrapping
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyEpoch:
    """One workspace key, by what proves it; `older_sealed` is the key before, sealed under this one.

    It is None for the first, and where the key was begun anew since nobody held the one before.
    """

    epoch: Epoch
    maker_id: UserId
    check_value: Binary
    check_signature: Binary
    older_sealed: Binary | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGrant:
    """The own grant of the newest key."""

    granter_id: UserId
    granter_ed25519: Binary
    member_public: Binary
    sealed: Binary = field(repr=False)
    signature: Binary = field(repr=False)
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMember:
    """An active member and what the member has of the workspace key."""

    user_id: UserId
    name: str
    email: str
    role: Role
    standing: Standing
    public_keys: PublicPair | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceKeys:
    """The state of the workspace key; `epoch` is 0 before one was started, `epochs` begins with the newest.

    `nobody_holds`: there is a key and no active member has it.
    """

    epoch: Epoch
    rotation_due: bool
    nobody_holds: bool
    epochs: tuple[KeyEpoch, ...]
    own_grant: OwnGrant | None
    members: tuple[KeyMember, ...]

    @property
    def first_readable(self) -> int:
        """The oldest epoch that the newest key leads to; what was sealed under those before is lost."""
        return first_of_chain(self.epoch, (each.epoch for each in self.epochs if each.older_sealed is None))


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySession:
    """An open key session of the caller's."""

    id: KeySessionId
    name: str
    epoch: Epoch
    way: KeySessionWay
    opened_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedKeySession(KeySession):
    """One of a list. `held`: whether the service has its key now; None while its key store does not answer."""

    held: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySessions:
    """The answer to a list."""

    key_sessions: tuple[ListedKeySession, ...]

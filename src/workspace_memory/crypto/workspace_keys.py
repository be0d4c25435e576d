"""Workspace keys: 32 random bytes per epoch, what proves one, and the chain from the newest to the oldest.

Everything of a workspace is sealed under keys derived from its key of one epoch (`envelope.py`). Members receive it by
a grant (`grants.py`). After a removal the next epoch begins; the older key is then sealed under the newer one, so that
whoever opens the newest reads everything, and whoever was removed reads nothing new. Where nobody holds the newest key
any more, the next one is begun anew and keeps no older key: the chain then ends there (`first_of_chain`).
"""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from workspace_memory.crypto.aead import KEY_BYTES, derive_key, open_bytes, seal_bytes
from workspace_memory.crypto.errors import GrantRefused, SealBroken
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.user_keys import PublicKeys, UserKeys
from workspace_memory.domain.ids import WorkspaceId

FIRST_EPOCH = 1

_CHECK = "wm/v1/check"
_CHECK_SIGNATURE = "wm/v1/check-sig"
_OLDER = "wm/v1/older"


@dataclass(frozen=True, slots=True)
class WorkspaceKey:
    """The open key of one workspace and epoch. `secret` has 32 bytes and shows in no representation."""

    workspace: WorkspaceId
    epoch: int
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != KEY_BYTES or self.epoch < FIRST_EPOCH:
            raise ValueError("a workspace key has 32 bytes and an epoch from 1")

    def derived(self, label: str) -> bytes:
        """The 32-byte key for one purpose, such as `wm/v1/doc`."""
        return derive_key(self.secret, label)


def opened_key(workspace: WorkspaceId, epoch: int, secret: bytes) -> WorkspaceKey:
    """The key that came out of a seal. Raises: SealBroken when what was sealed is no key."""
    if len(secret) != KEY_BYTES or epoch < FIRST_EPOCH:
        raise SealBroken
    return WorkspaceKey(workspace, epoch, secret)


def new_workspace_key(workspace: WorkspaceId, epoch: int = FIRST_EPOCH) -> WorkspaceKey:
    """A random key for an epoch."""
    return WorkspaceKey(workspace, epoch, secrets.token_bytes(KEY_BYTES))


def check_value(key: WorkspaceKey) -> bytes:
    """32 bytes that only this key can make: the server keeps them to prove a key where nothing is sealed yet."""
    return hmac.digest(key.derived(_CHECK), lp(key.workspace, key.epoch), "sha256")


def proves(key: WorkspaceKey, check: bytes) -> bool:
    """Whether the key is the one that the check value was made with; compared in constant time."""
    return hmac.compare_digest(check_value(key), check)


def sign_check(maker: UserKeys, workspace: WorkspaceId, epoch: int, check: bytes) -> bytes:
    """The maker's Ed25519 signature (64 bytes) over LP("wm/v1/check-sig", workspace, epoch, check)."""
    return maker.sign(_signed_check(workspace, epoch, check))


def require_check_of(
    maker: PublicKeys, workspace: WorkspaceId, epoch: int, check: bytes, signature: bytes
) -> None:
    """Make sure that the check value is the maker's, whose keys the caller pinned. Raises: GrantRefused."""
    try:
        Ed25519PublicKey.from_public_bytes(maker.ed25519).verify(
            signature, _signed_check(workspace, epoch, check)
        )
    except InvalidSignature:
        raise GrantRefused("the check value of the workspace key is not signed by its maker") from None


def _signed_check(workspace: WorkspaceId, epoch: int, check: bytes) -> bytes:
    return lp(_CHECK_SIGNATURE, workspace, epoch, check)


def wrap_older(newer: WorkspaceKey, older: WorkspaceKey, nonce: bytes | None = None) -> bytes:
    """The older key, sealed under the one of the next epoch (60 bytes).

    Raises: ValueError unless both are of one workspace and their epochs follow each other.
    """
    if newer.workspace != older.workspace or newer.epoch != older.epoch + 1:
        raise ValueError("only the next epoch of the same workspace keeps an older key")
    return seal_bytes(newer.derived(_OLDER), _older_context(newer), older.secret, nonce)


def open_older(newer: WorkspaceKey, wrapped: bytes) -> WorkspaceKey:
    """The key of the epoch before. Raises: SealBroken."""
    secret = open_bytes(newer.derived(_OLDER), _older_context(newer), wrapped)
    return opened_key(newer.workspace, newer.epoch - 1, secret)


def first_of_chain(newest: int, begun_anew: Iterable[int]) -> int:
    """The oldest epoch that the key of epoch `newest` leads to; `begun_anew` are those that keep no older key."""
    return max((epoch for epoch in begun_anew if epoch <= newest), default=FIRST_EPOCH)


def open_chain(
    newest: WorkspaceKey, wrapped: Mapping[int, bytes], *, first: int = FIRST_EPOCH
) -> dict[int, WorkspaceKey]:
    """Every key of the workspace by its epoch, from the newest down to the first of its chain.

    `wrapped` holds, by the epoch of the older key, what `wrap_older` made. Raises: SealBroken when one is missing or
    does not open: a server that leaves out the end of the chain must not pass for a young workspace.
    """
    keys = {newest.epoch: newest}
    for epoch in range(newest.epoch - 1, first - 1, -1):
        if epoch not in wrapped:
            raise SealBroken
        keys[epoch] = open_older(keys[epoch + 1], wrapped[epoch])
    return keys


def _older_context(newer: WorkspaceKey) -> bytes:
    return lp(_OLDER, newer.workspace, newer.epoch, newer.epoch - 1)

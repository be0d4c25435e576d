"""Grants: how a member receives the key of a workspace from another member, past a server that may lie.

HPKE (RFC 9180, base mode: DHKEM X25519 HKDF-SHA256, HKDF-SHA256, AES-256-GCM) seals the key to the member; the granter
signs it with Ed25519. Encryption alone would let the server grant a key of its own and read what is sealed under it, so
a client opens no grant whose signature does not come from the key that it has pinned for the granter.
"""

from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hpke
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from workspace_memory.crypto.errors import GrantRefused, SealBroken
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.user_keys import PublicKeys, UserKeys
from workspace_memory.crypto.workspace_keys import WorkspaceKey, opened_key
from workspace_memory.domain.ids import UserId, WorkspaceId

SUITE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)


@dataclass(frozen=True, slots=True)
class GrantContext:
    """What a grant says: the key of which workspace and epoch, to whom (X25519 key of 32 bytes), by whom."""

    workspace: WorkspaceId
    epoch: int
    member: UserId
    member_x25519: bytes
    granter: UserId

    def info(self) -> bytes:
        """The `info` of HPKE, which is also part of what is signed."""
        return lp("wm/v1/grant", self.workspace, self.epoch, self.member, self.member_x25519, self.granter)


@dataclass(frozen=True, slots=True)
class Grant:
    """A grant as the server keeps it: `sealed` is enc ‖ ciphertext (80 bytes), the signature has 64 bytes."""

    sealed: bytes = field(repr=False)
    signature: bytes = field(repr=False)


def make_grant(
    key: WorkspaceKey, *, member: UserId, member_keys: PublicKeys, granter: UserId, granter_keys: UserKeys
) -> Grant:
    """Seal the workspace key to a member and sign that.

    `member_keys` are the ones whose fingerprint the granter was shown. Raises: GrantRefused for a public key to which
    nothing can be sealed safely.
    """
    context = GrantContext(key.workspace, key.epoch, member, member_keys.x25519, granter)
    info = context.info()
    try:
        sealed = SUITE.encrypt(key.secret, X25519PublicKey.from_public_bytes(member_keys.x25519), info=info)
    except ValueError:
        # A point of small order: the shared secret would be known to everybody.
        raise GrantRefused("the member's public key is not a usable one") from None
    return Grant(sealed, granter_keys.sign(_signed(context, sealed)))


def check_grant(grant: Grant, context: GrantContext, granter_keys: PublicKeys) -> None:
    """Make sure that the granter, by the keys that this client pinned, signed this grant. Raises: GrantRefused."""
    try:
        Ed25519PublicKey.from_public_bytes(granter_keys.ed25519).verify(
            grant.signature, _signed(context, grant.sealed)
        )
    except InvalidSignature:
        raise GrantRefused("this grant of a workspace key is not signed by its granter") from None


def open_grant(
    grant: Grant,
    *,
    workspace: WorkspaceId,
    epoch: int,
    member: UserId,
    member_keys: UserKeys,
    granter: UserId,
    granter_keys: PublicKeys,
) -> WorkspaceKey:
    """The workspace key, after its signature was checked.

    `granter_keys` are the pinned ones. Raises: GrantRefused for another signature; SealBroken when it was signed, but
    not sealed to this member and context.
    """
    context = GrantContext(workspace, epoch, member, member_keys.public.x25519, granter)
    check_grant(grant, context, granter_keys)
    try:
        secret = SUITE.decrypt(grant.sealed, member_keys.receiving, info=context.info())
    except (InvalidTag, ValueError):
        raise SealBroken from None
    return opened_key(workspace, epoch, secret)


def _signed(context: GrantContext, sealed: bytes) -> bytes:
    return lp("wm/v1/grant-sig", context.info(), sealed)

"""The signature under a new wrapping of a person's keys.

Whoever wraps keys anew has opened them, and proves it with the signing key that is among them. Without that a stolen
access token could put rubbish in place of the only copy of somebody's keys.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.user_keys import PublicKeys, UserKeys
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.user_key import Wrapping

_LABEL = "wm/v1/rewrap-sig"


def sign_wrapping(keys: UserKeys, user: UserId, version: int, wrapping: Wrapping) -> bytes:
    """An Ed25519 signature of 64 bytes; `version` is the one that the new wrapping takes the place of."""
    return keys.sign(_signed(user, version, keys.public, wrapping))


def is_signed_by(
    public: PublicKeys, user: UserId, version: int, wrapping: Wrapping, signature: bytes
) -> bool:
    """Whether the owner of these public keys made that signature."""
    signed = _signed(user, version, public, wrapping)
    try:
        Ed25519PublicKey.from_public_bytes(public.ed25519).verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def _signed(user: UserId, version: int, public: PublicKeys, wrapping: Wrapping) -> bytes:
    work = (wrapping.memory_kib, wrapping.passes, wrapping.lanes)
    sealed = (wrapping.wrapped, wrapping.recovery_wrapped)
    return lp(_LABEL, user, version, public.x25519, public.ed25519, wrapping.salt, *work, *sealed)

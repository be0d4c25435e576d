"""A person's keys: X25519 receives workspace keys, Ed25519 signs the grants that the person makes.

The server keeps the public halves, and the private ones wrapped twice: under the passphrase and under the recovery key.
The associated data holds whose keys they are, both public keys and, for the passphrase, its parameters: a server that
swaps one of them or lowers the work makes keys that do not open. What the recovery key wraps names no parameters of a
passphrase, since it has to outlive every change of it.
"""

import hashlib
from dataclasses import dataclass, field, replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from workspace_memory.crypto.aead import KEY_BYTES, derive_key, open_bytes, seal_bytes
from workspace_memory.crypto.errors import SealBroken, WrongKey
from workspace_memory.crypto.packing import lp
from workspace_memory.crypto.passphrases import FLOOR, PassphraseWork, key_encryption_key, new_salt
from workspace_memory.crypto.recovery_keys import RecoveryKey, base32, grouped
from workspace_memory.domain.ids import UserId

_PASSPHRASE = "wm/v1/userkeys"
_RECOVERY = "wm/v1/recovery"
_FINGERPRINT_BYTES = 20


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """What others know of a person's keys: 32 bytes each."""

    x25519: bytes
    ed25519: bytes

    def __post_init__(self) -> None:
        if len(self.x25519) != KEY_BYTES or len(self.ed25519) != KEY_BYTES:
            raise ValueError("a public key has 32 bytes")

    def fingerprint(self) -> str:
        """What two people compare: 160 bits over both keys, 8 groups of 4 characters of Crockford's base32."""
        digest = hashlib.sha256(lp("wm/v1/fingerprint", self.x25519, self.ed25519)).digest()
        return grouped(base32(digest[:_FINGERPRINT_BYTES]))


@dataclass(frozen=True, slots=True, eq=False)
class UserKeys:
    """A person's open keys. No representation shows them, and they cannot be pickled."""

    receiving: X25519PrivateKey = field(repr=False)
    signing: Ed25519PrivateKey = field(repr=False)

    @property
    def public(self) -> PublicKeys:
        """The public halves."""
        return PublicKeys(
            self.receiving.public_key().public_bytes_raw(), self.signing.public_key().public_bytes_raw()
        )

    def sign(self, signed: bytes) -> bytes:
        """An Ed25519 signature of 64 bytes."""
        return self.signing.sign(signed)


@dataclass(frozen=True, slots=True)
class WrappedKeys:
    """A person's keys as the server keeps them under the passphrase. `wrapped` has 92 bytes."""

    public: PublicKeys
    salt: bytes
    work: PassphraseWork
    wrapped: bytes = field(repr=False)


def new_user_keys() -> UserKeys:
    """Random keys."""
    return UserKeys(X25519PrivateKey.generate(), Ed25519PrivateKey.generate())


def user_keys_from(x25519: bytes, ed25519: bytes) -> UserKeys:
    """The keys from their two private halves of 32 bytes."""
    return UserKeys(
        X25519PrivateKey.from_private_bytes(x25519), Ed25519PrivateKey.from_private_bytes(ed25519)
    )


def wrap_keys(
    keys: UserKeys,
    user: UserId,
    passphrase: str,
    *,
    work: PassphraseWork = FLOOR,
    salt: bytes | None = None,
    nonce: bytes | None = None,
) -> WrappedKeys:
    """Wrap the keys under a passphrase. `salt` and `nonce` are for frozen test vectors alone.

    Raises: WeakParameters; NotText for a passphrase that is no text.
    """
    salt = new_salt() if salt is None else salt
    kek = key_encryption_key(passphrase, salt, work)
    bare = WrappedKeys(keys.public, salt, work, b"")
    return replace(
        bare, wrapped=seal_bytes(kek, _passphrase_context(user, bare), _private_bytes(keys), nonce)
    )


def unwrap_keys(wrapped: WrappedKeys, user: UserId, passphrase: str) -> UserKeys:
    """Open what `wrap_keys` made. `user` is who the client says it is, not what the server sent.

    Raises: WrongKey; WeakParameters.
    """
    kek = key_encryption_key(passphrase, wrapped.salt, wrapped.work)
    return _opened(kek, _passphrase_context(user, wrapped), wrapped.wrapped, wrapped.public)


def change_passphrase(
    wrapped: WrappedKeys, user: UserId, old: str, new: str, *, work: PassphraseWork = FLOOR
) -> WrappedKeys:
    """The same keys under another passphrase and a new salt; what the recovery key wraps stays as it is.

    Raises: WrongKey when the old one is not right; WeakParameters.
    """
    return wrap_keys(unwrap_keys(wrapped, user, old), user, new, work=work)


def wrap_for_recovery(
    keys: UserKeys, user: UserId, recovery: RecoveryKey, nonce: bytes | None = None
) -> bytes:
    """Wrap the keys under the recovery key (92 bytes). `nonce` is for frozen test vectors alone."""
    kek = derive_key(recovery.secret, _RECOVERY)
    return seal_bytes(kek, lp(_RECOVERY, user, *_both(keys.public)), _private_bytes(keys), nonce)


def unwrap_by_recovery(wrapped: bytes, user: UserId, public: PublicKeys, recovery: RecoveryKey) -> UserKeys:
    """Open what `wrap_for_recovery` made. Raises: WrongKey."""
    kek = derive_key(recovery.secret, _RECOVERY)
    return _opened(kek, lp(_RECOVERY, user, *_both(public)), wrapped, public)


def _passphrase_context(user: UserId, record: WrappedKeys) -> bytes:
    work = record.work
    return lp(_PASSPHRASE, user, *_both(record.public), record.salt, work.memory_kib, work.passes, work.lanes)


def _both(public: PublicKeys) -> tuple[bytes, bytes]:
    return public.x25519, public.ed25519


def _private_bytes(keys: UserKeys) -> bytes:
    return keys.receiving.private_bytes_raw() + keys.signing.private_bytes_raw()


def _opened(kek: bytes, aad: bytes, wrapped: bytes, public: PublicKeys) -> UserKeys:
    try:
        private = open_bytes(kek, aad, wrapped)
    except SealBroken:
        raise WrongKey from None
    if len(private) != 2 * KEY_BYTES:
        raise WrongKey
    keys = user_keys_from(private[:KEY_BYTES], private[KEY_BYTES:])
    # A faulty client could have sealed public keys that are not the private ones' own; nobody could then reach them.
    if keys.public != public:
        raise WrongKey
    return keys

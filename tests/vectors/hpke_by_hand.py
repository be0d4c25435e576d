"""HPKE in base mode (RFC 9180) written out, with an ephemeral key of the caller's choice.

The library draws the ephemeral key itself, so neither the RFC's vectors nor frozen ones of ours can be made with it.
This one reproduces the RFC's, and the tests show that the library and it open what the other sealed.
"""

import hmac

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_KEM = b"KEM" + (0x0020).to_bytes(2, "big")
KEY_BYTES = {1: 16, 2: 32}


def _extract(suite: bytes, salt: bytes, label: bytes, secret: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + secret, "sha256")


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, length: int) -> bytes:
    labelled = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    # Every length of this suite is at most one block of the hash, so HKDF-Expand has one round.
    return hmac.digest(key, labelled + b"\x01", "sha256")[:length]


def shared_secret(own: X25519PrivateKey, other: bytes, encapsulated: bytes, receiver: bytes) -> bytes:
    """What DHKEM(X25519, HKDF-SHA256) gives both sides."""
    exchanged = own.exchange(X25519PublicKey.from_public_bytes(other))
    key = _extract(_KEM, b"", b"eae_prk", exchanged)
    return _expand(_KEM, key, b"shared_secret", encapsulated + receiver, 32)


def key_and_nonce(secret: bytes, info: bytes, aead: int) -> tuple[bytes, bytes]:
    """The key schedule of base mode. `aead` is 1 for AES-128-GCM and 2 for AES-256-GCM."""
    suite = b"HPKE" + b"".join(number.to_bytes(2, "big") for number in (0x0020, 0x0001, aead))
    context = b"\x00" + _extract(suite, b"", b"psk_id_hash", b"") + _extract(suite, b"", b"info_hash", info)
    schedule = _extract(suite, secret, b"secret", b"")
    key = _expand(suite, schedule, b"key", context, KEY_BYTES[aead])
    return key, _expand(suite, schedule, b"base_nonce", context, 12)


def seal(
    plain: bytes, receiver: bytes, ephemeral: bytes, info: bytes, *, aead: int = 2, aad: bytes = b""
) -> bytes:
    """enc ‖ ciphertext of the first message."""
    own = X25519PrivateKey.from_private_bytes(ephemeral)
    encapsulated = own.public_key().public_bytes_raw()
    key, nonce = key_and_nonce(shared_secret(own, receiver, encapsulated, receiver), info, aead)
    return encapsulated + AESGCM(key).encrypt(nonce, plain, aad)


def open_sealed(
    sealed: bytes, receiver: X25519PrivateKey, info: bytes, *, aead: int = 2, aad: bytes = b""
) -> bytes:
    """The first message."""
    encapsulated, ciphertext = sealed[:32], sealed[32:]
    public = receiver.public_key().public_bytes_raw()
    key, nonce = key_and_nonce(shared_secret(receiver, encapsulated, encapsulated, public), info, aead)
    return AESGCM(key).decrypt(nonce, ciphertext, aad)

"""The seal that all of wm/v1 uses: `nonce12 ‖ AES-256-GCM(key, AAD, plain)`, with keys derived by HKDF-SHA-256.

A random nonce of 96 bits is safe for 2^32 seals under one key (NIST SP 800-38D, 8.3); a workspace stays far below.
"""

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from workspace_memory.crypto.errors import SealBroken

KEY_BYTES = 32
NONCE_BYTES = 12
SEAL_BYTES = NONCE_BYTES + 16
"""What a seal adds to the text: the nonce and the tag."""


def derive_key(secret: bytes, label: str) -> bytes:
    """The 32-byte key that a secret has for one purpose. The label is ASCII, such as `wm/v1/doc`."""
    return HKDF(hashes.SHA256(), KEY_BYTES, salt=b"", info=label.encode("ascii")).derive(secret)


def seal_bytes(key: bytes, aad: bytes, plain: bytes, nonce: bytes | None = None) -> bytes:
    """Seal under a key of 32 bytes. `nonce` is for frozen test vectors alone: a second use of one breaks the seal."""
    nonce = secrets.token_bytes(NONCE_BYTES) if nonce is None else nonce
    if len(nonce) != NONCE_BYTES:
        raise ValueError("a nonce has 12 bytes")
    return nonce + AESGCM(key).encrypt(nonce, plain, aad)


def open_bytes(key: bytes, aad: bytes, sealed: bytes) -> bytes:
    """What was sealed under this key and AAD. Raises: SealBroken."""
    if len(sealed) < SEAL_BYTES:
        raise SealBroken
    try:
        return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], aad)
    except InvalidTag:
        raise SealBroken from None

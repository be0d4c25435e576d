"""The proof that an export was written by this installation: HMAC-SHA-256 under a key that never leaves it.

Whoever holds a file can read it; only this installation can say that it wrote it. What is signed is decided in
`domain/exchange_jsonl.py`; the key is kept by `services/transfer.py` among the facts of the instance.
"""

import hmac
import secrets

KEY_NAME = "export_mac_key"
KEY_BYTES = 32

# Keeps these MACs apart from any other that might ever be made with the same key.
_PURPOSE = b"workspace-memory export\n"


def new_export_key() -> bytes:
    """A random key."""
    return secrets.token_bytes(KEY_BYTES)


def export_mac(key: bytes, signed: bytes) -> bytes:
    """The 32 bytes of MAC over what is signed."""
    return hmac.digest(key, _PURPOSE + signed, "sha256")


def is_own_export(key: bytes, signed: bytes, mac: bytes) -> bool:
    """Whether the MAC was made under this key; compared in constant time."""
    return hmac.compare_digest(export_mac(key, signed), mac)

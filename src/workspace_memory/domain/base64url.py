"""Bytes as text: base64url without padding (RFC 4648, 5)."""

import base64
import binascii


def decode(text: str) -> bytes:
    """The bytes of a text. Raises: ValueError, which repeats nothing of it."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("must be base64url without padding") from None
    # One text for each value: what differs in unused bits is not what was sealed.
    if encode(raw) != text:
        raise ValueError("must be base64url without padding")
    return raw


def encode(raw: bytes) -> str:
    """The text of bytes."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")

"""Bytes in JSON: base64url without padding (RFC 4648, 5)."""

import base64
import binascii
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer


def decode(value: object) -> bytes:
    """The bytes of a text. Raises: ValueError, which repeats nothing of it."""
    if isinstance(value, bytes):
        return value  # an answer that is being made
    if not isinstance(value, str):
        raise ValueError("must be base64url without padding")
    try:
        raw = base64.b64decode(value + "=" * (-len(value) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("must be base64url without padding") from None
    # One text for each value: what differs in unused bits is not what was sealed.
    if encode(raw) != value:
        raise ValueError("must be base64url without padding")
    return raw


def encode(raw: bytes) -> str:
    """Bytes as base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


Encoded = Annotated[
    bytes,
    BeforeValidator(decode, json_schema_input_type=str),
    PlainSerializer(encode, return_type=str, when_used="json"),
    Field(json_schema_extra={"type": "string", "format": "base64url"}),
]
"""Bytes that travel as base64url without padding."""

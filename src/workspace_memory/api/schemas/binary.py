"""Bytes within JSON: base64url without padding (RFC 4648, section 5), in one form alone."""

import base64
import binascii
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

_CHARACTERS_MAX = 4_096


def read_base64url(text: object) -> bytes:
    """The bytes. Raises: ValueError, which repeats nothing of the text."""
    if not isinstance(text, str) or len(text) > _CHARACTERS_MAX:
        raise ValueError("must be base64url without padding")
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise ValueError("must be base64url without padding") from None
    # Else several texts would mean the same bytes.
    if write_base64url(raw) != text:
        raise ValueError("must be base64url without padding")
    return raw


def write_base64url(raw: bytes) -> str:
    """The bytes as text."""
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def example_of(length: int) -> str:
    """So many bytes, for an example."""
    return write_base64url(bytes(range(7, 7 + length)))


def _shape(length: int, what: str) -> WithJsonSchema:
    characters = len(example_of(length))
    return WithJsonSchema(
        {
            "type": "string",
            "contentEncoding": "base64url",
            "minLength": characters,
            "maxLength": characters,
            "description": f"{what}: {length} bytes as base64url without padding.",
            "examples": [example_of(length)],
        }
    )


# How many bytes each has, the service checks.
_Read = BeforeValidator(read_base64url)
Public = Annotated[bytes, _Read, _shape(32, "A public key")]
Salt = Annotated[bytes, _Read, _shape(16, "The salt of Argon2id")]
Wrapped = Annotated[bytes, _Read, _shape(92, "The private keys, sealed")]
Signature = Annotated[bytes, _Read, _shape(64, "An Ed25519 signature")]
Check = Annotated[bytes, _Read, _shape(32, "What proves the key")]
SealedGrant = Annotated[bytes, _Read, _shape(80, "The key, sealed to the member by HPKE")]
SealedKey = Annotated[bytes, _Read, _shape(60, "A workspace key, sealed")]

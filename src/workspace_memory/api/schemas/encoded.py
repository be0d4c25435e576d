"""Bytes in JSON: base64url without padding (RFC 4648, 5)."""

from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer

from workspace_memory.domain.base64url import decode as decode_text
from workspace_memory.domain.base64url import encode


def decode(value: object) -> bytes:
    """The bytes of a text. Raises: ValueError, which repeats nothing of it."""
    if isinstance(value, bytes):
        return value  # an answer that is being made
    if not isinstance(value, str):
        raise ValueError("must be base64url without padding")
    return decode_text(value)


Encoded = Annotated[
    bytes,
    BeforeValidator(decode, json_schema_input_type=str),
    PlainSerializer(encode, return_type=str, when_used="json"),
    Field(json_schema_extra={"type": "string", "format": "base64url"}),
]
"""Bytes that travel as base64url without padding."""

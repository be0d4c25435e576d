"""Bytes of a fixed length within JSON, as `encoded.py` writes them, each with its place in the document."""

from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from workspace_memory.api.schemas.encoded import decode, encode


def example_of(length: int) -> str:
    """So many bytes, for an example."""
    return encode(bytes(range(7, 7 + length)))


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
_Read = BeforeValidator(decode)
Public = Annotated[bytes, _Read, _shape(32, "A public key")]
Salt = Annotated[bytes, _Read, _shape(16, "The salt of Argon2id")]
Wrapped = Annotated[bytes, _Read, _shape(92, "The private keys, sealed")]
Signature = Annotated[bytes, _Read, _shape(64, "An Ed25519 signature")]
Check = Annotated[bytes, _Read, _shape(32, "What proves the key")]
SealedGrant = Annotated[bytes, _Read, _shape(80, "The key, sealed to the member by HPKE")]
SealedKey = Annotated[bytes, _Read, _shape(60, "A workspace key, sealed")]

"""Signing and checking licence keys: `wml1.PAYLOAD.SIGNATURE`, both base64url, Ed25519 over the payload (RFC 8032).

The private key stays with whoever issues licences; an installation knows the public one by its settings.
"""

import base64
import binascii

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_MARK = "wml1"


class NotSigned(Exception):
    """The key was not made by the issuer, or was changed."""


def new_issuer() -> tuple[str, str]:
    """A private and a public key of an issuer, each 43 characters of base64url."""
    private = Ed25519PrivateKey.generate()
    return _text(private.private_bytes_raw()), _text(private.public_key().public_bytes_raw())


def sign(payload: bytes, private_key: str) -> str:
    """The licence key for a payload. Raises: ValueError for something that is no private key."""
    signature = Ed25519PrivateKey.from_private_bytes(_bytes(private_key)).sign(payload)
    return f"{_MARK}.{_text(payload)}.{_text(signature)}"


def signed_payload(key: str, public_key: str) -> bytes:
    """The payload of a key whose signature fits. Raises: NotSigned."""
    mark, _, rest = key.strip().partition(".")
    payload_text, _, signature_text = rest.partition(".")
    try:
        payload, signature = _bytes(payload_text), _bytes(signature_text)
        public = Ed25519PublicKey.from_public_bytes(_bytes(public_key))
        public.verify(signature, payload)
    except (ValueError, binascii.Error, InvalidSignature):
        raise NotSigned from None
    if mark != _MARK:
        raise NotSigned
    return payload


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)

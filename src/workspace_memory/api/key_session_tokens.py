"""The token of a key session, as a request carries it."""

import base64
import binascii
from typing import Annotated

from fastapi import Depends, Request

from workspace_memory.domain.errors import InvalidRequest

TOKEN_BYTES = 32


def presented_key_session(request: Request) -> bytes | None:
    """The token in X-Key-Session, or None. Raises: InvalidRequest, without the value."""
    values = request.headers.getlist("x-key-session")
    if not values:
        return None
    if len(values) > 1:
        raise InvalidRequest("X-Key-Session", "came twice")
    return _decoded(values[0])


def _decoded(text: str) -> bytes:
    try:
        token = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        token = b""
    if len(token) != TOKEN_BYTES:
        raise InvalidRequest("X-Key-Session", "must be 32 bytes as base64url without padding")
    return token


KeySessionToken = Annotated[bytes | None, Depends(presented_key_session)]

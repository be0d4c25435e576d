"""Key sessions: for how long, and by which way, the server may use a workspace's key for one member.

The key itself is in RAM, sealed under a token that only the client holds (`crypto/key_sessions.py`); the database
knows who opened a session and whether it was revoked, which is what the commit fence reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from workspace_memory.domain.base64url import decode
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import Epoch, KeySessionId, UserId, WorkspaceId

ABSOLUTE_MAX = timedelta(hours=12)
IDLE = timedelta(minutes=30)
HEADER = "X-Key-Session"
TOKEN_BYTES = 32

_HOW = "must come once and be the token of a key session: 32 bytes as base64url without padding"


class KeySessionWay(StrEnum):
    """How the client holds the token: a browser's cookie, or the header X-Key-Session."""

    COOKIE = "cookie"
    HEADER = "header"


@dataclass(frozen=True, slots=True)
class KeySession:
    """An opened session, as the database knows it."""

    workspace: WorkspaceId
    id: KeySessionId
    user: UserId
    epoch: Epoch
    token_hash: bytes
    name: str
    way: KeySessionWay
    opened_at: datetime
    expires_at: datetime
    revoked: bool


@dataclass(frozen=True, slots=True)
class ListedKeySession:
    """A session that has not ended, and whether it is of use.

    `held` says whether its key is kept now: after a restart or half an hour without use it is not, and never again.
    None where the key store does not answer.
    """

    session: KeySession
    held: bool | None


def header_token(values: Sequence[str]) -> bytes | None:
    """The token of a request, from the values of each X-Key-Session header that it has; None without one.

    Raises: InvalidRequest, which does not repeat it.
    """
    if not values:
        return None
    try:
        [text] = values
        token = decode(text.strip())
    except ValueError:
        raise InvalidRequest(HEADER, _HOW) from None
    if len(token) != TOKEN_BYTES:
        raise InvalidRequest(HEADER, _HOW)
    return token

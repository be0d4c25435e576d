"""Key sessions: for how long, and by which way, the server may use a workspace's key for one member.

The key itself is in RAM, sealed under a token that only the client holds (`crypto/key_sessions.py`); the database
knows who opened a session and whether it was revoked, which is what the commit fence reads.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from workspace_memory.domain.ids import Epoch, KeySessionId, UserId, WorkspaceId

ABSOLUTE_MAX = timedelta(hours=12)
IDLE = timedelta(minutes=30)


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

"""Who asks, and by which way. Made by authentication alone; a request's own arguments never change it."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.ids import TokenId, UserId, WorkspaceId

SOURCE_CHARACTERS_MAX = 200


def source_name(text: str) -> str:
    """A client's name as it is kept with an item: one line of at most 200 visible characters, perhaps none.

    A client gives its name itself, so it is cleaned and not refused: provenance must not fail a save.
    """
    shown = (c for c in text[:SOURCE_CHARACTERS_MAX] if unicodedata.category(c) not in {"Cc", "Cf", "Cs"})
    return "".join(shown).strip()


class Channel(StrEnum):
    """By hand (REST, command line, page) or through an AI client (MCP)."""

    PERSON = "person"
    CLIENT = "client"


class Surface(StrEnum):
    """Where a token may be used."""

    ALL = "all"
    MCP = "mcp"


@dataclass(frozen=True, slots=True)
class Actor:
    """An authenticated user and the credential that proved it.

    `workspace` is the one workspace of a token, or None for a signed-in session, which reaches every workspace
    of its user. `max_level` caps what the credential may do. `source` names the client for provenance.
    """

    user: UserId
    channel: Channel
    source: str
    workspace: WorkspaceId | None = None
    token: TokenId | None = None
    max_level: AccessLevel = AccessLevel.CONTRIBUTE


@dataclass(frozen=True, slots=True)
class Membership:
    """What the actor is in one workspace, as read in the call's own transaction.

    `level` is effective: the member's own or the workspace's default, capped by the credential.
    """

    workspace: WorkspaceId
    user: UserId
    role: Role
    status: MemberStatus
    level: AccessLevel

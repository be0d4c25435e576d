"""A conversation with an agent or with the Assistant: it keeps its workspace and its owner from its beginning."""

import re
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.domain.document import SealedText
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import ConversationId, UserId, WorkspaceId
from workspace_memory.domain.plain_text import require_plain

TITLE_CHARACTERS_MAX = 100
_FIRST_TITLE_CHARACTERS = 60
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Conversation:
    """`slot_nonce` is the newest turn's. `title` is sealed, and None before the first turn of the Assistant."""

    workspace: WorkspaceId
    id: ConversationId
    owner: UserId
    turns: int
    created_at: datetime
    slot_nonce: bytes | None
    slot_expires_at: datetime | None
    title: SealedText | None = None


def title_of(message: str) -> str:
    """The first title of a conversation: the beginning of its first message, on one line."""
    line = " ".join(_CONTROLS.sub(" ", message).split())
    if len(line) <= _FIRST_TITLE_CHARACTERS:
        return line or "…"
    cut = line[:_FIRST_TITLE_CHARACTERS]
    whole_words = cut.rpartition(" ")[0]
    return f"{whole_words or cut}…"


def checked_title(title: str) -> str:
    """The title as it is kept. Raises: InvalidRequest."""
    require_plain("title", title)
    title = title.strip()
    if not 0 < len(title) <= TITLE_CHARACTERS_MAX:
        raise InvalidRequest("title", f"must have 1 to {TITLE_CHARACTERS_MAX} characters")
    if _CONTROLS.search(title):
        raise InvalidRequest("title", "must be one line, without control characters")
    return title

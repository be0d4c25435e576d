"""What a model call is given of the memory document: decided anew before every call, the first status that fits wins.

Pure. `services/recall.py` reads the facts, opens the text and writes the receipt; `recall_block.py` renders the block
and the note.
"""

from dataclasses import dataclass
from enum import StrEnum

from workspace_memory.domain.client_state import ClientState, ClientStateKind
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode

RECALL_BYTES_MAX = 8_192
"""The longest text, in UTF-8 bytes, that is given to a model and that a capture may leave."""


class RecallStatus(StrEnum):
    """In the order in which they are decided."""

    OFF = "off"
    SUPERSEDED = "superseded"
    NO_ACCESS = "no_access"
    PENDING = "pending"
    CONFLICT = "conflict"
    UNAVAILABLE = "unavailable"
    DELETED = "deleted"
    STALE = "stale"
    OVERSIZED = "oversized"
    EMPTY = "empty"
    ATTACHED = "attached"


SILENT = frozenset({RecallStatus.OFF, RecallStatus.EMPTY})
"""Nothing is said to the model."""


@dataclass(frozen=True, slots=True)
class RecallFacts:
    """What one snapshot says about a turn. `version` is the newest, 0 for none; `live` False when deleted."""

    mode: Mode
    newest_turn: bool
    active_member: bool
    ai_allowed: bool
    client_state: ClientState
    key_session_open: bool
    version: Version
    live: bool


def decide_before_text(facts: RecallFacts) -> RecallStatus | None:
    """The status that needs no text, or None when the text has to be looked at."""
    withheld = _decide_turn(facts)
    if withheld is not None:
        return withheld
    if facts.version and not facts.live:
        return RecallStatus.DELETED
    state = facts.client_state
    if state.version is not None and facts.version < state.version:
        return RecallStatus.STALE
    return None if facts.version else RecallStatus.EMPTY


def decide_text(text: str) -> RecallStatus:
    """The status of a text that was opened."""
    if len(text.encode("utf-8", "surrogatepass")) > RECALL_BYTES_MAX:
        return RecallStatus.OVERSIZED
    return RecallStatus.ATTACHED if text.strip() else RecallStatus.EMPTY


def _decide_turn(facts: RecallFacts) -> RecallStatus | None:
    if facts.mode is Mode.OFF:
        return RecallStatus.OFF
    if not facts.newest_turn:
        return RecallStatus.SUPERSEDED
    if not (facts.active_member and facts.ai_allowed):
        return RecallStatus.NO_ACCESS
    if facts.client_state.kind is ClientStateKind.PENDING:
        return RecallStatus.PENDING
    if facts.client_state.kind is ClientStateKind.CONFLICT:
        return RecallStatus.CONFLICT
    return None if facts.key_session_open else RecallStatus.UNAVAILABLE

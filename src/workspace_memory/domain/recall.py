"""Recall: whether the memory document is given to the model, decided anew before every model call.

Pure. `services` reads the facts in one snapshot and asks `decide_before_text`; only where that answers `ReadText` is
the text decrypted, and `decide_text` asked. The first reason that holds wins, in the order of `RecallStatus`; whatever
fails on the way is `unavailable`. Nothing here ever gives an older revision instead. `recall_block.py` has the words.
"""

from dataclasses import dataclass
from enum import StrEnum

from workspace_memory.domain.client_state import ClientState, ClientStateKind
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode

RECALL_BYTES_MAX = 8_192
"""A longer text, in UTF-8, is kept as it is and given to no model."""


class RecallStatus(StrEnum):
    """What became of a recall, in the order in which it is decided."""

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

    @property
    def lets_capture(self) -> bool:
        """Whether a turn whose latest receipt has this status may write: it knows the whole document."""
        return self in {RecallStatus.ATTACHED, RecallStatus.EMPTY}


REASONS = {
    RecallStatus.SUPERSEDED: "this turn has expired, or a newer one of the same conversation has taken its place",
    RecallStatus.NO_ACCESS: "the sender may not use the memory of this workspace",
    RecallStatus.PENDING: "a change that the sender made to it is still being saved",
    RecallStatus.CONFLICT: "a change that the sender made to it conflicts with a newer one and is not settled",
    RecallStatus.UNAVAILABLE: "it could not be read",
    RecallStatus.DELETED: "it was deleted",
    RecallStatus.STALE: "only an older revision than the one that the sender saved was found",
    RecallStatus.OVERSIZED: f"it is longer than {RECALL_BYTES_MAX:,} bytes; a person has to shorten it",
}
"""Why memory was withheld, as the end of a sentence. `off`, `empty` and `attached` withhold nothing."""


class HeadState(StrEnum):
    """Whether there is a document: never written, there, or deleted."""

    ABSENT = "absent"
    LIVE = "live"
    TOMBSTONE = "tombstone"


@dataclass(frozen=True, slots=True)
class RecallFacts:
    """What holds at the moment of a model call, all of it read in one snapshot.

    `mode`, `ai_enabled` and `consent_unchanged` (since the admission) are the workspace's; `client_state` is frozen
    in the admission. `holds_delivery`: the conversation's delivery slot carries this admission's nonce and has not
    expired. `sender_is_active` and `scope_granted`: the member, and the scope of the credential. `key_session_open`:
    that of the admission is neither revoked, expired nor evicted. `version` is 0 where `head` is absent.
    """

    mode: Mode
    holds_delivery: bool
    sender_is_active: bool
    scope_granted: bool
    ai_enabled: bool
    consent_unchanged: bool
    client_state: ClientState
    key_session_open: bool
    head: HeadState
    version: Version


@dataclass(frozen=True, slots=True)
class Attach:
    """The model is given this text, which is that of the current revision."""

    revision: Version
    text: str


@dataclass(frozen=True, slots=True)
class Withhold:
    """The model is told that memory was not provided, and why."""

    status: RecallStatus


@dataclass(frozen=True, slots=True)
class Nothing:
    """The model is told nothing: memory is off, or there is none."""

    status: RecallStatus


@dataclass(frozen=True, slots=True)
class TurnStopped:
    """Workspace AI is off, or its consent was given anew: no model is called (`ai_disabled`).

    That is so whatever else holds; `status` is still the first reason in the order, for the receipt.
    """

    status: RecallStatus


@dataclass(frozen=True, slots=True)
class ReadText:
    """Nothing speaks against it so far: decrypt the current revision and ask `decide_text`."""


def decide_before_text(facts: RecallFacts) -> ReadText | Withhold | Nothing | TurnStopped:
    """What can be said without the text, so that a key is used only where it has to be."""
    status = _status_before_text(facts)
    if status is None:
        return ReadText()
    if not _may_call_a_model(facts):
        return TurnStopped(status)
    match status:
        case RecallStatus.OFF | RecallStatus.EMPTY:
            return Nothing(status)
        case _:
            return Withhold(status)


def decide_text(facts: RecallFacts, text: str | None) -> Attach | Withhold | Nothing:
    """What becomes of the text of the current revision; None when it could not be decrypted or is not intact.

    For facts for which `decide_before_text` answered `ReadText`.
    """
    if text is None:
        return Withhold(RecallStatus.UNAVAILABLE)
    if _is_stale(facts):
        return Withhold(RecallStatus.STALE)
    if len(text.encode()) > RECALL_BYTES_MAX:
        return Withhold(RecallStatus.OVERSIZED)
    if not text.strip():
        return Nothing(RecallStatus.EMPTY)
    return Attach(facts.version, text)


def _status_before_text(facts: RecallFacts) -> RecallStatus | None:
    if facts.mode is Mode.OFF:
        return RecallStatus.OFF
    if not facts.holds_delivery:
        return RecallStatus.SUPERSEDED
    if not (facts.sender_is_active and facts.scope_granted and _may_call_a_model(facts)):
        return RecallStatus.NO_ACCESS
    if facts.client_state.kind is ClientStateKind.PENDING:
        return RecallStatus.PENDING
    if facts.client_state.kind is ClientStateKind.CONFLICT:
        return RecallStatus.CONFLICT
    if not facts.key_session_open:
        return RecallStatus.UNAVAILABLE
    match facts.head:
        case HeadState.TOMBSTONE:
            return RecallStatus.DELETED
        case HeadState.ABSENT:
            return RecallStatus.STALE if _is_stale(facts) else RecallStatus.EMPTY
        case HeadState.LIVE:
            # A text that cannot be read comes before one that is too old, and only reading it tells.
            return None


def _may_call_a_model(facts: RecallFacts) -> bool:
    return facts.ai_enabled and facts.consent_unchanged


def _is_stale(facts: RecallFacts) -> bool:
    acknowledged = facts.client_state.version
    return acknowledged is not None and facts.version < acknowledged

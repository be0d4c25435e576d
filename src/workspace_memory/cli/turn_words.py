"""What stands under an answer of the Assistant: which memory it was given, what was remembered, and what it cost."""

from collections.abc import Sequence

from workspace_memory.cli.executable import typed
from workspace_memory.client.assistant_answers import Usage
from workspace_memory.client.turn_events import HeardTurn
from workspace_memory.domain.assistant_errors import DailyLimitReached
from workspace_memory.domain.document_errors import AiDisabled, KeySessionRequired
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.recall import RECALL_BYTES_MAX, RecallStatus
from workspace_memory.domain.turn import TurnUsage
from workspace_memory.domain.turn_event import MemoryGiven

_NOT_GIVEN = {
    RecallStatus.SUPERSEDED: "the turn took too long, or a newer one of this conversation took its place",
    RecallStatus.NO_ACCESS: "you may not use the memory of this workspace",
    RecallStatus.PENDING: "a change of yours was still being saved",
    RecallStatus.CONFLICT: "a change of yours conflicts with a newer one",
    RecallStatus.UNAVAILABLE: "it could not be read",
    RecallStatus.DELETED: "it is deleted",
    RecallStatus.STALE: "the service has an older revision than the one that you saved",
    RecallStatus.OVERSIZED: f"it is longer than {RECALL_BYTES_MAX:,} bytes; shorten it by 'document edit'",
}
"""`off` and `empty` withhold nothing, so that nothing is said."""


def receipt_line(heard: HeardTurn) -> str:
    """The receipt of a turn on one line; empty where there is nothing to say."""
    parts = [_memory_words(heard.given)]
    parts += [f"Remembered (revision {version})" for version in heard.remembered]
    if heard.ended is not None and heard.ended.usage.calls:
        parts.append(cost_words(heard.ended.usage))
    return " · ".join(part for part in parts if part)


def cost_words(usage: TurnUsage | Usage) -> str:
    """Tokens, and about how many of them were memory."""
    words = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    # More than there were at all, where a provider counts no instructions: then it says nothing.
    if not 0 < usage.memory_tokens <= usage.input_tokens:
        return words
    return f"{words}; about {usage.memory_tokens:,} were memory"


def refusal_words(error: DomainError) -> str:
    """Why a message was not sent, and the command that comes next."""
    match error:
        case AiDisabled():
            return f"AI is off in this workspace, so no model is asked. An admin turns it on: '{typed('ai on')}'."
        case DailyLimitReached():
            command = typed("settings set --assistant-tokens-per-day NUMBER")
            return f"{error} An admin does it by '{command}'."
        case KeySessionRequired():
            return "The key session has ended. Send the message again."
        case _:
            return str(error)


def failure_words(heard: HeardTurn) -> str:
    """Why a turn that began has failed."""
    ended = heard.ended
    if ended is None:
        return "The turn has not ended."
    if ended.error == AiDisabled.code:
        return refusal_words(AiDisabled())
    return ended.problem or f"The turn has failed ({ended.error or 'error'}). Send the message again."


def _memory_words(given: Sequence[MemoryGiven]) -> str:
    revisions = _without_repetition([str(each.version) for each in given if _is_attached(each)])
    reasons = _without_repetition([_NOT_GIVEN[each.status] for each in given if each.status in _NOT_GIVEN])
    words = [f"Memory not given: {reason}" for reason in reasons]
    if revisions:
        words.insert(0, f"Memory revision{'s' if len(revisions) > 1 else ''} {', then '.join(revisions)}")
    return " · ".join(words)


def _is_attached(given: MemoryGiven) -> bool:
    return given.status is RecallStatus.ATTACHED


def _without_repetition(words: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(words))

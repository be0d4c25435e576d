"""The Assistant as JSON: its turns with their messages and cost, and the events of a turn."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import Field

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    with_example,
)
from workspace_memory.domain.call_sources import SourceKind
from workspace_memory.domain.transcript import CallOutcome, ShownCall, ShownMessage, Speaker, shown_messages
from workspace_memory.domain.turn import MESSAGE_BYTES_MAX, Turn, TurnUsage
from workspace_memory.domain.turn_event import (
    ChangeProposed,
    MemoryGiven,
    Remembered,
    TextAdded,
    ToolAnswered,
    ToolCalled,
    TurnBegan,
    TurnEnded,
    TurnEvent,
    TurnRetold,
)
from workspace_memory.services.assistant_usage import DayUsage
from workspace_memory.services.conversations import ShownConversation
from workspace_memory.services.messages import MessagePage, TurnMessages

_USAGE = {"calls": 2, "input_tokens": 2712, "output_tokens": 96, "memory_bytes": 824, "memory_tokens": 241}
_TURN: dict[str, Any] = {
    "turn": 1,
    "admission_id": EXAMPLE_ID,
    "state": "done",
    "model": "anthropic:claude-sonnet-4-5",
    "began_at": EXAMPLE_TIME,
    "ended_at": EXAMPLE_TIME,
    "error": None,
    "usage": _USAGE,
    "messages": [
        {"speaker": "person", "text": "When do we release?", "calls": [], "readable": True},
        {"speaker": "assistant", "text": "On Thursday.", "calls": [], "readable": True},
    ],
}


class MessageIn(Arguments):
    """What a person says."""

    model_config = with_example({"message": "When do we release?"})

    message: Text = Field(description=f"At most {MESSAGE_BYTES_MAX} bytes in UTF-8.")


class TitleIn(Arguments):
    """A conversation's new title."""

    model_config = with_example({"title": "Releases"})

    title: Text = Field(description="1 to 100 characters on one line.")


class MessagesQuery(Arguments):
    """Which turns."""

    after: int = Field(default=0, ge=0, le=2_000_000_000, description="Only turns after this number.")
    limit: int = Field(default=50, ge=1, le=50)


class UsageOut(Answer):
    """What model calls cost, as the provider counted it."""

    calls: int
    input_tokens: int
    output_tokens: int
    memory_bytes: int = Field(description="Bytes of memory within the calls.")
    memory_tokens: int = Field(description="About how many of the input tokens were memory: an estimate.")


class SourceOut(Answer):
    """A text that a tool gave the model."""

    kind: SourceKind
    label: str = Field(description="A note's path, a skill's name, or the beginning of an item.")
    id: str | None = Field(description="Of an item.")


class CallOut(Answer):
    """A tool that the model called, and what came of it."""

    name: str
    outcome: CallOutcome
    about: str = Field(description="The query, path or name that it was called with; empty for other tools.")
    sources: list[SourceOut] = Field(description="The texts that it gave, at most 50.")


class MessageOut(Answer):
    """A message. Not readable: it does not open, or another version of the program wrote it."""

    speaker: Speaker
    text: str
    calls: list[CallOut]
    readable: bool


class TurnOut(Answer):
    """A turn with its messages."""

    model_config = with_example(_TURN)

    turn: int
    admission_id: str
    state: str = Field(
        description="running, done, failed, stopped, or interrupted where the service ended while it ran."
    )
    model: str
    began_at: datetime
    ended_at: datetime | None
    error: str | None = Field(description="The code of what failed.")
    usage: UsageOut
    messages: list[MessageOut]


class MessagesOut(Answer):
    """Turns in their order."""

    model_config = with_example({"turns": [_TURN], "next_after": None})

    turns: list[TurnOut]
    next_after: int | None = Field(description="`after` of the next page; null at the end.")


class ConversationDetailOut(Answer):
    """A conversation with what its turns have cost."""

    model_config = with_example(
        {
            "id": EXAMPLE_ID,
            "title": "When do we release?",
            "workspace_id": EXAMPLE_ID,
            "turns": 1,
            "created_at": EXAMPLE_TIME,
            "usage": _USAGE,
        }
    )

    id: str
    title: str | None = Field(description="Told with an open key session alone.")
    workspace_id: str
    turns: int
    created_at: datetime
    usage: UsageOut


class AssistantOut(Answer):
    """What the workspace's Assistant runs with, and what it has used today."""

    model_config = with_example(
        {
            "model": "anthropic:claude-sonnet-4-5",
            "demonstration": False,
            "today": _USAGE,
            "tokens_per_day": 2_000_000,
        }
    )

    model: str
    demonstration: bool = Field(description="No provider is set; a script answers.")
    today: UsageOut = Field(description="Since midnight in UTC.")
    tokens_per_day: int = Field(description="The limit of the workspace; 0 for none.")


def usage_out(usage: TurnUsage) -> UsageOut:
    """A cost as JSON."""
    return UsageOut(**asdict(usage), memory_tokens=usage.memory_tokens)


def conversation_detail_out(shown: ShownConversation, usage: TurnUsage) -> ConversationDetailOut:
    """A conversation as JSON."""
    found = shown.conversation
    return ConversationDetailOut(
        id=found.id,
        title=shown.title,
        workspace_id=found.workspace,
        turns=found.turns,
        created_at=found.created_at,
        usage=usage_out(usage),
    )


def messages_out(page: MessagePage) -> MessagesOut:
    """A page of turns as JSON."""
    return MessagesOut(turns=[_turn_out(each) for each in page.turns], next_after=page.next_after)


def assistant_out(model: str, day: DayUsage, *, demonstration: bool) -> AssistantOut:
    """What there is and what it has cost, as JSON."""
    return AssistantOut(
        model=model,
        demonstration=demonstration,
        today=usage_out(day.today),
        tokens_per_day=day.tokens_per_day,
    )


def event_out(event: TurnEvent) -> tuple[str, dict[str, Any]]:
    """The name of an event and its data."""
    match event:
        case TurnRetold():
            return "turn_retold", {}
        case TurnBegan():
            return "turn_began", {
                "turn": event.number,
                "admission_id": event.admission,
                "model": event.model,
                "demonstration": event.demonstration,
            }
        case MemoryGiven():
            return "memory_given", {
                "call": event.call,
                "status": event.status.value,
                "revision": event.version,
                "receipt_id": event.receipt,
            }
        case TextAdded():
            return "text_added", {"text": event.text}
        case ToolCalled():
            return "tool_called", {"name": event.name}
        case ToolAnswered():
            return "tool_answered", {"name": event.name, "refused": event.refused}
        case Remembered():
            return "remembered", {"revision": event.version}
        case ChangeProposed():
            return "change_proposed", {"proposal_id": event.proposal, "reason": event.reason.value}
        case TurnEnded():
            return "turn_ended", {
                "state": event.state.value,
                "error": event.error,
                "problem": event.problem,
                "usage": usage_out(event.usage).model_dump(),
            }


def _turn_out(found: TurnMessages) -> TurnOut:
    turn = found.turn
    return TurnOut(
        turn=turn.name.number,
        admission_id=turn.admission,
        state=_state(turn),
        model=turn.model,
        began_at=turn.began_at,
        ended_at=turn.ended_at,
        error=turn.error,
        usage=usage_out(turn.usage),
        # A text that does not open is shown like one that cannot be read: neither is any message's form.
        messages=[_message_out(each) for each in _shown(found)],
    )


def _shown(found: TurnMessages) -> list[ShownMessage]:
    return shown_messages([(each.turn, each.body or "") for each in found.messages])


def _state(turn: Turn) -> str:
    return "interrupted" if turn.interrupted else turn.state.value


def _message_out(message: ShownMessage) -> MessageOut:
    return MessageOut(
        speaker=message.speaker,
        text=message.text,
        calls=[_call_out(call) for call in message.calls],
        readable=message.readable,
    )


def _call_out(call: ShownCall) -> CallOut:
    return CallOut(
        name=call.name,
        outcome=call.outcome,
        about=call.about,
        sources=[SourceOut(kind=each.kind, label=each.label, id=each.id) for each in call.sources],
    )

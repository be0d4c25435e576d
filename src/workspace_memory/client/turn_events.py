"""The events of a turn as they travel: a name and JSON, to and from the classes of `domain/turn_event.py`.

`HeardTurn` gathers them to what stands under an answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache

from pydantic import TypeAdapter

from workspace_memory.domain.ids import ProposalId, Version
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

_KINDS: Mapping[str, type[TurnEvent]] = {
    "turn_retold": TurnRetold,
    "turn_began": TurnBegan,
    "memory_given": MemoryGiven,
    "text_added": TextAdded,
    "tool_called": ToolCalled,
    "tool_answered": ToolAnswered,
    "remembered": Remembered,
    "change_proposed": ChangeProposed,
    "turn_ended": TurnEnded,
}
_NAMES: Mapping[type, str] = {kind: name for name, kind in _KINDS.items()}
# What a field is called in JSON, where that is something else.
_IN_JSON: Mapping[str, str] = {
    "number": "turn",
    "admission": "admission_id",
    "version": "revision",
    "receipt": "receipt_id",
    "proposal": "proposal_id",
}


def event_of(name: str, data: Mapping[str, object]) -> TurnEvent | None:
    """An event that came; None for a kind that this client does not know. Raises: pydantic.ValidationError."""
    kind = _KINDS.get(name)
    if kind is None:
        return None
    names = ((each.name, _IN_JSON.get(each.name, each.name)) for each in fields(kind))
    return _adapter(kind).validate_python({own: data[theirs] for own, theirs in names if theirs in data})


def event_json(event: TurnEvent) -> dict[str, object]:
    """An event as it travels, with its name as `event`."""
    told = {_IN_JSON.get(each.name, each.name): getattr(event, each.name) for each in fields(event)}
    if isinstance(event, TurnEnded):
        told["usage"] = {
            **{each.name: getattr(event.usage, each.name) for each in fields(event.usage)},
            "memory_tokens": event.usage.memory_tokens,
        }
    return {"event": _NAMES[type(event)], **told}


@dataclass
class HeardTurn:
    """What has been heard of a turn so far. Proposals stay when a turn is retold: they are there, told or not."""

    began: TurnBegan | None = None
    text: str = ""
    given: list[MemoryGiven] = field(default_factory=list[MemoryGiven])
    remembered: list[Version] = field(default_factory=list[Version])
    proposals: list[ProposalId] = field(default_factory=list[ProposalId])
    ended: TurnEnded | None = None

    def hear(self, event: TurnEvent) -> None:
        """Take the next event in."""
        match event:
            case TurnRetold():
                self.text, self.given, self.remembered = "", [], []
            case TurnBegan():
                self.began = event
            case MemoryGiven():
                self.given.append(event)
            case TextAdded():
                self.text += event.text
            case Remembered():
                self.remembered.append(event.version)
            case ChangeProposed() if event.proposal not in self.proposals:
                self.proposals.append(event.proposal)
            case TurnEnded():
                self.ended = event
            case _:
                pass


@cache
def _adapter(kind: type[TurnEvent]) -> TypeAdapter[TurnEvent]:
    return TypeAdapter(kind)

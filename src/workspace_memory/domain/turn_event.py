"""What happens in a turn, in the order in which it happens: what a page or a terminal shows while it runs.

An event holds text only where it is the answer's own. Memory is never in one: `MemoryGiven` names the revision.
"""

from dataclasses import dataclass

from workspace_memory.domain.ids import AdmissionId, ProposalId, ReceiptId, Version
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.turn import TurnState, TurnUsage

EventId = str
"""The place of an event in its stream: which stream, a full stop, and the number in it from 1."""


@dataclass(frozen=True, slots=True)
class TurnRetold:
    """What was told before does not count any more: the turn follows from its beginning, as it is stored."""


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """The turn is admitted. `demonstration`: no provider is set, a scripted model answers."""

    number: int
    admission: AdmissionId
    model: str
    demonstration: bool


@dataclass(frozen=True, slots=True)
class MemoryGiven:
    """What one model call was given, as its receipt says. `call` counts from 1 within the turn."""

    call: int
    status: RecallStatus
    version: Version | None
    receipt: ReceiptId | None


@dataclass(frozen=True, slots=True)
class TextAdded:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model calls a tool."""

    name: str


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """A tool has answered the model. `refused`: with an error that the model can read."""

    name: str
    refused: bool


@dataclass(frozen=True, slots=True)
class Remembered:
    """A capture was committed as this revision: the one event that may be shown as "Remembered"."""

    version: Version


@dataclass(frozen=True, slots=True)
class ChangeProposed:
    """A change waits for a person."""

    proposal: ProposalId
    reason: ProposalReason


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The last event. `error` is the code of what failed, with a sentence for people in `problem`."""

    state: TurnState
    usage: TurnUsage
    error: str | None = None
    problem: str | None = None


TurnEvent = (
    TurnRetold
    | TurnBegan
    | MemoryGiven
    | TextAdded
    | ToolCalled
    | ToolAnswered
    | Remembered
    | ChangeProposed
    | TurnEnded
)

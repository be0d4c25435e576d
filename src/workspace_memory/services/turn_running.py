"""What the edges know of the Assistant: a runner of turns that the composition root hands to them.

The runner calls models and tools in the background, so that a turn outlives the connection that began it. It acts
through `Ask` alone, which proves the caller's credential anew at every call.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import Via
from workspace_memory.domain.client_state import ClientState
from workspace_memory.domain.ids import ConversationId
from workspace_memory.domain.turn import TurnName
from workspace_memory.domain.turn_event import EventId, TurnEvent
from workspace_memory.services.deps import Deps

P = ParamSpec("P")
R = TypeVar("R")


class Ask(Protocol):
    """Runs a use case as one caller, whose credential is proved anew each time. Blocks."""

    def __call__(
        self, use_case: Callable[Concatenate[Deps, Actor, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Call the use case. Raises: NotAuthenticated; what the use case raises."""
        ...


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A message of a person. `key` is the caller's name for the submission, for a repetition of it."""

    conversation: ConversationId
    text: str = field(repr=False)
    key: str
    key_session: bytes | None = field(repr=False)
    client_state: ClientState
    via: Via


class TurnRunner(Protocol):
    """Runs turns in the background and tells what happens in them."""

    @property
    def model(self) -> str:
        """What turns run with, by the settings."""
        ...

    @property
    def is_demonstration(self) -> bool:
        """Whether a script answers, since no provider is set."""
        ...

    async def begin(self, ask: Ask, request: TurnRequest) -> TurnName:
        """Admit the turn and begin it; for a submission that is known, the turn that it has begun.

        Raises: what `services.turns.begin_turn` raises, before anything is stored.
        """
        ...

    def events(
        self, ask: Ask, turn: TurnName, *, key_session: bytes | None, after: EventId | None = None
    ) -> AsyncIterator[tuple[EventId, TurnEvent]]:
        """The turn's events after the one of that id, and then live until its end.

        Of a turn that runs in another process, or ran before a restart, what its stored rows say once it has ended.
        Where that is not the stream of `after`, TurnRetold comes first and then the whole turn. Without an open key
        session its text is left out. Raises: NotFound, Forbidden, LevelTooLow.
        """
        ...

    async def stop(self, ask: Ask, turn: TurnName) -> None:
        """End a running turn; what it has said so far stays. One that has ended is left alone.

        Raises: NotFound, Forbidden, LevelTooLow.
        """
        ...

    async def close(self) -> None:
        """Stop every turn and keep what each has said, while the server goes down."""
        ...

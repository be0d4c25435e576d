"""A runner of turns that plays a script: for the edges, which know of a runner no more than its protocol."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from workspace_memory.domain.ids import AdmissionId
from workspace_memory.domain.turn import TurnName, TurnState, TurnUsage
from workspace_memory.domain.turn_event import EventId, TextAdded, TurnBegan, TurnEnded, TurnEvent
from workspace_memory.services.conversations import list_receipts
from workspace_memory.services.turn_running import Ask, TurnRequest

BEGAN = TurnBegan(1, AdmissionId("019f0000-0000-7000-8000-000000000000"), "script", demonstration=True)
DONE = TurnEnded(TurnState.DONE, TurnUsage())


@dataclass
class ScriptedTurns:
    """Plays `script` in each turn, and keeps what it was asked. `refuses` is raised instead of beginning."""

    script: Sequence[TurnEvent | Exception] = (BEGAN, TextAdded("Hello"), DONE)
    refuses: Exception | None = None
    requests: list[TurnRequest] = field(default_factory=list[TurnRequest])

    @property
    def model(self) -> str:
        """What its turns say."""
        return BEGAN.model

    @property
    def is_demonstration(self) -> bool:
        """A script."""
        return BEGAN.demonstration

    async def begin(self, ask: Ask, request: TurnRequest) -> TurnName:
        """Prove that the conversation is the caller's, as admission does, and begin."""
        self.requests.append(request)
        if self.refuses is not None:
            raise self.refuses
        await asyncio.to_thread(ask, list_receipts, request.conversation)
        return TurnName(request.conversation, len(self.requests))

    async def events(
        self, ask: Ask, turn: TurnName, *, key_session: bytes | None, after: EventId | None = None
    ) -> AsyncIterator[tuple[EventId, TurnEvent]]:
        """The script."""
        del key_session, after
        for number, event in enumerate(self.script, 1):
            await asyncio.to_thread(ask, list_receipts, turn.conversation)
            if isinstance(event, Exception):
                raise event
            yield f"script.{number}", event

    async def stop(self, ask: Ask, turn: TurnName) -> None:
        """No test stops one over MCP."""
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing runs."""

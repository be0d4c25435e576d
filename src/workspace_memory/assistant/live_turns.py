"""Turns that run in this process: what happens in one is kept for whoever listens, also after a lost connection."""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from workspace_memory.domain.turn import TurnName
from workspace_memory.domain.turn_event import EventId, TurnEnded, TurnEvent, TurnRetold

ENDED_KEPT = 200
"""How many ended turns are kept for those who come back; older ones are told from the store."""


@dataclass
class LiveTurn:
    """One turn: its events so far. `stream` tells its event ids from those of another telling."""

    stream: str = field(default_factory=lambda: secrets.token_hex(4))
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    _events: list[TurnEvent] = field(default_factory=list[TurnEvent])
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def has_ended(self) -> bool:
        """Whether the last event is there."""
        return bool(self._events) and isinstance(self._events[-1], TurnEnded)

    def tell(self, event: TurnEvent) -> None:
        """Append an event and wake whoever waits for it."""
        self._events.append(event)
        self._changed.set()
        self._changed = asyncio.Event()

    async def listen(self, after: EventId | None) -> AsyncGenerator[tuple[EventId, TurnEvent]]:
        """The events after that one, then each as it happens, until the turn has ended."""
        told = place_after(after, self.stream)
        if after is not None and told is None:
            yield f"{self.stream}.0", TurnRetold()
        place = told or 0
        while True:
            changed = self._changed
            while place < len(self._events):
                place += 1
                yield f"{self.stream}.{place}", self._events[place - 1]
            if self.has_ended:
                return
            await changed.wait()


class LiveTurns:
    """The turns of this process, and the newest of those that have ended."""

    def __init__(self) -> None:
        self._turns: dict[TurnName, LiveTurn] = {}

    def begin(self, name: TurnName) -> LiveTurn:
        """A turn that begins, or begins once more."""
        self._forget_ended()
        # At the end of the order, so that the oldest are forgotten first.
        self._turns.pop(name, None)
        turn = self._turns[name] = LiveTurn()
        return turn

    def get(self, name: TurnName) -> LiveTurn | None:
        """A turn that runs here, or has run here lately."""
        return self._turns.get(name)

    def is_running(self, name: TurnName) -> bool:
        """Whether this process works on it."""
        turn = self._turns.get(name)
        return turn is not None and not turn.has_ended

    def running(self) -> list[LiveTurn]:
        """Those that have not ended."""
        return [each for each in self._turns.values() if not each.has_ended]

    def _forget_ended(self) -> None:
        ended = [name for name, turn in self._turns.items() if turn.has_ended]
        for name in ended[: max(0, len(ended) - ENDED_KEPT)]:
            del self._turns[name]


def place_after(after: EventId | None, stream: str) -> int | None:
    """The number of an event of that stream; None for an id of another one, or for what is no id."""
    if after is None:
        return None
    of_stream, _, number = after.partition(".")
    if of_stream != stream or not (number.isascii() and number.isdecimal() and len(number) < 10):
        return None
    return int(number)

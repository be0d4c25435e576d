"""Hearing a turn while Ctrl-C stops the turn and not the command.

Events are read in a thread of their own; an interruption comes through the same queue, so that it never breaks into the
middle of a request or of a line.
"""

import queue
import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType

from workspace_memory.domain.turn_event import TurnEvent


class Interrupted:
    """The person wants the turn to end."""


class TurnListener:
    """The events of one turn, and interruptions among them."""

    def __init__(self, events: Generator[TurnEvent]) -> None:
        self._events = events
        # Its `put` may be called in a signal handler, whatever it interrupts.
        self._heard: queue.SimpleQueue[TurnEvent | Interrupted | Exception | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="turn", daemon=True).start()

    def __iter__(self) -> Iterator[TurnEvent | Interrupted]:
        """Each as it happens. Raises: what the reading raised."""
        while (heard := self._heard.get()) is not None:
            if isinstance(heard, Exception):
                raise heard
            yield heard

    def interrupt(self) -> None:
        """Say that the person wants it to end."""
        self._heard.put(Interrupted())

    def _read(self) -> None:
        try:
            for event in self._events:
                self._heard.put(event)
            self._heard.put(None)
        except Exception as error:  # raised where the events are waited for
            self._heard.put(error)


@contextmanager
def interruptions_to(listener: TurnListener) -> Generator[None]:
    """The first Ctrl-C goes to the turn; a second one ends the command, should the turn not end."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        del number, frame
        listener.interrupt()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ending_in_order() -> Generator[None]:
    """A terminal that is closed, or a termination, ends the command as an exit does: what was opened is closed."""

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(number, signal.signal(number, end)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)

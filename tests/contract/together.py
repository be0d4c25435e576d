"""Calls that are made at the same moment, each in a thread of its own, and what became of each."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

R = TypeVar("R")
PATIENCE_SECONDS = 60.0


def at_once(*calls: Callable[[], R]) -> list[R | Exception]:
    """Start all calls together and wait for all of them; the answer or the exception of each, in their order."""
    ready = threading.Barrier(len(calls))
    outcomes: dict[int, R | Exception] = {}

    def make(number: int, call: Callable[[], R]) -> None:
        ready.wait(PATIENCE_SECONDS)
        try:
            outcomes[number] = call()
        except Exception as error:
            outcomes[number] = error

    threads = [threading.Thread(target=make, args=pair, daemon=True) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert len(outcomes) == len(calls), "a call did not end"
    return [outcomes[number] for number in range(len(calls))]


def answers(outcomes: Sequence[R | Exception]) -> list[R]:
    """The outcomes that are no exceptions."""
    return [outcome for outcome in outcomes if not isinstance(outcome, Exception)]


def failures(outcomes: Sequence[object]) -> list[type[Exception]]:
    """The kinds of the exceptions among the outcomes."""
    return [type(outcome) for outcome in outcomes if isinstance(outcome, Exception)]

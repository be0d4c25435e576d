"""A call that is given up at a moment, whatever it waits for: a connection, a lock, another process.

The call runs in a thread of its own. Once it is given up nobody takes its answer, so that it has to ask before it makes
anything lasting (`Deadline.settle`). Nothing here stops it: what it waits for has bounds of its own.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

from workspace_memory.domain.errors import Busy

CALLS_MAX = 32
"""How many calls may be under way, those that were given up and have not ended among them."""
SETTLED_SECONDS = 1.0
"""How long a call that has settled is waited for beyond its moment: only its COMMIT is left then."""

T = TypeVar("T")

_places = threading.BoundedSemaphore(CALLS_MAX)


class Deadline:
    """The moment, so many seconds from now, at which the caller goes on without an answer."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds
        self._lock = threading.Lock()
        self._settled = False
        self._given_up = False

    def left(self) -> float:
        """Seconds until then. Raises: Busy when it has come."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise Busy
        return left

    def settle(self) -> None:
        """Say that the answer is about to become lasting; the caller then waits. Raises: Busy when it is late."""
        with self._lock:
            if self._given_up:
                raise Busy
            self.left()
            self._settled = True

    def give_up(self) -> bool:
        """Go on without an answer; False when the call has settled before."""
        with self._lock:
            self._given_up = not self._settled
            return self._given_up


def answer_by(deadline: Deadline, call: Callable[[], T]) -> T:
    """The answer of a call that heeds `deadline`. Raises: Busy without one in time; what the call raises."""
    if not _places.acquire(timeout=deadline.left()):
        raise Busy
    answer: Future[T] = Future()
    context = copy_context()

    def work() -> None:
        try:
            answer.set_result(context.run(call))
        except BaseException as error:
            answer.set_exception(error)
        finally:
            _places.release()

    # A daemon: a call that hangs must not keep the process from ending.
    threading.Thread(target=work, name="deadline", daemon=True).start()
    with suppress(Busy):
        wait([answer], timeout=deadline.left())
    if not answer.done() and not deadline.give_up():
        wait([answer], timeout=SETTLED_SECONDS)
    if not answer.done():
        raise Busy
    return answer.result()

"""The threads in which use cases run, so that the event loop never waits for a database.

A call is handed over and comes back by one queue and one wake-up of the loop: the standard executor makes a second
future for each call and costs twice as much, which every call over MCP would pay.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from queue import SimpleQueue
from typing import TypeVar

_R = TypeVar("_R")


class Workers:
    """At most `most` threads, each started when a call finds none that is free."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._guard = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._free = 0  # threads that wait, less the calls that wait for them
        self._ended = False

    def run(self, work: Callable[[], _R]) -> Awaitable[_R]:
        """Run it in a thread; what it raises is raised to whoever waits. Raises: RuntimeError after `end`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_R] = loop.create_future()

        def call() -> None:
            if future.cancelled():
                return
            try:
                result = work()
            except BaseException as error:
                loop.call_soon_threadsafe(_fail, future, error)
            else:
                loop.call_soon_threadsafe(_settle, future, result)

        with self._guard:
            if self._ended:
                raise RuntimeError("the server is ending")
            if self._free <= 0 and len(self._threads) < self._most:
                name = f"mcp_{len(self._threads)}"
                thread = threading.Thread(target=self._serve, name=name, daemon=True)
                self._threads.append(thread)
                self._free += 1
                thread.start()
            self._free -= 1
        self._calls.put(call)
        return future

    def end(self) -> None:
        """Wait for the calls that were begun. Blocks."""
        with self._guard:
            self._ended = True
            threads = list(self._threads)
        for _ in threads:
            self._calls.put(None)
        for thread in threads:
            thread.join()

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            del call  # or its answer would stay in memory until the next one
            with self._guard:
                self._free += 1


def _settle(future: "asyncio.Future[_R]", result: _R) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: "asyncio.Future[_R]", error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)

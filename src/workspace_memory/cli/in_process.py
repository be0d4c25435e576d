"""Requests to an ASGI application in this process, whose answers come as they are made.

The application lives in an event loop of its own thread from the first request on, so that what it does in the
background goes on between the requests.
"""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

import httpx2

from workspace_memory.services.turn_running import TurnRunner

R = TypeVar("R")
Application = Callable[[Any, Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]


class InProcess(httpx2.BaseTransport):
    """Sends each request to an application. Closing it ends the turns of its Assistant first."""

    def __init__(self, app: Application, turns: TurnRunner | None = None) -> None:
        self._app = app
        self._turns = turns

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """One request. Blocks until its answer begins."""
        exchange = _Exchange(self._app, request, self._loop)
        self._start(exchange.carry_out())
        message = exchange.next()
        if message is None:
            raise RuntimeError("the application has not answered")
        return httpx2.Response(message["status"], headers=list(message["headers"]), stream=exchange)

    def close(self) -> None:
        """Let everything end that runs, and the loop."""
        if "_loop" not in vars(self):
            return
        self._start(self._end()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()

        def live() -> None:
            loop.run_forever()
            loop.close()

        threading.Thread(target=live, name="in-process", daemon=True).start()
        return loop

    def _start(self, work: Coroutine[Any, Any, R]) -> "asyncio.Future[R] | Any":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _end(self) -> None:
        if self._turns is not None:
            await self._turns.close()
        await asyncio.get_running_loop().shutdown_default_executor()


class _Exchange(httpx2.SyncByteStream):
    """One request and its answer: the stream of the body is this itself."""

    def __init__(self, app: Application, request: httpx2.Request, loop: asyncio.AbstractEventLoop) -> None:
        self._app = app
        self._request = request
        self._loop = loop
        self._body: bytes | None = request.read()
        self._gone = asyncio.Event()
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()

    async def carry_out(self) -> None:
        """Let the application answer."""
        try:
            await self._app(self._scope(), self._receive, self._send)
        except BaseException as error:
            self._messages.put(error)
        else:
            self._messages.put(None)

    def next(self) -> Any:
        """The next message of the answer, or None at its end. Blocks. Raises: what the application raised."""
        message = self._messages.get()
        if isinstance(message, BaseException):
            raise message
        return message

    def __iter__(self) -> Iterator[bytes]:
        """The body as it comes."""
        while (message := self.next()) is not None:
            yield message.get("body", b"")

    def close(self) -> None:
        """Tell the application that nobody listens any more."""
        with suppress(RuntimeError):  # the loop has ended, and with it whoever would be told
            self._loop.call_soon_threadsafe(self._gone.set)

    async def _receive(self) -> dict[str, Any]:
        if self._body is None:
            await self._gone.wait()
            return {"type": "http.disconnect"}
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def _send(self, message: Any) -> None:
        self._messages.put(message)

    def _scope(self) -> dict[str, Any]:
        url = self._request.url
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self._request.method,
            "scheme": url.scheme,
            "path": url.path,
            "raw_path": url.raw_path.partition(b"?")[0],
            "query_string": url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in self._request.headers.raw],
            "client": ("127.0.0.1", 0),
            "server": ("127.0.0.1", 80),
        }

"""The same tools over stdin and stdout, for the one user of a machine.

Answered without the SDK, whose import alone takes longer than the second in which a client wants its first answer;
for the same reason the tools and the database are opened after the handshake (`local.py`). The messages are few,
and tests drive them with the official client in both eras. Each message is answered in a thread of its own, so
that a slow save holds up nothing. Whatever else the process prints goes to stderr: stdout belongs to the protocol.
https://modelcontextprotocol.io/specification/draft/basic/transports#stdio
"""

import asyncio
import logging
import os
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, cast

from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.ids import ServerId
from workspace_memory.mcp.failures import UnknownTool
from workspace_memory.mcp.identity import ASSUMED_VERSION, MODERN_VERSION
from workspace_memory.mcp.messages import MESSAGE_BYTES_MAX, Message, MessageRefused, read_message
from workspace_memory.mcp.protocol import (
    CLIENT_CAPABILITIES_KEY,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PROTOCOL_VERSION_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
    call_result,
    discover_result,
    error_response,
    initialize_result,
    list_result,
    response,
    unknown_tool_message,
)
from workspace_memory.tools.answers import Answer
from workspace_memory.tools.failures import UNEXPECTED, place_of, shown_name

if TYPE_CHECKING:
    from workspace_memory.services.running import Runner

_logger = logging.getLogger(__name__)

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_READ_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class LocalUser:
    """How the local user comes in: what runs the use cases, the secret of a token, and the server's id.

    The token is authenticated at every call, like any other.
    """

    runner: "Runner"
    token: str
    server: ServerId


class LocalTools(Protocol):
    """The tools of the local user; `local.py`."""

    def offered(self) -> tuple[Mapping[str, object], ...]:
        """The tools at this moment's level."""
        ...

    def call(self, name: str, arguments: Mapping[str, object]) -> Answer:
        """Call one. Raises: UnknownTool."""
        ...


@dataclass
class _Rejected(Exception):
    """A request that is answered with an error of the protocol."""

    code: int
    message: str
    data: object | None = None


async def serve_stdio(runner: "Runner", *, token: str, server: ServerId) -> None:
    """Answer messages until stdin ends; calls in flight are finished first.

    `token` is the secret of the local user's token, `server` the id of the server that they use.
    """
    await serve_stdio_while_opening(lambda: LocalUser(runner, token, server))


async def serve_stdio_while_opening(open_local: Callable[[], LocalUser]) -> None:
    """The same, with `open_local` run in a thread when the first message has been answered or needs it.

    What it raises is the answer to every call of a tool; the process goes on until stdin ends.
    """
    opening = _Opening(open_local)
    server = MessageServer(opening.wait)
    with _stdout_for_messages_alone() as wire:
        guard = threading.Lock()

        def answer(line: bytes) -> None:
            reply = server.answer(line)
            if reply is not None:
                with guard:
                    _write_all(wire, reply + b"\n")
            opening.start()

        async with asyncio.TaskGroup() as calls:
            async for line in _lines(_STDIN):
                calls.create_task(asyncio.to_thread(answer, line))
        # What is half open could not be closed in order by whoever gave `open_local`.
        await asyncio.to_thread(opening.finish)


@dataclass(frozen=True, slots=True)
class MessageServer:
    """Answers the messages of one local client. `tools` waits for the memory to be open."""

    tools: Callable[[], LocalTools]

    def answer(self, line: bytes) -> bytes | None:
        """The answer to one message; None for what needs none. Blocks."""
        if len(line) > MESSAGE_BYTES_MAX:
            return error_response(
                None, INVALID_REQUEST, f"A message has at most {MESSAGE_BYTES_MAX // 1024} KiB."
            )
        try:
            message = read_message(line)
        except MessageRefused as refused:
            return error_response(refused.request, refused.code, refused.message)
        if message.id is None or message.method is None:
            return None
        try:
            return response(message.id, self._result(message, message.method))
        except _Rejected as rejected:
            return error_response(message.id, rejected.code, rejected.message, rejected.data)
        except DomainError as error:
            return error_response(message.id, INVALID_REQUEST, error.message(), {"code": error.code})
        except Exception as error:
            _logger.error("a request failed: %s at %s", type(error).__name__, place_of(error))
            return error_response(message.id, INTERNAL_ERROR, UNEXPECTED)

    def _result(self, message: Message, method: str) -> str:
        if method == "initialize":
            return initialize_result(message.params.get("protocolVersion"))
        version = _version(message)
        match method:
            case "server/discover" if version == MODERN_VERSION:
                return discover_result()
            case "ping" if version != MODERN_VERSION:
                return "{}"
            case "tools/list":
                return list_result(self.tools().offered(), version)
            case "tools/call":
                return call_result(self._called(message), version)
            case _:
                raise _Rejected(METHOD_NOT_FOUND, "Method not found", method)

    def _called(self, message: Message) -> Answer:
        name, arguments = message.params.get("name"), message.params.get("arguments")
        if not isinstance(name, str) or not (arguments is None or isinstance(arguments, dict)):
            raise _Rejected(INVALID_PARAMS, "tools/call takes a name and an object of arguments.")
        try:
            return self.tools().call(name, cast("dict[str, object]", arguments or {}))
        except UnknownTool:
            raise _Rejected(INVALID_PARAMS, unknown_tool_message(shown_name(name))) from None


class _Opening:
    """The memory, opened once in a thread of its own; imports would slow the handshake down if they began before."""

    def __init__(self, open_local: Callable[[], LocalUser]) -> None:
        self._open_local = open_local
        self._opened: Future[LocalTools] = Future()
        self._guard = threading.Lock()
        self._begun = False

    def start(self) -> None:
        """Begin, if nobody has."""
        with self._guard:
            begun, self._begun = self._begun, True
        if not begun:
            threading.Thread(target=self._open, name="opening", daemon=True).start()

    def wait(self) -> LocalTools:
        """The tools, when they are there. Raises: what opening raised."""
        self.start()
        return self._opened.result()

    def finish(self) -> None:
        """Wait until opening, if it has begun, has ended either way."""
        if self._begun:
            self._opened.exception()

    def _open(self) -> None:
        try:
            from workspace_memory.mcp.local import ToolsOfLocalUser  # noqa: PLC0415  what takes the time

            user = self._open_local()
            self._opened.set_result(ToolsOfLocalUser(user.runner, token=user.token, server=user.server))
        except BaseException as error:
            _logger.error("the memory cannot be opened: %s at %s", type(error).__name__, place_of(error))
            self._opened.set_exception(error)


def _version(message: Message) -> str:
    """The revision of a request: the one in its envelope, or else the handshake's, which all have one shape."""
    meta = message.params.get("_meta")
    if not isinstance(meta, dict) or PROTOCOL_VERSION_KEY not in meta:
        # server/discover exists in no revision with a handshake; clients try it to learn just that.
        return ASSUMED_VERSION
    envelope = cast("dict[str, object]", meta)
    version = envelope[PROTOCOL_VERSION_KEY]
    if CLIENT_CAPABILITIES_KEY not in envelope:
        raise _Rejected(
            INVALID_PARAMS, f"params._meta is missing the required envelope key(s): {CLIENT_CAPABILITIES_KEY}"
        )
    if not isinstance(version, str):
        raise _Rejected(INVALID_PARAMS, "the protocol-version envelope value must be a string")
    if version != MODERN_VERSION:
        raise _Rejected(
            UNSUPPORTED_PROTOCOL_VERSION,
            "Unsupported protocol version",
            {"supported": [MODERN_VERSION], "requested": version},
        )
    return version


@contextmanager
def _stdout_for_messages_alone() -> Generator[int]:
    """A private descriptor of stdout, while stray output of this process and its children goes to stderr."""
    wire = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    try:
        yield wire
    finally:
        os.dup2(wire, _STDOUT)
        os.close(wire)


async def _lines(descriptor: int) -> AsyncGenerator[bytes]:
    """The lines of a descriptor until it ends, without blocking the event loop."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes | None] = asyncio.Queue()

    def hand_over(line: bytes | None) -> None:
        loop.call_soon_threadsafe(arrived.put_nowait, line)

    # A daemon reading the bare descriptor: nothing waits for it when the process is told to end.
    threading.Thread(target=_read_lines, args=(descriptor, hand_over), name="stdin", daemon=True).start()
    while (line := await arrived.get()) is not None:
        yield line


def _read_lines(descriptor: int, hand_over: Callable[[bytes | None], None]) -> None:
    splitter = LineSplitter()
    try:
        while chunk := os.read(descriptor, _READ_BYTES):
            for line in splitter.feed(chunk):
                hand_over(line)
        for line in splitter.feed(b"\n"):
            hand_over(line)
    except OSError as error:
        _logger.error("stdin cannot be read: %s", type(error).__name__)
    finally:
        hand_over(None)


@dataclass
class LineSplitter:
    """Cuts a stream into lines without empty ones; of an endless line only enough is kept to be refused."""

    _started: bytearray = field(default_factory=bytearray)

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that end within this chunk."""
        *ends, rest = chunk.split(b"\n")
        lines: list[bytes] = []
        for end in ends:
            self._append(end)
            line = bytes(self._started).strip()
            self._started.clear()
            if line:
                lines.append(line)
        self._append(rest)
        return lines

    def _append(self, part: bytes) -> None:
        self._started += part[: MESSAGE_BYTES_MAX + 1 - len(self._started)]


def _write_all(descriptor: int, message: bytes) -> None:
    view = memoryview(message)
    while view:
        view = view[os.write(descriptor, view) :]

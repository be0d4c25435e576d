"""One ASGI endpoint for the shared `/mcp` and every `/mcp/{server_id}`: HTTP, authentication, two ways to an answer.

Plain calls are answered directly (`direct.py`), everything else by the SDK (`sdk.py`). The use cases run in worker
threads: one hop per plain call. What differs between the addresses stands behind a visit (`visits.py`). Nothing about
a caller is kept between two requests.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from workspace_memory.domain.errors import DomainError, NotAuthenticated
from workspace_memory.domain.ids import ServerId
from workspace_memory.mcp.direct import answer_question, answer_with, as_question
from workspace_memory.mcp.entry import Credentials, enter
from workspace_memory.mcp.failures import UnknownTool
from workspace_memory.mcp.hosts import Hosts, cors_headers, preflight_headers
from workspace_memory.mcp.identity import INSTRUCTIONS
from workspace_memory.mcp.messages import MESSAGE_BYTES_MAX, MessageRefused, read_message
from workspace_memory.mcp.protocol import INTERNAL_ERROR, RequestId
from workspace_memory.mcp.replies import Refused, Reply, refusal_of
from workspace_memory.mcp.sdk import CREDENTIALS, build_sessions
from workspace_memory.mcp.shared import INSTRUCTIONS as SHARED_INSTRUCTIONS
from workspace_memory.mcp.shared import come_in_shared
from workspace_memory.mcp.visits import ComeIn, Later, ServerVisit
from workspace_memory.mcp.workers import Workers
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings
from workspace_memory.tools.failures import UNEXPECTED, place_of

_logger = logging.getLogger(__name__)

# ASGI's own shapes; https://asgi.readthedocs.io/en/latest/specs/www.html
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_SHARED: Final = frozenset({"/mcp", "/mcp/"})
_PREFIX: Final = "/mcp/"
_THREADS: Final = 16
# Whoever sends a byte a minute must not keep a connection for ever.
_BODY_SECONDS_MAX: Final = 30
# A body that is too long is read to its end, so that the client can read our answer; but not for ever.
_DRAINED_BYTES_MAX: Final = 16 * 1024 * 1024
_JSON_TYPES: Final = frozenset({"application/json", "application/*", "*/*"})
_R = TypeVar("_R")


class _Disconnected(Exception):
    """The client went away before its request was complete."""


@dataclass(frozen=True, slots=True)
class _Head:
    """A request without its body: header names in lower case, values without blanks around them."""

    method: str
    server: ServerId | None
    headers: Mapping[str, str]
    all_headers: list[tuple[str, str]]

    def get(self, name: str) -> str:
        return self.headers.get(name, "")

    @property
    def repeats(self) -> bool:
        """Whether any header came more than once."""
        return len(self.headers) < len(self.all_headers)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a header."""
        return tuple(value for each, value in self.all_headers if each == name)


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands behind an address: how a caller comes in, and the SDK's way there."""

    come_in: ComeIn
    sessions: StreamableHTTPSessionManager


class McpEndpoint:
    """Authenticates, resolves the caller, and answers or hands over to the SDK.

    `turns` runs the Assistant's turns; without it nobody can be asked. `direct=False` sends plain calls through the SDK
    as well; the tests compare the two ways.
    """

    def __init__(
        self, runner: Runner, settings: Settings, *, turns: TurnRunner | None = None, direct: bool = True
    ) -> None:
        self._hosts = Hosts(settings)
        self._direct = direct
        self._workers = Workers(_THREADS)
        address = settings.address()
        self._server = self._place(
            lambda credentials: ServerVisit(runner, enter(runner, credentials), address), INSTRUCTIONS
        )
        self._shared = self._place(partial(come_in_shared, runner, turns=turns), SHARED_INSTRUCTIONS)

    def _place(self, come_in: ComeIn, instructions: str) -> _Place:
        return _Place(come_in, build_sessions(come_in, self._in_thread, instructions=instructions))

    def answers(self, path: str) -> bool:
        """Whether this endpoint answers the path."""
        return path in _SHARED or path.startswith(_PREFIX)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keeps the SDK's task groups and the worker threads while the server runs."""
        try:
            async with self._server.sessions.run(), self._shared.sessions.run():
                yield
        finally:
            # The store is closed after this: a call whose client has gone away must have ended by then.
            await asyncio.to_thread(self._workers.end)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        head = _read_head(scope)
        origin = head.get("origin")
        allowed = self._hosts.allows_origin(origin)
        send = _with_headers(send, cors_headers(origin) if allowed else {})
        try:
            self._check_place(head, origin_allowed=allowed)
            if head.method == "OPTIONS":
                return await _send_reply(send, Reply(204, headers=preflight_headers()))
            _require_one_credential(head)
            credentials = Credentials(_bearer_token(head), head.server, head.all("x-key-session"))
            _check_head(head)
            body = await _read_body(head, receive)
            reply = await self._answer(head, credentials, body, scope, receive, send)
        except Refused as refused:
            reply = refused.reply()
        except _Disconnected:
            return None
        if reply is not None:
            await _send_reply(send, reply)
        return None

    def _check_place(self, head: _Head, *, origin_allowed: bool) -> None:
        if not self._hosts.allows_host(head.get("host")):
            raise Refused(
                421,
                "host_not_allowed",
                "This service does not know itself by the name in the Host header. Set its public address "
                "(WORKSPACE_MEMORY_PUBLIC_URL) to the one that clients use.",
            )
        if not origin_allowed:
            raise Refused(403, "origin_not_allowed", "Pages of this origin may not call this service.")

    async def _answer(
        self, head: _Head, credentials: Credentials, body: bytes, scope: Scope, receive: Receive, send: Send
    ) -> Reply | None:
        """The reply, or None when the SDK has sent one."""
        try:
            message = read_message(body)
        except MessageRefused as refused:
            # Whoever is not signed in learns that first, whatever the message.
            await self._enter(credentials, None)
            code = "invalid_request"
            raise Refused(400, code, refused.message, {}, refused.code, refused.request) from None
        question = as_question(message, head.headers, head.all_headers) if self._direct else None
        if question is not None:
            come_in = self._of(credentials).come_in
            try:
                answer = await self._guarded(
                    partial(answer_question, come_in, credentials, question), message.id
                )
                if isinstance(answer, Later):
                    answer = answer_with(question, await answer.wait())
                return Reply(200, answer)
            except UnknownTool:
                pass
        else:
            await self._enter(credentials, message.id)
        await self._through_sdk(head, credentials, body, scope, receive, send)
        return None

    async def _through_sdk(
        self,
        head: _Head,
        credentials: Credentials,
        body: bytes,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        headers = [(name, value) for name, value in head.all_headers if name != "accept"]
        # What `_check_head` let pass, in the one form that the SDK takes in every mode.
        headers.append(("accept", "application/json, text/event-stream"))
        handed = {
            **scope,
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            CREDENTIALS: credentials,
        }
        await self._of(credentials).sessions.asgi_app(handed, _replaying(body, receive), send)

    async def _enter(self, credentials: Credentials, request: RequestId | None) -> None:
        await self._guarded(partial(self._of(credentials).come_in, credentials), request)

    def _of(self, credentials: Credentials) -> _Place:
        return self._shared if credentials.server is None else self._server

    async def _guarded(self, work: Callable[[], _R], request: RequestId | None) -> _R:
        """Run in a thread what may fail before a tool is reached."""
        try:
            return await self._in_thread(work)
        except UnknownTool:
            raise
        except DomainError as error:
            raise refusal_of(error, request) from None
        except Exception as error:
            _logger.error("a request failed: %s at %s", type(error).__name__, place_of(error))
            raise Refused(500, "error", UNEXPECTED, {}, INTERNAL_ERROR, request) from None

    def _in_thread(self, work: Callable[[], _R]) -> Awaitable[_R]:
        return self._workers.run(work)


def _read_head(scope: Scope) -> _Head:
    # Blanks around a value are no part of it (RFC 9110, 5.5), yet some HTTP parsers keep them.
    all_headers: list[tuple[str, str]] = [
        (name.decode("latin-1").lower(), value.decode("latin-1").strip(" \t"))
        for name, value in scope["headers"]
    ]
    path: str = scope["path"]
    server = None if path in _SHARED else ServerId(path.removeprefix(_PREFIX).removesuffix("/"))
    return _Head(scope["method"], server, dict(all_headers), all_headers)


def _require_one_credential(head: _Head) -> None:
    """Two are refused: a proxy may have looked at the one, and this service would believe the other."""
    if head.repeats and len(head.all("authorization")) > 1:
        raise Refused(
            400, "invalid_request", "The Authorization header was sent more than once; send one credential."
        )


def _bearer_token(head: _Head) -> str:
    scheme, _, token = head.get("authorization").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise refusal_of(NotAuthenticated(), None)
    return token.strip()


def _check_head(head: _Head) -> None:
    if head.method != "POST":
        raise Refused(
            405,
            "method_not_allowed",
            "Send messages by POST; this service keeps no stream and no session.",
            {"allow": "POST"},
        )
    if _media_type(head.get("content-type")) != "application/json":
        raise Refused(400, "invalid_request", "The Content-Type must be application/json.")
    accepted = head.get("accept")
    if accepted and not any(_media_type(each) in _JSON_TYPES for each in accepted.split(",")):
        raise Refused(406, "not_acceptable", "The answer is application/json; the Accept header excludes it.")


def _media_type(value: str) -> str:
    return value.partition(";")[0].strip().lower()


async def _read_body(head: _Head, receive: Receive) -> bytes:
    """The whole body. Raises: Refused for more than 256 KiB or 30 seconds, _Disconnected."""
    try:
        async with asyncio.timeout(_BODY_SECONDS_MAX):
            return await _received(head, receive)
    except TimeoutError:
        message = (
            f"The message did not come within {_BODY_SECONDS_MAX} seconds. Nothing was done; send it again."
        )
        raise Refused(408, "body_too_slow", message) from None


async def _received(head: _Head, receive: Receive) -> bytes:
    declared = head.get("content-length")
    too_long = declared.isdecimal() and int(declared[:20]) > MESSAGE_BYTES_MAX
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise _Disconnected
        part: bytes = event.get("body", b"")
        size += len(part)
        too_long = too_long or size > MESSAGE_BYTES_MAX
        if too_long:
            parts.clear()
        else:
            parts.append(part)
        if not event.get("more_body", False) or size > _DRAINED_BYTES_MAX:
            break
    if too_long:
        raise Refused(
            413,
            "request_too_large",
            f"A message has at most {MESSAGE_BYTES_MAX // 1024} KiB. Save long texts in parts.",
        )
    return b"".join(parts)


def _replaying(body: bytes, receive: Receive) -> Receive:
    """What the SDK receives: the body that we have read, then whatever still comes."""
    waiting: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> MutableMapping[str, Any]:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _with_headers(send: Send, headers: Mapping[str, str]) -> Send:
    if not headers:
        return send
    added = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]

    async def send_with_headers(event: MutableMapping[str, Any]) -> None:
        if event["type"] == "http.response.start":
            event = {**event, "headers": [*event.get("headers", []), *added]}
        await send(event)

    return send_with_headers


async def _send_reply(send: Send, reply: Reply) -> None:
    headers = [(name.encode(), value.encode()) for name, value in reply.headers.items()]
    if reply.status != 204:
        headers.append((b"content-length", str(len(reply.body)).encode()))
    if reply.body:
        headers.append((b"content-type", b"application/json"))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})

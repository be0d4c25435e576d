"""What holds for every request before a route sees it, and for every answer after.

A body is at most 384 KiB of JSON that is not nested deeper than a route could need. Every answer carries the
security headers, and a fault of the program becomes a plain 500 that says nothing and is logged by type and place.
"""

import asyncio
import logging
import re
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders

from workspace_memory.api.errors import BodyTooLarge, BodyTooSlow, Unexpected, WrongMediaType
from workspace_memory.domain.errors import DomainError, InvalidRequest
from workspace_memory.security_headers import security_headers

# ASGI's own shapes: https://asgi.readthedocs.io/en/latest/specs/main.html
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_BYTES_MAX = 384 * 1024
BODY_SECONDS_MAX = 30
JSON_DEPTH_MAX = 20

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cache-Control": "no-store",
}

_logger = logging.getLogger(__name__)
# A JSON string as one token, so that brackets within text do not count. One without an end reaches to the end of the
# body: were it no token, each quote in it would be tried anew as a beginning, and the work would grow with the square.
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


class RequestBounds:
    """An ASGI middleware. `problem` makes an answer of an error."""

    def __init__(self, app: AsgiApp, *, problem: Callable[[DomainError], AsgiApp], https: bool) -> None:
        self._app = app
        self._problem = problem
        self._headers = security_headers(https=https) | _HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            _require_one_credential(scope)
            body = await _read_body(scope, receive)
            await self._app(scope, _replay(body, receive), send_with_headers)
        except DomainError as error:
            await self._problem(error)(scope, receive, send_with_headers)
        except Exception as error:
            # Type and place only: the text of an unexpected error may quote what it stumbled over.
            _logger.error("unexpected %s at %s", type(error).__name__, places(error))
            if not started:
                await self._problem(Unexpected())(scope, receive, send_with_headers)


def places(error: BaseException) -> str:
    """Where an exception came by, innermost last: files and lines, and no values."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return " > ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames)


def check_json_bounds(body: bytes) -> None:
    """Raise InvalidRequest for bytes that are no JSON text in UTF-8 or are nested too deeply to be parsed safely."""
    if b"\0" in body:
        raise InvalidRequest("", "The body is not valid JSON: it contains a NUL byte.")
    try:
        body.decode()
    except UnicodeDecodeError:
        raise InvalidRequest("", "The body is not valid UTF-8.") from None
    # Nearly every body is settled by the count alone.
    if body.count(b"[") + body.count(b"{") > JSON_DEPTH_MAX and _depth(body) > JSON_DEPTH_MAX:
        raise InvalidRequest("", f"The body is nested deeper than {JSON_DEPTH_MAX} levels.")


def _depth(body: bytes) -> int:
    depth = deepest = 0
    for token in _BRACKETS.finditer(body):
        first = token.group()[:1]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif first in b"]}":
            depth -= 1
    return deepest


def _require_one_credential(scope: Scope) -> None:
    """Raise InvalidRequest for two: a proxy may have looked at the one, and this service would believe the other."""
    if len(Headers(scope=scope).getlist("authorization")) > 1:
        raise InvalidRequest("Authorization", "was sent more than once; send one credential")


async def _read_body(scope: Scope, receive: Receive) -> bytes:
    headers = Headers(scope=scope)
    announced = headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > BODY_BYTES_MAX:
        raise BodyTooLarge(BODY_BYTES_MAX)
    try:
        # Whoever sends a byte a minute must not keep a connection for ever.
        async with asyncio.timeout(BODY_SECONDS_MAX):
            body = await _received(receive)
    except TimeoutError:
        raise BodyTooSlow(BODY_SECONDS_MAX) from None
    if body:
        if not is_json(headers.get("content-type", "")):
            raise WrongMediaType
        check_json_bounds(body)
    return body


async def _received(receive: Receive) -> bytes:
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        if len(body) > BODY_BYTES_MAX:
            raise BodyTooLarge(BODY_BYTES_MAX)
        more = message.get("more_body", False)
    return bytes(body)


def is_json(content_type: str) -> bool:
    """Whether a Content-Type says JSON."""
    return content_type.partition(";")[0].strip().lower() == "application/json"


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting = True

    async def replayed() -> Message:
        nonlocal waiting
        if waiting:
            waiting = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return replayed

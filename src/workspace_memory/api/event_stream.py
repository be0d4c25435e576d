"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) of a turn.

A connection that is lost loses nothing: the turn goes on, and `Last-Event-ID` says where to go on listening.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress

from fastapi.responses import StreamingResponse

from workspace_memory.api.problems import problem_facts
from workspace_memory.api.request_bounds import places
from workspace_memory.api.schemas.assistant import event_out
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.turn_event import EventId, TurnEvent

MEDIA_TYPE = "text/event-stream"
KEEP_ALIVE_SECONDS = 15.0
_KEEP_ALIVE = b": keep-alive\n\n"

_logger = logging.getLogger(__name__)


def event_stream(events: AsyncIterator[tuple[EventId, TurnEvent]]) -> StreamingResponse:
    """The events as they happen."""
    return StreamingResponse(
        _with_keep_alive(_encoded(events)),
        media_type=MEDIA_TYPE,
        # Proxies that gather an answer before they pass it on would hold back every word of it.
        headers={"X-Accel-Buffering": "no"},
    )


async def _encoded(events: AsyncIterator[tuple[EventId, TurnEvent]]) -> AsyncGenerator[bytes]:
    try:
        async for place, event in events:
            name, data = event_out(event)
            yield f"id: {place}\nevent: {name}\ndata: {_json(data)}\n\n".encode()
    except DomainError as error:
        # The answer has begun, so that it cannot be an error any more.
        yield f"event: problem\ndata: {_json(problem_facts(error))}\n\n".encode()
    except Exception as error:
        _logger.error("a stream failed: %s at %s", type(error).__name__, places(error))


async def _with_keep_alive(chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The chunks, and a comment whenever there was none for a while, so that nobody takes the line for dead."""
    coming = asyncio.ensure_future(anext(chunks, None))
    try:
        while True:
            done, _ = await asyncio.wait({coming}, timeout=KEEP_ALIVE_SECONDS)
            if not done:
                yield _KEEP_ALIVE
                continue
            chunk = coming.result()
            if chunk is None:
                return
            yield chunk
            coming = asyncio.ensure_future(anext(chunks, None))
    finally:
        coming.cancel()
        with suppress(asyncio.CancelledError):
            await coming
        await chunks.aclose()


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

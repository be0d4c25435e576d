"""The composition root: from a runner of use cases and the settings to one ASGI application.

MCP paths are answered before the REST router, since they are the hot ones. What neither knows is the web application.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any

from workspace_memory.api.application import build_api, is_api
from workspace_memory.assistant.loading import make_assistant
from workspace_memory.mcp.endpoint import McpEndpoint
from workspace_memory.pages import Pages
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings

# ASGI's own shapes: https://asgi.readthedocs.io/en/latest/specs/main.html
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Application:
    """Sends each request to the edge that answers it, and keeps both alive while the server runs."""

    def __init__(self, runner: Runner, settings: Settings, turns: TurnRunner | None) -> None:
        self._turns = turns or make_assistant(runner, settings)
        self._api = build_api(runner, settings, self._turns)
        self._mcp = McpEndpoint(runner, settings, turns=self._turns)
        self._pages = Pages(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI connection."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and self._mcp.answers(scope["path"]):
            await self._mcp(scope, receive, send)
        elif scope["type"] == "http" and not is_api(scope["path"]):
            await self._pages(scope, receive, send)
        else:
            await self._api(scope, receive, send)

    async def end_turns(self) -> None:
        """Stop what the Assistant works on and keep what it has said, before the server lets go of its listeners."""
        await self._turns.close()

    async def _live(self, receive: Receive, send: Send) -> None:
        async with AsyncExitStack() as stack:
            await receive()
            await stack.enter_async_context(self._mcp.running())
            # Last in, first out: turns end and keep what they said while the store is still there.
            stack.push_async_callback(self._turns.close)
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


def build_app(runner: Runner, settings: Settings, *, turns: TurnRunner | None = None) -> Application:
    """The whole service as one ASGI application, with the Assistant of the settings or another runner of turns.

    Raises: InvalidRequest for settings of the Assistant that cannot be used.
    """
    return Application(runner, settings, turns)

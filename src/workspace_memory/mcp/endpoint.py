"""One ASGI endpoint for every `/mcp/{server_id}`."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from workspace_memory.services.running import Runner
from workspace_memory.settings import Settings


class McpEndpoint:
    """Authenticates, resolves the caller, and answers or hands over to the SDK."""

    def __init__(self, runner: Runner, settings: Settings) -> None:
        self._runner = runner
        self._settings = settings

    def answers(self, path: str) -> bool:
        """Whether this endpoint answers the path."""
        return path.startswith("/mcp/")

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keeps the SDK's task group open while the server runs."""
        yield

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One request."""
        raise NotImplementedError

"""An AI client as the official SDK makes one: searches and saves over MCP on HTTP.

`_raw_client.py` is the cheaper client for load; this one is what a quality figure or a compatibility claim needs.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import cast

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

ANSWER_SECONDS = 30.0
# Answers are cut at a number of bytes, so a page may be short; more pages than this mean that something is wrong.
PAGES_MAX = 20


class ToolFailed(Exception):
    """A tool answered with an error; the message is the tool's own."""


class Asker:
    """One connection to one MCP server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def search(self, query: str, *, wanted: int) -> list[str]:
        """The ids of the best `wanted` items, following cursors while the answers are short. Raises: ToolFailed."""
        found: list[str] = []
        cursor: str | None = None
        for _ in range(PAGES_MAX):
            arguments: dict[str, object] = {"query": query, "limit": wanted - len(found)}
            if cursor is not None:
                arguments["cursor"] = cursor
            answer = await self.call("memory_search", arguments)
            items = cast("list[dict[str, str]]", answer["items"])
            found += [item["id"] for item in items]
            cursor = cast("str | None", answer.get("next_cursor"))
            if cursor is None or len(found) >= wanted:
                break
        return found[:wanted]

    async def call(self, tool: str, arguments: dict[str, object]) -> Mapping[str, object]:
        """Call a tool; its structured answer. Raises: ToolFailed."""
        result = await self._client.call_tool(tool, arguments)
        if result.is_error or not isinstance(result.structured_content, dict):
            raise ToolFailed(" ".join(getattr(block, "text", "") for block in result.content))
        return cast("Mapping[str, object]", result.structured_content)


@asynccontextmanager
async def asker(mcp_url: str, token: str) -> AsyncGenerator[Asker]:
    """A connected client, in the newest era that both sides know. Raises: MCPError, httpx2.HTTPError."""
    headers = {"Authorization": f"Bearer {token}"}
    try:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=ANSWER_SECONDS) as http,
            Client(streamable_http_client(mcp_url, http_client=http)) as client,
        ):
            yield Asker(client)
    except ExceptionGroup as group:
        # The client's task groups wrap whatever went wrong within them, once for each.
        raise _innermost(group) from None


def _innermost(error: Exception) -> Exception:
    inner = cast("tuple[Exception, ...]", getattr(error, "exceptions", ()))
    return _innermost(inner[0]) if inner else error

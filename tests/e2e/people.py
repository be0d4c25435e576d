"""One of the cast with a program and an AI client: the same person over REST and over MCP."""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx2
from mcp import types
from tests.e2e.mcp_client import call, contents, tool_names
from tests.e2e.rest_calls import Rest, body_of, listed

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.ids import UserId


@dataclass(frozen=True, slots=True)
class Person:
    """REST paths begin below the person's own workspace; `url` is the MCP server there."""

    user: UserId
    rest: httpx2.Client
    url: str
    token: str

    def tool(self, name: str, arguments: Mapping[str, object] | None = None) -> types.CallToolResult:
        """Call a tool through the official client."""
        return call(self.url, self.token, name, arguments or {})

    def tools(self) -> list[str]:
        """The names in tools/list."""
        return tool_names(self.url, self.token)

    def finds(self, query: str = "", **more: object) -> list[object]:
        """The texts that memory_search gives."""
        return contents(self.tool("memory_search", {**({"query": query} if query else {}), **more}))

    def lists(self, **params: str) -> list[object]:
        """The texts that the REST list gives."""
        return [item["content"] for item in listed(self.rest.get("/memory/items", params=params))]

    def status(self, name: str) -> object:
        """A member of the REST status."""
        return body_of(self.rest.get("/memory/status"))[name]


@dataclass(frozen=True, slots=True)
class Persons:
    """The cast of a live server by name."""

    of: Rest

    def __call__(self, name: str, max_level: AccessLevel = AccessLevel.CONTRIBUTE) -> Person:
        """One of the cast with fresh tokens."""
        live = self.of.live
        world = live.world
        user: UserId = getattr(world, name)
        at_home = name != "mallory"
        workspace = world.workspace if at_home else world.other_workspace
        server = world.server if at_home else world.other_server
        token = live.token(user, max_level=max_level)
        rest = self.of.client(
            f"{live.url}/api/v1/workspaces/{workspace}", {"Authorization": f"Bearer {token}"}
        )
        return Person(user, rest, f"{live.url}/mcp/{server}", token)

"""The official MCP client for the tests, in both eras of the protocol, and plain HTTP for what it hides."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import httpx2
from jsonschema import Draft202012Validator
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

T = TypeVar("T")

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
ERAS = ("auto", "legacy")
NO_ARGUMENTS: Mapping[str, object] = {}

_check_schema = Draft202012Validator.check_schema
_sound_schemas: set[str] = set()


def _check_schema_once(schema: Any, *how: Any, **named: Any) -> None:
    """Raise for a schema that is none. A client checks that of each tool it calls, which takes as long as the call."""
    written = json.dumps([schema, str(how), str(named)], sort_keys=True)
    if written not in _sound_schemas:
        _check_schema(schema, *how, **named)
        _sound_schemas.add(written)


Draft202012Validator.check_schema = _check_schema_once


@asynccontextmanager
async def connected(
    url: str, token: str, era: str = "auto", *, headers: Mapping[str, str] | None = None
) -> AsyncGenerator[Client]:
    """A connected client of the era, with the token in the header, and perhaps with other headers."""
    sent = {"Authorization": f"Bearer {token}", **(headers or {})}
    async with (
        # Over plain http; reading the machine's certificates takes longer than most calls.
        httpx2.AsyncClient(headers=sent, timeout=60, verify=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client


def with_client(
    url: str,
    token: str,
    use: Callable[[Client], Awaitable[T]],
    era: str = "auto",
    *,
    headers: Mapping[str, str] | None = None,
) -> T:
    """Connect, use, disconnect."""

    async def run() -> T:
        async with connected(url, token, era, headers=headers) as client:
            return await use(client)

    return asyncio.run(run())


def call(
    url: str,
    token: str,
    tool: str,
    arguments: Mapping[str, object] = NO_ARGUMENTS,
    era: str = "auto",
    *,
    headers: Mapping[str, str] | None = None,
) -> types.CallToolResult:
    """One call of a tool over a connection of its own."""

    async def use(client: Client) -> types.CallToolResult:
        return await client.call_tool(tool, dict(arguments))

    return with_client(url, token, use, era, headers=headers)


def tools(url: str, token: str, era: str = "auto") -> list[types.Tool]:
    """What tools/list gives."""

    async def use(client: Client) -> list[types.Tool]:
        return (await client.list_tools()).tools

    return with_client(url, token, use, era)


def tool_names(url: str, token: str, era: str = "auto") -> list[str]:
    """The names of the tools, in the order of the list."""
    return [tool.name for tool in tools(url, token, era)]


def protocol_error(work: Callable[[], object]) -> MCPError:
    """The protocol's error in which the work ends, freed of the groups around it."""
    try:
        work()
    except MCPError as error:
        return error
    except BaseExceptionGroup as group:
        return _only(group)
    raise AssertionError("there was no error")


def structured(result: types.CallToolResult) -> dict[str, object]:
    """The structured copy of a result that is no error."""
    assert not result.is_error, text(result)
    return cast("dict[str, object]", result.structured_content)


def text(result: types.CallToolResult) -> str:
    """The text copy."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


def found(result: types.CallToolResult) -> list[dict[str, object]]:
    """The items of an answer of memory_search."""
    return cast("list[dict[str, object]]", structured(result)["items"])


def contents(result: types.CallToolResult) -> list[object]:
    """The texts of the items of an answer of memory_search."""
    return [item["content"] for item in found(result)]


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """What came back: header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class RawHttp:
    """Requests as bytes and headers, without the good manners of a client."""

    url: str
    token: str

    def send(
        self,
        body: object = None,
        *,
        method: str = "POST",
        headers: Mapping[str, str] | None = None,
        without: tuple[str, ...] = (),
    ) -> RawAnswer:
        """Send a body (JSON, unless it is bytes) with the usual headers, changed and left out as asked."""
        sent = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **(headers or {}),
        }
        address = urlsplit(self.url)
        connection = HTTPConnection(address.netloc, timeout=60)
        try:
            connection.request(
                method,
                address.path,
                body=(body if isinstance(body, bytes) else json.dumps(body).encode())
                if method == "POST"
                else None,
                headers={name: value for name, value in sent.items() if name not in without},
            )
            answer = connection.getresponse()
            kept = {name.lower(): value for name, value in answer.getheaders()}
            return RawAnswer(answer.status, kept, answer.read())
        finally:
            connection.close()

    def call(
        self,
        tool: str,
        arguments: object,
        *,
        era: str = LEGACY,
        identifier: object = 1,
        headers: Mapping[str, str] | None = None,
    ) -> RawAnswer:
        """tools/call as the era sends it."""
        params: dict[str, object] = {"name": tool, "arguments": arguments}
        return self.request("tools/call", params, era=era, identifier=identifier, headers=headers)

    def request(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        *,
        era: str = LEGACY,
        identifier: object = 1,
        headers: Mapping[str, str] | None = None,
        without: tuple[str, ...] = (),
    ) -> RawAnswer:
        """Any request as the era sends it."""
        params = dict(params or {})
        sent = {"Mcp-Protocol-Version": era, **(headers or {})}
        if era == MODERN:
            sent = {"Mcp-Method": method, **sent}
            if isinstance(name := params.get("name"), str):
                sent = {"Mcp-Name": name, **sent}
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": era,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            }
        body = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
        return self.send(body, headers=sent, without=without)


def _only(group: BaseExceptionGroup[BaseException]) -> MCPError:
    (error,) = group.exceptions
    if isinstance(error, BaseExceptionGroup):
        return _only(cast("BaseExceptionGroup[BaseException]", error))
    assert isinstance(error, MCPError), error
    return error

"""Two servers that do nothing, to measure against: what HTTP costs here, and what MCP costs on top.

Run as a program: `_floors.py route PORT` answers every request with the same few bytes from a bare ASGI
function; `_floors.py tool PORT` offers one empty tool with the official SDK, stateless and with JSON answers,
behind no authentication. Both under the product's own HTTP server with one process.
"""

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

EMPTY_TOOL = "nothing"
_BODY = b'{"jsonrpc":"2.0","id":1,"result":{}}'


async def empty_route(scope: Scope, receive: Receive, send: Send) -> None:
    """The least that an ASGI application can do with a request: read it and answer."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    while (await receive()).get("more_body"):
        pass
    length = str(len(_BODY)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": _BODY})


def empty_tool() -> Any:
    """An ASGI application with one MCP tool that answers with an empty object."""
    # Imported here, so that the empty route does not carry the SDK.
    import mcp.types as t  # noqa: PLC0415
    from mcp.server.lowlevel import Server  # noqa: PLC0415
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415
    from starlette.applications import Starlette  # noqa: PLC0415
    from starlette.routing import Route  # noqa: PLC0415

    tool = t.Tool(name=EMPTY_TOOL, description="Does nothing.", input_schema={"type": "object"})

    async def list_tools(_context: Any, _params: Any) -> t.ListToolsResult:
        return t.ListToolsResult(tools=[tool])

    async def call_tool(_context: Any, _params: Any) -> t.CallToolResult:
        return t.CallToolResult(content=[t.TextContent(text="{}")], structured_content={})

    server: Server[Any] = Server("floor", on_list_tools=list_tools, on_call_tool=call_tool)
    manager = StreamableHTTPSessionManager(server, stateless=True, json_response=True)

    class Endpoint:
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def lifespan(_app: Any) -> AsyncGenerator[None]:
        async with manager.run():
            yield

    return Starlette(routes=[Route("/mcp", endpoint=Endpoint())], lifespan=lifespan)


def main() -> int:
    """Serve one of the two until the process is ended."""
    which, port = sys.argv[1], int(sys.argv[2])
    app = empty_route if which == "route" else empty_tool()
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

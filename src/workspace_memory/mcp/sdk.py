"""The SDK's server behind the HTTP endpoint: the handshake, discovery, and every request that is not plain.

One server and one session manager serve all tenants; the shared address has another pair. Stateless, since our tools
never call back: nothing is lost by a restart, and no session can be hijacked. Who calls stands in the request's scope,
put there by `endpoint.py`.
"""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar, cast

from mcp import types
from mcp.server import CacheHint, Server, ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.requests import Request

from workspace_memory.domain.errors import DomainError
from workspace_memory.mcp.entry import Credentials
from workspace_memory.mcp.failures import UnknownTool
from workspace_memory.mcp.identity import NAME, TITLE, VERSION
from workspace_memory.mcp.messages import MESSAGE_BYTES_MAX
from workspace_memory.mcp.protocol import unknown_tool_message
from workspace_memory.mcp.visits import ComeIn, Later
from workspace_memory.tools.answers import Answer
from workspace_memory.tools.failures import UNEXPECTED, place_of, shown_name

_logger = logging.getLogger(__name__)

CREDENTIALS: Final = "workspace_memory.credentials"

_PRIVATE: Final = CacheHint(ttl_ms=0, scope="private")
_R = TypeVar("_R")
InThread = Callable[[Callable[[], _R]], Awaitable[_R]]
Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class _Handlers:
    come_in: ComeIn
    in_thread: InThread[Any]

    async def list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del params  # one page
        visit = await self._guarded(partial(self.come_in, _credentials(context)))
        return types.ListToolsResult(
            tools=[types.Tool.model_validate(dict(tool)) for tool in visit.offered()],
            ttl_ms=_PRIVATE.ttl_ms,
            cache_scope=_PRIVATE.scope,
        )

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        def call() -> Answer | Later:
            visit = self.come_in(_credentials(context))
            try:
                return visit.call(params.name, params.arguments or {})
            except UnknownTool:
                visit.note_unknown(params.name)
                raise

        try:
            called = await self._guarded(call)
        except UnknownTool:
            raise MCPError(types.INVALID_PARAMS, unknown_tool_message(shown_name(params.name))) from None
        answer = await called.wait() if isinstance(called, Later) else called
        return types.CallToolResult(
            content=[types.TextContent(text=answer.text)],
            structured_content=None if answer.is_error else json.loads(answer.text),
            is_error=answer.is_error,
        )

    async def _guarded(self, work: Callable[[], _R]) -> _R:
        """Run in a thread; what the endpoint let in a moment ago may be refused by now."""
        try:
            return await self.in_thread(work)
        except UnknownTool:
            raise
        except DomainError as error:
            raise MCPError(types.INVALID_REQUEST, error.message(), {"code": error.code}) from None
        except Exception as error:
            # Not left to the SDK, which would log the text of the error.
            _logger.error("a request failed: %s at %s", type(error).__name__, place_of(error))
            raise MCPError(types.INTERNAL_ERROR, UNEXPECTED) from None


def build_sessions(
    come_in: ComeIn, in_thread: InThread[Any], *, instructions: str
) -> StreamableHTTPSessionManager:
    """The SDK's manager over our handlers; `run()` it while the service runs."""
    handlers = _Handlers(come_in, in_thread)
    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=instructions,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        # None of our tools mirrors an argument into a header; without this the list handler runs at each call.
        get_tool_input_schema=lambda _: None,
        cache_hints={"tools/list": _PRIVATE, "server/discover": _PRIVATE},
    )
    # A span per message costs more than the message; whoever wants traces puts them around the application.
    server.middleware.clear()
    return StreamableHTTPSessionManager(
        server, stateless=True, json_response=True, max_request_body_size=MESSAGE_BYTES_MAX
    )


def _credentials(context: Context) -> Credentials:
    request = cast("Request", context.request)
    credentials: Credentials = request.scope[CREDENTIALS]
    return credentials

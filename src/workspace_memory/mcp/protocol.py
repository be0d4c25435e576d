"""Results and errors of JSON-RPC as bytes, shaped for the revision of MCP that the client speaks.

The SDK would shape the same; these are the few shapes of the calls that matter for speed (`direct.py`) and of
stdio. Tests compare each with what the SDK answers.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from workspace_memory.mcp.identity import (
    HANDSHAKE_VERSIONS,
    INSTRUCTIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_VERSION,
    SERVER_INFO,
)
from workspace_memory.tools.answers import Answer, to_json

# https://www.jsonrpc.org/specification#error_object
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
# Revision 2026-07-28, "Error codes".
UNSUPPORTED_PROTOCOL_VERSION: Final = -32022

PROTOCOL_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"

RequestId = str | int


_CAPABILITIES: Final = {"tools": {"listChanged": False}}
# Our lists depend on the credential and on the level of this moment: nobody may keep or share them.
_NOT_CACHEABLE: Final = {"ttlMs": 0, "cacheScope": "private"}
_MODERN: Final = {"resultType": "complete", "_meta": {SERVER_INFO_KEY: SERVER_INFO}}
_MODERN_ENDING: Final = f",{to_json(_MODERN)[1:-1]}"


def list_result(tools: Sequence[Mapping[str, object]], version: str) -> str:
    """The result of tools/list."""
    if version == MODERN_VERSION:
        return to_json({"tools": tools, **_NOT_CACHEABLE, **_MODERN})
    return to_json({"tools": tools})


def call_result(answer: Answer, version: str) -> str:
    """The result of tools/call. The JSON of the answer is used as it is, as text and as structure."""
    ending = _MODERN_ENDING if version == MODERN_VERSION else ""
    if answer.is_error:
        return f'{{"content":[{{"type":"text","text":{to_json(answer.text)}}}],"isError":true{ending}}}'
    # Here, since the handshake on stdio must not wait for the import.
    from workspace_memory.tools.whole_json import whole_to_json  # noqa: PLC0415

    text = whole_to_json(answer.text).decode()
    content = f'"content":[{{"type":"text","text":{text}}}]'
    return f'{{{content},"structuredContent":{answer.text},"isError":false{ending}}}'


def initialize_result(requested: object) -> str:
    """The result of initialize: the revision that the client asks for when it is one of the handshake's."""
    return to_json(
        {
            "protocolVersion": requested if requested in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION,
            "capabilities": _CAPABILITIES,
            "serverInfo": SERVER_INFO,
            "instructions": INSTRUCTIONS,
        }
    )


def discover_result() -> str:
    """The result of server/discover."""
    return to_json(
        {
            "supportedVersions": [MODERN_VERSION],
            "capabilities": _CAPABILITIES,
            "instructions": INSTRUCTIONS,
            **_NOT_CACHEABLE,
            **_MODERN,
        }
    )


def response(request: RequestId, result: str) -> bytes:
    """A result, given as JSON, as the whole message."""
    return f'{{"jsonrpc":"2.0","id":{json.dumps(request)},"result":{result}}}'.encode()


def error_response(request: RequestId | None, code: int, message: str, data: object | None = None) -> bytes:
    """An error as the whole message; `request` is None when the request's own id could not be read."""
    error = {"code": code, "message": message, **({} if data is None else {"data": data})}
    # Escaped, since a message may name what the client sent, and that may be no valid Unicode.
    return json.dumps({"jsonrpc": "2.0", "id": request, "error": error}, separators=(",", ":")).encode()


def unknown_tool_message(name: str) -> str:
    """What a call of a tool that does not exist is answered with."""
    return f"Unknown tool: {name}. tools/list names the tools of this server."

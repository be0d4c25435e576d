"""Reading one JSON-RPC message. Nothing of a faulty one is quoted in the refusal."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from workspace_memory.mcp.protocol import INVALID_REQUEST, PARSE_ERROR, RequestId

MESSAGE_BYTES_MAX: Final = 256 * 1024


@dataclass
class MessageRefused(Exception):
    """A message that cannot be understood: the JSON-RPC code and a sentence."""

    code: int
    message: str
    request: RequestId | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A request (`id` and `method`), a notification (`method` alone) or a response of the client (neither)."""

    body: Mapping[str, object]
    id: RequestId | None
    method: str | None
    params: Mapping[str, object]


def read_message(encoded: bytes) -> Message:
    """The message in a body or line. Raises: MessageRefused."""
    try:
        body: object = json.loads(encoded)
    except (ValueError, RecursionError):
        raise MessageRefused(PARSE_ERROR, "Parse error: the message is not valid JSON in UTF-8.") from None
    if isinstance(body, list):
        raise MessageRefused(INVALID_REQUEST, "Send one message at a time; batches are not supported.")
    if not isinstance(body, dict):
        raise _not_json_rpc(None)
    fields = cast("dict[str, object]", body)
    identifier = fields.get("id")
    request = identifier if isinstance(identifier, str | int) and not isinstance(identifier, bool) else None
    method = fields.get("method")
    params = fields.get("params")
    answers = method is None and ("result" in fields or "error" in fields)
    if (
        fields.get("jsonrpc") != "2.0"
        or not (isinstance(method, str) or answers)
        or not (params is None or isinstance(params, dict))
        or ("id" in fields and request is None)
    ):
        raise _not_json_rpc(request)
    return Message(
        fields,
        None if answers else request,
        method if isinstance(method, str) else None,
        cast("dict[str, object]", params or {}),
    )


def _not_json_rpc(request: RequestId | None) -> MessageRefused:
    return MessageRefused(
        INVALID_REQUEST, "The message is not a JSON-RPC 2.0 request, notification or response.", request
    )

"""The direct way: tools/list and tools/call over HTTP without the SDK's machinery, which costs several times more.

It answers plain, well-formed requests only. Whatever is odd about one goes to the SDK, which owns every refusal of
the protocol. A test sends the same requests both ways and compares the answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from mcp.shared.inbound import (
    InboundLadderRejection,
    classify_inbound_request,
    find_duplicated_routing_header,
)

from workspace_memory.mcp.entry import Credentials
from workspace_memory.mcp.identity import ASSUMED_VERSION, HANDSHAKE_VERSIONS
from workspace_memory.mcp.messages import Message
from workspace_memory.mcp.protocol import RequestId, call_result, list_result, response
from workspace_memory.mcp.visits import ComeIn, Later
from workspace_memory.tools.answers import Answer

_PLAIN_LIST: Final = frozenset({"_meta"})
_PLAIN_CALL: Final = frozenset({"name", "arguments", "_meta"})


@dataclass(frozen=True, slots=True)
class Question:
    """A request that can be answered directly. `name` is None for tools/list."""

    id: RequestId
    version: str
    name: str | None
    arguments: Mapping[str, object]


def as_question(
    message: Message, headers: Mapping[str, str], all_headers: Sequence[tuple[str, str]]
) -> Question | None:
    """The request as a question, or None for the SDK."""
    if message.id is None or message.method not in {"tools/list", "tools/call"}:
        return None
    params = message.params
    calls = message.method == "tools/call"
    if not params.keys() <= (_PLAIN_CALL if calls else _PLAIN_LIST):
        return None
    if not isinstance(params.get("_meta", {}), dict):
        return None
    name, arguments = params.get("name"), params.get("arguments")
    if calls and not (isinstance(name, str) and (arguments is None or isinstance(arguments, dict))):
        return None
    version = _version(message, headers, all_headers)
    if version is None:
        return None
    return Question(
        message.id,
        version,
        name if isinstance(name, str) else None,
        cast("dict[str, object]", arguments or {}),
    )


def answer_question(come_in: ComeIn, credentials: Credentials, question: Question) -> bytes | Later:
    """Authenticate, resolve the level and answer, all in this thread; what takes long is left to be waited for.

    Raises: as `come_in`; UnknownTool.
    """
    visit = come_in(credentials)
    if question.name is None:
        return response(question.id, list_result(visit.offered(), question.version))
    answer = visit.call(question.name, question.arguments)
    return answer if isinstance(answer, Later) else answer_with(question, answer)


def answer_with(question: Question, answer: Answer) -> bytes:
    """The whole message with a tool's answer."""
    return response(question.id, call_result(answer, question.version))


def _version(
    message: Message, headers: Mapping[str, str], all_headers: Sequence[tuple[str, str]]
) -> str | None:
    """The revision that the client speaks; None when headers and body do not agree on a served one."""
    named = headers.get("mcp-protocol-version")
    if named is None or named in HANDSHAKE_VERSIONS:
        return named or ASSUMED_VERSION
    if len(headers) < len(all_headers) and find_duplicated_routing_header(all_headers) is not None:
        return None
    verdict = classify_inbound_request(message.body, headers=headers)
    return None if isinstance(verdict, InboundLadderRejection) else verdict.protocol_version

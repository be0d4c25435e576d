"""Messages and lines of stdio, without a process around them."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.errors import StorageFull
from workspace_memory.mcp.failures import UnknownTool
from workspace_memory.mcp.identity import MODERN_VERSION
from workspace_memory.mcp.messages import MESSAGE_BYTES_MAX
from workspace_memory.mcp.stdio import LineSplitter, LocalTools, MessageServer
from workspace_memory.tools.answers import Answer
from workspace_memory.tools.failures import UNEXPECTED
from workspace_memory.tools.memory_search import SEARCH

NOTHING: dict[str, object] = {}
ENVELOPE: dict[str, object] = {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientCapabilities": NOTHING,
}


class OneTool:
    """Echoes; fails when it is told to."""

    def offered(self) -> tuple[Mapping[str, object], ...]:
        return (SEARCH,)

    def call(self, name: str, arguments: Mapping[str, object]) -> Answer:
        if name != "memory_search":
            raise UnknownTool
        if arguments.get("fail"):
            raise ValueError("a private text")
        return Answer(json.dumps(dict(arguments)))


def a_server() -> MessageServer:
    return MessageServer(OneTool)


def ask(method: str, params: object = None, server: MessageServer | None = None) -> dict[str, object]:
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    answered = (server or a_server()).answer(line)
    assert answered is not None
    answer: dict[str, object] = json.loads(answered)
    return answer


def error_code(answer: dict[str, object]) -> object:
    error = answer["error"]
    assert isinstance(error, dict)
    return error["code"]  # pyright: ignore[reportUnknownVariableType]


@pytest.mark.requirement("field:case-30")
def test_the_handshake_is_answered_before_the_memory_is_open() -> None:
    def not_open() -> LocalTools:
        raise AssertionError("the memory was asked for")

    never_opened = MessageServer(not_open)
    assert "result" in ask("initialize", {"protocolVersion": "2025-06-18"}, never_opened)
    assert "result" in ask("server/discover", {"_meta": ENVELOPE}, never_opened)
    assert "result" in ask("ping", None, never_opened)


def test_a_memory_that_cannot_be_opened_says_so_at_each_call() -> None:
    def fail() -> LocalTools:
        raise StorageFull

    answer = ask("tools/list", {}, MessageServer(fail))
    assert "The disk of the server is full" in str(answer["error"])


def test_notifications_and_responses_get_no_answer() -> None:
    messages: list[dict[str, object]] = [
        {"method": "notifications/initialized"},
        {"id": 1, "result": NOTHING},
    ]
    for message in messages:
        assert a_server().answer(json.dumps({"jsonrpc": "2.0", **message}).encode()) is None


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/method", NOTHING, -32601),
        ("server/discover", NOTHING, -32601),
        ("tools/call", NOTHING, -32602),
        ("tools/call", {"name": "memory_search", "arguments": [1]}, -32602),
        ("tools/call", {"name": "no_tool"}, -32602),
        (
            "tools/list",
            {"_meta": {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}},
            -32022,
        ),
        ("tools/list", {"_meta": {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": 7}}, -32602),
        ("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN_VERSION}}, -32602),
        ("ping", {"_meta": ENVELOPE}, -32601),
        ("tools/call", {"name": "memory_search", "arguments": {"fail": True}}, -32603),
    ],
)
def test_what_cannot_be_answered_has_its_code(method: str, params: object, code: int) -> None:
    assert error_code(ask(method, params)) == code


def test_an_unexpected_failure_quotes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    answer = ask("tools/call", {"name": "memory_search", "arguments": {"fail": True}})
    assert UNEXPECTED in str(answer)
    assert ("private" in caplog.text, "ValueError" in caplog.text) == (False, True)


@pytest.mark.parametrize("line", [b"{", b"[]", b"7", b'{"jsonrpc":"2.0"}', b"\xff"])
def test_what_is_no_message_gets_an_error_without_an_id(line: bytes) -> None:
    answered = a_server().answer(line)
    assert answered is not None
    assert json.loads(answered)["id"] is None


@given(st.binary(max_size=200))
def test_any_line_is_answered_or_ignored(line: bytes) -> None:
    answered = a_server().answer(line)
    assert answered is None or json.loads(answered)["jsonrpc"] == "2.0"


@given(st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line)), st.integers(1, 7))
def test_lines_are_the_same_however_they_arrive(lines: list[bytes], size: int) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    splitter = LineSplitter()
    cut = [line for at in range(0, len(stream), size) for line in splitter.feed(stream[at : at + size])]
    assert cut == [line.strip() for line in lines if line.strip()]


def test_a_line_without_end_is_refused_and_the_next_one_is_read() -> None:
    splitter = LineSplitter()
    for _ in range(5):
        assert splitter.feed(b"x" * 100_000) == []
    long, next_one = splitter.feed(b"\n{}\n")
    assert (len(long), next_one) == (MESSAGE_BYTES_MAX + 1, b"{}")
    answered = a_server().answer(long)
    assert answered is not None
    assert b"256 KiB" in answered

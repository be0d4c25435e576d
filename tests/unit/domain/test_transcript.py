"""Stored messages as people see them."""

import json
import subprocess
import sys

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from workspace_memory.assistant.transcripts import kept_messages
from workspace_memory.domain.transcript import (
    CallOutcome,
    ShownCall,
    ShownMessage,
    Speaker,
    shown_messages,
)


def shown(*messages: ModelMessage, turn: int = 1) -> list[ShownMessage]:
    return shown_messages([(turn, text) for text in kept_messages(messages)])


def called(name: str, answer: str, *, refused: bool = False) -> CallOutcome:
    messages = shown(
        ModelResponse(parts=[ToolCallPart(name, {}, "call_0")]),
        ModelRequest(parts=[ToolReturnPart(name, answer, "call_0", metadata={"refused": refused})]),
    )
    assert len(messages) == 1
    [call] = messages[0].calls
    assert call.name == name
    return call.outcome


def test_a_turn_is_shown_as_who_said_what_and_which_tools_were_called() -> None:
    assert shown(
        ModelRequest(parts=[UserPromptPart("Find tea")]),
        ModelResponse(parts=[TextPart("I look."), ToolCallPart("search_documents", {"query": "tea"}, "c")]),
        ModelRequest(parts=[ToolReturnPart("search_documents", "found", "c")]),
        ModelResponse(parts=[TextPart("There "), TextPart("is some.")]),
        turn=3,
    ) == [
        ShownMessage(3, Speaker.PERSON, "Find tea"),
        ShownMessage(
            3,
            Speaker.ASSISTANT,
            "I look.",
            (ShownCall("search_documents", CallOutcome.ANSWERED, about="tea"),),
        ),
        ShownMessage(3, Speaker.ASSISTANT, "There is some."),
    ]


def test_a_call_is_shown_with_what_became_of_it() -> None:
    assert called("search_documents", "not_found: …", refused=True) is CallOutcome.REFUSED
    assert called("read_document", '{"outcome":"committed"}') is CallOutcome.ANSWERED
    for outcome in ("committed", "proposed", "unchanged", "off"):
        assert called("remember_in_memory", json.dumps({"outcome": outcome})) == outcome
    assert called("remember_in_memory", '{"outcome":"refused"}', refused=True) is CallOutcome.REFUSED
    assert called("remember_in_memory", "not json") is CallOutcome.ANSWERED


def test_calls_of_several_turns_are_told_apart() -> None:
    call, answer = kept_messages(
        [
            ModelResponse(parts=[ToolCallPart("a", {}, "call_0")]),
            ModelRequest(parts=[ToolReturnPart("a", "x", "call_0")]),
        ]
    )
    first, second = shown_messages([(1, call), (1, answer), (2, call)])
    assert first.calls[0].outcome is CallOutcome.ANSWERED
    assert second.calls[0].outcome is CallOutcome.UNANSWERED


def test_a_message_of_an_unknown_version_is_said_to_be_unreadable() -> None:
    strange = [
        "no json",
        "[]",
        "7",
        '{"kind":"request"}',
        '{"kind":"of the future","parts":[]}',
        '{"kind":"request","parts":[1]}',
    ]
    for text in strange:
        assert shown_messages([(1, text)]) == [ShownMessage(1, Speaker.ASSISTANT, "", readable=False)]


def test_parts_of_an_unknown_kind_are_left_out() -> None:
    text = json.dumps(
        {"kind": "response", "parts": [{"part_kind": "smell"}, {"part_kind": "text", "content": "Hi"}]}
    )
    assert shown_messages([(1, text)]) == [ShownMessage(1, Speaker.ASSISTANT, "Hi")]


def test_showing_messages_does_not_load_the_framework() -> None:
    code = "import sys, workspace_memory.domain.transcript; sys.exit('pydantic_ai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

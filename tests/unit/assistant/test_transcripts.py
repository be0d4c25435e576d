"""What is kept of a turn's messages, and what of a stored history is given to a model again."""

import json

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    RetryFeedbackPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.messages import RetryInfo as Retry

from workspace_memory.assistant.transcripts import LEFT_OUT, history_of, kept_messages

ASKED = ModelRequest(parts=[UserPromptPart("Hello")], instructions="secret system text")
CALLED = ModelResponse(parts=[ToolCallPart("search_documents", {"query": "tea"}, "call_0")])
ANSWERED = ModelRequest(parts=[ToolReturnPart("search_documents", "nothing", "call_0")])


def remembered(arguments: object) -> str:
    [text] = kept_messages(
        [
            ModelResponse(
                parts=[TextPart("On it."), ToolCallPart("remember_in_memory", arguments, "call_0")]  # pyright: ignore[reportArgumentType]
            ),
            ModelRequest(parts=[ToolReturnPart("remember_in_memory", "{}", "call_0")]),
        ]
    )[:1]
    return text


def test_system_text_thinking_and_a_providers_details_are_left_out() -> None:
    answer = ModelResponse(
        parts=[
            ThinkingPart("the memory says Thursday", signature="sealed"),
            TextPart("Hi", id="p1", provider_details={"x": "clouds"}),
        ],
        provider_details={"y": "clouds"},
    )
    asked = ModelRequest(parts=[SystemPromptPart("be nice"), *ASKED.parts], instructions="secret")
    stored = "".join(kept_messages([asked, answer]))
    for text in ("be nice", "secret", "Thursday", "sealed", "clouds"):
        assert text not in stored
    assert "Hello" in stored
    assert "Hi" in stored


def test_a_call_without_its_answer_is_left_out() -> None:
    assert len(kept_messages([ASKED, CALLED])) == 1
    assert len(kept_messages([ASKED, CALLED, ANSWERED])) == 3


def test_lines_that_edits_copied_from_memory_are_left_out() -> None:
    edit = {"op": "replace", "text": "Friday", "target": "- Thursday", "heading": ""}
    for arguments in ({"changes": [edit]}, json.dumps({"changes": [edit]})):
        stored = remembered(arguments)
        assert "Thursday" not in stored
        assert "Friday" in stored
        assert LEFT_OUT in stored


def test_of_malformed_edits_nothing_is_kept() -> None:
    for arguments in ('{"changes": [{"target": "- Thurs', '["- Thursday"]', {"changes": "- Thursday"}):
        assert "Thurs" not in remembered(arguments)
    assert "Thurs" not in remembered({"changes": ["- Thursday", {"more": "- Thursday"}], "x": "- Thursday"})


def test_what_the_framework_quotes_of_a_malformed_call_is_left_out() -> None:
    quoting: list[ModelMessage] = [
        ModelRequest(
            parts=[
                ToolReturnPart("remember_in_memory", "input was Thursday", "call_0", outcome="retried"),
                RetryFeedbackPart(
                    "it said Thursday", retry=Retry(cause="validation_error", attempt=1, max_retries=2)
                ),
            ]
        )
    ]
    [stored] = kept_messages(quoting)
    assert "Thursday" not in stored


def test_stored_messages_come_back_as_they_were() -> None:
    stored = kept_messages([ASKED, CALLED, ANSWERED, ModelResponse(parts=[TextPart("Hi")])])
    assert kept_messages(history_of(stored)) == stored


def test_a_message_of_an_unknown_version_ends_what_a_model_is_given() -> None:
    stored = kept_messages([ASKED, ModelResponse(parts=[TextPart("Hi")])])
    newer = kept_messages([ModelRequest(parts=[UserPromptPart("Again")])])
    for unknown in ('{"kind":"of the future","parts":[]}', "no json", "[]x"):
        assert kept_messages(history_of([*stored, unknown, *newer])) == newer


def test_a_history_begins_with_a_persons_words() -> None:
    stored = kept_messages([CALLED, ANSWERED, ModelResponse(parts=[TextPart("Hi")]), ASKED])
    assert [type(message) for message in history_of(stored)] == [ModelRequest]


def test_instructions_that_were_stored_all_the_same_are_not_sent_again() -> None:
    plain = json.loads(kept_messages([ASKED])[0])
    [message] = history_of([json.dumps({**plain, "instructions": "old memory"})])
    assert isinstance(message, ModelRequest)
    assert message.instructions is None

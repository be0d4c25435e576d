"""What is kept of a turn's messages: the person's words, the answers, and the tools' calls and answers; nothing else.

System text, the block of memory, a model's thinking and a provider's own details are left out, and so are the lines of
memory that an edit copies to name what it changes: a later turn would send them again after a Clear. The form is the
framework's JSON, one text for each message; `domain/transcript.py` shows it to people.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import pydantic_ai
from pydantic import ValidationError
from pydantic_ai import ModelMessagesTypeAdapter
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RetryFeedbackPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from workspace_memory.assistant import remembering
from workspace_memory.assistant.whole_text import whole
from workspace_memory.tools.answers import to_json

FRAMEWORK: Final = f"pydantic-ai {pydantic_ai.__version__}"
"""The name and version that belong to each stored message."""
LEFT_OUT: Final = "(a line of the memory of then)"

MALFORMED: Final = "This could not be used; it was malformed."


def kept_messages(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """The messages of a turn as they are stored, up to where each tool call has its answer."""
    kept = [cleaned for message in messages if (cleaned := _cleaned(message)).parts]
    while kept and isinstance(kept[-1], ModelResponse) and kept[-1].tool_calls:
        # Broken off before the tools had answered. No provider takes a call without its answer.
        kept.pop()
    plain = cast("list[object]", ModelMessagesTypeAdapter.dump_python(kept, mode="json"))
    return tuple(whole(to_json(message)) for message in plain)


def kept_prompt(text: str) -> str:
    """A person's words as they are stored when a turn begins; the first message of the turn that follows."""
    return kept_messages([ModelRequest(parts=[UserPromptPart(text)])])[0]


def history_of(stored: Sequence[str]) -> list[ModelMessage]:
    """Stored messages for a model, oldest first.

    What another version of the framework wrote and this one cannot read is left out together with all before it, since
    what is behind it may answer it; the rest begins with a person's words.
    """
    messages: list[ModelMessage] = []
    for text in stored:
        try:
            messages += ModelMessagesTypeAdapter.validate_json(f"[{text}]")
        except ValidationError:
            messages.clear()
    cleaned = [_cleaned(message) for message in messages]
    for index, message in enumerate(cleaned):
        if (
            isinstance(message, ModelRequest)
            and message.parts
            and isinstance(message.parts[0], UserPromptPart)
        ):
            return [each for each in cleaned[index:] if each.parts]
    return []


def _cleaned(message: ModelMessage) -> ModelMessage:
    if isinstance(message, ModelRequest):
        return replace(message, parts=list(_of_request(message.parts)), instructions=None, metadata=None)
    return replace(message, parts=list(_of_response(message.parts)), provider_details=None, metadata=None)


def _of_request(parts: Sequence[ModelRequestPart]) -> Iterator[ModelRequestPart]:
    for part in parts:
        match part:
            case UserPromptPart():
                yield part
            # What is wrong with a call is said by quoting it.
            case ToolReturnPart(outcome="retried") | RetryFeedbackPart():
                yield replace(part, content=MALFORMED)
            case ToolReturnPart():
                yield part
            case _:
                pass


def _of_response(parts: Sequence[ModelResponsePart]) -> Iterator[ModelResponsePart]:
    for part in parts:
        match part:
            case TextPart():
                yield replace(part, id=None, provider_details=None)
            case ToolCallPart():
                yield replace(part, args=_without_targets(part), id=None, provider_details=None)
            case _:
                pass


def _without_targets(call: ToolCallPart) -> str | dict[str, Any] | None:
    """The arguments of a call. Of remember_in_memory without the lines that it copied from memory."""
    if call.tool_name != remembering.NAME:
        return call.args
    try:
        changes = cast("object", call.args_as_dict(raise_if_invalid=True).get("changes"))
    except (ValueError, AssertionError):
        # No JSON at all, and perhaps a piece of memory.
        return {}
    if not isinstance(changes, list):
        return {}
    return {"changes": [_without_target(edit) for edit in cast("list[object]", changes)]}


def _without_target(edit: object) -> dict[str, object]:
    if not isinstance(edit, Mapping):
        return {}
    fields = cast("Mapping[str, object]", edit)
    kept = {name: fields[name] for name in ("op", "text", "heading") if isinstance(fields.get(name), str)}
    return {**kept, "target": LEFT_OUT if fields.get("target") else ""}

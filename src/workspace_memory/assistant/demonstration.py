"""The demonstration: a script that answers where no provider is set, and says in every answer that it is one.

It reads what a model would read, the instructions of its request, so that it shows recall as it is. On "remember that
…" it calls remember_in_memory, on "search …" and "find …" the tools that search. No network, no chance: the same again
gives the same.
"""

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from workspace_memory.assistant import remembering
from workspace_memory.domain.edit_refusal import LINE_BYTES_MAX

DEMONSTRATION: Final = "demonstration"

_SAID: Final = "This is a demonstration: no model provider is set up, so a script answers instead of a model."
_BLOCK = re.compile(
    r"^Saved workspace memory, revision (\d+)\..*?^<workspace_memory ([0-9a-f]+)>\n(.*?)\n</workspace_memory \2>\Z",
    re.DOTALL | re.MULTILINE,
)
_NOTE = re.compile(r"^Workspace memory was not provided because (.*?)\. Do not guess", re.MULTILINE)
_REMEMBER = re.compile(r"\s*(?:please\s+)?remember\s+(?:that\s+)?(.+)", re.IGNORECASE | re.DOTALL)
_SEARCH = re.compile(
    r"\s*(?:please\s+)?(?:search|find)\s+(?:for\s+|documents?\s+about\s+)?(.+)", re.IGNORECASE | re.DOTALL
)
_SEARCHING = ("search_documents", "memory_search")
_ANSWER_SHOWN = 300


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    arguments: dict[str, object] = field(default_factory=dict[str, object])


def demonstration_model() -> FunctionModel:
    """The scripted model, unbound."""
    return FunctionModel(_answer, stream_function=_answer_in_pieces, model_name=DEMONSTRATION)


def _answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    said = _next(messages, info)
    if isinstance(said, str):
        return ModelResponse(parts=[TextPart(said)])
    return ModelResponse(parts=[ToolCallPart(call.name, json.dumps(call.arguments)) for call in said])


async def _answer_in_pieces(
    messages: list[ModelMessage], info: AgentInfo
) -> AsyncIterator[str | DeltaToolCalls]:
    said = _next(messages, info)
    if isinstance(said, str):
        for word in re.findall(r"\S+\s*", said):
            yield word
    else:
        for index, call in enumerate(said):
            yield {index: DeltaToolCall(call.name, json.dumps(call.arguments))}


def _next(messages: Sequence[ModelMessage], info: AgentInfo) -> str | list[_Call]:
    """What comes next: an answer, or the calls that come before it."""
    newest = messages[-1]
    answers = [part for part in newest.parts if isinstance(part, ToolReturnPart)]
    memory = _memory(info.instructions or "")
    if answers:
        return " ".join([_SAID, *(_of_answer(part) for part in answers), memory])
    calls = _calls(_message(newest), {tool.name for tool in info.function_tools})
    if calls:
        return calls
    return (
        f"{_SAID} {memory} Try “remember that …”, “search …” or “find …”; to have a model, set "
        "WORKSPACE_MEMORY_ASSISTANT_MODELS."
    )


def _message(newest: ModelMessage) -> str:
    if not isinstance(newest, ModelRequest):
        return ""
    said = [part.content for part in newest.parts if isinstance(part, UserPromptPart)]
    return next((text for text in reversed(said) if isinstance(text, str)), "")


def _calls(message: str, offered: set[str]) -> list[_Call]:
    if (found := _REMEMBER.fullmatch(message)) and remembering.NAME in offered:
        line = " ".join(found[1].split()).encode()[:LINE_BYTES_MAX].decode(errors="ignore")
        change = {"op": "add", "text": line, "target": "", "heading": ""}
        return [_Call(remembering.NAME, {"changes": [change]})]
    if found := _SEARCH.fullmatch(message):
        return [_Call(name, {"query": found[1].strip()}) for name in _SEARCHING if name in offered]
    return []


def _memory(instructions: str) -> str:
    """What the script says about the memory that it was given."""
    if block := _BLOCK.search(instructions):
        lines = [line.strip() for line in block[3].split("\n")]
        telling = next((line for line in lines if line and not line.startswith("#")), lines[0])
        return f"It was given revision {block[1]} of the workspace memory; a line of it reads: “{telling}”."
    if note := _NOTE.search(instructions):
        return f"It was not given the workspace memory, because {note[1]}."
    return "There is no workspace memory for this answer: it is empty, or off."


def _of_answer(part: ToolReturnPart) -> str:
    text = part.model_response_str()
    if part.tool_name != remembering.NAME:
        shown = text if len(text) <= _ANSWER_SHOWN else f"{text[:_ANSWER_SHOWN]}…"
        return f"{part.tool_name} answered: {shown}"
    answer = json.loads(text)
    match answer["outcome"]:
        case "committed":
            return f"Remembered, as revision {answer['revision']}."
        case "proposed":
            return f"Proposed ({answer['reason']}): a person has to apply it."
        case "refused":
            return f"Not remembered ({answer['code']}): {answer['hint']}"
        case _:
            return f"Nothing was changed: {answer['hint']}"

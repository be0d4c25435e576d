"""The demonstration: a script that answers where no provider is set, and says in every answer that it is one.

It reads what a model would read, the instructions of its request, so that it shows recall as it is, and quotes lines
of the memory instead of claiming to understand them. On "remember that …" it calls remember_in_memory, on "search …"
and "find …" the tools that search, of which it lists what they found. No network, no chance: the same again gives the
same.
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
from workspace_memory.domain.call_sources import sources_of
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
    r"\s*(?:please\s+)?(?:search|find)\s+(?:for\s+)?(?:(?:(?:all|our|my|the)\s+)*(?:documents?|notes?|items?)\s+"
    r"(?:about|on|for)\s+)?(.+)",
    re.IGNORECASE | re.DOTALL,
)
# Any word of a query may match, so that these would find what was not asked for.
_FILLERS = frozenset(["a", "about", "all", "an", "and", "for", "in", "my", "of", "on", "our", "the", "to"])
# What the tools that search call what they find, one and several, and where their answers hold it.
_SEARCHING: Final = {
    "search_documents": ("note", "notes", "documents"),
    "memory_search": ("memory item", "memory items", "items"),
}
_LINES_QUOTED = 5
_FOUND_LISTED = 5
_QUOTE_CHARACTERS = 160


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
    if any(part.tool_name in _SEARCHING for part in answers):
        return "\n\n".join([_SAID, *(_of_answer(part) for part in answers)])
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
        query = _query(found[1])
        return [_Call(name, {"query": query}) for name in _SEARCHING if name in offered]
    return []


def _query(asked: str) -> str:
    words = asked.strip().rstrip(".?!").split()
    return " ".join(word for word in words if word.lower() not in _FILLERS) or asked.strip()


def _memory(instructions: str) -> str:
    """What the script says about the memory that it was given: its lines, and of many the last ones."""
    if block := _BLOCK.search(instructions):
        given = f"It was given revision {block[1]} of the workspace memory"
        lines = [line.strip() for line in block[3].split("\n") if line.strip()]
        telling = [line for line in lines if not line.startswith("#")] or lines
        quoted = ", ".join(f"“{_short(line)}”" for line in telling[-_LINES_QUOTED:])
        if len(telling) > _LINES_QUOTED:
            return f"{given}; the last {_LINES_QUOTED} of its {len(telling)} lines read: {quoted}."
        return f"{given}, which reads: {quoted}."
    if note := _NOTE.search(instructions):
        return f"It was not given the workspace memory, because {note[1]}."
    return "There is no workspace memory for this answer: it is empty, or off."


def _of_answer(part: ToolReturnPart) -> str:
    text = part.model_response_str()
    if part.tool_name != remembering.NAME:
        return _of_search(part.tool_name, text)
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


def _of_search(tool: str, text: str) -> str:
    """How many texts a search found, and a line for each of the first ones."""
    one, many, where = _SEARCHING[tool]
    try:
        answer = json.loads(text)
        count = len(answer[where])
    except (ValueError, TypeError, KeyError):
        return f"The search for {many} was refused: {_short(text)}"
    if count == 0:
        return f"It found no {many}{' so far; not every one was looked at' if answer.get('next_cursor') else ''}."
    found = [f"- {_short(source.label)}" for source in sources_of(tool, answer)[:_FOUND_LISTED]]
    more = [f"- and {count - len(found)} more"] if count > len(found) else []
    at_least = "at least " if answer.get("next_cursor") else ""
    return "\n".join([f"It found {at_least}{count} {one if count == 1 else many}:\n", *found, *more])


def _short(line: str) -> str:
    return line if len(line) <= _QUOTE_CHARACTERS else f"{line[: _QUOTE_CHARACTERS - 1]}…"

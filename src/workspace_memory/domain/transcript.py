"""Stored messages as people see them: who spoke, the text, and the tools that were called with what became of it.

Read from the serialized form alone, without the framework, so that a page needs not load it and a message of a version
that nobody knows any more is said to be unreadable instead of failing the page.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

from workspace_memory.domain.call_sources import ShownSource, about_call, sources_of


class Speaker(StrEnum):
    """Who speaks."""

    PERSON = "person"
    ASSISTANT = "assistant"


class CallOutcome(StrEnum):
    """What became of a tool's call. `committed` to `off` are those of remember_in_memory."""

    ANSWERED = "answered"
    REFUSED = "refused"
    UNANSWERED = "unanswered"
    COMMITTED = "committed"
    PROPOSED = "proposed"
    UNCHANGED = "unchanged"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A tool that was called: with what, and which texts it gave, where it gave any."""

    name: str
    outcome: CallOutcome
    about: str = field(default="", repr=False)
    sources: tuple[ShownSource, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """One message. Not `readable`: written by another version of the framework; its text is empty."""

    turn: int
    speaker: Speaker
    text: str = field(repr=False)
    calls: tuple[ShownCall, ...] = ()
    readable: bool = True


_Part = Mapping[str, object]


def shown_messages(stored: Sequence[tuple[int, str]]) -> list[ShownMessage]:
    """What a person sees of stored messages, each with the number of its turn, oldest first.

    Requests that hold nothing but tools' answers are shown with the call that they answer.
    """
    decoded = [(turn, _decoded(text)) for turn, text in stored]
    answers = dict(_answers(decoded))
    shown: list[ShownMessage] = []
    for turn, message in decoded:
        if message is None:
            shown.append(ShownMessage(turn, Speaker.ASSISTANT, "", readable=False))
            continue
        kind, parts = message
        if kind == "request":
            said = "\n".join(_texts(parts, "user-prompt"))
            if said:
                shown.append(ShownMessage(turn, Speaker.PERSON, said))
            continue
        calls = tuple(
            _call(part, answers.get(_call_id(turn, part)))
            for part in parts
            if part.get("part_kind") == "tool-call"
        )
        answer = "".join(_texts(parts, "text"))
        if answer or calls:
            shown.append(ShownMessage(turn, Speaker.ASSISTANT, answer, calls))
    return shown


def _decoded(text: str) -> tuple[str, list[_Part]] | None:
    """The kind and the parts; None for what is no message that is known here."""
    try:
        decoded: object = json.loads(text)
    except ValueError:
        return None
    if not isinstance(decoded, dict):
        return None
    message = cast("Mapping[str, object]", decoded)
    kind, parts = message.get("kind"), message.get("parts")
    if kind not in {"request", "response"} or not isinstance(parts, list):
        return None
    if not all(isinstance(part, dict) for part in cast("list[object]", parts)):
        return None
    return str(kind), cast("list[_Part]", parts)


def _answers(
    decoded: Sequence[tuple[int, tuple[str, list[_Part]] | None]],
) -> Iterator[tuple[tuple[int, str], _Part]]:
    for turn, message in decoded:
        if message is None or message[0] != "request":
            continue
        for part in message[1]:
            if part.get("part_kind") == "tool-return":
                yield _call_id(turn, part), part


def _call(part: _Part, answer: _Part | None) -> ShownCall:
    name = _text(part, "tool_name")
    outcome = CallOutcome.UNANSWERED if answer is None else _outcome(answer)
    given = answer.get("content") if answer is not None and outcome is CallOutcome.ANSWERED else None
    return ShownCall(name, outcome, about_call(name, part.get("args")), sources_of(name, given))


def _outcome(part: _Part) -> CallOutcome:
    metadata = part.get("metadata")
    refused = isinstance(metadata, dict) and bool(cast("_Part", metadata).get("refused"))
    if refused or part.get("outcome", "success") != "success":
        return CallOutcome.REFUSED
    if part.get("tool_name") != "remember_in_memory":
        return CallOutcome.ANSWERED
    try:
        answer: object = json.loads(_text(part, "content"))
    except ValueError:
        return CallOutcome.ANSWERED
    outcome = cast("_Part", answer).get("outcome") if isinstance(answer, dict) else None
    return CallOutcome(str(outcome)) if outcome in list(CallOutcome) else CallOutcome.ANSWERED


def _call_id(turn: int, part: _Part) -> tuple[int, str]:
    # Servers of one's own count their calls from 0 in every turn.
    return turn, _text(part, "tool_call_id")


def _texts(parts: Sequence[_Part], kind: str) -> Iterator[str]:
    for part in parts:
        if part.get("part_kind") == kind and (text := _text(part, "content")):
            yield text


def _text(part: _Part, name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""

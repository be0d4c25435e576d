"""What a tool of the Assistant was asked about, and which texts it gave: what a page lists below an answer.

Read from the call and the answer as they are stored. Both were written by others, so that nothing of their form is
relied on: what does not fit is left out. Labels are one line and short.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, cast

SOURCES_MAX: Final = 50
LABEL_CHARACTERS_MAX: Final = 160


class SourceKind(StrEnum):
    """What sort of text it is."""

    NOTE = "note"
    ITEM = "item"
    SKILL = "skill"


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A text that a tool gave. `label`: a note's path, a skill's name, the beginning of an item; `id` is an item's."""

    kind: SourceKind
    label: str = field(repr=False)
    id: str | None = None


# The argument that says what a call is about.
_ABOUT: Final[Mapping[str, str]] = {
    "search_documents": "query",
    "memory_search": "query",
    "read_document": "path",
    "create_note": "path",
    "propose_edit": "path",
    "load_skill": "name",
}


def about_call(tool: str, arguments: object) -> str:
    """The query, path or name that a tool was called with; empty for another tool."""
    name = _ABOUT.get(tool)
    return "" if name is None else _label(_object(arguments).get(name))


def sources_of(tool: str, answer: object) -> tuple[ShownSource, ...]:
    """The texts in a tool's answer, in its order, each once; none for a tool that gives no text."""
    found = dict.fromkeys(source for source in _sources(tool, _object(answer)) if source.label)
    return tuple(found)[:SOURCES_MAX]


def _sources(tool: str, answer: Mapping[str, object]) -> Iterator[ShownSource]:
    match tool:
        case "read_document":
            yield ShownSource(SourceKind.NOTE, _label(answer.get("path")))
        case "search_documents":
            for each in _objects(answer.get("documents")):
                yield ShownSource(SourceKind.NOTE, _label(each.get("path")))
        case "memory_search":
            for each in _objects(answer.get("items")):
                item = each.get("id")
                yield ShownSource(
                    SourceKind.ITEM, _label(each.get("content")), item if isinstance(item, str) else None
                )
        case "load_skill":
            yield ShownSource(SourceKind.SKILL, _label(answer.get("name")))
        case _:
            pass


def _label(value: object) -> str:
    line = " ".join(value.split()) if isinstance(value, str) else ""
    return line if len(line) <= LABEL_CHARACTERS_MAX else f"{line[: LABEL_CHARACTERS_MAX - 1]}…"


def _objects(value: object) -> list[Mapping[str, object]]:
    if not isinstance(value, list):
        return []
    return [
        cast("Mapping[str, object]", each) for each in cast("list[object]", value) if isinstance(each, dict)
    ]


def _object(value: object) -> Mapping[str, object]:
    """The value, or the JSON that it is, where that is an object."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}

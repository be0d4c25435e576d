"""The cases of the quality benchmark: sets of texts, and questions with the texts that answer them.

Reads the two shapes that exist and refuses anything else. Pure but for reading the file; `quality.py` decides what
is asked, `_metrics.py` what is scored. A file is evaluation data: it is read where it lies and never copied.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import cast

# Questions of this category of LoCoMo ask for what was never said, so no text can be the evidence.
UNANSWERABLE_CATEGORY = "5"


class Shape(Enum):
    """What the sets of a file are, and what its questions are grouped by."""

    CONVERSATIONS = ("conversations", "name", "questions", "category")
    LANGUAGES = ("sets", "language", "queries", "kind")

    def __init__(self, sets: str, name: str, questions: str, label: str) -> None:
        self.sets = sets
        self.name_field = name
        self.questions = questions
        self.label = label


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the group that it is reported in, and the keys of the texts that answer it."""

    text: str
    label: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class CaseSet:
    """The texts of one workspace by their keys, and the questions that are asked there."""

    name: str
    texts: Mapping[str, str]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Cases:
    """Everything in a file. `left_out` counts questions that no text answers."""

    shape: Shape
    sets: Sequence[CaseSet]
    left_out: int


class BadCases(Exception):
    """The file cannot be read or has another shape; the message says where."""


def read_cases(path: Path) -> Cases:
    """Read a file of cases. Raises: BadCases."""
    try:
        document: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadCases(f"{path.name} cannot be read: {error}") from None
    return parse_cases(document)


def parse_cases(document: object) -> Cases:
    """Check a decoded document and bring it to one form. Raises: BadCases."""
    top = _object(document, "the file")
    shape = next((shape for shape in Shape if shape.sets in top), None)
    if shape is None:
        raise BadCases('the file has neither "conversations" nor "sets"')
    sets = [_set(entry, shape, where) for where, entry in _entries(top, shape.sets, "the file")]
    names = [one.name for one in sets]
    if not sets or len(set(names)) < len(names):
        raise BadCases(f'"{shape.sets}" needs at least one entry, each with a name of its own')
    answerable = [_answerable(one) for one in sets]
    left_out = sum(
        len(all_.questions) - len(kept.questions) for all_, kept in zip(sets, answerable, strict=True)
    )
    return Cases(shape, answerable, left_out)


def _set(entry: object, shape: Shape, where: str) -> CaseSet:
    fields = _object(entry, where)
    texts = dict(_text(item, at) for at, item in _entries(fields, "items", where))
    # A memory keeps no empty text, so a question about one has no answer.
    texts = {key: text for key, text in texts.items() if text.strip()}
    questions = [_question(question, shape, at) for at, question in _entries(fields, shape.questions, where)]
    return CaseSet(_string(fields, shape.name_field, where), texts, questions)


def _text(item: object, where: str) -> tuple[str, str]:
    fields = _object(item, where)
    return _string(fields, "key", where), _string(fields, "text", where)


def _question(question: object, shape: Shape, where: str) -> Question:
    fields = _object(question, where)
    gold = {str(key) for _, key in _entries(fields, "gold", where)}
    return Question(_string(fields, "text", where), _string(fields, shape.label, where), frozenset(gold))


def _answerable(one: CaseSet) -> CaseSet:
    """Only the questions that some text of the set answers, each with the gold that is really there."""
    questions = [
        Question(question.text, question.label, present)
        for question in one.questions
        if question.label != UNANSWERABLE_CATEGORY and (present := question.gold & one.texts.keys())
    ]
    return CaseSet(one.name, one.texts, questions)


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadCases(f"{where} is not an object")
    return cast("Mapping[str, object]", value)


def _entries(fields: Mapping[str, object], name: str, where: str) -> Iterator[tuple[str, object]]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise BadCases(f'{where} has no list "{name}"')
    for number, entry in enumerate(cast("list[object]", value), start=1):
        yield f"entry {number} of {name} in {where}", entry


def _string(fields: Mapping[str, object], name: str, where: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str | int):
        raise BadCases(f'{where} has no text "{name}"')
    return str(value)

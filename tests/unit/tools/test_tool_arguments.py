"""Arguments that are wrong, and paths of the memory document: refused before any use case runs."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.namespace_cases.spellings import spellings

from workspace_memory.domain.document_errors import NamespaceReserved
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.tools.answers import Answer
from workspace_memory.tools.calling import Tool, ToolCaller, call_tool
from workspace_memory.tools.catalogue import DOCUMENT_TOOLS
from workspace_memory.tools.documents import LIST_DOCUMENTS, READ_DOCUMENT, SEARCH_DOCUMENTS
from workspace_memory.tools.memory_search import MEMORY_SEARCH
from workspace_memory.tools.writing_documents import CREATE_NOTE, PROPOSE_EDIT

SEED = 20261201
CASES = Path(__file__).parents[2] / "namespace_cases" / "labelled.jsonl"
LABELLED = [json.loads(line) for line in CASES.read_text().splitlines()]
RESERVED = f"{NamespaceReserved.code}: {NamespaceReserved().message()}"
MORE: Mapping[str, Mapping[str, object]] = {
    "read_document": {},
    "create_note": {"text": "x"},
    "propose_edit": {"text": "x", "version": 1},
}
NAMING = [READ_DOCUMENT, CREATE_NOTE, PROPOSE_EDIT]
naming = pytest.mark.parametrize("tool", NAMING, ids=lambda tool: tool.name)


class _Asked(Exception):
    """A use case was asked for."""


def nobody(*_: Any, **__: Any) -> Any:
    raise _Asked


def caller(ask: Callable[..., Any] = nobody) -> ToolCaller:
    return ToolCaller(ask, WorkspaceId("w"), None)


def said(tool: Tool, arguments: Mapping[str, object]) -> str:
    answer = call_tool(tool, caller(), arguments)
    assert answer.is_error
    return answer.text


def reaches_a_use_case(tool: Tool, arguments: Mapping[str, object]) -> bool:
    reached: list[bool] = []

    def ask(*_: Any, **__: Any) -> Any:
        reached.append(True)
        raise _Asked

    assert call_tool(tool, caller(ask), arguments).is_error
    return bool(reached)


@pytest.mark.requirement("document:namespace:read-tool-refuses")
@pytest.mark.requirement("document:namespace:create-note-refuses")
@pytest.mark.requirement("document:namespace:propose-edit-refuses")
@naming
def test_each_labelled_path_is_answered_by_its_verdict_without_a_request(tool: Tool) -> None:
    wrong: list[str] = []
    for case in LABELLED:
        arguments = {**MORE[tool.name], "path": case["path"]}
        match case["verdict"]:
            case "reserved" | "ancestor":
                right = said(tool, arguments) == RESERVED and not reaches_a_use_case(tool, arguments)
            case "invalid":
                right = said(tool, arguments).startswith("invalid_request: path: ")
            case _:
                right = said(tool, arguments) != RESERVED
        if not right:
            wrong.append(case["id"])
    assert wrong == []


@naming
def test_2000_composed_spellings_are_refused_without_a_request(tool: Tool) -> None:
    passed = [
        place
        for place in spellings(SEED, 2_000)
        if said(tool, {**MORE[tool.name], "path": place}) != RESERVED
    ]
    assert passed == []


@naming
def test_another_path_goes_on_to_its_use_case(tool: Tool) -> None:
    assert reaches_a_use_case(tool, {**MORE[tool.name], "path": "notes/tea.md"})


@naming
def test_the_path_is_looked_at_before_the_other_arguments(tool: Tool) -> None:
    assert said(tool, {"path": ".workspace/memory/memory.md", "nonsense": 1}) == RESERVED


@pytest.mark.parametrize("path", ["a//b", "./a", "a/../b", "/a", "a\\b", "e\u0301.md"])
@pytest.mark.parametrize("tool", [CREATE_NOTE, PROPOSE_EDIT], ids=lambda tool: tool.name)
def test_a_text_is_kept_under_a_plain_path_alone(tool: Tool, path: str) -> None:
    assert "plain form" in said(tool, {**MORE[tool.name], "path": path})


SURROGATE = "tea \ud83d"
FAULTS: list[tuple[Tool, Mapping[str, object], str]] = [
    (LIST_DOCUMENTS, {"limit": 0}, "limit: must be 1 or more."),
    (LIST_DOCUMENTS, {"limit": "many"}, "limit: must be a whole number."),
    (LIST_DOCUMENTS, {"workspace": "x"}, "workspace: list_documents has no argument of this name"),
    (LIST_DOCUMENTS, {"cursor": "x" * 5_000}, "cursor: must have at most 4096 characters."),
    (LIST_DOCUMENTS, {"cursor": 3}, "cursor: must be a text."),
    (SEARCH_DOCUMENTS, {}, "query: is missing; search_documents needs it."),
    (SEARCH_DOCUMENTS, {"query": "x" * 1_001}, "query: must have at most 1000 characters."),
    (SEARCH_DOCUMENTS, {"query": SURROGATE}, "query: "),
    (SEARCH_DOCUMENTS, {"query": ["tea"]}, "query: must be a text."),
    (READ_DOCUMENT, {}, "path: is missing; read_document needs it."),
    (READ_DOCUMENT, {"path": None}, "path: is missing"),
    (READ_DOCUMENT, {"path": 7}, "path: must be a text."),
    (READ_DOCUMENT, {"path": "a\0b"}, "path: is no path that a document can have"),
    (READ_DOCUMENT, {"path": SURROGATE}, "path: is no path that a document can have"),
    (READ_DOCUMENT, {"path": "x" * 1_025}, "path: is no path that a document can have"),
    (READ_DOCUMENT, {"path": ""}, "path: is no path that a document can have"),
    (READ_DOCUMENT, {"path": "a", "version": 0}, "version: must be 1 or more."),
    (READ_DOCUMENT, {"path": "a", "version": 2**31}, "version: must be 2147483646 or less."),
    (READ_DOCUMENT, {"path": "a", "version": 10**400}, "version: must be "),
    (READ_DOCUMENT, {"path": "a", "version": 1.5}, "version: must be a whole number."),
    (READ_DOCUMENT, {"path": "a", "offset": -1}, "offset: must be 0 or more."),
    (CREATE_NOTE, {"path": "a"}, "text: is missing; create_note needs it."),
    (CREATE_NOTE, {"path": "a", "text": {}}, "text: must be a text."),
    (CREATE_NOTE, {"path": "a", "text": SURROGATE}, "text: contains half of a surrogate pair"),
    (CREATE_NOTE, {"path": "a", "text": "x", "base": 1}, "base: create_note has no argument"),
    (PROPOSE_EDIT, {"path": "a", "text": "x"}, "version: is missing; propose_edit needs it."),
    (PROPOSE_EDIT, {"path": "a", "version": 1}, "text: Give either text or edits, and not both."),
    (
        PROPOSE_EDIT,
        {"path": "a", "version": 1, "text": "x", "edits": [{"find": "a", "replace": "b"}]},
        "text: Give either text or edits, and not both.",
    ),
    (PROPOSE_EDIT, {"path": "a", "version": 1, "edits": []}, "edits: must have at least one entry."),
    (PROPOSE_EDIT, {"path": "a", "version": 1, "edits": "no list"}, "edits: must be a list."),
    (PROPOSE_EDIT, {"path": "a", "version": 1, "edits": ["x"]}, "edits.0: must be an object."),
    (PROPOSE_EDIT, {"path": "a", "version": 1, "edits": [{"find": "x"}]}, "edits.0.replace: is missing"),
    (
        PROPOSE_EDIT,
        {"path": "a", "version": 1, "edits": [{"find": "", "replace": "b"}]},
        "edits.0.find: must not be empty.",
    ),
    (
        PROPOSE_EDIT,
        {"path": "a", "version": 1, "edits": [{"find": "a", "replace": "b", "all": True}]},
        "edits.0.all: is not known here; leave it out.",
    ),
    (
        PROPOSE_EDIT,
        {"path": "a", "version": 1, "edits": [{"find": "a", "replace": "b"}] * 51},
        "edits: must have at most 50 entries.",
    ),
    (
        PROPOSE_EDIT,
        {"path": "a", "version": 0, "edits": [{"find": "a", "replace": "b"}]},
        "edits: there is no text to edit at version 0",
    ),
    (MEMORY_SEARCH, {"scope": "all"}, "scope: must be one of personal, organization."),
]


@pytest.mark.parametrize(("tool", "arguments", "sentence"), FAULTS)
def test_each_fault_is_named_and_no_use_case_runs(
    tool: Tool, arguments: Mapping[str, object], sentence: str
) -> None:
    assert said(tool, arguments).startswith(f"invalid_request: {sentence}")
    assert not reaches_a_use_case(tool, arguments)


def test_no_value_is_quoted_in_a_refusal() -> None:
    private: dict[str, object] = {
        "path": "notes/very private.md",
        "version": "very private",
        "text": ["very private"],
        "edits": [{"find": 7, "very private place": "very private"}],
    }
    assert "very private text" not in said(PROPOSE_EDIT, private)
    assert "notes/very private" not in said(PROPOSE_EDIT, private)


@given(
    st.dictionaries(
        st.sampled_from(["path", "text", "version", "edits", "query", "limit", "cursor", "offset", "x"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
            max_leaves=5,
        ),
    )
)
def test_no_arguments_get_anything_but_an_answer(arguments: dict[str, object]) -> None:
    for tool in DOCUMENT_TOOLS:
        answer = call_tool(tool, caller(), arguments)
        assert (type(answer), answer.is_error) == (Answer, True)
        # What the sentence is made of can be sent.
        answer.text.encode()


def test_an_unexpected_failure_is_logged_by_type_and_place_and_told_neutrally(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a very private text")

    with caplog.at_level("DEBUG"):
        answer = call_tool(READ_DOCUMENT, caller(fails), {"path": "notes/secret place.md"})
    assert answer.is_error
    assert "private" not in answer.text
    assert "read_document failed: RuntimeError at " in caplog.text
    assert "private" not in caplog.text
    assert "secret place" not in caplog.text

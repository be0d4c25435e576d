"""What a tool was asked about, and which texts it gave, read from what is stored."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.call_sources import (
    LABEL_CHARACTERS_MAX,
    SOURCES_MAX,
    ShownSource,
    SourceKind,
    about_call,
    sources_of,
)

TOOLS = ["search_documents", "memory_search", "read_document", "load_skill", "list_documents", "other"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["items", "documents", "path", "id"]), inner)
    ),
)


@pytest.mark.parametrize("arguments", [{"query": "tea"}, '{"query": "tea"}'])
def test_a_search_is_about_its_query(arguments: object) -> None:
    assert about_call("search_documents", arguments) == "tea"


def test_a_call_of_another_tool_is_about_nothing_that_is_shown() -> None:
    assert about_call("remember_in_memory", {"query": "tea", "path": "a.md", "name": "b"}) == ""


def test_a_document_that_was_read_is_a_source() -> None:
    assert sources_of("read_document", '{"path":"a.md","text":"…"}') == (
        ShownSource(SourceKind.NOTE, "a.md"),
    )


def test_each_document_that_was_found_is_a_source_once() -> None:
    answer = {"documents": [{"path": "a.md"}, {"path": "b.md"}, {"path": "a.md"}]}
    assert [each.label for each in sources_of("search_documents", json.dumps(answer))] == ["a.md", "b.md"]


def test_an_item_is_shown_by_the_beginning_of_its_text_on_one_line() -> None:
    answer = json.dumps({"items": [{"id": "7", "content": "two\nlines " + "x" * 500}]})
    [source] = sources_of("memory_search", answer)
    assert (source.kind, source.id, source.label[:12]) == (SourceKind.ITEM, "7", "two lines xx")
    assert len(source.label) == LABEL_CHARACTERS_MAX


def test_no_more_than_so_many_sources_are_shown() -> None:
    answer = {"documents": [{"path": f"{number}.md"} for number in range(SOURCES_MAX + 1)]}
    assert len(sources_of("search_documents", answer)) == SOURCES_MAX


@given(st.sampled_from(TOOLS), json_values | st.text())
def test_whatever_was_stored_is_read_without_a_failure(tool: str, stored: object) -> None:
    text = stored if isinstance(stored, str) else json.dumps(stored)
    assert all(each.label for each in sources_of(tool, text))
    assert len(about_call(tool, text)) <= LABEL_CHARACTERS_MAX

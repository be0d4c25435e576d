"""Reading the arguments of a tool."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.mcp.arguments import SaveAnywhereArguments, SaveArguments
from workspace_memory.tools.arguments import read_arguments
from workspace_memory.tools.memory_search import SearchArguments

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def said(arguments: dict[str, object], model: type[SaveArguments] = SaveArguments) -> str:
    with pytest.raises(InvalidRequest) as refused:
        read_arguments(model, "memory_save", arguments)
    return refused.value.message()


def test_nulls_count_as_missing() -> None:
    read = read_arguments(SearchArguments, "memory_search", {"query": None, "limit": None, "scope": None})
    assert read == SearchArguments()


def test_a_null_does_not_hide_an_unknown_argument() -> None:
    assert said({"content": "tea", "workspace": None}).startswith("workspace: memory_save has no argument")


def test_an_unknown_argument_is_named_with_those_that_there_are() -> None:
    assert said({"content": "tea", "workspace": "other"}) == (
        "workspace: memory_save has no argument of this name at your access level; leave it out. "
        "Its arguments are: content, kind, tags, replaces."
    )


def test_the_scope_is_an_argument_at_level_contribute() -> None:
    assert said({"content": "tea", "scope": "all"}, SaveAnywhereArguments) == (
        "scope: must be one of personal, organization."
    )


def test_whole_numbers_come_in_many_spellings() -> None:
    read = [
        read_arguments(SearchArguments, "memory_search", {"limit": limit}).limit for limit in (7, "7", 7.0)
    ]
    assert read == [7, 7, 7]


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (["a", " b"], ["a", " b"]),
        ('["a"]', ["a"]),
        (' ["a"] ', ["a"]),
        ("a, b,,", ["a", "b"]),
        ("", []),
        (None, []),
    ],
)
def test_tags_are_read_in_every_form(sent: object, read: list[str]) -> None:
    assert list(read_arguments(SaveArguments, "memory_save", {"content": "tea", "tags": sent}).tags) == read


@pytest.mark.parametrize("sent", [3, {"a": 1}, ["a", 1], '["a", 1]', '["a"', "[" * 100_000, [["a"]]])
def test_other_tags_get_one_sentence(sent: object) -> None:
    assert (
        said({"content": "tea", "tags": sent}) == 'tags: must be a list of texts, such as ["tea", "office"].'
    )


def test_more_than_three_faults_are_counted() -> None:
    faults = said({"kind": "x", "a": 1, "b": 2, "c": 3, "tags": 3})
    assert faults.endswith("And 3 more.")


@given(
    st.dictionaries(
        st.text() | st.sampled_from(["content", "kind", "tags", "replaces"]), any_json, max_size=4
    )
)
def test_any_arguments_are_read_or_refused_in_short_words(arguments: dict[str, object]) -> None:
    assert len(outcome(arguments)) < 1_000


def outcome(arguments: dict[str, object]) -> str:
    """The kind that was read, or the refusal."""
    try:
        return read_arguments(SaveArguments, "memory_save", arguments).kind or ""
    except InvalidRequest as refused:
        return refused.message()

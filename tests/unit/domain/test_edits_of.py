"""Edits are read from JSON as strictly as the schema of the tool says."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.edits import Edit, EditOp, edits_of
from workspace_memory.domain.errors import InvalidRequest

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["changes", "op", "text", "target", "heading", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


def a_change(**other: Any) -> dict[str, Any]:
    return {"op": "add", "text": "likes tea", "target": "", "heading": "", **other}


def invalid(value: object) -> str:
    with pytest.raises(InvalidRequest) as refused:
        edits_of(value)
    return refused.value.field


def test_each_operation_is_read() -> None:
    changes = [
        a_change(heading="Team"),
        a_change(op="replace", target="likes coffee"),
        a_change(op="remove", text="", target="likes milk"),
    ]
    assert edits_of({"changes": changes}) == (
        Edit(EditOp.ADD, "likes tea", heading="Team"),
        Edit(EditOp.REPLACE, "likes tea", target="likes coffee"),
        Edit(EditOp.REMOVE, target="likes milk"),
    )


@pytest.mark.requirement("document:edits:at-most-five")
@pytest.mark.parametrize("number", [1, 5])
def test_one_to_five_edits_are_read(number: int) -> None:
    assert len(edits_of({"changes": [a_change()] * number})) == number


@pytest.mark.requirement("document:edits:at-most-five")
@pytest.mark.parametrize("number", [0, 6, 100])
def test_another_number_of_edits_is_invalid(number: int) -> None:
    assert invalid({"changes": [a_change()] * number}) == "changes"


@pytest.mark.parametrize("value", [None, [], "x", 1, True, [a_change()]])
def test_a_body_that_is_no_object_is_invalid(value: object) -> None:
    assert invalid(value) == ""


@pytest.mark.parametrize("value", [None, {}, "x", 1, {"0": a_change()}])
def test_changes_that_are_no_list_are_invalid(value: object) -> None:
    assert invalid({"changes": value}) == "changes"


def test_changes_are_required() -> None:
    assert invalid({}) == "changes"


@pytest.mark.parametrize("name", ["text", "Changes", "expected_version", ""])
def test_a_body_with_another_field_is_invalid(name: str) -> None:
    assert invalid({"changes": [a_change()], name: "x"}) == ""


@pytest.mark.parametrize("value", [None, [], "add", 1])
def test_an_edit_that_is_no_object_is_invalid(value: object) -> None:
    assert invalid({"changes": [a_change(), value]}) == "changes.1"


@pytest.mark.parametrize("name", ["op", "text", "target", "heading"])
def test_every_field_of_an_edit_is_required(name: str) -> None:
    change = a_change()
    del change[name]
    assert invalid({"changes": [change]}) == f"changes.0.{name}"


@pytest.mark.parametrize("name", ["op", "text", "target", "heading"])
@pytest.mark.parametrize("value", [None, 1, True, [], {}, ["add"]])
def test_every_field_of_an_edit_is_a_text(name: str, value: object) -> None:
    assert invalid({"changes": [a_change(**{name: value})]}) == f"changes.0.{name}"


@pytest.mark.parametrize("name", ["path", "admission_id", "Text", "line"])
def test_an_edit_with_another_field_is_invalid(name: str) -> None:
    assert invalid({"changes": [a_change(**{name: "x"})]}) == "changes.0"


@pytest.mark.parametrize("op", ["", "ADD", "Add", "append", "add ", "delete"])
def test_another_operation_is_invalid(op: str) -> None:
    assert invalid({"changes": [a_change(op=op)]}) == "changes.0.op"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (a_change(target="x"), "target"),
        (a_change(op="replace", target="x", heading="Team"), "heading"),
        (a_change(op="remove", target="x"), "text"),
        (a_change(op="remove", text="", target="x", heading="Team"), "heading"),
    ],
)
def test_what_an_operation_does_not_use_is_empty(change: dict[str, Any], field: str) -> None:
    assert invalid({"changes": [change]}) == f"changes.0.{field}"


def test_an_unknown_field_is_not_repeated() -> None:
    with pytest.raises(InvalidRequest) as refused:
        edits_of({"changes": [a_change(hunter2="hunter2")]})
    assert "hunter2" not in str(refused.value)


@given(JSON)
def test_any_json_is_read_or_invalid(value: object) -> None:
    try:
        edits = edits_of(value)
    except InvalidRequest:
        return
    assert json.loads(json.dumps(value))["changes"]
    assert 1 <= len(edits) <= 5

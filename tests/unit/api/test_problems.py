"""Errors as problem documents."""

import json

import pytest

from workspace_memory.api.problems import malformed, problem, problem_facts, shown_name
from workspace_memory.domain.errors import Busy, InvalidRequest, NotFound, TooManyAttempts
from workspace_memory.folder.errors import FolderBusy


def test_the_facts_stand_beside_the_members_of_the_standard() -> None:
    assert problem_facts(NotFound("item")) == {
        "type": "urn:workspace-memory:error:not_found",
        "title": "Not found",
        "status": 404,
        "detail": "There is no such item.",
        "code": "not_found",
        "what": "item",
    }


def test_the_path_and_the_process_of_a_folder_stay_within() -> None:
    assert "folder" not in problem_facts(FolderBusy("/srv/memory", 17))
    assert "owner_pid" not in problem_facts(FolderBusy("/srv/memory", 17))


def test_a_delay_is_told_in_seconds() -> None:
    assert problem(TooManyAttempts(30)).headers["Retry-After"] == "30"
    assert problem(Busy()).headers["Retry-After"] == "2"
    assert "Retry-After" not in problem(NotFound("item")).headers


def test_a_missing_field_is_named() -> None:
    found = malformed({"loc": ("body", "items", 3, "content"), "type": "missing", "msg": "Field required"})
    assert (found.field, found.reason) == ("items.3.content", "is required")


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [("date_from_datetime_parsing", "2026-11-02"), ("datetime_from_date_parsing", "2026-11-02T09:00:00Z")],
)
def test_what_is_no_time_is_told_how_one_is_written(kind: str, wanted: str) -> None:
    found = malformed({"loc": ("body", "review_by"), "type": kind, "msg": "Input should be a valid date"})
    assert found.reason.endswith(f"such as {wanted}")


@pytest.mark.parametrize(("kind", "bound"), [("too_short", "at least 36"), ("too_long", "at most 200")])
def test_the_length_of_a_text_is_told_in_characters(kind: str, bound: str) -> None:
    message = f"Value should have {bound} items after validation, not 1"
    found = malformed({"loc": ("body", "conversation_id"), "type": kind, "msg": message})
    assert found.reason == f"should have {bound} characters"


def test_the_length_of_a_list_is_not_told_in_characters() -> None:
    message = "List should have at most 5 items after validation, not 6"
    found = malformed({"loc": ("body", "changes"), "type": "too_long", "msg": message})
    assert "at most 5 items" in found.reason


def test_a_missing_body_is_told_apart_from_a_field() -> None:
    found = malformed({"loc": ("body",), "type": "missing", "msg": "Field required"})
    assert str(found) == "A JSON object is required as the body."


@pytest.mark.parametrize("name", ["wm_pat_" + "A" * 43, "a b", "\ud800", "", "x" * 33, "<script>"])
def test_a_name_that_may_be_anything_is_not_repeated(name: str) -> None:
    assert shown_name(name) == "(an unknown name)"


def test_a_name_that_looks_like_one_is_repeated() -> None:
    assert shown_name("workspace_id") == "workspace_id"


def test_a_problem_is_json_in_ascii() -> None:
    answered = problem(InvalidRequest("content", "ü"))
    assert json.loads(bytes(answered.body).decode("ascii"))["reason"] == "ü"
    assert answered.media_type == "application/problem+json"

"""Exact edits of a note."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.edit_refusal import EditRefusal
from workspace_memory.domain.errors import EditRefused, InvalidRequest
from workspace_memory.domain.note_edits import NoteEdit, apply_note_edits

TEXT = "# Tea\n\n- Green tea\n- Black tea\n"


def refused(text: str, *edits: NoteEdit) -> tuple[str, int]:
    with pytest.raises(EditRefused) as error:
        apply_note_edits(text, edits)
    return error.value.refusal, error.value.index


def test_a_passage_gives_way_to_another_one() -> None:
    assert apply_note_edits(TEXT, [NoteEdit("Green", "White")]) == TEXT.replace("Green", "White")


def test_an_empty_replacement_takes_the_passage_out() -> None:
    assert apply_note_edits(TEXT, [NoteEdit("- Black tea\n", "")]) == "# Tea\n\n- Green tea\n"


def test_edits_are_made_in_their_order() -> None:
    edits = [NoteEdit("Green", "White"), NoteEdit("White tea", "Oolong")]
    assert apply_note_edits(TEXT, edits) == "# Tea\n\n- Oolong\n- Black tea\n"


def test_a_passage_that_is_not_there_refuses_all() -> None:
    assert refused(TEXT, NoteEdit("Green", "White"), NoteEdit("green", "x")) == (
        EditRefusal.TARGET_NOT_FOUND,
        1,
    )


@pytest.mark.parametrize(("text", "passage"), [(TEXT, "tea"), ("aaa", "aa")])
def test_a_passage_that_stands_twice_is_refused(text: str, passage: str) -> None:
    assert refused(text, NoteEdit(passage, "x")) == (EditRefusal.AMBIGUOUS_TARGET, 0)


def test_line_ends_follow_those_of_the_text() -> None:
    edits = [NoteEdit("a\nb", "c\nd")]
    assert apply_note_edits("a\r\nb\r\n", edits) == "c\r\nd\r\n"
    assert apply_note_edits("a\nb\n", [NoteEdit("a\r\nb", "c\r\nd")]) == "c\nd\n"


def test_edits_that_change_nothing_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="change nothing"):
        apply_note_edits(TEXT, [NoteEdit("Green", "White"), NoteEdit("White", "Green")])


def test_no_refusal_repeats_a_text() -> None:
    with pytest.raises(EditRefused) as error:
        apply_note_edits(TEXT, [NoteEdit("a private passage", "x")])
    assert "private" not in error.value.message()


@given(st.text(), st.text(min_size=1, max_size=3), st.text(max_size=3))
def test_what_is_changed_is_the_one_passage(text: str, find: str, replace: str) -> None:
    try:
        changed = apply_note_edits(text, [NoteEdit(find, replace)])
    except (EditRefused, InvalidRequest):
        return
    # By a way of its own: what stands before and after the passage is as it was.
    assert any(
        changed == text[:at] + new + text[at + len(old) :]
        for old in (find, find.replace("\r\n", "\n"), find.replace("\r\n", "\n").replace("\n", "\r\n"))
        for new in (
            replace,
            replace.replace("\r\n", "\n"),
            replace.replace("\r\n", "\n").replace("\n", "\r\n"),
        )
        for at in range(len(text) + 1)
        if text.startswith(old, at)
    )

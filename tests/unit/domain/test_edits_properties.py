"""Whatever the text and whatever the edits: exact or refused, and never anything in between."""

from collections.abc import Sequence
from contextlib import suppress

from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st

from workspace_memory.domain.edit_refusal import EditRefusal
from workspace_memory.domain.edits import Applied, Edit, EditOp, Unchanged, apply_edits
from workspace_memory.domain.errors import EditRefused
from workspace_memory.domain.markdown_lines import (
    Line,
    join_lines,
    newline_of,
    outline_of,
    split_lines,
    without_marker,
)

WORDS = ["x", "y", "Team", "e\u0301", "\u00e9", "雾凇", "🙂", "a  b", "a\tb", "C#", "1. x", "x\r"]
LINES = st.sampled_from(
    [
        *WORDS,
        "",
        " ",
        "# Team",
        "## Team",
        "## Team ##",
        "   # x",
        "    # x",
        "- x",
        "* y",
        "  - x",
        "\t- y",
        "1. x",
        "7) y",
        "  more",
        "    more",
        "- [ ] x",
        "- - x",
        "- # x",
        "```",
        "``` py",
        "~~~",
        "~~~~",
        "  ```",
        "- ```",
        "---",
        "===",
        "- - -",
        "a: 1",
        "...",
        "| x | y |",
        "|---|---|",
        "> x",
        "> # x",
        "> ```",
        "<!--",
        "#",
    ]
)
ENDINGS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n"])
BUILT = st.lists(st.tuples(LINES, ENDINGS), max_size=14).map(
    lambda lines: "".join(text + ending for text, ending in lines)
)
TEXTS = (
    BUILT
    | BUILT.map(str.rstrip)
    | BUILT.map(lambda text: "---\na: 1\n# x\n---\n" + text)
    | st.text(max_size=60)
)
SHORT = st.sampled_from(WORDS) | LINES | st.text(max_size=8)


def an_edit(text: str, *ops: EditOp) -> st.SearchStrategy[Edit]:
    """Edits that mostly name a line or a heading of the text."""
    lines = [line.text for line in split_lines(text)] or [""]
    titles = [title for _, title in outline_of(split_lines(text)).structure()] or [""]
    target = st.sampled_from(lines) | st.sampled_from(lines) | SHORT
    kinds = {
        EditOp.ADD: st.builds(
            Edit, st.just(EditOp.ADD), text=SHORT, heading=st.just("") | st.sampled_from(titles) | SHORT
        ),
        EditOp.REPLACE: st.builds(Edit, st.just(EditOp.REPLACE), text=SHORT, target=target),
        EditOp.REMOVE: st.builds(Edit, st.just(EditOp.REMOVE), target=target),
    }
    return st.one_of([kinds[op] for op in ops])


def cases(*ops: EditOp) -> st.SearchStrategy[tuple[str, Edit]]:
    return TEXTS.flatmap(lambda text: st.tuples(st.just(text), an_edit(text, *ops)))


MANY = TEXTS.flatmap(
    lambda text: st.tuples(st.just(text), st.lists(an_edit(text, *EditOp), min_size=1, max_size=5))
)


def applied(text: str, *edits: Edit) -> str:
    """The text after the edits, which is the same one when they are refused."""
    try:
        outcome = apply_edits(text, edits)
    except EditRefused:
        return text
    return outcome.text if isinstance(outcome, Applied) else text


def headings(text: str) -> list[tuple[int, str]]:
    return outline_of(split_lines(text)).structure()


def without_blank_end(text: str) -> str:
    lines = split_lines(text)
    while lines and lines[-1].is_blank:
        lines.pop()
    return join_lines(lines)


def with_ending(text: str) -> list[Line]:
    """The lines, the last one with the ending that it will get."""
    lines = split_lines(text)
    newline = newline_of(lines)
    # Read again: a carriage return at the very end of the text becomes half of that ending.
    return split_lines(join_lines([Line(line.text, line.ending or newline) for line in lines]))


@given(st.text() | TEXTS)
def test_lines_put_together_again_are_the_text(text: str) -> None:
    assert join_lines(split_lines(text)) == text


@settings(max_examples=200)
@given(MANY)
def test_an_edit_is_applied_or_refused_with_a_known_code_at_its_place(
    case: tuple[str, Sequence[Edit]],
) -> None:
    text, edits = case
    try:
        outcome = apply_edits(text, edits)
    except EditRefused as refused:
        known, index = refused.refusal in list(EditRefusal), refused.index
        event(refused.refusal)
    else:
        known, index = isinstance(outcome, Unchanged) or outcome.text != text, 0
    assert known
    assert 0 <= index < len(edits)


@given(MANY)
def test_all_edits_are_applied_or_none(case: tuple[str, Sequence[Edit]]) -> None:
    text, edits = case
    step = text
    for edit in edits:
        try:
            outcome = apply_edits(step, [edit])
        except EditRefused:
            step = text
            break
        step = outcome.text if isinstance(outcome, Applied) else step
    assert without_blank_end(applied(text, *edits)).rstrip("\r\n") == without_blank_end(step).rstrip("\r\n")


@given(MANY)
def test_a_result_ends_with_one_newline_or_is_empty(case: tuple[str, Sequence[Edit]]) -> None:
    text, edits = case
    changed = applied(text, *edits)
    if changed != text:
        lines = split_lines(changed)
        assert not lines or (lines[-1].ending and not lines[-1].is_blank)


@settings(max_examples=200)
@given(cases(EditOp.ADD))
def test_an_addition_that_is_repeated_changes_nothing(case: tuple[str, Edit]) -> None:
    text, edit = case
    changed = applied(text, edit)
    if changed != text:
        assert apply_edits(changed, [edit]) == Unchanged()


@settings(max_examples=200)
@given(cases(EditOp.ADD))
@example(("- a", Edit(EditOp.ADD, "b")))
@example(("a\r", Edit(EditOp.ADD, "b")))
@example(("# A\r\n# B", Edit(EditOp.ADD, "b", heading="A")))
@example(("0\r", Edit(EditOp.ADD, "x")))
def test_an_addition_leaves_every_other_line_as_it_is(case: tuple[str, Edit]) -> None:
    text, edit = case
    changed = applied(text, edit)
    if changed == text:
        return
    before, after = with_ending(without_blank_end(text)), split_lines(changed)
    added = len(after) - len(before)
    assert 1 <= added <= 4
    assert before in [after[:start] + after[start + added :] for start in range(len(before) + 1)]


@given(cases(EditOp.ADD))
def test_an_addition_makes_no_other_heading_than_its_own(case: tuple[str, Edit]) -> None:
    text, edit = case
    before, after = headings(text), headings(applied(text, edit))
    assert after == before or (edit.heading and after[:-1] == before)


@settings(max_examples=200)
@given(cases(EditOp.REPLACE))
def test_a_replacement_changes_one_line(case: tuple[str, Edit]) -> None:
    text, edit = case
    changed = applied(text, edit)
    if changed == text:
        return
    before, after = with_ending(without_blank_end(text)), split_lines(changed)
    [(old, new)] = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert old.ending == new.ending
    assert without_marker(new.text) or not without_marker(old.text)


@settings(max_examples=200)
@given(cases(EditOp.REMOVE))
def test_a_removal_takes_one_line_and_blank_ones_alone(case: tuple[str, Edit]) -> None:
    text, edit = case
    changed = applied(text, edit)
    if changed == text:
        return
    before = [line.text for line in split_lines(text) if not line.is_blank]
    after = [line.text for line in split_lines(changed) if not line.is_blank]
    # The underline of a heading goes with it.
    assert len(before) - len(after) in {1, 2}
    assert after in [
        before[:start] + before[start + len(before) - len(after) :] for start in range(len(before))
    ]


@settings(max_examples=200)
@given(cases(EditOp.REPLACE, EditOp.REMOVE))
def test_an_edit_leaves_the_other_headings(case: tuple[str, Edit]) -> None:
    text, edit = case
    before, after = headings(text), headings(applied(text, edit))
    assert len(before) - len(after) in {0, 1}
    if len(before) == len(after):
        assert sum(old != new for old, new in zip(before, after, strict=True)) <= 1


@given(MANY)
def test_an_edit_brings_no_other_newline_into_a_text(case: tuple[str, Sequence[Edit]]) -> None:
    text, edits = case
    text = text.replace("\r", "").replace("\n", "\r\n")
    assume("\n" in text)
    assert "\n" not in applied(text, *edits).replace("\r\n", "")


@given(st.text(st.characters(categories=["Cs", "Cc", "Cf", "Zl", "Mn"]), max_size=20), st.text(max_size=20))
def test_no_text_of_an_edit_breaks_the_editor(odd: str, text: str) -> None:
    for edit in (
        Edit(EditOp.ADD, odd, heading=odd),
        Edit(EditOp.REPLACE, odd, target=odd),
        Edit(EditOp.REMOVE, target=odd),
    ):
        with suppress(EditRefused):
            apply_edits(text + odd, [edit])

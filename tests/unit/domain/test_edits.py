"""Edits change exactly the line that they name, or nothing; as the worked examples of the rules say."""

import unicodedata

import pytest

from workspace_memory.domain.edits import Applied, Edit, EditOp, Unchanged, apply_edits
from workspace_memory.domain.errors import EditRefused

D1 = "# Team\n\n- Release day is Thursday\n- Marta owns Berlin\n\n## Style\n\n- Answer in French\n"
FULL = "- " + ("y" * 98 + "\n- ") * 82


def add(text: str, heading: str = "") -> Edit:
    return Edit(EditOp.ADD, text=text, heading=heading)


def replacing(target: str, text: str) -> Edit:
    return Edit(EditOp.REPLACE, text=text, target=target)


def remove(target: str) -> Edit:
    return Edit(EditOp.REMOVE, target=target)


def result(text: str, *edits: Edit) -> str:
    applied = apply_edits(text, edits)
    assert isinstance(applied, Applied)
    return applied.text


def refusal(text: str, *edits: Edit) -> tuple[str, int]:
    with pytest.raises(EditRefused) as refused:
        apply_edits(text, edits)
    return refused.value.refusal, refused.value.index


# --- The worked examples -----------------------------------------------------------------------------------


@pytest.mark.requirement("document:edits:add")
@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", "Release day is Thursday", "- Release day is Thursday\n"),
        (D1, "Use metric units", D1 + "- Use metric units\n"),
        ("1. One\n2. Two\n", "Three", "1. One\n2. Two\n3. Three\n"),
        ("We ship on Thursdays.\n", "Marta owns Berlin", "We ship on Thursdays.\n\n- Marta owns Berlin\n"),
        (D1.rstrip("\n"), "Use metric units", D1 + "- Use metric units\n"),
        ("# T\r\n\r\n- a\r\n", "b", "# T\r\n\r\n- a\r\n- b\r\n"),
        ("- a\r\n- b\r\n- c\n", "d", "- a\r\n- b\r\n- c\n- d\r\n"),
        ("- a\n- b\n- c\r\n", "d", "- a\n- b\n- c\r\n- d\n"),
        ("- a\n\n\n \n", "b", "- a\n- b\n"),
        ("\n\n", "a", "- a\n"),
        ("- a\n", "- b", "- a\n- b\n"),
        ("* a\n", "- b", "* a\n* b\n"),
        ("-   a\n", "b", "-   a\n-   b\n"),
        ("- a\n  - b\n", "c", "- a\n  - b\n  - c\n"),
        ("- a\n  more of a\n", "b", "- a\n  more of a\n- b\n"),
        ("- a\n\n  more of a\n", "b", "- a\n\n  more of a\n- b\n"),
        ("- a\n  - b\n    more of b\n", "c", "- a\n  - b\n    more of b\n  - c\n"),
        ("- a\nlazy\n", "b", "- a\nlazy\n\n- b\n"),
        ("  - a\n  more\n", "b", "  - a\n  more\n\n- b\n"),
        ("  ```\n- x\n  ```\n", "b", "  ```\n- x\n  ```\n\n- b\n"),
        ("9) a\n", "b", "9) a\n10) b\n"),
        ("01. a\n", "b", "01. a\n02. b\n"),
        ("999999999. a\n", "b", "999999999. a\n999999999. b\n"),
        ("", "1. a", "1. a\n"),
        ("## Style\n", "Be brief", "## Style\n\n- Be brief\n"),
        ("| a |\n|---|\n| 1 |\n", "b", "| a |\n|---|\n| 1 |\n\n- b\n"),
        ("---\ntitle: x\n# y\n---\n", "b", "---\ntitle: x\n# y\n---\n\n- b\n"),
        ("- ```\n  # x\n  ```\n- a\n", "b", "- ```\n  # x\n  ```\n- a\n- b\n"),
        ("- ```\n- a\n", "b", "- ```\n- a\n- b\n"),
        ("```\n- x\n```\n", "b", "```\n- x\n```\n\n- b\n"),
    ],
)
def test_a_line_is_added_at_the_end(text: str, line: str, expected: str) -> None:
    assert result(text, add(line)) == expected


@pytest.mark.requirement("document:edits:add-under-a-heading")
@pytest.mark.parametrize(
    ("text", "line", "heading", "expected"),
    [
        (D1, "Paul owns Lyon", "Team", D1.replace("Berlin\n", "Berlin\n- Paul owns Lyon\n")),
        (D1, "Be brief", "## Style", D1 + "- Be brief\n"),
        (D1, "Be brief", "Style ##", D1 + "- Be brief\n"),
        (D1, "Be brief", "## Style ##", D1 + "- Be brief\n"),
        (D1, "Wi-Fi is acme-guest", "Office", D1 + "\n## Office\n\n- Wi-Fi is acme-guest\n"),
        (D1, "Wi-Fi is acme-guest", "### Office", D1 + "\n### Office\n\n- Wi-Fi is acme-guest\n"),
        (D1, "a", "team", D1 + "\n## team\n\n- a\n"),
        ("", "a", "T", "## T\n\n- a\n"),
        (D1, "marta owns berlin", "Team", D1.replace("Berlin\n", "Berlin\n- marta owns berlin\n")),
        ("# A\n\n- x\n\n## A\n\n- y\n", "z", "# A", "# A\n\n- x\n- z\n\n## A\n\n- y\n"),
        ("# A\n\n- x\n\n## A\n\n- y\n", "z", "## A", "# A\n\n- x\n\n## A\n\n- y\n- z\n"),
        ("# A\n\n### B\n\n- b\n", "z", "A", "# A\n\n- z\n\n### B\n\n- b\n"),
        ("# A\n# B\n", "z", "A", "# A\n\n- z\n\n# B\n"),
        ("# A\n\n\n# B\n", "z", "A", "# A\n\n- z\n\n\n# B\n"),
        ("# A ##\n- x\n", "z", "A", "# A ##\n- x\n- z\n"),
        ("# C#\n- x\n", "z", "C#", "# C#\n- x\n- z\n"),
        ("A\n===\n\n- x\n\nB\n---\n\n- y\n", "z", "A", "A\n===\n\n- x\n- z\n\nB\n---\n\n- y\n"),
        ("# T\n\n```\n# T\n```\n\n- a\n", "b", "T", "# T\n\n```\n# T\n```\n\n- a\n- b\n"),
        ("```\n# T\n```\n", "b", "T", "```\n# T\n```\n\n## T\n\n- b\n"),
        ("---\nx: 1\n# T\n---\n", "b", "T", "---\nx: 1\n# T\n---\n\n## T\n\n- b\n"),
        ("---\n\n# T\n\n---\n", "b", "T", "---\n\n# T\n\n---\n\n- b\n"),
        ("~~~\n```\n# T\n~~~\n", "b", "T", "~~~\n```\n# T\n~~~\n\n## T\n\n- b\n"),
        ("# Cafe\u0301\n- x\n", "z", "Caf\u00e9", "# Cafe\u0301\n- x\n- z\n"),
        ("#T\n", "z", "T", "#T\n\n## T\n\n- z\n"),
        ("    # T\n", "z", "T", "    # T\n\n## T\n\n- z\n"),
    ],
)
def test_a_line_is_added_under_a_heading(text: str, line: str, heading: str, expected: str) -> None:
    assert result(text, add(line, heading)) == expected


@pytest.mark.requirement("document:edits:replace")
@pytest.mark.parametrize(
    ("text", "target", "line", "expected"),
    [
        ("- a\n  - old fact\n", "old fact", "new fact", "- a\n  - new fact\n"),
        (D1, "- Marta owns Berlin", "- Paul owns Berlin", D1.replace("Marta", "Paul")),
        (D1, "* Marta owns Berlin", "Paul owns Berlin", D1.replace("Marta", "Paul")),
        ("3. x\n", "x", "* y", "3. y\n"),
        ("  x\n", "x", "y", "  y\n"),
        ("x\n", "x", "- y", "- y\n"),
        (D1, "## Style", "# Manner", D1.replace("## Style", "# Manner")),
        ("a\r\nb\nc\r\n", "b", "d", "a\r\nd\nc\r\n"),
        ("- x\nx\n", "x", "y", "- x\ny\n"),
        ("```\n- x\n# y\n```\n", "x", "z", "```\n- z\n# y\n```\n"),
        ("```\nx\n```\n", "x", "# z", "```\n# z\n```\n"),
        ("---\na: 1\n---\n", "a: 1", "a: 2", "---\na: 2\n---\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| 1 | 2 |", "| 3 | 4 |", "| a | b |\n|---|---|\n| 3 | 4 |\n"),
        ("x\ty\n", "x\ty", "z", "z\n"),
        ("Cafe\u0301\n", "Caf\u00e9", "Tea", "Tea\n"),
        ("a\n\n\nb", "a", "c", "c\n\n\nb\n"),
    ],
)
def test_a_line_is_replaced(text: str, target: str, line: str, expected: str) -> None:
    assert result(text, replacing(target, line)) == expected


@pytest.mark.requirement("document:edits:remove")
@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        (D1, "Marta owns Berlin", D1.replace("- Marta owns Berlin\n", "")),
        ("- only\n", "only", ""),
        ("\n- only\n\n", "only", ""),
        ("# T\n\nalpha\n\nbeta\n", "alpha", "# T\n\nbeta\n"),
        ("a\n\n\nb\n\n\nc\n", "b", "a\n\nc\n"),
        ("```\na\n\nb\n\nc\n```\n", "b", "```\na\n\n\nc\n```\n"),
        ("a\r\n\r\nb\r\n\r\nc\r\n", "b", "a\r\n\r\nc\r\n"),
        ("# A\n\n## B\n\n- x\n", "- x", "# A\n\n## B\n"),
        ("# A\n\n- x\n\n## B\n\n# C\n", "## B", "# A\n\n- x\n\n# C\n"),
        ("# A\n\n- x\n\nB\n---\n", "B", "# A\n\n- x\n"),
        ("a\nb", "a", "b\n"),
    ],
)
def test_a_line_is_removed(text: str, target: str, expected: str) -> None:
    assert result(text, remove(target)) == expected


@pytest.mark.requirement("document:edits:add-of-a-present-line-does-nothing")
@pytest.mark.parametrize(
    ("text", "edit"),
    [
        (D1, add("* Marta owns Berlin")),
        (D1, add("Marta owns Berlin", "Elsewhere")),
        ("  1. x", add("x")),
        ("```\nx\n```", add("x")),
        ("```\nx", add("x")),
        ("Cafe\u0301", add("Caf\u00e9")),
    ],
)
def test_adding_a_line_that_is_there_changes_nothing(text: str, edit: Edit) -> None:
    assert apply_edits(text, [edit]) == Unchanged()


@pytest.mark.parametrize("text", [D1, D1.rstrip(), D1.replace("\n", "\r\n")])
def test_replacing_a_line_by_itself_changes_nothing(text: str) -> None:
    assert apply_edits(text, [replacing("Marta owns Berlin", "- Marta owns Berlin")]) == Unchanged()


def test_edits_that_undo_each_other_change_nothing() -> None:
    assert apply_edits(D1, [add("x"), remove("x")]) == Unchanged()


def test_one_edit_that_changes_something_is_enough() -> None:
    assert result(D1, add("Marta owns Berlin"), add("x")) == D1 + "- x\n"


@pytest.mark.requirement("document:edits:stale-target-fails")
@pytest.mark.parametrize(
    ("text", "edit"),
    [
        (D1, replacing("Release day is Monday", "Release day is Friday")),
        (D1.replace("Thursday", "Friday"), replacing("Release day is Thursday", "Release day is Friday")),
        (D1, replacing("Thursday", "Friday")),
        (D1, replacing("release day is Thursday", "x")),
        (D1, remove("Style")),
        (D1, remove("Release day is")),
        ("", remove("x")),
        ("x  y\n", remove("x y")),
    ],
)
def test_a_target_that_is_not_there_is_refused(text: str, edit: Edit) -> None:
    assert refusal(text, edit) == ("target_not_found", 0)


@pytest.mark.requirement("document:edits:ambiguous-target-fails")
@pytest.mark.parametrize("text", ["- x\n\n## B\n\n- x\n", "x\n  x\n", "- x\n* x\n", "- x\n```\n* x\n```\n"])
@pytest.mark.parametrize("edit", [replacing("x", "y"), remove("x")])
def test_a_target_that_is_there_twice_is_refused(text: str, edit: Edit) -> None:
    assert refusal(text, edit) == ("ambiguous_target", 0)


@pytest.mark.parametrize("text", ["## A\n\n- x\n\n## A\n\n- y\n", "# A\n## A\n", "A\n===\n\n# A\n"])
def test_a_heading_that_is_there_twice_is_refused(text: str) -> None:
    assert refusal(text, add("z", "A")) == ("ambiguous_heading", 0)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        (D1, replacing("Marta owns Berlin", "Release day is Thursday")),
        (D1, replacing("Marta owns Berlin", "* Release day is Thursday")),
        (D1, replacing("## Style", "# Team")),
        ("- a\n```\nb\n```\n", replacing("a", "b")),
    ],
)
def test_a_replacement_that_repeats_another_line_is_refused(text: str, edit: Edit) -> None:
    assert refusal(text, edit) == ("duplicate_line", 0)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        (D1, replacing("Marta owns Berlin", "## Marta")),
        (D1, replacing("Marta owns Berlin", "- ## Marta")),
        (D1, replacing("Marta owns Berlin", "```")),
        (D1, replacing("## Style", "Style")),
        (D1, replacing("## Style", "##")),
        (D1, add("# Boss")),
        (D1, add("###### Boss")),
        (D1, add("#")),
        (D1, add("- # Boss")),
        (D1, add("1. > - # Boss")),
        (D1, add("> ```")),
        (D1, add("~~~ python")),
        (D1, add("\u1fef\u1fef\u1fef")),
        (D1, add("---")),
        (D1, add("* * *")),
        (D1, add("=")),
        (D1, add("- -")),
        ("x\n\ny\n", replacing("y", "===")),
        ("```\nx\n```\n", replacing("x", "```")),
        ("~~~ a\nx\n~~~\n", remove("~~~ a")),
        ("~~~ a\nx\n~~~\n", replacing("~~~", "y")),
        ("---\na: 1\n---\n", remove("a: 1")),
        ("---\na: 1\nb: 2\n---\n", replacing("b: 2", "...")),
        ("Team\n===\n", remove("===")),
        ("Team\n===\n", replacing("Team", "Crew")),
        ("Team\n===\n", replacing("Team", "# Crew")),
        ("x\ny\n---\n", remove("y")),
        ("> q\n---\n", replacing("> q", "q")),
    ],
)
def test_an_edit_that_would_make_or_break_structure_is_refused(text: str, edit: Edit) -> None:
    assert refusal(text, edit) == ("structural_line", 0)


@pytest.mark.parametrize(
    ("text", "target"),
    [(D1, "## Style"), ("# A\n\n## B\n", "# A"), ("# A\nx\n", "# A"), ("A\n===\nx\n", "A")],
)
def test_a_heading_with_text_under_it_is_not_removed(text: str, target: str) -> None:
    assert refusal(text, remove(target)) == ("heading_not_empty", 0)


@pytest.mark.parametrize("text", ["```\n- a\n", "# T\n\n```\n# T\n", "- ```\n  a\n"])
@pytest.mark.parametrize("heading", ["", "T", "Other"])
def test_nothing_is_added_into_an_open_fence(text: str, heading: str) -> None:
    assert refusal(text, add("b", heading)) == ("open_fence", 0)


@pytest.mark.requirement("document:edits:one-line-each")
@pytest.mark.parametrize(
    "line",
    [
        "a\nb",
        "a\n",
        "a\r\nb",
        "a\rb",
        "a\u2028b",
        "a\u2029b",
        "a\x85b",
        "a\vb",
        "a\tb",
        "a\0b",
        "a\x1bb",
        "a\x7fb",
        "pay \u202eevil",
        "a\u2066b",
        "a\u200fb",
        "a\u061cb",
        "a\u200bb",
        "a\u2060b",
        "a\ufeffb",
        "a\ud800b",
        "\n",
    ],
)
def test_a_text_that_is_not_one_plain_line_is_refused(line: str) -> None:
    assert refusal(D1, add(line)) == ("not_one_line", 0)
    assert refusal(D1, replacing("Marta owns Berlin", line)) == ("not_one_line", 0)


@pytest.mark.parametrize("edit", [add("x", "a\nb"), remove("a\nb"), replacing("a\u202eb", "x")])
def test_a_heading_or_target_of_two_lines_is_refused(edit: Edit) -> None:
    assert refusal(D1, edit) == ("not_one_line", 0)


@pytest.mark.requirement("document:edits:at-most-500-bytes")
@pytest.mark.parametrize(
    "line", ["x" * 501, "\u00e9" * 251, "e\u0301" * 251, "\u0301" * 100_000, "a" * 300_000]
)
def test_a_line_of_more_than_500_bytes_is_refused(line: str) -> None:
    assert refusal(D1, add(line)) == ("line_too_long", 0)


@pytest.mark.requirement("document:edits:at-most-500-bytes")
@pytest.mark.parametrize("line", ["x" * 500, "\u00e9" * 250, "e\u0301" * 250, "  " + "x" * 500 + "\t"])
def test_a_line_of_500_bytes_is_added_in_nfc(line: str) -> None:
    assert result("", add(line)) == f"- {unicodedata.normalize('NFC', line).strip()}\n"


@pytest.mark.parametrize(
    "edit", [add(""), add(" \t"), add("x", " "), add("x", "##"), remove(""), add("\u00a0")]
)
def test_an_empty_line_is_refused(edit: Edit) -> None:
    assert refusal(D1, edit) == ("empty_line", 0)


def test_a_document_that_would_be_too_large_is_refused() -> None:
    assert refusal(FULL, add("x"), add("z" * 300)) == ("document_too_large", 1)


def test_a_document_of_8192_bytes_is_not_too_large() -> None:
    text = "x" * 8_183 + "\n"
    assert len(result(text, add("abcd")).encode()) == 8_192
    assert refusal("x" + text, add("abcd")) == ("document_too_large", 0)


def test_a_document_that_is_too_large_already_may_be_left_as_it_is() -> None:
    assert apply_edits("x\n" * 9_000 + "y\n", [add("y")]) == Unchanged()


def test_the_first_refused_edit_refuses_all() -> None:
    assert refusal(D1, add("kept?"), remove("not there"), add("a\nb")) == ("target_not_found", 1)


def test_a_later_edit_sees_what_an_earlier_one_did() -> None:
    assert result(D1, add("x", "New"), replacing("x", "y"), add("z", "New")) == D1 + "\n## New\n\n- y\n- z\n"


def test_a_refusal_repeats_no_text() -> None:
    with pytest.raises(EditRefused) as refused:
        apply_edits("hunter2 hunter2\n", [remove("hunter2")])
    assert "hunter2" not in str(refused.value)

"""Headings, fences and front matter are told apart from lines that only look like them."""

import pytest

from workspace_memory.domain.markdown_lines import (
    is_structure,
    newline_of,
    outline_of,
    parse_heading,
    split_lines,
)


def headings(text: str) -> list[tuple[int, str]]:
    return outline_of(split_lines(text)).structure()


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# A", (1, "A")),
        ("   ###### A", (6, "A")),
        ("##\tA ##  ", (2, "A")),
        ("# C#", (1, "C#")),
        ("# A # B", (1, "A # B")),
        ("#", (1, "")),
        ("## #", (2, "")),
        ("#A", None),
        ("####### A", None),
        ("    # A", None),
        ("- # A", None),
        ("A", None),
    ],
)
def test_a_heading_has_one_to_six_signs_and_a_blank(line: str, heading: tuple[int, str] | None) -> None:
    assert parse_heading(line) == heading


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A\n===\n\nB\n---\n", [(1, "A"), (2, "B")]),
        ("A\n==\nB\n--\n", [(1, "A"), (2, "B")]),
        ("# A\nB\n---\n", [(1, "A"), (2, "B")]),
        ("- ```\n  x\nB\n---\n", [(2, "B")]),
        ("x\nB\n---\n", []),
        ("- x\n---\n", []),
        ("> x\n---\n", []),
        ("    x\n---\n", []),
        ("***\n---\n", []),
        ("\n---\n", []),
        ("x\n\n---\n", []),
        ("x\n--- y\n", []),
    ],
)
def test_an_underline_makes_a_heading_of_a_paragraph_of_one_line(
    text: str, found: list[tuple[int, str]]
) -> None:
    assert headings(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```\n# A\n```\n# B\n", [(1, "B")]),
        ("~~~ py\n# A\n~~~~\n# B\n", [(1, "B")]),
        ("````\n```\n# A\n````\n# B\n", [(1, "B")]),
        ("  ```\n# A\n```\n# B\n", [(1, "B")]),
        ("```\n    ```\n# A\n```\n# B\n", [(1, "B")]),
        ("```\n``` x\n# A\n```\n# B\n", [(1, "B")]),
        ("``` a`b\n# A\n", [(1, "A")]),
        ("    ```\n# A\n", [(1, "A")]),
        ("``\n# A\n", [(1, "A")]),
        ("- ```\n  # A\n  ```\n# B\n", [(1, "B")]),
        ("1. - ~~~\n     # A\n# B\n", [(1, "B")]),
        ("- ```\n\n# B\n", [(1, "B")]),
    ],
)
def test_a_heading_within_a_fence_is_text(text: str, found: list[tuple[int, str]]) -> None:
    assert headings(text) == found


@pytest.mark.parametrize("text", ["```\n", "```\nx\n~~~\n", "- ```\n\t# x\n", "```\n```\n```"])
def test_a_fence_that_nothing_closes_is_open(text: str) -> None:
    assert outline_of(split_lines(text)).open_fence


@pytest.mark.parametrize("end", ["---", "..."])
def test_front_matter_is_no_text(end: str) -> None:
    outline = outline_of(split_lines(f"---\ntitle: x\n# y\n{end}\n# A\n"))
    assert outline.structure() == [(1, "A")]
    assert outline.opaque == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "text", ["---\n# A\n---\n", "---\n\na: 1\n---\n# A\n", "x\n---\na: 1\n---\n", "---\na: 1\n"]
)
def test_other_rules_begin_no_front_matter(text: str) -> None:
    assert outline_of(split_lines(text)).opaque == set()


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("", "\n"),
        ("a", "\n"),
        ("a\n", "\n"),
        ("a\r\n", "\r\n"),
        ("a\r\nb\n", "\r\n"),
        ("a\r\nb\nc\n", "\n"),
        ("a\rb", "\n"),
    ],
)
def test_the_newline_of_a_text_is_that_of_most_lines(text: str, newline: str) -> None:
    assert newline_of(split_lines(text)) == newline


@pytest.mark.parametrize(
    "line", ["# A", "- # A", "1) > ## A", "```", "- ~~~", "---", "= ", "* * *", "__ _", "- -", "#"]
)
def test_structure_is_seen_behind_markers_and_quotes(line: str) -> None:
    assert is_structure(line)


@pytest.mark.parametrize(
    "line", ["A", "- A", "#A", "a # b", "``a``", "**", "- --- x", "C#", "1. 2. x", "> x", "-x", "+1"]
)
def test_other_lines_are_no_structure(line: str) -> None:
    assert not is_structure(line)

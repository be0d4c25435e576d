"""Words in the text of notes: what is found, whatever case and accents, and what is shown of it."""

import pytest

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.note_search import LINE_CHARACTERS, FoundLine, NoteQuery

TEXT = "# Team\n\n- Łódź office opens at NINE\n- Café Münster is acme-guest\n- 会議は木曜日\n- strasse 12\n"


def finds(query: str, text: str = TEXT, path: str = "notes/team.md") -> bool:
    return NoteQuery(query).find(path, text) is not None


@pytest.mark.parametrize(
    "query",
    ["nine", "NINE", "lodz", "łódź", "Łódź nine", "cafe", "CAFÉ", "muns", "acme", "guest", "木曜", "STRASSE", "straße",
     "office.", "(nine)", "team", "notes", "cafe team"],
)  # fmt: skip
def test_each_word_begins_a_word_of_text_or_path(query: str) -> None:
    assert finds(query)


@pytest.mark.parametrize("query", ["ine", "unster", "teas nine", "木曜会", "office closes"])
def test_a_note_without_one_of_the_words_is_not_found(query: str) -> None:
    assert not finds(query, TEXT, "notes/x.md")


def test_the_first_lines_with_a_word_are_shown_with_their_numbers() -> None:
    text = "tea\nnothing\n  more TEA here\nx\ntea\ntea\n"
    assert NoteQuery("tea").find("a.md", text) == [
        FoundLine(1, "tea"),
        FoundLine(3, "more TEA here"),
        FoundLine(5, "tea"),
    ]


def test_no_line_is_shown_when_the_words_stand_in_the_path() -> None:
    assert NoteQuery("team").find("notes/team.md", "nothing") == []


def test_of_a_long_line_the_part_around_the_word_is_shown() -> None:
    line = "x " * 5_000 + "needle" + " y" * 5_000
    [found] = NoteQuery("needle").find("a.md", line) or []
    assert "needle" in found.text
    assert len(found.text) == LINE_CHARACTERS


def test_characters_of_a_pattern_are_characters_like_any_other() -> None:
    assert finds("c++ a.c", "in C++ and a.c")
    assert not finds("a.c", "abc")


@pytest.mark.parametrize("query", ["", "  ", "...", "x" * 1_001])
def test_a_query_without_a_word_or_too_long_is_refused(query: str) -> None:
    with pytest.raises(InvalidRequest, match="query"):
        NoteQuery(query)

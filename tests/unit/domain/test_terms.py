"""Terms: which spellings of a text meet which spellings of a query."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workspace_memory.domain.terms import (
    BEGINNING_MARK,
    ENDINGS_MAX,
    QUERY_WORDS_MAX,
    TERM_CHARACTERS_MAX,
    has_words,
    index_terms,
    indexed,
    query_terms,
    searchable_inside,
    tag_terms,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=400)


def meets(text: str, query: str) -> bool:
    """Whether each word of the query is in the text as a whole word, in one of its forms, or joined."""
    terms, asked = index_terms(text), query_terms(query)
    return all(terms.intersection(word.whole) for word in asked.words) or bool(
        terms.intersection(asked.joined)
    )


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Großküche in München", "grosskueche"),
        ("Großküche in München", "GROSSKÜCHE"),
        ("Großküche in München", "Munchen"),
        ("Großküche in München", "muenchen"),
        ("Großküche in München", "MU\u0308NCHEN"),
        ("Uebergabe beim Baecker", "Übergabe Bäcker"),
        ("Smørrebrød für Łukasz", "smorrebrod lukasz"),
        ("Crème brûlée", "creme brulee"),
        ("ﬁle № ５", "file no 5"),
        ("ΟΔΟΣ Ἀθῆναι", "οδος αθηναι"),
    ],
)
def test_a_word_is_found_in_another_spelling(text: str, query: str) -> None:
    assert meets(text, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("INV-20931 was paid", "INV-20931"),
        ("INV-20931 was paid", "inv20931"),
        ("INV-20931 was paid", "inv 20931"),
        ("INV-20931 was paid", "20931"),
        ("INV20931 was paid", "INV-20931"),
        ("set foo_bar.baz to true", "foo_bar.baz"),
        ("set foo_bar.baz to true", "foo bar baz"),
        ("set foo_bar.baz to true", "foobarbaz"),
        ("set foo_bar.baz to true", "bar"),
        (r"open C:\repo\main.py now", r"C:\repo\main.py"),
        (r"open C:\repo\main.py now", "C:/repo/main.py"),
        ("written in C++.", "c++"),
        ("the .NET plan", ".net"),
        ("the R&D plan", "r&d"),
        ("we don't", "don’t"),
        ("we don't", "dont"),
        ("the health.base check", "health.base"),
        ("see #TeaMarket", "#teamarket"),
        ("see #TeaMarket", "tea market"),
        ("call +49 30 23125 417 first", "+493023125417"),
        ("call +493023125417 first", "+49 30 23125 417"),
    ],
)
def test_a_code_is_found_whole_in_parts_and_however_it_is_separated(text: str, query: str) -> None:
    assert meets(text, query)


@pytest.mark.parametrize(
    ("text", "query", "parts"),
    [("INV 20931 was paid", "inv20931", {"inv", "20931"}), (r"C:\repo\main.py", "main.py", {"main", "py"})],
)
def test_the_parts_of_a_code_are_found_where_the_whole_is_not(text: str, query: str, parts: set[str]) -> None:
    terms = index_terms(text)
    assert {word.word for word in query_terms(query).words if terms.intersection(word.whole)} == parts


@pytest.mark.parametrize(("text", "query"), [("plain C", "c++"), ("the net", ".net"), ("C++ only", "c#")])
def test_the_marks_of_a_name_are_part_of_it(text: str, query: str) -> None:
    assert not meets(text, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("緑茶の在庫は倉庫", "在庫"),
        ("緑茶の在庫は倉庫", "庫"),
        ("カタログ", "ｶﾀﾛｸﾞ"),
        ("회의실을 예약했다", "회의실"),
        ("ประชุมวันจันทร์", "วันจันทร์"),
        ("PDFで送る", "pdf"),
        ("हिन्दी में लिखें", "हिन्दी"),
        ("🎉 launched", "🎉"),
    ],
)
def test_scripts_without_blanks_are_found_by_any_piece(text: str, query: str) -> None:
    assert meets(text, query)


def test_a_voiced_sign_is_not_a_diacritic() -> None:
    assert not meets("かき", "がき")


def test_words_that_begin_alike_share_a_term() -> None:
    (word,) = query_terms("frameworks").words
    assert index_terms("a framed picture").isdisjoint(word.whole)
    assert index_terms("a framed picture").intersection(word.beginnings)


def test_a_short_word_also_begins_with_all_but_its_last_letter() -> None:
    (word,) = query_terms("dogs").words
    assert index_terms("a dog").isdisjoint(word.whole)
    assert index_terms("a dog").intersection(word.beginnings)


def test_a_compound_may_end_with_a_word() -> None:
    (word,) = query_terms("Großküche").words
    assert index_terms("die Küche").intersection(word.endings)
    assert index_terms("the kueche").intersection(word.endings)
    assert list(word.endings) == sorted(word.endings, key=len, reverse=True)


def test_a_code_a_short_word_or_a_very_long_one_has_few_endings() -> None:
    assert not any(word.endings for word in query_terms("b7f3a91c kitchen 2023-11-12").words)
    (word,) = query_terms("a" * 64).words
    assert len(word.endings) == ENDINGS_MAX


def test_a_long_row_of_numbers_is_not_one_number() -> None:
    assert "1234567" not in index_terms("1 2 3 4 5 6 7")


def test_the_size_of_a_query_counts_what_a_reader_would() -> None:
    assert [query_terms(text).size for text in ("", "INV-20931", "who paid INV-20931?", "在庫はどこ")] == [
        0,
        1,
        3,
        2,
    ]


def test_no_text_can_contain_a_beginning_by_itself() -> None:
    assert f"frame{BEGINNING_MARK}" not in index_terms(f"frame{BEGINNING_MARK} frame...")


def test_a_whole_tag_has_a_term_of_its_own() -> None:
    assert tag_terms("Client Acme").intersection(query_terms("client acme").joined)
    assert index_terms("client acme").isdisjoint(query_terms("client acme").joined)


@pytest.mark.requirement("items:search:words-are-not-stemmed")
def test_words_are_not_stemmed() -> None:
    assert not meets("running", "run")


def test_words_keep_their_order() -> None:
    assert indexed("Two cups, not three!").words == ("two", "cups", "not", "three")


@pytest.mark.parametrize("text", ["", " \n", "-" * 10_000, "…", "?!*", '"', "\x00", "\ud800"])
def test_a_text_without_words_has_no_terms(text: str) -> None:
    assert not query_terms(text).words
    assert not index_terms(text)


@given(ANY_TEXT)
@example("C++")
@example("\u0301 ... \x00")
def test_a_query_has_words_where_there_is_one_to_look_for(text: str) -> None:
    assert has_words(text) == bool(query_terms(text).words)


@given(ANY_TEXT)
def test_every_string_has_terms_that_a_database_can_keep(text: str) -> None:
    for term in index_terms(text) | tag_terms(text):
        assert 0 < len(term) <= TERM_CHARACTERS_MAX
        assert not any(character.isspace() for character in term)
        assert "\x00" not in term
        term.encode()


@given(ANY_TEXT)
def test_every_text_is_found_by_itself(text: str) -> None:
    terms = index_terms(text)
    assert all(terms.intersection(word.whole) for word in query_terms(text).words)


@given(ANY_TEXT)
def test_words_are_terms(text: str) -> None:
    content = indexed(text)
    assert content.terms.issuperset(content.words)


def test_a_long_query_is_cut() -> None:
    assert len(query_terms(" ".join(f"word{n}x" for n in range(500))).words) == QUERY_WORDS_MAX


@pytest.mark.parametrize(
    ("term", "expected"), [("grossküche", True), ("tea", False), ("在庫", False), ("frame…", False)]
)
def test_only_longer_words_of_spaced_scripts_are_looked_into(term: str, *, expected: bool) -> None:
    assert searchable_inside(term) is expected

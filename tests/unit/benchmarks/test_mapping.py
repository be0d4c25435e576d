from benchmarks._mapping import Answers, group_by_label, parts_of
from hypothesis import given
from hypothesis import strategies as st


def test_a_short_text_is_one_part() -> None:
    assert parts_of(" likes tea ", 20) == ["likes tea"]


def test_a_long_text_is_cut_at_a_blank() -> None:
    assert parts_of("likes green tea", 13) == ["likes green", "tea"]


def test_a_long_text_without_blanks_is_cut_where_it_must() -> None:
    assert parts_of("abcdefgh", 3) == ["abc", "def", "gh"]


@given(st.text(alphabet="ab ", max_size=200), st.integers(1, 30))
def test_no_part_is_too_long_or_empty_and_nothing_but_blanks_is_lost(text: str, most: int) -> None:
    parts = parts_of(text, most)
    assert all(0 < len(part) <= most and part.strip() for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_an_item_is_found_as_the_key_of_its_text() -> None:
    answers = Answers()
    answers.note("a", ["1"])
    answers.note("b", ["2"])
    assert answers.ranking(["2", "1"]) == ["b", "a"]


def test_a_repeated_text_is_found_under_the_key_that_had_it_first() -> None:
    answers = Answers()
    answers.note("a", ["1"])
    answers.note("b", ["1"])
    assert answers.ranking(["1"]) == ["a"]
    assert answers.gold(["b"]) == {"a"}


def test_the_parts_of_a_long_text_are_found_once_at_the_best_place() -> None:
    answers = Answers()
    answers.note("a", ["1", "2"])
    answers.note("b", ["3"])
    assert answers.ranking(["2", "3", "1"]) == ["a", "b"]


def test_two_gold_keys_of_one_text_are_one_answer() -> None:
    answers = Answers()
    answers.note("a", ["1"])
    answers.note("b", ["1"])
    assert answers.gold(["a", "b"]) == {"a"}


def test_an_item_that_nobody_noted_keeps_its_place() -> None:
    answers = Answers()
    answers.note("a", ["1"])
    assert answers.ranking(["9", "1"]) == ["9", "a"]


def test_positions_are_grouped_by_label_in_the_order_of_labels() -> None:
    assert list(group_by_label(["2", "1", "2"]).items()) == [("1", [1]), ("2", [0, 2])]

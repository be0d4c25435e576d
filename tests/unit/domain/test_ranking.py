"""Ranking: the tally against plain arithmetic, and what earns an item more."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.function_words import FUNCTION_WORDS
from workspace_memory.domain.ranking import (
    Tally,
    Vote,
    WordMatches,
    highest,
    importance,
    is_widened,
    members,
    phrase_score,
    phrase_text,
    phrases_of,
    rarity,
    widening_terms,
    word_votes,
)
from workspace_memory.domain.terms import bare, query_terms

NUMBERS = st.sets(st.integers(0, 300), min_size=1)
VOTES = st.lists(st.tuples(NUMBERS, st.integers(1, 50)), min_size=1, max_size=12)


def bits(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def counted(votes: list[tuple[set[int], int]]) -> tuple[Tally, Counter[int]]:
    sums: Counter[int] = Counter()
    for numbers, weight in votes:
        sums.update(dict.fromkeys(numbers, weight))
    return Tally([Vote(bits(numbers), weight) for numbers, weight in votes]), sums


@given(VOTES)
def test_a_tally_adds_up_the_votes(votes: list[tuple[set[int], int]]) -> None:
    tally, sums = counted(votes)
    # Each vote is rounded to one part in 16,384 of all votes together.
    slack = sum(weight for _, weight in votes) / 16_384 * len(votes)
    assert tally.sums(sums) == pytest.approx(dict(sums), abs=slack)


@given(VOTES, st.integers(1, 40))
def test_the_best_are_those_with_the_highest_sums(votes: list[tuple[set[int], int]], count: int) -> None:
    tally, _ = counted(votes)
    certain, ties = (set(members(numbers)) for numbers in tally.best(count))
    sums = tally.sums({number for numbers, _ in votes for number in numbers})
    ranked = sorted(sums.values(), reverse=True)
    assert len(certain) <= count
    assert len(certain | ties) >= min(count, len(sums))
    assert sorted((sums[number] for number in certain), reverse=True) == ranked[: len(certain)]
    assert len({sums[number] for number in ties}) <= 1
    assert all(sums[number] == ranked[len(certain)] for number in ties)


@given(VOTES, st.integers(1, 80))
def test_those_of_at_least_a_sum_are_found(votes: list[tuple[set[int], int]], units: int) -> None:
    _, sums = counted(votes)
    total = sum(weight for _, weight in votes)
    tally = Tally([Vote(bits(numbers), weight) for numbers, weight in votes], units=total)
    assert set(members(tally.at_least(units))) == {number for number, sum_ in sums.items() if sum_ >= units}


def test_an_item_that_only_a_weak_vote_finds_is_found() -> None:
    certain, ties = Tally([Vote(0b01, 1_000_000.0), Vote(0b10, 0.001)]).best(2)
    assert certain | ties == 0b11


@given(NUMBERS)
def test_members_are_the_bits_of_a_set(numbers: set[int]) -> None:
    assert list(members(bits(numbers))) == sorted(numbers)


@given(NUMBERS, st.integers(1, 50))
def test_the_highest_are_the_last_members(numbers: set[int], count: int) -> None:
    assert highest(bits(numbers), count) == sorted(numbers)[-count:]


def test_a_rare_word_says_more_than_a_frequent_one() -> None:
    assert rarity(20_000, 3) > 5 * rarity(20_000, 8_000) > 0


def test_a_word_of_every_item_still_says_something() -> None:
    assert rarity(1, 1) > 0


def test_short_words_matter_less_but_codes_and_other_scripts_do_not() -> None:
    assert importance("the") < importance("tea5")
    assert importance("the") < importance("kettle") == importance("在庫") == importance("c++") == 1.0


@pytest.mark.parametrize(
    "word", ["which", "welche", "quando", "perché", "pourquoi", "cuándo", "который", "です"]
)
def test_function_words_matter_less_in_any_language(word: str) -> None:
    assert importance(word) < importance("kettle") == importance("京都") == importance("出す")


def test_the_list_of_function_words_is_as_words_are_looked_up() -> None:
    assert all(len(word) > 3 and word == bare(word.casefold()) for word in FUNCTION_WORDS)


def test_the_word_itself_earns_more_than_its_beginning_and_that_more_than_a_part() -> None:
    votes = list(word_votes("frame", WordMatches(whole=0b001, beginning=0b010, inside=0b100), total=100))
    sums = Tally(votes).sums([0, 1, 2])
    assert sums[0] > sums[1] > sums[2] > 0


def test_a_phrase_earns_where_its_words_stand_side_by_side() -> None:
    phrases = phrases_of(query_terms("green tea"), {"green": 2.0, "tea": 1.0}, 100)
    together, apart = phrase_text("fine green tea"), phrase_text("fine tea is green")
    assert phrase_score(phrases, together) > phrase_score(phrases, apart) == 0.0


def test_an_item_earns_a_little_for_beginning_with_a_word_of_the_query() -> None:
    phrases = phrases_of(query_terms("what did carol buy"), {"what": 2.0, "carol": 1.0}, 100)
    name, question, neither = map(phrase_text, ("carol tea", "what tea", "tea carol what"))
    assert phrase_score(phrases, name) > phrase_score(phrases, question) > phrase_score(phrases, neither) == 0
    assert phrase_score(phrases, name) < rarity(100, 1) / 4


def test_single_words_and_plain_pairs_are_not_widened() -> None:
    assert not is_widened(query_terms("kettle"))
    assert is_widened(query_terms("who repairs the kettle"))


@pytest.mark.parametrize("code", ["INV-20931", r"C:\repo\main.py", "foo_bar.baz", "コート紙"])
def test_a_code_in_several_parts_is_one_word_and_not_widened(code: str) -> None:
    assert not is_widened(query_terms(code))
    assert is_widened(query_terms(f"when was {code} printed"))


def test_widening_takes_the_rare_words_of_the_best_items() -> None:
    query = query_terms("who repairs the kettle")
    best = [(3.0, ["kettle", "descaled", "monday"]), (1.0, ["repairs", "monday", "bicycle"])]
    terms = widening_terms(query, best, {"descaled": 6.0, "monday": 2.0, "kettle": 6.0, "bicycle": 6.0})
    assert "kettle" not in terms
    assert terms["descaled"] > terms["bicycle"] > 0


def test_numbers_widen_more_than_words_as_rare() -> None:
    best = [(3.0, ["kettle", "2023", "monday"])]
    terms = widening_terms(query_terms("who repairs the kettle"), best, {"2023": 4.0, "monday": 4.0})
    assert terms["2023"] > terms["monday"]


def test_an_item_without_words_does_not_stop_the_second_pass() -> None:
    assert widening_terms(query_terms("one two three"), [(1.0, [])], {}) == {}

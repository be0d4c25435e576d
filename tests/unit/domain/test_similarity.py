"""When a text is near enough to another that it is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.domain.similarity import are_similar, shared_words_min, words_of

WORDS = st.frozensets(st.sampled_from([f"word{number}" for number in range(14)]), min_size=1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I use tea", "I no longer use tea, coffee now"),
        ("The office closes at six", "The office closes at seven"),
        ("Die Großküche ist in München", "In München ist die Großküche"),
    ],
)
def test_texts_about_the_same_are_similar(one: str, other: str) -> None:
    assert are_similar(words_of(one), words_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("likes green tea", "parks behind the house"),
        ("tea", "tea"),
        ("", ""),
        ("tea", "The tea shop opens at nine"),
    ],
)
def test_texts_that_share_hardly_a_word_are_not(one: str, other: str) -> None:
    assert not are_similar(words_of(one), words_of(other))


def test_it_does_not_matter_which_comes_first() -> None:
    pairs = [("a b c d", "a b"), ("one two three", "two three four five six seven eight")]
    assert [are_similar(words_of(a), words_of(b)) for a, b in pairs] == [
        are_similar(words_of(b), words_of(a)) for a, b in pairs
    ]


@given(WORDS, WORDS)
def test_what_is_similar_shares_as_many_words_as_are_asked_for(
    one: frozenset[str], other: frozenset[str]
) -> None:
    if are_similar(one, other):
        assert len(one & other) >= shared_words_min(one)


def test_so_many_words_of_a_text_are_similar_to_it_and_one_less_is_not() -> None:
    for size in range(4, 100):
        words = [f"word{number}" for number in range(size)]
        least = shared_words_min(frozenset(words))
        assert are_similar(frozenset(words), frozenset(words[:least]))
        assert not are_similar(frozenset(words), frozenset(words[: least - 1]))

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


def test_no_fewer_shared_words_are_asked_for_than_a_part_of_the_text_must_have() -> None:
    texts = [frozenset(f"word{number}" for number in range(size)) for size in range(4, 100)]
    parts = [frozenset(sorted(text)[: shared_words_min(text)]) for text in texts]
    assert all(are_similar(text, part) for text, part in zip(texts, parts, strict=True))

"""When a text is near enough to another that it is named."""

import pytest

from workspace_memory.domain.similarity import are_similar, words_of


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

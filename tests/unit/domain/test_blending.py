"""What words and meaning count together: a sentence goes by both, a code by its letters."""

import math

import pytest

from workspace_memory.domain.blending import MeaningShare, blend, meaning_share

A, B, C = ("company", 0), ("company", 1), ("company", 2)
HALF = MeaningShare(0.5)


@pytest.mark.parametrize(
    ("query", "share"),
    [
        ("", 0.2),
        ("INV-20931", 0.2),
        ("foo_bar.baz src/main.py", 0.2),
        ("C++", 0.2),
        ("tea", 0.2),
        ("tea INV-20931", 0.2),
        ("green tea", 0.3),
        ("where is the green tea", 0.5),
        ("don't be late", 0.5),
        ("在庫はどこにありますか", 0.5),
        ("茶", 0.2),
    ],
)
def test_meaning_counts_the_more_the_more_words_there_are(query: str, share: float) -> None:
    assert meaning_share(query) == share


def test_both_together_are_better_than_one() -> None:
    blended = blend([(A, 1.0), (B, 0.9)], {A: 0.1, B: 0.8, C: 0.7}, HALF)
    assert [item for item, _ in blended] == [B, A, C]


def test_the_scale_of_a_model_does_not_matter() -> None:
    words = [(A, 1.0), (B, 0.9)]
    one = blend(words, {A: 0.4, B: 0.8}, HALF)
    other = blend(words, {A: 0.35, B: 0.7}, HALF)
    assert one == other


def test_an_item_whose_vector_is_missing_is_judged_by_its_words() -> None:
    assert blend([(A, 1.0), (B, 0.5)], {B: 0.9}, HALF) == [(A, 1.0), (B, 0.75)]


def test_what_has_none_of_the_words_and_is_hardly_similar_is_not_found() -> None:
    assert [item for item, _ in blend([(A, 1.0)], {A: 0.5, B: 0.29, C: 0.31}, HALF)] == [A, C]


def test_what_has_the_words_is_found_however_far_its_meaning_is() -> None:
    assert [item for item, _ in blend([(A, 1.0)], {A: -0.5, B: 0.9}, MeaningShare(0.2))] == [A, B]


def test_what_is_no_number_counts_as_no_similarity() -> None:
    words = [(A, 1.0), (B, 0.5)]
    assert blend(words, {A: math.nan, B: 0.9, C: math.nan}, HALF) == blend(words, {B: 0.9}, HALF)
    assert blend(words, {A: math.inf, B: 0.9}, HALF) == blend(words, {B: 0.9}, HALF)


def test_without_any_likeness_the_words_alone_answer() -> None:
    assert blend([(A, 0.4), (B, 0.3)], {A: -0.1}, HALF) == [(A, 0.4), (B, 0.3)]
    assert blend([(A, 0.4)], {}, HALF) == [(A, 0.4)]
    assert blend([], {}, HALF) == []


def test_equals_keep_their_order_and_then_the_newer_comes_first() -> None:
    assert [item for item, _ in blend([(B, 1.0), (A, 1.0)], {A: 0.5, B: 0.5}, HALF)] == [B, A]
    assert [item for item, _ in blend([], {A: 0.5, B: 0.5}, HALF)] == [B, A]


def test_a_score_is_as_high_as_the_better_signal_says() -> None:
    assert blend([(A, 0.2)], {A: 0.6}, HALF) == [(A, 0.6)]
    assert blend([(A, 1.1)], {A: 0.6}, HALF) == [(A, 1.1)]

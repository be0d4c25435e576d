import math

import pytest
from benchmarks._metrics import mean_scores, ndcg_at, percentile, recall_at, reciprocal_rank, timing
from hypothesis import given
from hypothesis import strategies as st

KEYS = st.lists(st.sampled_from("abcdefghij"), unique=True)
GOLD = st.sets(st.sampled_from("abcdefghij"), min_size=1)


def test_recall_is_the_share_of_the_gold_that_was_found() -> None:
    assert recall_at(["a", "x", "b"], {"a", "b", "c", "d"}, 3) == 0.5


def test_recall_does_not_look_below_its_depth() -> None:
    assert recall_at(["x", "y", "a"], {"a"}, 2) == 0


def test_recall_at_one_cannot_be_whole_for_two_gold_keys() -> None:
    assert recall_at(["a", "b"], {"a", "b"}, 1) == 0.5


def test_a_question_without_gold_is_refused() -> None:
    with pytest.raises(ValueError, match="without gold"):
        recall_at(["a"], set(), 5)


def test_the_reciprocal_rank_is_that_of_the_first_gold_key() -> None:
    assert reciprocal_rank(["x", "y", "b", "a"], {"a", "b"}) == pytest.approx(1 / 3)


def test_the_reciprocal_rank_is_nothing_when_no_gold_key_was_found() -> None:
    assert reciprocal_rank(["x", "y"], {"a"}) == 0


def test_ndcg_discounts_by_the_logarithm_of_the_place() -> None:
    assert ndcg_at(["x", "a"], {"a"}, 10) == pytest.approx(1 / math.log2(3))


def test_ndcg_compares_with_the_best_order_of_several_gold_keys() -> None:
    best = 1 + 1 / math.log2(3)
    assert ndcg_at(["a", "x", "b"], {"a", "b"}, 10) == pytest.approx((1 + 1 / math.log2(4)) / best)


def test_ndcg_is_whole_when_more_gold_exists_than_the_depth_shows() -> None:
    assert ndcg_at(["a", "b"], {"a", "b", "c"}, 2) == pytest.approx(1)


def test_ndcg_does_not_look_below_its_depth() -> None:
    assert ndcg_at(["x", "a"], {"a"}, 1) == 0


@given(KEYS, GOLD, st.integers(1, 12))
def test_every_figure_lies_between_nothing_and_whole(ranking: list[str], gold: set[str], depth: int) -> None:
    figures = (
        recall_at(ranking, gold, depth),
        ndcg_at(ranking, gold, depth),
        reciprocal_rank(ranking, gold),
    )
    assert all(0 <= figure <= 1.0000001 for figure in figures)


@given(KEYS, GOLD)
def test_recall_never_falls_with_depth(ranking: list[str], gold: set[str]) -> None:
    recalls = [recall_at(ranking, gold, depth) for depth in range(1, 12)]
    assert recalls == sorted(recalls)


def test_means_are_taken_of_each_figure() -> None:
    assert mean_scores([{"mrr": 1, "recall@5": 0}, {"mrr": 0, "recall@5": 0}]) == {"mrr": 0.5, "recall@5": 0}


def test_there_is_no_mean_of_no_questions() -> None:
    assert mean_scores([]) == {}


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.95, 95), (0.99, 99), (1, 100), (0, 1), (0.07, 7)])
def test_a_percentile_is_the_smallest_value_that_the_share_does_not_exceed(share: float, value: int) -> None:
    assert percentile(range(100, 0, -1), share) == value


def test_the_only_value_is_every_percentile() -> None:
    assert {percentile([7.5], share) for share in (0, 0.5, 0.99)} == {7.5}


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_is_one_of_the_values(values: list[float], share: float) -> None:
    assert percentile(values, share) in values


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 1.1), ([1.0], -0.1)])
def test_a_percentile_of_nothing_or_beyond_all_is_refused(values: list[float], share: float) -> None:
    with pytest.raises(ValueError, match="percentile"):
        percentile(values, share)


def test_the_rate_of_calls_is_over_the_wall_clock_that_clients_share() -> None:
    timed = timing([10, 10, 10, 10], elapsed_seconds=0.02)
    assert (timed.calls, timed.p50, timed.per_second) == (4, 10, 200)


def test_the_processor_time_of_the_server_is_shared_out_over_the_calls() -> None:
    assert timing([10, 10], elapsed_seconds=0.02, cpu_seconds=0.006).cpu == pytest.approx(3)

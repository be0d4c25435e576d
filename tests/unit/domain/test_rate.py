"""Rates: a limit for each kind of call, counted per period."""

from datetime import UTC, datetime, timedelta

import pytest

from workspace_memory.domain.rate import Rate, RateLimits, period_of, seconds_left

MINUTE = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def test_each_kind_has_its_own_limit() -> None:
    limits = RateLimits(60, 300, 10)
    assert [limits.of(rate) for rate in Rate] == [60, 300, 10]


@pytest.mark.parametrize(("seconds", "same"), [(0, True), (59, True), (60, False), (-1, False)])
def test_a_period_is_a_whole_minute(seconds: int, same: bool) -> None:
    later = period_of(MINUTE + timedelta(seconds=seconds), 60)
    assert (later == period_of(MINUTE, 60)) is same


@pytest.mark.parametrize(("second", "left"), [(0, 60), (1, 59), (59, 1)])
def test_what_is_left_of_it_is_told(second: int, left: int) -> None:
    assert seconds_left(MINUTE + timedelta(seconds=second), 60) == left

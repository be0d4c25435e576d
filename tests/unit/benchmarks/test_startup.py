import argparse

import pytest
from benchmarks.startup import Seconds, as_text, starts, summary


def test_a_summary_has_the_median_the_worst_and_the_processor_time() -> None:
    assert summary([(0.5, 0.2), (0.9, 0.4), (0.6, 0.3)]) == Seconds(0.6, 0.9, 0.3)


def test_processor_time_that_was_not_taken_is_not_shown() -> None:
    assert as_text({"serve, ready": Seconds(1.0, 2.0, 0.0)}).splitlines()[-1].endswith(" – |")


@pytest.mark.parametrize("text", ["0", "101", "x", ""])
def test_a_number_of_starts_lies_within_bounds(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        starts(text)

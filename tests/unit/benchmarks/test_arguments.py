import argparse

import pytest
from benchmarks._arguments import calls, clients, sizes


def test_sizes_are_taken_in_ascending_order_and_once() -> None:
    assert sizes("5000, 1000,5000") == (1_000, 5_000)


@pytest.mark.parametrize("text", ["", "x", "1000;5000", "1.5", "1000,"])
def test_what_is_no_list_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="list of numbers"):
        sizes(text)


@pytest.mark.parametrize("text", ["499", "20001", "1000,30000"])
def test_a_size_that_a_workspace_cannot_hold_or_measure_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="between 500 and 20,000"):
        sizes(text)


@pytest.mark.parametrize("text", ["0", "33", "-1"])
def test_a_number_of_clients_out_of_bounds_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="between 1 and 32"):
        clients(text)


@pytest.mark.parametrize("text", ["0", "5001", "10,20"])
def test_a_number_of_calls_is_one_number_within_bounds(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        calls(text)

"""LP and u64."""

import itertools
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.crypto.errors import NotText
from workspace_memory.crypto.packing import lp, u64

PARTS = st.lists(st.binary(max_size=6), max_size=4)


def unpacked(packed: bytes) -> list[bytes]:
    parts: list[bytes] = []
    while packed:
        length = int.from_bytes(packed[:4], "big")
        parts.append(packed[4 : 4 + length])
        packed = packed[4 + length :]
    return parts


def test_each_part_has_its_length_in_front() -> None:
    assert lp("é", b"\x01", 258) == bytes.fromhex("00000002c3a90000000101000000080000000000000102")


def test_no_parts_are_no_bytes() -> None:
    assert lp() == b""


@given(PARTS)
def test_the_parts_can_be_told_apart_again(parts: list[bytes]) -> None:
    assert unpacked(lp(*parts)) == parts


def test_where_one_part_ends_matters() -> None:
    lists = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"]]
    assert all(lp(*one) != lp(*other) for one, other in itertools.combinations(lists, 2))


@pytest.mark.parametrize("number", [0, 1, 2**64 - 1])
def test_a_number_is_eight_bytes(number: int) -> None:
    assert int.from_bytes(u64(number), "big") == number
    assert len(u64(number)) == 8


@pytest.mark.parametrize("number", [-1, 2**64, cast("int", True)])
def test_no_other_number_is_packed(number: int) -> None:
    with pytest.raises(ValueError, match="from 0 to"):
        lp(number)


def test_half_a_character_is_no_text_and_the_error_keeps_nothing_of_it() -> None:
    with pytest.raises(NotText) as caught:
        lp("secret \ud800")
    assert caught.value.__context__ is None
    assert "secret" not in str(caught.value)

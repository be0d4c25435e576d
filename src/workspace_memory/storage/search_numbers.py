"""Sets of item numbers as bytes: how a row of the search index stores which items of a segment it means.

Pure. Fewer than 256 numbers are kept as two bytes each, ascending; more of them as 1,024 bytes with a bit for each
number, so no set takes more than 1,024 bytes, and the length alone tells which of the two it is.
"""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Sequence

SEGMENT_SIZE = 8192
_BITMAP_BYTES = SEGMENT_SIZE // 8
_SPARSE_MAX = 255  # a longer one would be smaller than the bitmap, and slower to read


def with_numbers(packed: bytes, numbers: Sequence[int]) -> bytes:
    """The set with these numbers more."""
    if len(packed) == _BITMAP_BYTES:
        bits = bytearray(packed)
        for number in numbers:
            bits[number >> 3] |= 1 << (number & 7)
        return bytes(bits)
    sparse = _sparse(packed) if packed else array("H")
    last = sparse[-1] if sparse else -1
    for number in numbers:
        # Newer items have higher numbers, so that nearly every one belongs at the end.
        if number > last:
            sparse.append(number)
            last = number
        else:
            at = bisect_left(sparse, number)
            if sparse[at] != number:
                sparse.insert(at, number)
    return _packed(sparse)


def without_number(packed: bytes, number: int) -> bytes:
    """The set without one number; empty when it was the last."""
    if len(packed) == _BITMAP_BYTES:
        bits = bytearray(packed)
        bits[number >> 3] &= ~(1 << (number & 7)) & 0xFF
        whole = int.from_bytes(bits, "little")
        if whole.bit_count() > _SPARSE_MAX:
            return bytes(bits)
        return _packed(array("H", (n for n in range(SEGMENT_SIZE) if whole >> n & 1)))
    numbers = _sparse(packed)
    at = bisect_left(numbers, number)
    if at < len(numbers) and numbers[at] == number:
        del numbers[at]
    return _packed(numbers)


def next_number(packed: bytes) -> int | None:
    """The number after the highest in use, if the segment has one."""
    number = as_bits(packed).bit_length()
    return number if number < SEGMENT_SIZE else None


def free_number(packed: bytes) -> int:
    """The lowest number that is not in use; the segment must not be full."""
    bits = as_bits(packed)
    return (~bits & (bits + 1)).bit_length() - 1


def count(packed: bytes) -> int:
    """How many numbers are in the set."""
    if len(packed) == _BITMAP_BYTES:
        return int.from_bytes(packed, "little").bit_count()
    return len(packed) // 2


def as_bits(packed: bytes) -> int:
    """The set as an integer: bit n stands for number n."""
    if len(packed) == _BITMAP_BYTES:
        return int.from_bytes(packed, "little")
    bits = bytearray(_BITMAP_BYTES)
    add_bits(packed, bits, 0)
    return int.from_bytes(bits, "little")


def add_bits(packed: bytes, into: bytearray, slot: int) -> None:
    """Add this set to a row of segments, as the one at `slot`."""
    start = slot * _BITMAP_BYTES
    if len(packed) == _BITMAP_BYTES:
        end = start + _BITMAP_BYTES
        both = int.from_bytes(into[start:end], "little") | int.from_bytes(packed, "little")
        into[start:end] = both.to_bytes(_BITMAP_BYTES, "little")
    else:
        for number in _sparse(packed):
            into[start + (number >> 3)] |= 1 << (number & 7)


def bits_size(slots: int) -> int:
    """How many bytes `slots` segments take."""
    return slots * _BITMAP_BYTES


def _sparse(packed: bytes) -> "array[int]":
    numbers = array("H")
    numbers.frombytes(packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _packed(numbers: "array[int]") -> bytes:
    if len(numbers) > _SPARSE_MAX:
        bits = bytearray(_BITMAP_BYTES)
        for number in numbers:
            bits[number >> 3] |= 1 << (number & 7)
        return bytes(bits)
    if sys.byteorder == "big":
        numbers = array("H", numbers)
        numbers.byteswap()
    return numbers.tobytes()

"""Vectors as bytes: a signed byte for each dimension, and for a first look one bit for each.

Pure. Angles between vectors survive both well enough: the bits choose some hundred candidates, the bytes order them.
"""

from array import array
from collections.abc import Sequence

CHUNK_SIZE = 512
PRESENCE_BYTES = CHUNK_SIZE // 8
_LARGEST = 127


def as_bytes(vector: Sequence[float]) -> bytes:
    """The vector, scaled so that its largest part is 127."""
    largest = max(map(abs, vector)) or 1.0
    # Divided first: 127 by the smallest number there is would be infinite.
    return array("b", (round(part / largest * _LARGEST) for part in vector)).tobytes()


def as_signs(vector: Sequence[float]) -> bytes:
    """A bit for each dimension, set where the vector is positive; filled up to whole groups of eight bytes."""
    bits = "".join("1" if part > 0 else "0" for part in reversed(vector))
    return int(bits, 2).to_bytes(signs_size(len(vector)), "little")


def signs_size(dimensions: int) -> int:
    """How many bytes the signs of one vector take."""
    return (dimensions + 63) // 64 * 8


class Chunk:
    """The signs of 512 numbers, to be changed."""

    def __init__(self, numbers: bytes, signs: bytes) -> None:
        self._numbers = bytearray(numbers)
        self._signs = bytearray(signs)

    @classmethod
    def empty(cls, size: int) -> "Chunk":
        """A chunk without a vector, for signs of `size` bytes."""
        return cls(bytes(PRESENCE_BYTES), bytes(CHUNK_SIZE * size))

    def put(self, local: int, signs: bytes) -> None:
        """Give a number of the chunk its signs."""
        self._numbers[local >> 3] |= 1 << (local & 7)
        self._write(local, signs)

    def drop(self, local: int) -> None:
        """Take a number out, with its signs: they tell of the text."""
        self._numbers[local >> 3] &= ~(1 << (local & 7)) & 0xFF
        self._write(local, bytes(len(self._signs) // CHUNK_SIZE))

    @property
    def numbers(self) -> bytes:
        """Which numbers have a vector; no bit is set when none has."""
        return bytes(self._numbers)

    @property
    def signs(self) -> bytes:
        """The signs of all 512."""
        return bytes(self._signs)

    def _write(self, local: int, signs: bytes) -> None:
        size = len(self._signs) // CHUNK_SIZE
        self._signs[local * size : (local + 1) * size] = signs

"""`LP`, the one way in which wm/v1 turns several values into bytes that mean only those values.

Each part is its length as u32 and its bytes, so that no two lists of parts give the same bytes. Numbers are u64,
texts UTF-8, everything big-endian.
"""

from workspace_memory.crypto.errors import NotText

_U32_MAX = 2**32 - 1
_U64_MAX = 2**64 - 1


def lp(*parts: str | bytes | int) -> bytes:
    """The parts, each with its length in front.

    Raises: NotText for a text that UTF-8 cannot carry; ValueError for a number outside of 0 … 2^64-1.
    """
    return b"".join(_with_length(_part(part)) for part in parts)


def u64(number: int) -> bytes:
    """Eight bytes, big-endian. Raises: ValueError outside of 0 … 2^64-1, and for booleans."""
    if isinstance(number, bool) or not 0 <= number <= _U64_MAX:
        raise ValueError("a number of wm/v1 is from 0 to 2^64-1")
    return number.to_bytes(8, "big")


def utf8(text: str) -> bytes:
    """The text's bytes. Raises: NotText."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    # Raised out here: the codec's own error holds the whole text.
    raise NotText


def _part(part: str | bytes | int) -> bytes:
    if isinstance(part, str):
        return utf8(part)
    return part if isinstance(part, bytes) else u64(part)


def _with_length(raw: bytes) -> bytes:
    if len(raw) > _U32_MAX:
        raise ValueError("a part of wm/v1 has less than 2^32 bytes")
    return len(raw).to_bytes(4, "big") + raw

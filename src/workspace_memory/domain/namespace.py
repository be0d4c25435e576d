"""The reserved namespace `.workspace/memory/`: whether a path is a spelling of a place in it.

Pure. What is compared is a key made from the path; the path itself is stored and shown as it came. Combining marks
stay and look-alike letters of other scripts are not mapped: those are other names.
"""

import re
import unicodedata
from enum import StrEnum

PATH_BYTES_MAX = 1_024
RESERVED = (".workspace", "memory")

_ROUNDS_MAX = 8
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd\ud800-\udfff]")
_ESCAPES = re.compile(r"(?:%[0-9a-fA-F]{2})+")
# Default_Ignorable_Code_Point of Unicode 16 (DerivedCoreProperties.txt), which Python does not know.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# What Windows and its "best fit" conversions take for a separator.
_SEPARATORS = str.maketrans(dict.fromkeys("\\\u2044\u2215\u29f8\u29f5\u2216\ufe68", "/"))
# The short name that Windows gives to a long one: WORKSP~1, with fewer letters for a longer number.
_SHORT_NAME = re.compile(r"\.*([^.~]{1,8})~[0-9]+(?:\.[^.]{0,3})?")
_SHORT_NAME_LETTERS_MAX = 8


class PathVerdict(StrEnum):
    """What a path is to the reserved namespace."""

    RESERVED = "reserved"
    """The namespace itself or something in it."""
    ANCESTOR = "ancestor"
    """A folder that holds the namespace: nothing that would move, delete or restore what is in it."""
    INVALID = "invalid"
    """No path at all."""
    OK = "ok"


class _Invalid(ValueError):
    """The text cannot be a path."""


def verdict_of(path: str) -> PathVerdict:
    """What the path is to the reserved namespace, however it is spelt."""
    try:
        key = _key(path)
    except _Invalid:
        return PathVerdict.INVALID
    if key[: len(RESERVED)] == RESERVED:
        return PathVerdict.RESERVED
    return PathVerdict.ANCESTOR if key == RESERVED[: len(key)] else PathVerdict.OK


def _key(path: str) -> tuple[str, ...]:
    """The segments by which paths are compared. Raises: _Invalid."""
    if not 1 <= len(path.encode("utf-8", "surrogatepass")) <= PATH_BYTES_MAX:
        raise _Invalid
    segments: list[str] = []
    for part in _folded(path).split("/"):
        # Behind a colon Windows reads the name of a stream of the same file.
        segment = part.split(":", 1)[0].strip()
        if segment == "..":
            if not segments:
                raise _Invalid
            segments.pop()
        # Windows drops dots and blanks at the end of a name; "." and an empty name are none.
        elif segment := segment.rstrip(". "):
            segments.append(_long_name(segment))
    return tuple(segments)


def _folded(path: str) -> str:
    """The path with every disguise of its characters taken off, however often it was put on."""
    if path.isascii() and "%" not in path:
        _check_characters(path)
        return path.lower().replace("\\", "/")
    for _ in range(_ROUNDS_MAX):
        _check_characters(path)
        folded = _IGNORABLE.sub("", _ESCAPES.sub(_unescaped, path))
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())
        folded = folded.translate(_SEPARATORS)
        if folded == path:
            return path
        path = folded
    raise _Invalid


def _check_characters(path: str) -> None:
    if _FORBIDDEN.search(path) is not None:
        raise _Invalid


def _unescaped(escapes: re.Match[str]) -> str:
    try:
        return bytes.fromhex(escapes[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        raise _Invalid from None


def _long_name(segment: str) -> str:
    short = _SHORT_NAME.fullmatch(segment)
    letters = RESERVED[0].removeprefix(".")[:_SHORT_NAME_LETTERS_MAX]
    return RESERVED[0] if short is not None and letters.startswith(short[1]) else segment

"""Spellings of the reserved namespace, composed at random from every disguise that there is a name for.

Each is the same place in another dress, so that each has to be refused. One seed gives one list.
"""

import sys
import unicodedata
from collections.abc import Callable
from functools import cache
from random import Random

PLACES = (
    ".workspace/memory",
    ".workspace/memory/",
    ".workspace/memory/memory.md",
    ".workspace/memory/a/b.md",
)
SEPARATORS = ("/", "/", "/", "\\", "／", "＼", "\u2044", "\u2215", "\u29f8", "\u29f5", "\u2216", "\ufe68")
IGNORABLES = (
    "\u00ad\u034f\u061c\u115f\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u202e\u2060\u2065\u2066"
    "\u2069\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\ufff0\U0001bca0\U0001d173\U000e0001\U000e0061\U000e0101\U000e0fff"
)
SHORT_NAMES = ("WORKSP~1", "worksp~2", "Works~10", "WORK~123", ".worksp~1", "WORKSP~1.")
DETOURS = (
    "",
    ".",
    "..x/..",
    "a/..",
    "a/b/../..",
    ".workspace/..",
    "./.",
    "a/./..",
    ".workspace/memory/../..",
)
TRAILS = (
    "",
    "",
    "",
    ".",
    "..",
    " ",
    ". .",
    ":",
    "::$DATA",
    ":stream",
    " :x",
    "\u00a0",
    "\u3000",
    "…",
    ".\u200b",
)
PATH_BYTES_MAX = 1_024


def spellings(seed: int, number: int) -> list[str]:
    """So many spellings, all of them short enough to be a path."""
    random = Random(seed)  # noqa: S311  test data
    found: list[str] = []
    while len(found) < number:
        spelling = _spelling(random)
        if len(spelling.encode()) <= PATH_BYTES_MAX:
            found.append(spelling)
    return found


def _spelling(random: Random) -> str:
    segments = random.choice(PLACES).split("/")
    if random.random() < 0.1:
        segments[0] = random.choice(SHORT_NAMES)
    parts: list[str] = []
    for number, segment in enumerate(segments):
        if number < 2 and random.random() < 0.3:
            parts += _detour(random, at_root=number == 0)
        trail = random.choice(TRAILS) if number < 2 and random.random() < 0.4 else ""
        parts.append(segment + trail)
    text = random.choice(("", "", "/", "./", "//", " ")) + "/".join(parts)
    for change, share in ((_other_characters, 0.7), (_with_ignorables, 0.4), (_escaped, 0.5)):
        if random.random() < share:
            text = change(text, random)
    return text


def _detour(random: Random, *, at_root: bool) -> list[str]:
    """Segments that lead nowhere. Only at the root may they leave and come in again."""
    detour = random.choice(DETOURS)
    if not at_root and detour.startswith(".workspace"):
        detour = "x/.."
    return [*detour.split("/")]


def _other_characters(text: str, random: Random) -> str:
    share = random.choice((0.1, 0.5, 1.0))
    return "".join(_other(character, random) if random.random() < share else character for character in text)


def _other(character: str, random: Random) -> str:
    if character == "/":
        return random.choice(SEPARATORS)
    return random.choice(_compatible().get(character.casefold(), (character,)))


@cache
def _compatible() -> dict[str, tuple[str, ...]]:
    """Each character of the namespace with all that compatibility and case folding turn into it."""
    wanted: dict[str, list[str]] = {character: [] for character in ".workspacemdry~:0123456789"}
    for code in range(0x21, sys.maxunicode + 1):
        character = chr(code)
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
        if folded in wanted:
            wanted[folded].append(character)
    return {character: tuple(found) for character, found in wanted.items()}


def _with_ignorables(text: str, random: Random) -> str:
    share = random.choice((0.05, 0.3))
    return "".join(
        character + (random.choice(IGNORABLES) if random.random() < share else "") for character in text
    )


def _escaped(text: str, random: Random) -> str:
    share = random.choice((0.05, 0.3, 1.0))
    levels = random.choice((1, 1, 2, 3))
    choices: tuple[Callable[[str], str], ...] = (str, str.lower, str.swapcase)
    escaped = "".join(
        random.choice(choices)("".join(f"%{byte:02X}" for byte in character.encode()))
        if random.random() < share
        else character
        for character in text
    )
    for _ in range(levels - 1):
        escaped = escaped.replace("%", "%25")
    return escaped.replace("%", "％") if random.random() < 0.1 else escaped

"""Queries that have broken searches elsewhere, and random ones of every script: each must find something or nothing.

Pure, and the same for the same seed. `hostile.py` times them, tests/contract/test_hostile_queries.py asks them.
"""

import itertools
import random
import unicodedata
from collections.abc import Iterator, Sequence

SEED = 5_000
# No block of Unicode that has characters lies between two of these stretches.
STRETCH = 64
_LAST = 0x10FFFF
_UNUSED = frozenset({"Cn", "Co"})

FIXED: Sequence[str] = (
    "",
    " ",
    "\0",
    "a\0b",
    '"',
    "'",
    "(",
    ")",
    "*",
    "%",
    "_",
    "?",
    "\\",
    ":",
    "^",
    "-",
    "NOT",
    "a AND",
    "OR OR",
    "NEAR(a b, 5)",
    'tea" OR *',
    "content:tea",
    "tea & !tea | (tea <-> tea)",
    "'; DROP TABLE memory_items; --",
    "$$; SELECT pg_sleep(1); $$",
    "BENCH-100821",
    "C:\\repo\\main.py",
    "don't",
    "health.base",
    "\ud800",
    "\udfff\ud800",
    "\u202etea\u202c",
    "\ufeff\u200b\u200d",
    "-" * 10_000,
    '"' * 10_000,
    "(" * 10_000,
    "é" * 10_000,
    "e\u0301" * 5_000,
    "tea " * 2_500,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 500,
    "".join(f"w{number} " for number in range(2_000)),
)
_SPICE = (
    '"',
    "'",
    "*",
    "(",
    ")",
    "NOT ",
    " AND ",
    " OR ",
    "\\",
    "%",
    "_",
    "\0",
    "-",
    ":",
    "^",
    "~",
    "$",
    " ",
    "\n",
)


def hostile_texts(count: int, *, seed: int = SEED) -> list[str]:
    """So many texts: the fixed ones, then random ones, of one stretch of Unicode after the other."""
    numbers = random.Random(seed)  # noqa: S311  the point is to be repeatable
    drawn = (_drawn(numbers, stretch) for stretch in itertools.cycle(list(stretches())))
    return list(itertools.islice(itertools.chain(FIXED, drawn), count))


def stretches() -> Iterator[Sequence[str]]:
    """The assigned characters of each stretch that has any, halves of surrogate pairs among them."""
    for start in range(0, _LAST + 1, STRETCH):
        characters = [chr(code) for code in range(start, start + STRETCH)]
        assigned = [each for each in characters if unicodedata.category(each) not in _UNUSED]
        if assigned:
            yield assigned


def _drawn(numbers: random.Random, stretch: Sequence[str]) -> str:
    own = numbers.choices(stretch, k=numbers.randint(1, 12))
    spice = numbers.choices(_SPICE, k=numbers.randint(0, 4))
    parts = [*own, *spice]
    numbers.shuffle(parts)
    return "".join(parts)

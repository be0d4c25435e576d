"""Ranking: which items of a list answer a query best, from sets of item numbers alone.

Pure. A set of items is one big integer, bit n standing for item number n, so that a frequent word costs as
much as a rare one. `storage/search.py` reads the sets; `terms.py` says what is looked up.

A word that a text repeats counts once and long texts are not held back (items are short: both were measured
and buy nothing), so each word votes with one weight for every item that has it, and a `Tally` adds the votes.
docs/explanation/search.md has the measurements behind the constants.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workspace_memory.domain.terms import QueryTerms, is_unspaced

RARITY_POWER = 1.5
WHOLE_WEIGHT = 0.4
BEGINNING_WEIGHT = 0.6
INSIDE_WEIGHT = 0.2
PHRASE_WEIGHT = 0.4
# The words that hold a sentence together are short in every language that has spaces and letters.
SHORT_WORD_WEIGHTS = {1: 0.2, 2: 0.3, 3: 0.4, 4: 0.7}

WIDENING_WORDS_MIN = 3  # a code or a single word says exactly what it wants
WIDENING_ITEMS = 10
WIDENING_TERMS = 30
WIDENING_SHARE = 0.45

_UNITS = 1 << 14  # all votes of one query together, in the tally's whole numbers


@dataclass(frozen=True, slots=True)
class Vote:
    """A weight for each item of a set."""

    numbers: int
    weight: float


@dataclass(frozen=True, slots=True)
class WordMatches:
    """The items in which one word of the query is found, by how well."""

    whole: int
    beginning: int
    inside: int


def rarity(total: int, holding: int) -> float:
    """How much a word says that `holding` of `total` items have: near nothing for one in most of them."""
    return float(math.log(1 + (total - holding + 0.5) / (holding + 0.5)) ** RARITY_POWER)


def importance(word: str) -> float:
    """How much a word of a query matters by its length alone; 1 for all but short words of letters."""
    if len(word) not in SHORT_WORD_WEIGHTS or not word.isalpha() or is_unspaced(word):
        return 1.0
    return SHORT_WORD_WEIGHTS[len(word)]


def word_votes(word: str, matches: WordMatches, total: int) -> Iterator[Vote]:
    """The votes of one word: for itself, for its first letters, and for longer words that contain it."""
    for numbers, share in (
        (matches.whole, WHOLE_WEIGHT),
        (matches.whole | matches.beginning, BEGINNING_WEIGHT),
        (matches.whole | matches.inside if matches.inside else 0, INSIDE_WEIGHT),
    ):
        if numbers:
            yield Vote(numbers, importance(word) * share * rarity(total, numbers.bit_count()))


class Tally:
    """Sums of votes per item, kept as binary digits: plane i holds digit i of every item's sum."""

    def __init__(self, votes: Iterable[Vote], *, unit: float) -> None:
        self._planes: list[int] = []
        for vote in votes:
            self._add(vote.numbers, round(vote.weight / unit))
        self._unit = unit

    def _add(self, numbers: int, weight: int) -> None:
        planes = self._planes
        for digit in range(weight.bit_length()):
            if not weight >> digit & 1:
                continue
            carry, at = numbers, digit
            while carry:
                if at >= len(planes):
                    planes.extend([0] * (at - len(planes) + 1))
                planes[at], carry = planes[at] ^ carry, planes[at] & carry
                at += 1

    def best(self, count: int) -> tuple[int, int]:
        """The items among the best `count` for certain, and those that tie for the places left."""
        rest = 0
        for plane in self._planes:
            rest |= plane
        certain = 0
        for plane in reversed(self._planes):
            high = rest & plane
            size = high.bit_count()
            if size <= count:
                certain |= high
                count -= size
                rest ^= high
            else:
                rest = high
        return certain, rest if count else 0

    def sums(self, numbers: Iterable[int]) -> dict[int, float]:
        """The sum of each of these items."""
        size = max((plane.bit_length() for plane in self._planes), default=0) // 8 + 1
        digits = [plane.to_bytes(size, "little") for plane in self._planes]
        return {
            number: self._unit
            * sum((digit[number >> 3] >> (number & 7) & 1) << place for place, digit in enumerate(digits))
            for number in numbers
            if number >> 3 < size
        }

    def highest(self) -> float:
        """The best sum; 0 when there was no vote."""
        certain, ties = self.best(1)
        return next(iter(self.sums(members(certain or ties)).values()), 0.0) if certain | ties else 0.0


def tally(votes: Sequence[Vote]) -> Tally:
    """Add up votes, to one part in 16,384 of what an item could reach with all of them."""
    return Tally(votes, unit=sum(vote.weight for vote in votes) / _UNITS or 1.0)


def members(numbers: int) -> Iterator[int]:
    """The numbers in a set, ascending."""
    for at, byte in enumerate(numbers.to_bytes((numbers.bit_length() + 7) // 8, "little")):
        while byte:
            low = byte & -byte
            yield at * 8 + low.bit_length() - 1
            byte ^= low


def phrase_score(
    pairs: Sequence[tuple[str, str]], words: Sequence[str], rarities: Mapping[str, float]
) -> float:
    """What an item earns for words of the query that stand side by side in it as they do in the query."""
    present = set(words)
    if not any(first in present and second in present for first, second in pairs):
        return 0.0
    neighbours = set(pairwise(words))
    return PHRASE_WEIGHT * sum(
        min(rarities.get(pair[0], 0.0), rarities.get(pair[1], 0.0)) for pair in pairs if pair in neighbours
    )


def is_widened(query: QueryTerms) -> bool:
    """Whether a second pass looks for what the first one's best items are about."""
    return len(query.words) >= WIDENING_WORDS_MIN


def widening_terms(
    query: QueryTerms, best: Sequence[tuple[float, Sequence[str]]], rarities: Mapping[str, float]
) -> dict[str, float]:
    """The strongest words of the first pass's best items, with their weights.

    `best` has each item's score and its words, `rarities` the rarity of each of these words.
    """
    asked = {term for word in query.words for term in word.whole}
    top = max((score for score, _ in best), default=0.0) or 1.0
    strength: Counter[str] = Counter()
    for score, words in best:
        share = (score / top) ** 2 / math.sqrt(len(words) or 1)
        for word, times in Counter(words).items():
            if word not in asked and word in rarities:
                strength[word] += share * min(times, 2) * rarities[word] ** (1 / RARITY_POWER)  # pyright: ignore
    return dict(strength.most_common(WIDENING_TERMS))


def blended(first: Sequence[Vote], second: Sequence[Vote]) -> Tally:
    """Both passes in one tally, each measured by its own best item; sums are shares of a perfect 1."""
    high, wide = tally(first).highest(), tally(second).highest()
    if not wide:
        return Tally((Vote(vote.numbers, vote.weight / high) for vote in first), unit=1 / _UNITS)
    votes = [Vote(vote.numbers, vote.weight * (1 - WIDENING_SHARE) / high) for vote in first]
    votes += [Vote(vote.numbers, vote.weight * WIDENING_SHARE / wide) for vote in second]
    return Tally(votes, unit=1 / _UNITS)

"""Ranking: which items of a list answer a query best, from sets of item numbers alone.

Pure. A set of items is one big integer, bit n standing for item number n, so that a frequent word costs as
much as a rare one. `storage/search.py` reads the sets; `terms.py` says what is looked up.

A word that a text repeats counts once and long texts are not held back (items are short: both were measured
and buy nothing), so each word votes with one weight for every item that has it, and a `Tally` adds the votes.
docs/explanation/search.md has the measurements behind the constants.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from workspace_memory.domain.function_words import FUNCTION_WORDS
from workspace_memory.domain.terms import QueryTerms, bare, is_unspaced

RARITY_POWER = 1.2
WHOLE_WEIGHT = 0.3
BEGINNING_WEIGHT = 0.7
INSIDE_WEIGHT = 0.2
PHRASE_WEIGHT = 0.4
# What an item begins with is often who speaks in it, or what it is about; a share of the rarest word's weight.
FIRST_WORD_WEIGHT = 0.12
# The words that hold a sentence together are short in every language that has spaces and letters.
SHORT_WORD_WEIGHTS = {1: 0.2, 2: 0.3, 3: 0.4, 4: 0.7}
FUNCTION_WORD_WEIGHT = 0.3
# Japanese writes its particles and endings in hiragana, and most of what they belong to in other characters.
HIRAGANA_WEIGHT = 0.5
_HIRAGANA = re.compile("[\u3041-\u309f]+")

WIDENING_WORDS_MIN = 3  # a code or a single word says exactly what it wants
WIDENING_IMPORTANCE_MIN = 0.4
WIDENING_ITEMS = 10
WIDENING_TERMS = 25
WIDENING_SHARE = 0.6
# Dates, times and numbers of cases tie together what belongs to one occasion.
WIDENING_NUMBER_WEIGHT = 1.5
WIDENING_MISSING = (
    0.1  # from this part of the query on that even the best item lacks, the second pass counts fully
)

_UNITS = 1 << 14  # all votes of one query together, in the tally's whole numbers


class Vote(NamedTuple):
    """A weight for each item of a set."""

    numbers: int
    weight: float


class WordMatches(NamedTuple):
    """The items in which one word of the query is found, by how well."""

    whole: int
    beginning: int
    inside: int


def rarity(total: int, holding: int) -> float:
    """How much a word says that `holding` of `total` items have: near nothing for one in most of them."""
    return float(math.log(1 + (total - holding + 0.5) / (holding + 0.5)) ** RARITY_POWER)


def importance(word: str) -> float:
    """How much a word of a query matters by itself; 1 for what does not only hold sentences together."""
    if is_unspaced(word):
        return HIRAGANA_WEIGHT if _HIRAGANA.fullmatch(word) else 1.0
    if (word if word.isascii() else bare(word)) in FUNCTION_WORDS:
        return FUNCTION_WORD_WEIGHT
    return SHORT_WORD_WEIGHTS.get(len(word), 1.0) if word.isalpha() else 1.0


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
    """Sums of votes per item, kept as binary digits: plane i holds digit i of every item's sum.

    They are exact to one part in `units` of what an item could reach with all of these votes; fewer cost less.
    """

    def __init__(self, votes: Sequence[Vote], *, units: int = _UNITS) -> None:
        self._planes: list[int] = []
        self._unit = sum(vote.weight for vote in votes) / units or 1.0
        self.add(votes)

    def add(self, votes: Iterable[Vote]) -> None:
        """Count these votes as well."""
        for vote in votes:
            # An item that only a weak word finds is still found.
            self._add(vote.numbers, max(round(vote.weight / self._unit), 1))

    def _add(self, numbers: int, weight: int) -> None:
        planes = self._planes
        planes.extend([0] * (weight.bit_length() - len(planes)))
        digit = 0
        while weight:
            carry, at = numbers if weight & 1 else 0, digit
            while carry:
                if at == len(planes):
                    planes.append(carry)
                    break
                plane = planes[at]
                planes[at], carry = plane ^ carry, plane & carry
                at += 1
            weight >>= 1
            digit += 1

    def best(self, count: int) -> tuple[int, int]:
        """The items among the best `count` for certain, and those that tie for the places left."""
        rest = self._found()
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

    def at_least(self, units: int) -> int:
        """The items whose sum is so many units or more, at least one."""
        above, equal = 0, self._found()
        for at in reversed(range(max(len(self._planes), units.bit_length()))):
            plane = self._planes[at] if at < len(self._planes) else 0
            if units >> at & 1:
                equal &= plane
            else:
                above |= equal & plane
                equal &= ~plane
        return above | equal

    def _found(self) -> int:
        found = 0
        for plane in self._planes:
            found |= plane
        return found

    def sums(self, numbers: Iterable[int]) -> dict[int, float]:
        """The sum of each of these items."""
        size = max((plane.bit_length() for plane in self._planes), default=0) // 8 + 1
        digits = [
            (self._unit * (1 << at), plane.to_bytes(size, "little")) for at, plane in enumerate(self._planes)
        ]
        sums: dict[int, float] = {}
        for number in numbers:
            byte, bit = number >> 3, 1 << (number & 7)
            sums[number] = sum(worth for worth, digit in digits if digit[byte] & bit) if byte < size else 0.0
        return sums


def members(numbers: int) -> Iterator[int]:
    """The numbers in a set, ascending."""
    # As text, since looking for the next one in it passes over what is empty faster than any arithmetic.
    digits = f"{numbers:b}"[::-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


def highest(numbers: int, count: int) -> list[int]:
    """The `count` highest numbers in a set, ascending."""
    size = numbers.bit_length()
    width = 8 * count
    while width < size and (numbers >> size - width).bit_count() < count:
        width *= 2
    start = max(size - width, 0)
    return [start + number for number in members(numbers >> start)][-count:]


def phrase_score(phrases: Iterable[tuple[str, float]], words: str) -> float:
    """What an item earns for words that stand side by side in it as they do in the query.

    `words` are the item's, from `phrase_text`; `phrases` come from `phrases_of`.
    """
    return sum(weight for phrase, weight in phrases if phrase in words)


def phrase_text(words: str) -> str:
    """An item's words, parted by blanks, as phrases are looked for in them: a line with a blank around each."""
    return f"\n {words} "


def phrases_of(query: QueryTerms, rarities: Mapping[str, float], total: int) -> list[tuple[str, float]]:
    """What an item earns for two neighbouring words of the query, and for beginning with a word of it."""
    words = [word.word for word in query.words if word.word in rarities]
    neighbours = [
        (f" {first} {second} ", PHRASE_WEIGHT * min(rarities[first], rarities[second]))
        for first, second in pairwise(words)
    ]
    first_word = FIRST_WORD_WEIGHT * rarity(total, 1)
    return neighbours + [(f"\n {word} ", first_word * importance(word)) for word in words]


def is_widened(query: QueryTerms) -> bool:
    """Whether a second pass looks for what the first one's best items are about."""
    return query.size >= WIDENING_WORDS_MIN


def widening_share(first: float, perfect: float) -> float:
    """How much the second pass may count: nothing beside an item that has every word of the query.

    Whoever asks with a whole sentence or a code has said what they want; its neighbours must not overtake it.
    """
    missing = max(0.0, 1.0 - first / perfect) if perfect else 0.0
    return WIDENING_SHARE * min(1.0, missing / WIDENING_MISSING)


def widening_terms(
    query: QueryTerms,
    best: Sequence[tuple[float, Sequence[str]]],
    rarities: Mapping[str, float],
    share_of_whole: float = WIDENING_SHARE,
) -> dict[str, float]:
    """The strongest words of the first pass's best items, each with the weight of its vote.

    `best` has each item's score and its words, `rarities` the rarity of the words that may be chosen. The weights
    are scaled to the first pass's: the item that is best in the second pass earns by it what the best of the first
    pass earned, where both have half of the whole (`share_of_whole`).
    """
    asked = {term for word in query.words for term in word.whole}
    top = max((score for score, _ in best), default=0.0)
    strength: dict[str, float] = {}
    for score, words in best:
        share = (score / top) ** 2 / math.sqrt(len(words) or 1)
        for word in set(words):
            if word in rarities and word not in asked:
                strength[word] = strength.get(word, 0.0) + share * _widening_weight(word)
    weights = {word: value * rarities[word] for word, value in strength.items()}
    chosen = sorted(weights, key=lambda word: (-weights[word], word))[:WIDENING_TERMS]
    high = max((sum(weights[word] for word in chosen if word in words) for _, words in best), default=0.0)
    scale = share_of_whole / (1 - share_of_whole) * top / high if high else 0.0
    return {word: weights[word] * scale for word in chosen}


def _widening_weight(word: str) -> float:
    return WIDENING_NUMBER_WEIGHT if word[0].isdigit() else 1.0


def may_widen(word: str) -> bool:
    """Whether a word of a good item can be worth a vote: some only hold sentences together."""
    return importance(word) > WIDENING_IMPORTANCE_MIN

"""Made-up texts and queries for the speed benchmark: the same for the same seed, and nobody's.

Pure. Words are invented syllable by syllable; how often each occurs falls with its rank as in natural language
(Zipf), so that there are frequent and rare words to search for. A fifth of the texts carry a code.
"""

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

SEED = 20_000
VOCABULARY_SIZE = 30_000
FUNCTION_WORDS = 150
WORDS_MIN, WORDS_MAX = 30, 40
CODES_EVERY = 5
RARE_TEXTS_MAX = 5
PARTIAL_LETTERS = 5
FREQUENT = 50

_ONSETS = (
    "b",
    "br",
    "d",
    "f",
    "g",
    "gr",
    "h",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "z",
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ou")
_ENDINGS = ("", "", "n", "r", "s", "l", "nt")


class QueryKind(StrEnum):
    """What sort of query is timed; each costs a search engine something else."""

    RARE = "rare word"
    FREQUENT = "frequent word"
    FIVE_WORDS = "five words"
    PARTIAL = "partial word"
    CODE = "code"


class Writer:
    """Writes one text after the other from its own random numbers, in invented words or in those that are given."""

    def __init__(self, seed: int = SEED, *, words: Sequence[str] = ()) -> None:
        self._random = random.Random(seed)  # noqa: S311  the point is to be repeatable
        if words:
            # By chance, or the frequent ones would be those that no search looks for.
            self._vocabulary = self._random.sample(sorted(words), k=len(words))
        else:
            self._vocabulary = _vocabulary(self._random, VOCABULARY_SIZE)
        ranks = range(1, len(self._vocabulary) + 1)
        self._weights = list(itertools.accumulate(1 / rank for rank in ranks))
        self._numbers = itertools.count(10_000)

    def texts(self, count: int) -> list[str]:
        """So many further texts, no two alike."""
        return [self._text(next(self._numbers)) for _ in range(count)]

    def _text(self, number: int) -> str:
        size = self._random.randint(WORDS_MIN, WORDS_MAX)
        words = self._random.choices(self._vocabulary, cum_weights=self._weights, k=size)
        if number % CODES_EVERY == 0:
            words.insert(self._random.randrange(size), f"INV-{number}")
        # Zipf's words repeat, and a memory keeps no text twice; the tail makes each text one of its own.
        body = " ".join(words)
        return f"{body[0].upper()}{body[1:]}, part {number}."


def queries(
    texts: Sequence[str], kind: QueryKind, count: int, *, seed: int = SEED, frequent: int = FREQUENT
) -> list[str]:
    """So many queries of a kind, each of which some of the texts answer; they repeat when there are too few.

    `frequent` is how many words pass for frequent ones.

    Raises: ValueError when no text has anything to ask for.
    """
    numbers = random.Random(f"{seed} {kind}")  # noqa: S311  the point is to be repeatable
    spread = Counter(word for text in texts for word in set(_plain_words(text)))
    match kind:
        case QueryKind.RARE:
            pool = [word for word, held in spread.items() if held <= RARE_TEXTS_MAX]
        case QueryKind.FREQUENT:
            # Below the very first, which stand for the function words that nobody searches for.
            pool = [word for word, _ in spread.most_common(frequent + 10)[10:]]
        case QueryKind.FIVE_WORDS:
            asked = numbers.choices(texts, k=count)
            pool = [" ".join(numbers.sample(_plain_words(text), k=5)) for text in asked]
        case QueryKind.PARTIAL:
            long = [word for word in spread if len(word) > PARTIAL_LETTERS + 2]
            pool = [
                word[at : at + PARTIAL_LETTERS] for word in long for at in (0, len(word) - PARTIAL_LETTERS)
            ]
        case QueryKind.CODE:
            pool = [word for text in texts for word in text.split() if word.upper().startswith("INV-")]
    if not pool:
        raise ValueError(f"no text offers a query of the kind {kind.value}")
    # Sorted first, so that the choice depends on the seed and not on the order in which words were counted.
    chosen = sorted(pool)
    numbers.shuffle(chosen)
    return list(itertools.islice(itertools.cycle(chosen), count))


def different_queries(texts: Sequence[str], count: int) -> dict[QueryKind, list[str]]:
    """So many queries of each kind, all of them different, also between the kinds.

    Raises: ValueError when the texts do not offer so many.
    """
    found: dict[QueryKind, list[str]] = {}
    seen: set[str] = set()
    for kind in QueryKind:
        # Twice as many, since a part of a word may be another word.
        offered = dict.fromkeys(queries(texts, kind, 2 * count, frequent=count))
        found[kind] = list(itertools.islice((query for query in offered if query not in seen), count))
        if len(found[kind]) < count:
            raise ValueError(f"the texts do not offer {count:,} different queries of the kind {kind.value}")
        seen.update(found[kind])
    return found


def _plain_words(text: str) -> list[str]:
    body = text.partition(",")[0].lower()
    return [word for word in body.split() if word.isalpha()]


def _vocabulary(numbers: random.Random, size: int) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < size:
        # Frequent words are short in every language.
        syllables = 1 if len(words) < FUNCTION_WORDS else numbers.randint(2, 4)
        words[_word(numbers, syllables)] = None
    return list(words)


def _word(numbers: random.Random, syllables: int) -> str:
    return "".join(
        numbers.choice(_ONSETS) + numbers.choice(_VOWELS) + numbers.choice(_ENDINGS) for _ in range(syllables)
    )

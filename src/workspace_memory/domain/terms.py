"""Terms: what an item can be found by, and what a query looks for. Made once here, for every database.

Pure, and total: any string is safe, a query has no syntax, and a text without words has no terms. No
stemming, and function words are terms as well (`ranking.py` weighs them down).
`storage/search.py` keeps what `indexed` returns and looks up what `query_terms` asks for.

The forms of one word, all of them indexed: the word after NFKC and case folding; without its diacritics;
with the German and Nordic spellings (ä as ae); the first letters of a longer word; the parts and the joined
whole of a code or path, and of a number that is written in groups. Unspaced scripts and Korean become
overlapping pairs and single characters.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

TERM_CHARACTERS_MAX = 64
BEGINNING_LETTERS = 5
# NFKC turns the ellipsis character into three dots, so no word of any text can collide with these terms.
BEGINNING_MARK = "…"
TAG_MARK = "#"
# A term of no word: who keeps an index says by it that an item came late, so that its number does not tell its time.
LATE_MARK = BEGINNING_MARK
QUERY_WORDS_MAX = 48
PARTIAL_LETTERS_MIN = 3
TRIGRAM_LETTERS = 3  # no part that is asked for is shorter
PIECES_MAX = 3
NORMAL_CHARACTERS_MAX = 8_192  # an item has at most 2,000, which grow a little when they are taken apart
JOINED_RUNS_MAX = 4
# A text that is saved is first compared with others and then put into the index, by several threads.
_TEXTS_KEPT = 8
JOINED_NUMBERS_MAX = 6  # groups of digits in a telephone or account number
# The last part of a compound is looked for from five letters on, after at least three others.
ENDING_LETTERS = 5
BEFORE_ENDING_LETTERS = 3
ENDINGS_MAX = 16

# Thai and Lao, Tibetan, Myanmar, Hangul, Khmer, kana, Han; the middle dot of katakana separates words.
_UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u2e80-\u2fdf\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff"
    "\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Pictures count as words of one character.
_PICTURES = "\u2600-\u27bf\U0001f000-\U0001faff"
# Combining marks and vowel signs belong to their word; `\w` leaves most of them out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_LETTERS = re.compile(f"[\\w{_MARKS}{_UNSPACED}{_PICTURES}]+")
_SCRIPTS = re.compile(f"[{_UNSPACED}]+|[{_PICTURES}]|[^_{_UNSPACED}{_PICTURES}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}{_PICTURES}]")
_NOT_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\u2012-\u2015\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_LETTERS_AND_DIGITS = re.compile(r"\d+|\D+")
_FOLDED_MARKS = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
_QUOTES_AND_HYPHENS = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2212": "-"}
)
# Letters that Unicode does not take apart into a base and a mark.
_BASE_LETTERS = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
)
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_AROUND_A_WORD = ".,;:!?\"'()[]"
# A mark that makes another word of the letters next to it: C++, C#, .NET, #tag, @name, 5%.
_LEADING = frozenset("#@.$")
_TRAILING = frozenset("+#%")


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query with the terms an item may have instead, strongest sense first."""

    word: str
    whole: tuple[str, ...]  # the word itself, in each of its forms
    beginnings: tuple[str, ...]  # terms of words that share the first letters, or lack the last
    endings: tuple[str, ...]  # what may be the last word of this compound, the longest first
    partial: tuple[str, ...]  # to be looked for inside longer words; empty where that says nothing


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The words of a query in order, and the words it may have torn apart (inv 20931, foo bar).

    `size` is how many words a reader would count: one for a code of several parts, and one for two pairs of a
    script without blanks.
    """

    words: tuple[QueryWord, ...]
    joined: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True)
class IndexedText:
    """What an item is found by: its words in their order, for phrases, and all terms, which include them."""

    words: tuple[str, ...]
    terms: frozenset[str]


@lru_cache(_TEXTS_KEPT)
def indexed(text: str) -> IndexedText:
    """The words and terms of a text; each has at most 64 characters, and no blank or control character."""
    words: list[str] = []
    terms: set[str] = set()
    groups = list(_groups(text))
    for group in groups:
        words += group.words
        terms.update(group.words, group.more)
    terms.update(_joined_numbers(groups))
    return IndexedText(tuple(words), frozenset(terms))


def index_terms(text: str) -> frozenset[str]:
    """Every term that finds this text."""
    return indexed(text).terms


def tag_terms(tag: str) -> frozenset[str]:
    """The terms of a tag: those of its text, and one that says that the whole tag was meant."""
    terms = index_terms(tag)
    whole = _only_letters(_normal(tag))
    return terms | {_cut(TAG_MARK + whole)} if whole else terms


def query_terms(text: str) -> QueryTerms:
    """What to look for. Empty for a text without words; at most 48 words of a longer one."""
    words: dict[str, None] = {}
    runs: list[str] = []
    size = 0
    for group in _groups(text):
        words.update(dict.fromkeys((*group.words, *group.whole)))
        runs.append(group.letters)
        size += _size(group)
        if len(words) >= QUERY_WORDS_MAX:
            break
    asked = list(words)[:QUERY_WORDS_MAX]
    joined = (term for term in dict.fromkeys(_joined(runs)) if term not in words)
    return QueryTerms(tuple(_query_word(word) for word in asked), tuple(joined), size)


def has_words(text: str) -> bool:
    """Whether `query_terms` finds any word to look for."""
    return next(_groups(text), None) is not None


def is_unspaced(word: str) -> bool:
    """Whether a term is of a script that puts no blanks between words: a pair, or a single character."""
    return _IS_UNSPACED.match(word) is not None


def searchable_inside(term: str) -> bool:
    """Whether a part of this term may be asked for: a longer word of a spaced script."""
    marked = BEGINNING_MARK in term or term.startswith(TAG_MARK)
    return len(term) > PARTIAL_LETTERS_MIN and not marked and not is_unspaced(term)


def trigrams(term: str) -> frozenset[str]:
    """Every three letters that stand side by side in a term."""
    return frozenset(term[at : at + TRIGRAM_LETTERS] for at in range(len(term) - TRIGRAM_LETTERS + 1))


class _Group(NamedTuple):
    """What stands between two blanks: its words, the whole of a code, and further forms of all of these.

    A tuple, since a text has dozens and a frozen dataclass takes four times as long to make.
    """

    letters: str
    words: Sequence[str]
    whole: Sequence[str]
    more: Sequence[str]


def _groups(text: str) -> Iterator[_Group]:
    for run in _normal(text).split():
        bare = run.strip(_AROUND_A_WORD)
        if bare.isascii() and bare.isalpha() and run.find(bare) == 0:
            word = _cut(bare)
            yield _Group(word, (word,), (), _beginnings(word))
            continue
        group = _group(run)
        if group.words:
            yield group


def _normal(text: str) -> str:
    if text.isascii():
        return _NOT_TEXT.sub(" ", text[:NORMAL_CHARACTERS_MAX]).lower()
    text = _INVISIBLE.sub("", _NOT_TEXT.sub(" ", text)).translate(_QUOTES_AND_HYPHENS)
    # Cut twice: some single characters stand for eighteen, and whoever sends thousands must not hold everybody up.
    text = unicodedata.normalize("NFKC", text[:NORMAL_CHARACTERS_MAX])[:NORMAL_CHARACTERS_MAX]
    return unicodedata.normalize("NFKC", text.casefold())


def _group(run: str) -> _Group:
    words: list[str] = []
    spaced: list[str] = []
    more: list[str] = []
    for letters in _LETTERS.findall(run):
        for part in _SCRIPTS.findall(letters):
            if is_unspaced(part):
                words += _pairs(part)
                more += part if len(part) > 1 else ()
            else:
                words.append(_cut(part))
                spaced.append(part)
    whole = _whole(run, spaced)
    more += whole
    for word in dict.fromkeys((*words, *whole)):
        more += _other_forms(word)
        more += _beginnings(word)
    return _Group(_only_letters(run), words, whole, more)


def _whole(run: str, parts: Sequence[str]) -> list[str]:
    """A code as one word, however it is separated (inv20931); and letters apart from digits within a part."""
    whole: list[str] = []
    if len(parts) > 1:
        whole.append(_cut("".join(parts)))
    elif parts and (marked := _marked(run, parts[0])):
        whole.append(marked)
    for part in parts:
        pieces = _LETTERS_AND_DIGITS.findall(part[:TERM_CHARACTERS_MAX])
        # A hash has dozens of such pieces, each shared by chance with other hashes.
        whole += pieces if 1 < len(pieces) <= PIECES_MAX else ()
    return whole


def _only_letters(run: str) -> str:
    return "".join(_LETTERS.findall(run)).replace("_", "")


def _cut(word: str) -> str:
    return word[:TERM_CHARACTERS_MAX]


def _pairs(characters: str) -> Iterable[str]:
    return (a + b for a, b in pairwise(characters)) if len(characters) > 1 else (characters,)


def _marked(run: str, part: str) -> str:
    """`c++`, `.net` or `#tag`: the word with the marks that belong to it, or nothing."""
    at = run.index(part)
    end = at + len(part)
    lead = run[at - 1] if at and run[at - 1] in _LEADING else ""
    trail = end
    while trail < min(len(run), end + 2) and run[trail] in _TRAILING:
        trail += 1
    return _cut(lead + part + run[end:trail]) if lead or trail > end else ""


def _other_forms(word: str) -> list[str]:
    """Without diacritics, and spelt out: `münchen` is also `munchen` and `muenchen`."""
    if word.isascii() or is_unspaced(word):
        return []
    plain = bare(word)
    forms = (plain, bare(word.translate(_SPELT_OUT)))
    return [form for form in dict.fromkeys(map(_cut, forms)) if form and form != word]


def bare(word: str) -> str:
    """A word in small letters without its diacritics: `łódź` is `lodz`."""
    apart = unicodedata.normalize("NFD", word.translate(_BASE_LETTERS))
    return unicodedata.normalize("NFC", _FOLDED_MARKS.sub("", apart))


def _beginnings(word: str) -> list[str]:
    """The first letters of a longer word; a shorter one is its own beginning and needs no further term."""
    if len(word) <= BEGINNING_LETTERS or is_unspaced(word):
        return []
    if word.isascii():
        return [word[:BEGINNING_LETTERS] + BEGINNING_MARK]
    heads = (form[:BEGINNING_LETTERS] + BEGINNING_MARK for form in (word, *_other_forms(word)))
    return list(dict.fromkeys(heads))


def _query_word(word: str) -> QueryWord:
    forms = (word, *_other_forms(word))
    if is_unspaced(word):
        return QueryWord(word, forms, tuple(word) if len(word) > 1 else (), (), ())
    heads = dict.fromkeys(form[:BEGINNING_LETTERS] for form in forms if len(form) >= BEGINNING_LETTERS)
    beginnings = [term for head in heads for term in (head + BEGINNING_MARK, head)]
    if PARTIAL_LETTERS_MIN < len(word) <= BEGINNING_LETTERS and word.isalpha():
        # Such a word is its own beginning, and still has a plural or another case: dogs.
        beginnings.append(word[:-1])
    partial = forms if len(word) >= PARTIAL_LETTERS_MIN else ()
    return QueryWord(word, forms, tuple(beginnings), _endings(forms), partial)


def _endings(forms: Sequence[str]) -> tuple[str, ...]:
    """What each form ends with, the longest first: `kundenbewertung` may end with the word `bewertung`."""
    endings: dict[str, None] = {}
    for form in forms:
        last = len(form) - ENDING_LETTERS
        first = max(BEFORE_ENDING_LETTERS, last - ENDINGS_MAX + 1)
        if form.isalpha():
            endings.update(dict.fromkeys(form[start:] for start in range(first, last + 1)))
    return tuple(sorted(endings, key=len, reverse=True))


def _size(group: _Group) -> int:
    pairs = sum(map(is_unspaced, group.words))
    return (pairs + 1) // 2 + (pairs < len(group.words))


def _joined_numbers(groups: Sequence[_Group]) -> Iterator[str]:
    """Numbers that are written in groups of digits, as one: `+49 30 23125` is also 493023125."""
    for are_digits, side_by_side in groupby((group.letters for group in groups), str.isdigit):
        numbers = list(side_by_side) if are_digits else []
        if 1 < len(numbers) <= JOINED_NUMBERS_MAX:
            yield _cut("".join(numbers))


def _joined(runs: Sequence[str]) -> Iterator[str]:
    """Each run, and up to four side by side, as a whole tag and, where there are several, as one word."""
    for size in range(1, JOINED_RUNS_MAX + 1):
        for start in range(len(runs) - size + 1):
            joined = "".join(runs[start : start + size])
            yield _cut(TAG_MARK + joined)
            if size > 1 and not _IS_UNSPACED.search(joined):
                yield _cut(joined)

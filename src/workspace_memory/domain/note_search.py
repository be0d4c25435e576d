"""Searching in the text of notes: every word of the query has to begin a word of the text or of the path.

Pure, and nothing is kept: neither query nor text. Case and accents do not matter. Scripts without blanks between words
are searched anywhere. `terms.py` has the richer rules for memory items, which are indexed.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.terms import bare, is_unspaced

QUERY_CHARACTERS_MAX = 1_000
QUERY_WORDS_MAX = 20
LINES_SHOWN = 3
LINE_CHARACTERS = 300

_AROUND_A_WORD = ".,;:!?\"'()[]{}<>*_`"


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line in which a word was found: its number from 1, and its text, cut to 300 characters around the word."""

    number: int
    text: str


class NoteQuery:
    """What is looked for. Raises: InvalidRequest for a query that is too long or has no word."""

    def __init__(self, query: str) -> None:
        if len(query) > QUERY_CHARACTERS_MAX:
            raise InvalidRequest("query", f"has at most {QUERY_CHARACTERS_MAX:,} characters")
        words = [word for run in _folded(query).split() if (word := run.strip(_AROUND_A_WORD))]
        if not words:
            raise InvalidRequest("query", "has no word to look for")
        self._words = [_beginning(word) for word in dict.fromkeys(words[:QUERY_WORDS_MAX])]

    def find(self, path: str, text: str) -> Sequence[FoundLine] | None:
        """The first lines with any of the words, where path and text together have them all; else None.

        Empty when they all stand in the path.
        """
        folded, in_path = _folded(text), _folded(path)
        if not all(word.search(in_path) or word.search(folded) for word in self._words):
            return None
        found: list[FoundLine] = []
        for number, line in enumerate(text.split("\n"), 1):
            start = self._first_word(_folded(line))
            if start is not None:
                found.append(FoundLine(number, _cut(line, start)))
                if len(found) == LINES_SHOWN:
                    break
        return found

    def _first_word(self, folded_line: str) -> int | None:
        starts = [hit.start() for word in self._words if (hit := word.search(folded_line))]
        return min(starts) if starts else None


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else bare(unicodedata.normalize("NFKC", text).casefold())


def _beginning(word: str) -> re.Pattern[str]:
    return re.compile(re.escape(word) if is_unspaced(word) else rf"(?<!\w){re.escape(word)}")


def _cut(line: str, start: int) -> str:
    line = line.strip()
    # Folding may shift places by a few characters, which a quarter of the line makes up for.
    first = max(0, min(start - LINE_CHARACTERS // 4, len(line) - LINE_CHARACTERS))
    return line[first : first + LINE_CHARACTERS]

"""The vocabulary of a search list: which longer words of it contain a part, by the three letters they share.

A word stands once under each trigram of it. Looking a part up reads a few of its trigrams and goes through the
shortest of these lists, so that it costs as much in a large list as in a small one; the rows of one trigram are
one text, since a row for each word would be many times as large as what it says.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from sqlalchemy import Connection

from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.terms import TRIGRAM_LETTERS, trigrams
from workspace_memory.storage.search_sql import Statement, Upsert

# Of a long part, so many trigrams far from each other are enough to find a short list among them.
TRIGRAMS_READ_MAX = 3

_OF_LISTS = Statement(
    "SELECT list_key, trigram, terms FROM search_trigrams"
    " WHERE workspace_id = ? AND list_key IN (?*) AND trigram IN (?*)"
)
_OF_LIST = Statement(
    "SELECT trigram, terms FROM search_trigrams WHERE workspace_id = ? AND list_key = ? AND trigram IN (?*)"
)
_COLUMNS = ("workspace_id", "list_key", "trigram", "terms")
_APPEND = Upsert("search_trigrams", _COLUMNS, ("text", "text"), appends=True)
_PUT = Upsert("search_trigrams", _COLUMNS, ("text", "text"))
_DELETE = Statement("DELETE FROM search_trigrams WHERE workspace_id = ? AND list_key = ? AND trigram IN (?*)")


class Vocabulary:
    """The words of some lists of a workspace, for parts of at least three letters."""

    def __init__(
        self, connection: Connection, workspace: WorkspaceId, list_keys: Sequence[str], parts: Iterable[str]
    ) -> None:
        """Read what answers for these parts, in one statement."""
        self._asked = {part: _some_trigrams(part) for part in parts}
        self._lists: dict[str, dict[str, str]] = {}
        wanted = sorted({trigram for some in self._asked.values() for trigram in some})
        for list_key, trigram, terms in _OF_LISTS.rows(connection, workspace, list_keys, wanted):
            self._lists.setdefault(list_key, {})[trigram] = terms

    def containing(self, part: str) -> Iterator[str]:
        """The words with this part, which is one of those that were given; one that several lists have comes again."""
        asked = self._asked[part]
        for terms in self._lists.values():
            if all(trigram in terms for trigram in asked):
                yield from _lines_with(min((terms[trigram] for trigram in asked), key=len), part)


def add_words(connection: Connection, workspace: WorkspaceId, list_key: str, words: Collection[str]) -> None:
    """Let these words, which the list has not had, be found by their parts."""
    # By the database alone: it need not come here for that, however long it is.
    rows = ((trigram, _lines(some)) for trigram, some in _by_trigram(words).items())
    _APPEND.run(connection, (workspace, list_key), rows)


def drop_words(connection: Connection, workspace: WorkspaceId, list_key: str, words: Collection[str]) -> None:
    """Let these words no longer be found; no row keeps them."""
    by_trigram = _by_trigram(words)
    if not by_trigram:
        return
    left: dict[str, str] = {}
    for trigram, terms in _OF_LIST.rows(connection, workspace, list_key, sorted(by_trigram)):
        gone = set(by_trigram[trigram])
        left[trigram] = _lines(term for term in terms.split("\n")[:-1] if term not in gone)
    kept = {trigram: terms for trigram, terms in left.items() if terms}
    _PUT.run(connection, (workspace, list_key), kept.items())
    _DELETE.run(connection, workspace, list_key, sorted(left.keys() - kept.keys()))


def _by_trigram(words: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        for trigram in trigrams(word):
            found.setdefault(trigram, []).append(word)
    return found


def _lines(words: Iterable[str]) -> str:
    return "".join(f"{word}\n" for word in words)


def _some_trigrams(part: str) -> list[str]:
    last = len(part) - TRIGRAM_LETTERS
    step = max(1, -(-last // (TRIGRAMS_READ_MAX - 1)))
    return [part[at : at + TRIGRAM_LETTERS] for at in dict.fromkeys((*range(0, last, step), last))]


def _lines_with(lines: str, part: str) -> Iterator[str]:
    at = lines.find(part)
    while at >= 0:
        end = lines.index("\n", at)
        yield lines[lines.rfind("\n", 0, at) + 1 : end]
        at = lines.find(part, end)

"""The vocabulary of a search list: which longer words of it contain a part, by the three letters they share.

A word stands once under each trigram of it. Looking a part up reads a few of its trigrams and goes through the
shortest of these lists, so that it costs as much in a large list as in a small one; the rows of one trigram are
one text, since a row for each word would be many times as large as what it says.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

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
_PUT = Upsert("search_trigrams", ("workspace_id", "list_key", "trigram", "terms"), ("text", "text"))
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
    by_trigram = _by_trigram(words)
    if by_trigram:
        present = _present(connection, workspace, list_key, by_trigram)
        rows = (
            (trigram, f"{present.get(trigram, _NOTHING)}{_BREAK.join(some)}{_BREAK}")
            for trigram, some in by_trigram.items()
        )
        _PUT.run(connection, (workspace, list_key), rows)


def drop_words(connection: Connection, workspace: WorkspaceId, list_key: str, words: Collection[str]) -> None:
    """Let these words no longer be found; no row keeps them."""
    by_trigram = _by_trigram(words)
    if not by_trigram:
        return
    left: dict[str, str] = {}
    for trigram, terms in _present(connection, workspace, list_key, by_trigram).items():
        gone = set(by_trigram[trigram])
        left[trigram] = _BREAK.join(term for term in terms.split(_BREAK) if term not in gone)
    kept = {trigram: terms for trigram, terms in left.items() if terms != _NOTHING}
    _PUT.run(connection, (workspace, list_key), kept.items())
    _DELETE.run(connection, workspace, list_key, sorted(left.keys() - kept.keys()))


_BREAK = "\n"
_NOTHING = _BREAK  # a break before and after each word, so that a part is found as a part of lines


def _by_trigram(words: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        for trigram in trigrams(word):
            found.setdefault(trigram, []).append(word)
    return found


def _present(
    connection: Connection, workspace: WorkspaceId, list_key: str, by_trigram: Mapping[str, object]
) -> dict[str, str]:
    return dict(_OF_LIST.rows(connection, workspace, list_key, sorted(by_trigram)))


def _some_trigrams(part: str) -> list[str]:
    last = len(part) - TRIGRAM_LETTERS
    step = max(1, -(-last // (TRIGRAMS_READ_MAX - 1)))
    return [part[at : at + TRIGRAM_LETTERS] for at in dict.fromkeys((*range(0, last, step), last))]


def _lines_with(lines: str, part: str) -> Iterator[str]:
    at = lines.find(part)
    while at >= 0:
        end = lines.index(_BREAK, at)
        yield lines[lines.rindex(_BREAK, 0, at) + 1 : end]
        at = lines.find(part, end)

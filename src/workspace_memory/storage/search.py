"""The search index: which active items a query finds, best first, the same on SQLite and PostgreSQL.

Own postings instead of a database's full text: the rows of an item are deleted exactly with it, and one scoring
serves both databases. `search_writing.py` keeps the rows, `domain/terms.py` makes the terms, `domain/ranking.py`
scores. Nothing here decides who may see an item: the caller names the lists that a person may search.
docs/explanation/search.md tells why, and what else was measured.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from workspace_memory.domain import ranking
from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.ranking import Tally, Vote, WordMatches
from workspace_memory.domain.terms import QueryTerms, QueryWord, query_terms
from workspace_memory.storage.search_numbers import SEGMENT_SIZE, as_bits, bits_size, write_bits
from workspace_memory.storage.search_sql import Statement
from workspace_memory.storage.search_writing import SearchWriter

# Read beyond the limit, so that phrases can lift an item over it.
CANDIDATES_MORE = 30
TIES_BY_TIME_MAX = 256
INSIDE_TERMS_MAX = 64

_SEGMENTS = Statement(
    "SELECT list_key, segment, numbers FROM search_segments"
    " WHERE workspace_id = ? AND list_key IN (?*) ORDER BY list_key, segment"
)
_POSTINGS = Statement(
    "SELECT list_key, term, segment, numbers FROM search_postings"
    " WHERE workspace_id = ? AND list_key IN (?*) AND term IN (?*)"
)
_VOCABULARY = Statement("SELECT terms FROM search_vocabulary WHERE workspace_id = ? AND list_key IN (?*)")
_BY_TIME = Statement(
    "SELECT number FROM search_documents"
    " WHERE workspace_id = ? AND list_key = ? AND number IN (?*) ORDER BY created_at_us DESC, number DESC LIMIT ?"
)
_DOCUMENTS = Statement(
    "SELECT number, item_id, created_at_us, words FROM search_documents"
    " WHERE workspace_id = ? AND list_key = ? AND number IN (?*)"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A found item. The score is a share of what a perfect match of the query would have, 0 to 1 and a little."""

    item: ItemId
    score: float


class SearchIndex:
    """The lists of every workspace. Writes belong in the caller's transaction, under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._writer = SearchWriter(connection)

    def put(
        self,
        workspace: WorkspaceId,
        list_key: str,
        item: ItemId,
        text: str,
        tags: Sequence[str],
        *,
        created_at: datetime,
    ) -> None:
        """Let the item be found in this list and no other, by this text and these tags."""
        self._writer.put(workspace, list_key, item, text, tags, created_at=created_at)

    def remove(self, workspace: WorkspaceId, item: ItemId) -> None:
        """Let the item no longer be found; nothing happens when it was not."""
        self._writer.remove(workspace, item)

    def remove_list(self, workspace: WorkspaceId, list_key: str) -> None:
        """Erase a whole list: no row of it, and no word, is left."""
        self._writer.remove_list(workspace, list_key)

    def remove_workspace(self, workspace: WorkspaceId) -> None:
        """Erase every list of a workspace."""
        self._writer.remove_workspace(workspace)

    def search(
        self, workspace: WorkspaceId, list_keys: Sequence[str], query: str, *, limit: int
    ) -> list[Hit]:
        """The best `limit` items of these lists, taken together as one; empty when the query has no words."""
        terms = query_terms(query)
        if not terms.words or not list_keys or limit < 1:
            return []
        lists = _Lists(self._connection, workspace, list_keys)
        return lists.search(terms, limit) if lists.total else []


@dataclass(frozen=True, slots=True)
class _Document:
    item: ItemId
    created_at_us: int
    words: tuple[str, ...]


class _Lists:
    """One search over some lists. Their segments stand in a row, so that a number means one item of one list."""

    def __init__(self, connection: Connection, workspace: WorkspaceId, list_keys: Sequence[str]) -> None:
        self._connection = connection
        self._workspace = workspace
        self._list_keys = list(dict.fromkeys(list_keys))
        rows = _SEGMENTS.rows(connection, workspace, self._list_keys)
        self._segments: list[tuple[str, int]] = [(list_key, segment) for list_key, segment, _ in rows]
        self._slots = {segment: slot for slot, segment in enumerate(self._segments)}
        self.total = sum(as_bits(bytes(numbers)).bit_count() for _, _, numbers in rows)
        self._documents: dict[int, _Document] = {}

    def search(self, query: QueryTerms, limit: int) -> list[Hit]:
        """The best items, with their score as a share of what a perfect one would have."""
        inside = self._inside(query.words)
        found = self._postings({*_asked(query), *(term for terms in inside.values() for term in terms)})
        votes = list(self._votes(query, inside, found))
        if not votes:
            return []
        rarities = {word.word: self._rarity(found.get(word.word, 0)) for word in query.words}
        perfect = sum(
            ranking.importance(word.word) * self._rarity(_any(found, word.whole)) for word in query.words
        )
        widened = ranking.is_widened(query)
        count = ranking.WIDENING_ITEMS if widened else limit
        scores = self._scored(ranking.tally(votes), query, rarities, count)
        if widened:
            high = max(scores.values())
            both = ranking.blended(votes, self._widening(query, scores))
            share = (1 - ranking.WIDENING_SHARE) / high
            rarities = {word: value * share for word, value in rarities.items()}
            scores = self._scored(both, query, rarities, limit)
            perfect = max(scores.values()) * max(perfect / high, 1.0)
        best = self._ordered(scores)[:limit]
        return [Hit(self._documents[number].item, scores[number] / (perfect or 1.0)) for number in best]

    def _votes(
        self, query: QueryTerms, inside: Mapping[str, Sequence[str]], found: Mapping[str, int]
    ) -> Iterator[Vote]:
        for word in query.words:
            longer = _any(found, inside.get(word.word, ()))
            matches = WordMatches(_any(found, word.whole), _any(found, word.beginnings), longer)
            yield from ranking.word_votes(word.word, matches, self.total)
        for term in query.joined:
            if numbers := found.get(term):
                yield Vote(numbers, self._rarity(numbers))

    def _rarity(self, numbers: int) -> float:
        return ranking.rarity(self.total, numbers.bit_count())

    def _scored(
        self, tally: Tally, query: QueryTerms, rarities: Mapping[str, float], limit: int
    ) -> dict[int, float]:
        """The best candidates with their final scores: the tally's, and what phrases add."""
        certain, ties = tally.best(limit + CANDIDATES_MORE)
        numbers = list(ranking.members(certain))
        numbers += self._newest(ties, limit + CANDIDATES_MORE - len(numbers))
        self._load(numbers)
        scores = tally.sums(numbers)
        if pairs := query.pairs:
            for number in numbers:
                scores[number] += ranking.phrase_score(pairs, self._documents[number].words, rarities)
        return scores

    def _ordered(self, scores: Mapping[int, float]) -> list[int]:
        """Best first; the newer of two equals first."""
        documents = self._documents
        return sorted(scores, key=lambda number: (-scores[number], -documents[number].created_at_us))

    def _newest(self, ties: int, count: int) -> Iterator[int]:
        """The newest `count` of each list: by their time, or, where very many tie, in the order of their coming."""
        for list_key, numbers in self._by_list(ranking.members(ties)).items():
            if len(numbers) <= count:
                yield from numbers.values()
                continue
            some = list(numbers)[-TIES_BY_TIME_MAX:]
            rows = _BY_TIME.rows(self._connection, self._workspace, list_key, some, count)
            yield from (numbers[number] for (number,) in rows)

    def _widening(self, query: QueryTerms, scores: Mapping[int, float]) -> list[Vote]:
        best = self._ordered(scores)[: ranking.WIDENING_ITEMS]
        top = [(scores[number], self._documents[number].words) for number in best]
        found = self._postings({word for _, words in top for word in words})
        rarities = {word: self._rarity(numbers) for word, numbers in found.items()}
        terms = ranking.widening_terms(query, top, rarities)
        return [Vote(found[term], weight * rarities[term]) for term, weight in terms.items()]

    def _postings(self, terms: Iterable[str]) -> dict[str, int]:
        """The items of each term that has any."""
        sets: dict[str, bytearray] = {}
        rows = _POSTINGS.rows(self._connection, self._workspace, self._list_keys, sorted(terms))
        for list_key, term, segment, numbers in rows:
            into = sets.get(term)
            if into is None:
                into = sets[term] = bytearray(bits_size(len(self._slots)))
            write_bits(numbers, into, self._slots[list_key, segment])
        return {term: int.from_bytes(bits, "little") for term, bits in sets.items()}

    def _inside(self, words: Sequence[QueryWord]) -> dict[str, list[str]]:
        """For each word of the query the longer words of these lists that contain it."""
        wanted = [word for word in words if word.partial]
        if not wanted:
            return {}
        vocabulary = "".join(
            lines for (lines,) in _VOCABULARY.rows(self._connection, self._workspace, self._list_keys)
        )
        found: dict[str, list[str]] = {}
        for word in wanted:
            terms = {term for form in word.partial for term in _containing(vocabulary, form)}
            terms.difference_update(word.whole)
            if 0 < len(terms) <= INSIDE_TERMS_MAX:
                found[word.word] = sorted(terms)
        return found

    def _by_list(self, numbers: Iterable[int]) -> dict[str, dict[int, int]]:
        """For each list the numbers in it, ascending, each with its number in this search."""
        lists: dict[str, dict[int, int]] = {}
        for number in numbers:
            slot, local = divmod(number, SEGMENT_SIZE)
            list_key, segment = self._segments[slot]
            lists.setdefault(list_key, {})[segment * SEGMENT_SIZE + local] = number
        return lists

    def _load(self, numbers: Iterable[int]) -> None:
        """Read these documents, unless they were read before."""
        missing = [number for number in numbers if number not in self._documents]
        for list_key, here in self._by_list(missing).items():
            rows = _DOCUMENTS.rows(self._connection, self._workspace, list_key, list(here))
            for number, item, created_at_us, words in rows:
                self._documents[here[number]] = _Document(ItemId(item), created_at_us, tuple(words.split(" ")))


def _asked(query: QueryTerms) -> Iterator[str]:
    for word in query.words:
        yield from word.whole
        yield from word.beginnings
    yield from query.joined


def _any(found: Mapping[str, int], terms: Iterable[str]) -> int:
    numbers = 0
    for term in terms:
        numbers |= found.get(term, 0)
    return numbers


def _containing(vocabulary: str, part: str) -> Iterator[str]:
    """The lines of the vocabulary that contain the part; more than allowed are not all looked for."""
    at, count = vocabulary.find(part), 0
    while at >= 0 and count <= INSIDE_TERMS_MAX:
        end = vocabulary.index("\n", at)
        yield vocabulary[vocabulary.rindex("\n", 0, at) + 1 : end]
        count += 1
        at = vocabulary.find(part, end)

"""The search index: which active items a query finds, best first, the same on SQLite and PostgreSQL.

Own postings instead of a database's full text: the rows of an item are deleted exactly with it, and one scoring
serves both databases. `search_writing.py` keeps the rows, `domain/terms.py` makes the terms, `domain/ranking.py`
scores. Nothing here decides who may see an item: the caller names the lists that a person may search.
docs/explanation/search.md tells why, and what else was measured.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from sqlalchemy import Connection

from workspace_memory.domain import ranking
from workspace_memory.domain.blending import Place
from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.ranking import Tally, Vote, WordMatches
from workspace_memory.domain.terms import LATE_MARK, QueryTerms, QueryWord, query_terms, searchable_inside
from workspace_memory.storage.search_numbers import SEGMENT_SIZE, add_bits, bits_size, count, with_numbers
from workspace_memory.storage.search_segments import waiting_in
from workspace_memory.storage.search_sql import Statement
from workspace_memory.storage.search_vocabulary import Vocabulary
from workspace_memory.storage.search_writing import IndexEntry, SearchWriter
from workspace_memory.storage.similar_search import find_similar

# Phrases lift items within a block of candidates: twice as many as a page has, and then blocks that are twice as long
# as the one before. Where a block ends does not depend on the page, so that no page repeats or leaves out an item.
FIRST_CANDIDATES = 41
# Of those that came late so many are looked at at least, by the order in which they came.
LATE_TIES_MIN = 128
WIDENING_CANDIDATES = ranking.WIDENING_ITEMS + 20
# A sentence says enough without looking inside words.
INSIDE_WORDS_MAX = 4
INSIDE_TERMS_MAX = 24
INSIDE_TERMS_OF_ONE_WORD_MAX = 200
LOOKED_FOR_MAX = 32

_SEGMENTS = Statement(
    "SELECT list_key, segment, numbers, waiting FROM search_segments"
    " WHERE workspace_id = ? AND list_key IN (?*) ORDER BY list_key, segment"
)
_ALL_SEGMENTS = Statement("SELECT numbers FROM search_segments WHERE workspace_id = ?")
_POSTINGS = Statement(
    "SELECT list_key, term, segment, numbers FROM search_postings"
    " WHERE workspace_id = ? AND list_key IN (?*) AND term IN (?*)"
)
_BY_TIME = Statement(
    "SELECT number FROM search_documents"
    " WHERE workspace_id = ? AND list_key = ? AND number IN (?*) ORDER BY created_at_us DESC, number DESC LIMIT ?"
)
_DOCUMENTS = Statement(
    "SELECT number, item_id, created_at_us, words FROM search_documents"
    " WHERE workspace_id = ? AND list_key = ? AND number IN (?*)"
)


_Sets = list[tuple[int, bytes]]
"""The packed sets of a term, each with the place of its segment in the search."""


class Hit(NamedTuple):
    """A found item. The score is a share of what a perfect match of the query would have, 0 to 1 and a little.

    `words` are those of its text as the index holds them, with blanks between; none where its meaning alone found it.
    A tuple, which is made in a quarter of a dataclass's time.
    """

    item: ItemId
    score: float
    words: str
    place: Place


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
        self._writer.put(workspace, list_key, IndexEntry(item, text, tags, created_at))

    def put_many(self, workspace: WorkspaceId, list_key: str, entries: Sequence[IndexEntry]) -> None:
        """As `put` for each, in their order: the same rows for a fraction of the statements. No item stands twice."""
        self._writer.put_many(workspace, list_key, entries)

    def remove(self, workspace: WorkspaceId, item: ItemId) -> None:
        """Let the item no longer be found; nothing happens when it was not."""
        self._writer.remove(workspace, item)

    def remove_list(self, workspace: WorkspaceId, list_key: str) -> None:
        """Erase a whole list: no row of it, and no word, is left."""
        self._writer.remove_list(workspace, list_key)

    def remove_workspace(self, workspace: WorkspaceId) -> None:
        """Erase every list of a workspace."""
        self._writer.remove_workspace(workspace)

    def count(self, workspace: WorkspaceId) -> int:
        """How many items stand in all lists of the workspace: each active one in one of them."""
        return sum(count(numbers) for (numbers,) in _ALL_SEGMENTS.rows(self._connection, workspace))

    def similar(self, workspace: WorkspaceId, list_key: str, words: Set[str]) -> list[ItemId]:
        """The items of a list that say nearly the same as a text of these words, the most alike first."""
        return find_similar(self._connection, workspace, list_key, words)

    def search(
        self, workspace: WorkspaceId, list_keys: Sequence[str], query: str, *, limit: int
    ) -> list[Hit]:
        """The best `limit` items of these lists, taken together as one; empty when the query has no words."""
        terms = query_terms(query)
        if not terms.words or not list_keys or limit < 1:
            return []
        lists = _Lists(self._connection, workspace, list_keys)
        return lists.search(terms, limit) if lists.total else []


class _Waiting:
    """What waits for its postings in one segment of the search."""

    def __init__(self, slot: int, text: str) -> None:
        self._slot = slot
        self._text = text

    def postings(self, terms: Collection[str]) -> Iterator[tuple[str, tuple[int, bytes]]]:
        """The postings that it would have for these terms."""
        # Most queries have no word of the few texts here, which a look through them as one tells for a few terms in a
        # fraction of the time that it takes to tell them apart.
        if len(terms) <= LOOKED_FOR_MAX and not any(f" {term} " in self._text for term in terms):
            return
        for only, own in self._items:
            for term in own.intersection(terms):
                yield term, only

    def words_with(self, part: str) -> Iterator[str]:
        """Its words that have this part."""
        if part in self._text:
            words = chain.from_iterable(own for _, own in self._items)
            yield from (word for word in words if part in word and searchable_inside(word))

    @cached_property
    def _items(self) -> list[tuple[tuple[int, bytes], frozenset[str]]]:
        """For each item the set that has it alone, with the segment's place, and its terms."""
        return [
            ((self._slot, with_numbers(b"", [local])), frozenset(terms.split()))
            for local, terms in waiting_in(self._text)
        ]


class _Document(NamedTuple):
    item: ItemId
    created_at_us: int
    words: str  # as `ranking.phrase_text` makes them


class _Lists:
    """One search over some lists. Their segments stand in a row, so that a number means one item of one list."""

    def __init__(self, connection: Connection, workspace: WorkspaceId, list_keys: Sequence[str]) -> None:
        self._connection = connection
        self._workspace = workspace
        rows = _SEGMENTS.rows(connection, workspace, list(dict.fromkeys(list_keys)))
        self._list_keys: list[str] = list(dict.fromkeys(row[0] for row in rows))
        self._segments: list[tuple[str, int]] = [(list_key, segment) for list_key, segment, _, _ in rows]
        self._slots = {segment: slot for slot, segment in enumerate(self._segments)}
        self.total = sum(count(numbers) for _, _, numbers, _ in rows)
        self._waiting = [_Waiting(slot, waiting) for slot, (*_, waiting) in enumerate(rows) if waiting]
        self._late = 0  # the items whose number does not tell their time
        self._documents: dict[int, _Document] = {}

    def search(self, query: QueryTerms, limit: int) -> list[Hit]:
        """The best items, with their score as a share of what a perfect one would have."""
        found = self._postings({*_asked(query), LATE_MARK})
        self._late = self._numbers(found, (LATE_MARK,))
        inside: dict[str, list[str]] = {}
        if not self._suffice(query, found, limit):
            inside = self._inside(query.words)
            longer = {term for terms in inside.values() for term in terms}
            found.update(self._postings(longer.difference(found)))
        votes = list(self._votes(query, inside, found))
        if not votes:
            return []
        rarities = {word.word: self._rarity(found.get(word.word, ())) for word in query.words}
        perfect = sum(ranking.importance(word) * rarity for word, rarity in rarities.items())
        phrases = ranking.phrases_of(query, rarities, self.total)
        tally = Tally(votes)
        if ranking.is_widened(query):
            scores = self._scored(tally, phrases, self._best(tally, WIDENING_CANDIDATES))
            first = max(scores.values())
            tally.add(self._widening(query, scores, ranking.widening_share(first, perfect)))
            ranked = self._ranked(tally, phrases, limit)
            # The second pass makes no match better than the query's own words did.
            perfect = ranked[0][1] * max(perfect / first, 1.0)
        else:
            ranked = self._ranked(tally, phrases, limit)
        return [
            Hit(document.item, score / (perfect or 1.0), document.words, self._place(number))
            for number, score in ranked
            for document in (self._documents[number],)
        ]

    def _suffice(self, query: QueryTerms, found: Mapping[str, _Sets], limit: int) -> bool:
        """Whether so many items have the only word of the query that none with a longer one comes before them."""
        if len(query.words) > 1:
            return False
        whole = [term for word in query.words for term in word.whole if term in found]
        held = (sum(count(numbers) for _, numbers in found[term]) for term in whole)
        return max(held, default=0) >= limit + FIRST_CANDIDATES

    def _votes(
        self, query: QueryTerms, inside: Mapping[str, Sequence[str]], found: Mapping[str, _Sets]
    ) -> Iterator[Vote]:
        for word in query.words:
            matches = WordMatches(
                self._numbers(found, word.whole),
                self._numbers(found, word.beginnings),
                self._numbers(found, (*inside.get(word.word, ()), *_ending(word, found))),
            )
            yield from ranking.word_votes(word.word, matches, self.total)
        for term in query.joined:
            if term in found:
                yield Vote(self._numbers(found, (term,)), self._rarity(found[term]))

    def _rarity(self, sets: Sequence[tuple[int, bytes]]) -> float:
        return ranking.rarity(self.total, sum(count(numbers) for _, numbers in sets))

    def _ranked(
        self, tally: Tally, phrases: Sequence[tuple[str, float]], limit: int
    ) -> list[tuple[int, float]]:
        """The best `limit` items with their scores, block by block; none has a higher one than the item before it."""
        ranked: dict[int, float] = {}
        lowest, upto, size = math.inf, 0, FIRST_CANDIDATES
        while len(ranked) < limit:
            upto, size = upto + size, size * 2
            block = [number for number in self._best(tally, upto) if number not in ranked]
            if not block:
                break
            scores = self._scored(tally, phrases, block)
            for number in self._ordered(scores):
                lowest = min(lowest, scores[number])
                ranked[number] = lowest
        return list(islice(ranked.items(), limit))

    def _best(self, tally: Tally, count: int) -> list[int]:
        """The best `count` by the tally alone, of equals the newest."""
        certain, ties = tally.best(count)
        numbers = list(ranking.members(certain))
        room = count - len(numbers)
        newest = list(self._newest(ties, room))
        if len(newest) > room:
            self._load(newest)
            newest = self._ordered(dict.fromkeys(newest, 0.0))[:room]
        return numbers + newest

    def _scored(
        self, tally: Tally, phrases: Sequence[tuple[str, float]], numbers: Sequence[int]
    ) -> dict[int, float]:
        """The final scores of these items: the tally's, and what phrases add."""
        self._load(numbers)
        scores = tally.sums(numbers)
        if phrases:
            for number in numbers:
                scores[number] += ranking.phrase_score(phrases, self._documents[number].words)
        return scores

    def _ordered(self, scores: Mapping[int, float]) -> list[int]:
        """Best first; the newer of two equals first."""
        documents = self._documents
        return sorted(scores, key=lambda number: (-scores[number], -documents[number].created_at_us, -number))

    def _newest(self, ties: int, count: int) -> Iterator[int]:
        """The newest `count` of each list: by their numbers, and as many of those that came late, by their time."""
        if not ties:
            return
        for list_key in self._list_keys:
            here = ties & self._whole_list(list_key)
            yield from ranking.highest(here & ~self._late, count)
            late_max = max(LATE_TIES_MIN, count)
            late = self._by_list(ranking.highest(here & self._late, late_max)).get(list_key, {})
            if len(late) <= count:
                yield from late.values()
                continue
            rows = _BY_TIME.rows(self._connection, self._workspace, list_key, list(late), count)
            yield from (late[number] for (number,) in rows)

    def _whole_list(self, list_key: str) -> int:
        slots = [slot for slot, (key, _) in enumerate(self._segments) if key == list_key]
        return ((1 << len(slots) * SEGMENT_SIZE) - 1) << slots[0] * SEGMENT_SIZE

    def _widening(self, query: QueryTerms, scores: Mapping[int, float], share: float) -> Iterator[Vote]:
        best = self._ordered(scores)[: ranking.WIDENING_ITEMS]
        top = [(scores[number], self._documents[number].words.split()) for number in best]
        words = {word for _, words in top for word in words}
        found = self._postings([word for word in words if ranking.may_widen(word)])
        rarities = {term: self._rarity(sets) for term, sets in found.items()}
        for term, weight in ranking.widening_terms(query, top, rarities, share).items():
            yield Vote(self._numbers(found, (term,)), weight)

    def _postings(self, terms: Collection[str]) -> dict[str, _Sets]:
        """For each term that has any items its packed sets, with their places in this search."""
        found: dict[str, _Sets] = {}
        if not terms:
            return found
        rows = _POSTINGS.rows(self._connection, self._workspace, self._list_keys, sorted(terms))
        for list_key, term, segment, numbers in rows:
            found.setdefault(term, []).append((self._slots[list_key, segment], numbers))
        for waiting in self._waiting:
            for term, only in waiting.postings(terms):
                found.setdefault(term, []).append(only)
        return found

    def _numbers(self, found: Mapping[str, _Sets], terms: Iterable[str]) -> int:
        """The items of all these terms together."""
        sets = [part for term in terms for part in found.get(term, ())]
        if not sets:
            return 0
        bits = bytearray(bits_size(len(self._segments)))
        for slot, numbers in sets:
            add_bits(numbers, bits, slot)
        return int.from_bytes(bits, "little")

    def _inside(self, words: Sequence[QueryWord]) -> dict[str, list[str]]:
        """For each word of a short query the longer words of these lists that contain it, the closest ones."""
        wanted = [word for word in words if word.partial]
        if not wanted or len(wanted) > INSIDE_WORDS_MAX:
            return {}
        parts = chain.from_iterable(word.partial for word in wanted)
        vocabulary = Vocabulary(self._connection, self._workspace, self._list_keys, parts)
        most = INSIDE_TERMS_OF_ONE_WORD_MAX if len(words) == 1 else INSIDE_TERMS_MAX
        found: dict[str, list[str]] = {}
        for word in wanted:
            forms = (islice(vocabulary.containing(form), most + 1) for form in word.partial)
            waiting = (some.words_with(form) for some in self._waiting for form in word.partial)
            terms = set(chain(*forms, *waiting)).difference(word.whole)
            # What is part of very many words says nothing beside other words; alone it is all there is to go by.
            if len(terms) <= most or len(words) == 1:
                found[word.word] = sorted(terms, key=lambda term: (len(term), term))[:most]
        return found

    def _place(self, number: int) -> Place:
        """The list of an item, and its number there."""
        slot, local = divmod(number, SEGMENT_SIZE)
        list_key, segment = self._segments[slot]
        return list_key, segment * SEGMENT_SIZE + local

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
                text = ranking.phrase_text(words)
                self._documents[here[number]] = _Document(ItemId(item), created_at_us, text)


def _asked(query: QueryTerms) -> Iterator[str]:
    for word in query.words:
        yield from word.whole
        yield from word.beginnings
        yield from word.endings
    yield from query.joined


def _ending(word: QueryWord, found: Mapping[str, _Sets]) -> Iterator[str]:
    """The longest word that this one ends with, if any item has one."""
    return islice((ending for ending in word.endings if ending in found), 1)

"""Writing the search index: the rows of an item, kept exactly in step with it.

Runs in the caller's transaction and under the workspace lock, which is what makes it safe to read a packed set,
change it and write it back. A document row names every term of its item, so a removal takes away exactly what
was put in, whatever `domain/terms.py` would make of the same text today.

Many items at once are put term by term: each posting and each part of the vocabulary is read and written once for
all of them. Single ones wait until there are some (`search_segments.py`) and are then put in the same way, so that both
leave the same rows.
"""

from bisect import insort
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from sqlalchemy import Connection, delete

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.terms import LATE_MARK, indexed, searchable_inside, tag_terms
from workspace_memory.storage.search_numbers import SEGMENT_SIZE, with_numbers, without_number
from workspace_memory.storage.search_segments import Segments
from workspace_memory.storage.search_sql import Statement, Upsert
from workspace_memory.storage.search_tables import TABLES
from workspace_memory.storage.search_vocabulary import add_words, drop_words
from workspace_memory.storage.vector_cache import SignCache
from workspace_memory.storage.vectors import Vectors

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_DOCUMENT_OF_ITEM = Statement(
    "SELECT list_key, number, words, forms FROM search_documents WHERE workspace_id = ? AND item_id = ?"
)
_KNOWN_ITEMS = Statement("SELECT item_id FROM search_documents WHERE workspace_id = ? AND item_id IN (?*)")
_NEWEST = Statement("SELECT max(created_at_us) FROM search_documents WHERE workspace_id = ? AND list_key = ?")
_PUT_DOCUMENT = Statement(
    "INSERT INTO search_documents (workspace_id, list_key, number, item_id, created_at_us, words, forms)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, list_key, number)"
    " DO UPDATE SET created_at_us = excluded.created_at_us, words = excluded.words, forms = excluded.forms"
)
_DELETE_DOCUMENT = Statement(
    "DELETE FROM search_documents WHERE workspace_id = ? AND list_key = ? AND number = ?"
)
_POSTINGS = Statement(
    "SELECT term, numbers FROM search_postings"
    " WHERE workspace_id = ? AND list_key = ? AND segment = ? AND term IN (?*)"
)
_PUT_POSTINGS = Upsert(
    "search_postings", ("workspace_id", "list_key", "segment", "term", "numbers"), ("text", "bytea")
)
_DELETE_POSTINGS = Statement(
    "DELETE FROM search_postings WHERE workspace_id = ? AND list_key = ? AND segment = ? AND term IN (?*)"
)
_KNOWN_TERMS = Statement(
    "SELECT DISTINCT term FROM search_postings WHERE workspace_id = ? AND list_key = ? AND term IN (?*)"
)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What an item is found by, and since when it is there."""

    item: ItemId
    text: str
    tags: Sequence[str]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class _Place:
    list_key: str
    number: int
    terms: frozenset[str]


class _Made:
    """The terms of an entry, and its words in their order."""

    __slots__ = ("created_at_us", "entry", "terms", "words")

    def __init__(self, entry: IndexEntry) -> None:
        content = indexed(entry.text)
        self.entry = entry
        self.created_at_us = (entry.created_at - _EPOCH) // _MICROSECOND
        self.words = content.words
        # Sorted here, once, for the forms and for the vocabulary.
        self.terms = sorted(set(content.terms).union(*map(tag_terms, entry.tags)))

    def came_late(self) -> None:
        """Say that its number does not tell its time."""
        if LATE_MARK not in self.terms:
            insort(self.terms, LATE_MARK)


class SearchWriter:
    """Puts items into lists and takes them out again."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._vectors = Vectors(
            connection, SignCache()
        )  # it only takes vectors away, which needs no signs in RAM

    def put(self, workspace: WorkspaceId, list_key: str, entry: IndexEntry) -> None:
        """See `SearchIndex.put`."""
        old = self._place(workspace, entry.item)
        if old is not None and old.list_key != list_key:
            self._remove(workspace, old)
            old = None
        made = _Made(entry)
        if old is None:
            self._put_new(workspace, list_key, [made])
        else:
            self._change(workspace, old, made)

    def put_many(self, workspace: WorkspaceId, list_key: str, entries: Sequence[IndexEntry]) -> None:
        """See `SearchIndex.put_many`."""
        known = self._known_items(workspace, [entry.item for entry in entries])
        self._put_new(workspace, list_key, [_Made(entry) for entry in entries if entry.item not in known])
        for entry in entries:
            if entry.item in known:
                self.put(workspace, list_key, entry)

    def make_anew(
        self,
        workspace: WorkspaceId,
        list_key: str,
        numbered: Sequence[tuple[int, IndexEntry]],
        newest_us: int,
    ) -> int:
        """Write the rows of entries that have these numbers, ascending, in a list whose terms were all deleted.

        `newest_us` is the time of the newest item before them, -1 at first; returns that of the newest so far.
        """
        made = [(number, _Made(entry)) for number, entry in numbered]
        newest_us = _tell_late([each for _, each in made], newest_us)
        self._post(workspace, list_key, {number: one.terms for number, one in made})
        self._put_documents(workspace, list_key, made)
        return newest_us

    def post_waiting(self, workspace: WorkspaceId, list_key: str) -> None:
        """Give what waits in a list its postings now."""
        segments = Segments(self._connection, workspace, list_key)
        self._post_with_waiting(workspace, list_key, segments, {})
        segments.write()

    def _known_items(self, workspace: WorkspaceId, items: Sequence[ItemId]) -> set[ItemId]:
        return {item for (item,) in _KNOWN_ITEMS.rows(self._connection, workspace, items)}

    def _put_new(self, workspace: WorkspaceId, list_key: str, made: Sequence[_Made]) -> None:
        """Put entries whose items are in no list."""
        if not made:
            return
        ((newest_us,),) = _NEWEST.rows(self._connection, workspace, list_key)
        _tell_late(made, -1 if newest_us is None else newest_us)
        segments = Segments(self._connection, workspace, list_key)
        numbers, holes = segments.take(len(made))
        numbered = list(zip(numbers, made, strict=True))
        for number, each in numbered:
            if number in holes:
                each.came_late()
        terms = {number: each.terms for number, each in numbered}
        if not segments.let_wait(terms):
            self._post_with_waiting(workspace, list_key, segments, terms)
        segments.write()
        self._put_documents(workspace, list_key, numbered)

    def _change(self, workspace: WorkspaceId, old: _Place, made: _Made) -> None:
        """Let an item that stays in its list be found by other terms."""
        here = (workspace, old.list_key)
        if LATE_MARK in old.terms:
            made.came_late()
        # It may say something else now; a new one is made in the background.
        self._vectors.drop(*here, old.number)
        if not self._still_waits(workspace, old, made):
            segment, local = divmod(old.number, SEGMENT_SIZE)
            postings = _Postings(self._connection, *here, segment)
            postings.drop(old.terms.difference(made.terms), local)
            postings.add({term: [local] for term in made.terms if term not in old.terms})
        self._put_documents(*here, [(old.number, made)])

    def _still_waits(self, workspace: WorkspaceId, old: _Place, made: _Made) -> bool:
        """Whether it waits for its postings, with its new terms now; otherwise it has those of the old ones."""
        segments = Segments(self._connection, workspace, old.list_key)
        if old.number not in segments.waiting:
            return False
        waits = segments.let_wait({old.number: made.terms})
        if not waits:
            self._post_with_waiting(workspace, old.list_key, segments, {})
        segments.write()
        return waits

    def _post_with_waiting(
        self, workspace: WorkspaceId, list_key: str, segments: Segments, terms: Mapping[int, Collection[str]]
    ) -> None:
        """Let items be found by their postings, and those that wait as well."""
        waiting = {number: words.split() for number, words in segments.waiting.items()}
        self._post(workspace, list_key, {**waiting, **terms})
        segments.let_none_wait()

    def _post(self, workspace: WorkspaceId, list_key: str, terms: Mapping[int, Collection[str]]) -> None:
        """Let the items of these numbers be found by their postings."""
        for segment, numbers in groupby(sorted(terms), lambda number: number // SEGMENT_SIZE):
            added: dict[str, list[int]] = {}
            for number in numbers:
                for term in terms[number]:
                    added.setdefault(term, []).append(number % SEGMENT_SIZE)
            _Postings(self._connection, workspace, list_key, segment).add(added)

    def _put_documents(
        self, workspace: WorkspaceId, list_key: str, numbered: Sequence[tuple[int, _Made]]
    ) -> None:
        rows = [
            (
                workspace,
                list_key,
                number,
                made.entry.item,
                made.created_at_us,
                " ".join(made.words),
                _forms(made),
            )
            for number, made in numbered
        ]
        _PUT_DOCUMENT.run_many(self._connection, rows)

    def remove(self, workspace: WorkspaceId, item: ItemId) -> None:
        """See `SearchIndex.remove`."""
        place = self._place(workspace, item)
        if place is not None:
            self._remove(workspace, place)

    def remove_list(self, workspace: WorkspaceId, list_key: str) -> None:
        """See `SearchIndex.remove_list`."""
        for table in TABLES:
            of_list = (table.c.workspace_id == workspace, table.c.list_key == list_key)
            self._connection.execute(delete(table).where(*of_list))

    def remove_workspace(self, workspace: WorkspaceId) -> None:
        """See `SearchIndex.remove_workspace`."""
        for table in TABLES:
            self._connection.execute(delete(table).where(table.c.workspace_id == workspace))

    def _place(self, workspace: WorkspaceId, item: ItemId) -> _Place | None:
        for list_key, number, words, forms in _DOCUMENT_OF_ITEM.rows(self._connection, workspace, item):
            return _Place(list_key, number, frozenset(f"{words} {forms}".split()))
        return None

    def _remove(self, workspace: WorkspaceId, place: _Place) -> None:
        here = (workspace, place.list_key)
        segments = Segments(self._connection, *here)
        if place.number not in segments.waiting:
            segment, local = divmod(place.number, SEGMENT_SIZE)
            _Postings(self._connection, *here, segment).drop(place.terms, local)
        _DELETE_DOCUMENT.run(self._connection, *here, place.number)
        self._vectors.drop(*here, place.number)
        segments.release(place.number)
        segments.write()


def _tell_late(made: Sequence[_Made], newest_us: int) -> int:
    """Mark entries that are older than one before them; returns the time of the newest."""
    for each in made:
        if each.created_at_us < newest_us:
            each.came_late()
        newest_us = max(newest_us, each.created_at_us)
    return newest_us


def _forms(made: _Made) -> str:
    words = frozenset(made.words)
    return " ".join([term for term in made.terms if term not in words])


class _Postings:
    """The postings of one segment, and the vocabulary, of one list."""

    def __init__(self, connection: Connection, workspace: WorkspaceId, list_key: str, segment: int) -> None:
        self._connection = connection
        self._list = (workspace, list_key)
        self._segment = segment

    def add(self, added: Mapping[str, Sequence[int]]) -> None:
        """Let the items of these numbers of the segment be found by each term."""
        if not added:
            return
        present = self._present(added)
        fresh = [term for term in added if term not in present and searchable_inside(term)]
        known = self._known(fresh)
        add_words(self._connection, *self._list, [term for term in fresh if term not in known])
        self._put([(term, with_numbers(present.get(term, b""), numbers)) for term, numbers in added.items()])

    def drop(self, terms: Collection[str], number: int) -> None:
        """Let the item of this number of the segment no longer be found by these terms."""
        if not terms:
            return
        left = [(term, without_number(numbers, number)) for term, numbers in self._present(terms).items()]
        self._put([(term, numbers) for term, numbers in left if numbers])
        empty = sorted(term for term, numbers in left if not numbers)
        if empty:
            _DELETE_POSTINGS.run(self._connection, *self._list, self._segment, empty)
            inside = [term for term in empty if searchable_inside(term)]
            known = self._known(inside)
            drop_words(self._connection, *self._list, [term for term in inside if term not in known])

    def _present(self, terms: Collection[str]) -> dict[str, bytes]:
        rows = _POSTINGS.rows(self._connection, *self._list, self._segment, sorted(terms))
        return {term: bytes(numbers) for term, numbers in rows}

    def _put(self, postings: Sequence[tuple[str, bytes]]) -> None:
        _PUT_POSTINGS.run(self._connection, (*self._list, self._segment), postings)

    def _known(self, terms: Sequence[str]) -> set[str]:
        """Those of the terms that some item of the list has."""
        if not terms:
            return set()
        return {term for (term,) in _KNOWN_TERMS.rows(self._connection, *self._list, sorted(terms))}

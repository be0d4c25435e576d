"""Writing the search index: the rows of an item, kept exactly in step with it.

Runs in the caller's transaction and under the workspace lock, which is what makes it safe to read a packed set,
change it and write it back. A document row names every term of its item, so a removal takes away exactly what
was put in, whatever `domain/terms.py` would make of the same text today.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zlib import crc32

from sqlalchemy import Connection, delete

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.terms import indexed, searchable_inside, tag_terms
from workspace_memory.storage.search_numbers import (
    SEGMENT_SIZE,
    count,
    free_number,
    next_number,
    with_number,
    without_number,
)
from workspace_memory.storage.search_sql import Statement, Upsert
from workspace_memory.storage.search_tables import TABLES
from workspace_memory.storage.vectors import Vectors

VOCABULARY_SHARDS = 64

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_DOCUMENT_OF_ITEM = Statement(
    "SELECT list_key, number, words, forms FROM search_documents WHERE workspace_id = ? AND item_id = ?"
)
_PUT_DOCUMENT = Statement(
    "INSERT INTO search_documents (workspace_id, list_key, number, item_id, created_at_us, words, forms)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, list_key, number)"
    " DO UPDATE SET created_at_us = excluded.created_at_us, words = excluded.words, forms = excluded.forms"
)
_DELETE_DOCUMENT = Statement(
    "DELETE FROM search_documents WHERE workspace_id = ? AND list_key = ? AND number = ?"
)
_SEGMENTS = Statement("SELECT segment, numbers FROM search_segments WHERE workspace_id = ? AND list_key = ?")
_PUT_SEGMENT = Upsert(
    "search_segments", ("workspace_id", "list_key", "segment", "numbers"), ("integer", "bytea")
)
_DELETE_SEGMENT = Statement(
    "DELETE FROM search_segments WHERE workspace_id = ? AND list_key = ? AND segment = ?"
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
_SHARDS = Statement(
    "SELECT shard, terms FROM search_vocabulary WHERE workspace_id = ? AND list_key = ? AND shard IN (?*)"
)
_PUT_SHARDS = Upsert("search_vocabulary", ("workspace_id", "list_key", "shard", "terms"), ("integer", "text"))
_DELETE_SHARDS = Statement(
    "DELETE FROM search_vocabulary WHERE workspace_id = ? AND list_key = ? AND shard IN (?*)"
)


@dataclass(frozen=True, slots=True)
class _Place:
    list_key: str
    number: int
    terms: frozenset[str]


class SearchWriter:
    """Puts items into lists and takes them out again."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._vectors = Vectors(connection)

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
        """See `SearchIndex.put`."""
        content = indexed(text)
        terms = set(content.terms).union(*map(tag_terms, tags))
        old = self._place(workspace, item)
        if old is not None and old.list_key != list_key:
            self._remove(workspace, old)
            old = None
        if old is not None:
            # It may say something else now; a new one is made in the background.
            self._vectors.drop(workspace, list_key, old.number)
        number = self._new_number(workspace, list_key) if old is None else old.number
        before = frozenset[str]() if old is None else old.terms
        postings = _Postings(self._connection, workspace, list_key, number)
        postings.drop(before - terms)
        postings.add(terms - before)
        _PUT_DOCUMENT.run(
            self._connection,
            workspace,
            list_key,
            number,
            item,
            (created_at - _EPOCH) // timedelta(microseconds=1),
            " ".join(content.words),
            " ".join(sorted(terms.difference(content.words))),
        )

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
        _Postings(self._connection, *here, place.number).drop(place.terms)
        _DELETE_DOCUMENT.run(self._connection, *here, place.number)
        self._vectors.drop(*here, place.number)
        segment, local = divmod(place.number, SEGMENT_SIZE)
        left = without_number(self._segments(*here)[segment], local)
        if left:
            _PUT_SEGMENT.run(self._connection, here, [(segment, left)])
        else:
            _DELETE_SEGMENT.run(self._connection, *here, segment)

    def _new_number(self, workspace: WorkspaceId, list_key: str) -> int:
        """Take the number after the highest one, so that newer items have higher numbers.

        Holes are filled only where a list has become twice as long as its items need.
        """
        segments = self._segments(workspace, list_key)
        last = max(segments, default=0)
        local = next_number(segments.get(last, b""))
        segment = last
        if local is None:
            wasteful = len(segments) > 2 + 2 * sum(map(count, segments.values())) // SEGMENT_SIZE
            segment = min(segments, key=lambda s: count(segments[s])) if wasteful else last + 1
            local = free_number(segments.get(segment, b""))
        changed = (segment, with_number(segments.get(segment, b""), local))
        _PUT_SEGMENT.run(self._connection, (workspace, list_key), [changed])
        return segment * SEGMENT_SIZE + local

    def _segments(self, workspace: WorkspaceId, list_key: str) -> dict[int, bytes]:
        rows = _SEGMENTS.rows(self._connection, workspace, list_key)
        return {segment: bytes(numbers) for segment, numbers in rows}


class _Postings:
    """The postings and the vocabulary of one list, as one item changes them."""

    def __init__(self, connection: Connection, workspace: WorkspaceId, list_key: str, number: int) -> None:
        self._connection = connection
        self._list = (workspace, list_key)
        self._segment, self._local = divmod(number, SEGMENT_SIZE)

    def add(self, terms: Collection[str]) -> None:
        """Let the item be found by these terms."""
        if not terms:
            return
        present = self._present(terms)
        fresh = [term for term in terms if term not in present and searchable_inside(term)]
        self._change_vocabulary(set(fresh) - self._known(fresh), _with_term)
        self._put([(term, with_number(present.get(term, b""), self._local)) for term in terms])

    def drop(self, terms: Collection[str]) -> None:
        """Let the item no longer be found by these terms."""
        if not terms:
            return
        left = [
            (term, without_number(numbers, self._local)) for term, numbers in self._present(terms).items()
        ]
        self._put([(term, numbers) for term, numbers in left if numbers])
        empty = sorted(term for term, numbers in left if not numbers)
        if empty:
            _DELETE_POSTINGS.run(self._connection, *self._list, self._segment, empty)
            inside = [term for term in empty if searchable_inside(term)]
            self._change_vocabulary(set(inside) - self._known(inside), _without_term)

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

    def _change_vocabulary(self, terms: Collection[str], change: Callable[[str, str], str]) -> None:
        by_shard: dict[int, list[str]] = {}
        for term in sorted(terms):
            by_shard.setdefault(crc32(term.encode()) % VOCABULARY_SHARDS, []).append(term)
        if not by_shard:
            return
        lines: dict[int, str] = dict.fromkeys(by_shard, "\n")
        lines.update(dict(_SHARDS.rows(self._connection, *self._list, list(by_shard))))
        for shard, some in by_shard.items():
            for term in some:
                lines[shard] = change(lines[shard], term)
        _PUT_SHARDS.run(self._connection, self._list, [row for row in lines.items() if row[1] != "\n"])
        emptied = [shard for shard, text in lines.items() if text == "\n"]
        if emptied:
            _DELETE_SHARDS.run(self._connection, *self._list, emptied)


def _with_term(lines: str, term: str) -> str:
    return f"{lines}{term}\n"


def _without_term(lines: str, term: str) -> str:
    return lines.replace(f"\n{term}\n", "\n", 1)

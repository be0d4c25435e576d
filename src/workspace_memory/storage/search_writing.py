"""Writing the search index: the rows of an item, kept exactly in step with it.

Runs in the caller's transaction and under the workspace lock, which is what makes it safe to read a packed set,
change it and write it back. A document row names every term of its item, so a removal takes away exactly what
was put in, whatever `domain/terms.py` would make of the same text today.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zlib import crc32

from sqlalchemy import Connection, bindparam, delete, text

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.terms import index_terms, index_words, searchable_inside, tag_terms
from workspace_memory.storage.search_numbers import SEGMENT_SIZE, free_number, with_number, without_number
from workspace_memory.storage.search_tables import TABLES

VOCABULARY_SHARDS = 256

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LIST = "workspace_id = :workspace AND list_key = :list"

_DOCUMENT_OF_ITEM = text(
    "SELECT list_key, number, words, forms FROM search_documents WHERE workspace_id = :workspace AND item_id = :item"
)
_PUT_DOCUMENT = text(
    "INSERT INTO search_documents (workspace_id, list_key, number, item_id, created_at_us, words, forms)"
    " VALUES (:workspace, :list, :number, :item, :created_at_us, :words, :forms)"
    " ON CONFLICT (workspace_id, list_key, number)"
    " DO UPDATE SET created_at_us = excluded.created_at_us, words = excluded.words, forms = excluded.forms"
)
_DELETE_DOCUMENT = text(f"DELETE FROM search_documents WHERE {_LIST} AND number = :number")  # noqa: S608

_SEGMENTS = text(f"SELECT segment, numbers FROM search_segments WHERE {_LIST} ORDER BY segment")  # noqa: S608
_SEGMENT = text(f"SELECT numbers FROM search_segments WHERE {_LIST} AND segment = :segment")  # noqa: S608
_PUT_SEGMENT = text(
    "INSERT INTO search_segments (workspace_id, list_key, segment, numbers)"
    " VALUES (:workspace, :list, :segment, :numbers)"
    " ON CONFLICT (workspace_id, list_key, segment) DO UPDATE SET numbers = excluded.numbers"
)
_DELETE_SEGMENT = text(f"DELETE FROM search_segments WHERE {_LIST} AND segment = :segment")  # noqa: S608

_POSTINGS = text(
    f"SELECT term, numbers FROM search_postings WHERE {_LIST} AND segment = :segment AND term IN :terms"  # noqa: S608
).bindparams(bindparam("terms", expanding=True))
_PUT_POSTING = text(
    "INSERT INTO search_postings (workspace_id, list_key, term, segment, numbers)"
    " VALUES (:workspace, :list, :term, :segment, :numbers)"
    " ON CONFLICT (workspace_id, list_key, term, segment) DO UPDATE SET numbers = excluded.numbers"
)
_DELETE_POSTING = text(f"DELETE FROM search_postings WHERE {_LIST} AND term = :term AND segment = :segment")  # noqa: S608
_KNOWN_TERMS = text(
    f"SELECT DISTINCT term FROM search_postings WHERE {_LIST} AND term IN :terms"  # noqa: S608
).bindparams(bindparam("terms", expanding=True))

_SHARDS = text(
    f"SELECT shard, terms FROM search_vocabulary WHERE {_LIST} AND shard IN :shards"  # noqa: S608
).bindparams(bindparam("shards", expanding=True))
_PUT_SHARD = text(
    "INSERT INTO search_vocabulary (workspace_id, list_key, shard, terms)"
    " VALUES (:workspace, :list, :shard, :terms)"
    " ON CONFLICT (workspace_id, list_key, shard) DO UPDATE SET terms = excluded.terms"
)
_DELETE_SHARD = text(f"DELETE FROM search_vocabulary WHERE {_LIST} AND shard = :shard")  # noqa: S608


@dataclass(frozen=True, slots=True)
class _Place:
    list_key: str
    number: int
    terms: frozenset[str]


class SearchWriter:
    """Puts items into lists and takes them out again."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(
        self,
        workspace: WorkspaceId,
        list_key: str,
        item: ItemId,
        content: str,
        tags: Sequence[str],
        *,
        created_at: datetime,
    ) -> None:
        """See `SearchIndex.put`."""
        words = index_words(content)
        terms = set(index_terms(content)).union(*map(tag_terms, tags))
        old = self._place(workspace, item)
        if old is not None and old.list_key != list_key:
            self._remove(workspace, old)
            old = None
        number = self._new_number(workspace, list_key) if old is None else old.number
        before = frozenset[str]() if old is None else old.terms
        postings = _Postings(self._connection, workspace, list_key, number)
        postings.drop(before - terms)
        postings.add(terms - before)
        self._connection.execute(
            _PUT_DOCUMENT,
            {
                "workspace": workspace,
                "list": list_key,
                "number": number,
                "item": item,
                "created_at_us": (created_at - _EPOCH) // timedelta(microseconds=1),
                "words": " ".join(words),
                "forms": " ".join(sorted(terms.difference(words))),
            },
        )

    def remove(self, workspace: WorkspaceId, item: ItemId) -> None:
        """See `SearchIndex.remove`."""
        place = self._place(workspace, item)
        if place is not None:
            self._remove(workspace, place)

    def remove_list(self, workspace: WorkspaceId, list_key: str) -> None:
        """See `SearchIndex.remove_list`."""
        for table in TABLES:
            columns = table.c
            self._connection.execute(
                delete(table).where(columns.workspace_id == workspace, columns.list_key == list_key)
            )

    def remove_workspace(self, workspace: WorkspaceId) -> None:
        """See `SearchIndex.remove_workspace`."""
        for table in TABLES:
            self._connection.execute(delete(table).where(table.c.workspace_id == workspace))

    def _place(self, workspace: WorkspaceId, item: ItemId) -> _Place | None:
        row = self._connection.execute(_DOCUMENT_OF_ITEM, {"workspace": workspace, "item": item}).first()
        if row is None:
            return None
        list_key, number, words, forms = row
        return _Place(list_key, number, frozenset(f"{words} {forms}".split()))

    def _remove(self, workspace: WorkspaceId, place: _Place) -> None:
        _Postings(self._connection, workspace, place.list_key, place.number).drop(place.terms)
        here = {"workspace": workspace, "list": place.list_key}
        self._connection.execute(_DELETE_DOCUMENT, {**here, "number": place.number})
        segment, local = divmod(place.number, SEGMENT_SIZE)
        numbers = self._connection.execute(_SEGMENT, {**here, "segment": segment}).scalar_one()
        left = without_number(numbers, local)
        if left:
            self._connection.execute(_PUT_SEGMENT, {**here, "segment": segment, "numbers": left})
        else:
            self._connection.execute(_DELETE_SEGMENT, {**here, "segment": segment})

    def _new_number(self, workspace: WorkspaceId, list_key: str) -> int:
        """Take a number: in the last segment that has one, or in a new segment."""
        here = {"workspace": workspace, "list": list_key}
        segments = {row.segment: row.numbers for row in self._connection.execute(_SEGMENTS, here)}
        unused = next(segment for segment in range(len(segments) + 1) if segment not in segments)
        for segment in (*sorted(segments, reverse=True), unused):
            numbers = segments.get(segment, b"")
            local = free_number(numbers)
            if local is not None:
                changed = {"segment": segment, "numbers": with_number(numbers, local)}
                self._connection.execute(_PUT_SEGMENT, {**here, **changed})
                return segment * SEGMENT_SIZE + local
        raise AssertionError


class _Postings:
    """The postings and the vocabulary of one list, as one item changes them."""

    def __init__(self, connection: Connection, workspace: WorkspaceId, list_key: str, number: int) -> None:
        self._connection = connection
        self._list = {"workspace": workspace, "list": list_key}
        self._segment, self._local = divmod(number, SEGMENT_SIZE)

    def add(self, terms: Collection[str]) -> None:
        """Let the item be found by these terms."""
        if not terms:
            return
        present = self._present(terms)
        fresh = [term for term in terms if term not in present and searchable_inside(term)]
        unknown = set(fresh) - self._known(fresh)
        self._put((term, with_number(present.get(term, b""), self._local)) for term in sorted(terms))
        self._change_vocabulary(unknown, _with_term)

    def drop(self, terms: Collection[str]) -> None:
        """Let the item no longer be found by these terms."""
        if not terms:
            return
        left = {term: without_number(numbers, self._local) for term, numbers in self._present(terms).items()}
        self._put((term, numbers) for term, numbers in left.items() if numbers)
        empty = [term for term, numbers in left.items() if not numbers]
        if empty:
            here = {**self._list, "segment": self._segment}
            self._connection.execute(_DELETE_POSTING, [{**here, "term": term} for term in empty])
            inside = [term for term in empty if searchable_inside(term)]
            self._change_vocabulary(set(inside) - self._known(inside), _without_term)

    def _present(self, terms: Collection[str]) -> dict[str, bytes]:
        wanted = {**self._list, "segment": self._segment, "terms": sorted(terms)}
        return {row.term: row.numbers for row in self._connection.execute(_POSTINGS, wanted)}

    def _known(self, terms: Collection[str]) -> set[str]:
        """Those of the terms that some item of the list has."""
        if not terms:
            return set()
        return set(self._connection.execute(_KNOWN_TERMS, {**self._list, "terms": sorted(terms)}).scalars())

    def _put(self, postings: Iterable[tuple[str, bytes]]) -> None:
        here = {**self._list, "segment": self._segment}
        rows = [{**here, "term": term, "numbers": numbers} for term, numbers in postings]
        if rows:
            self._connection.execute(_PUT_POSTING, rows)

    def _change_vocabulary(self, terms: Collection[str], change: Callable[[str, str], str]) -> None:
        by_shard: dict[int, list[str]] = {}
        for term in terms:
            by_shard.setdefault(crc32(term.encode()) % VOCABULARY_SHARDS, []).append(term)
        if not by_shard:
            return
        rows = self._connection.execute(_SHARDS, {**self._list, "shards": sorted(by_shard)})
        lines = {row.shard: row.terms for row in rows}
        for shard, some in by_shard.items():
            for term in some:
                lines[shard] = change(lines.get(shard, "\n"), term)
        kept = [{**self._list, "shard": s, "terms": t} for s, t in lines.items() if t != "\n"]
        gone = [{**self._list, "shard": s} for s, t in lines.items() if t == "\n"]
        if kept:
            self._connection.execute(_PUT_SHARD, kept)
        if gone:
            self._connection.execute(_DELETE_SHARD, gone)


def _with_term(lines: str, term: str) -> str:
    return f"{lines}{term}\n"


def _without_term(lines: str, term: str) -> str:
    return lines.replace(f"\n{term}\n", "\n", 1)

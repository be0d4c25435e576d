"""Vectors of active items, kept in step with the search index, and which of them are nearest to a question.

Brute force in two looks: the signs of every vector of the lists (48 bytes each at 384 dimensions) choose some hundred
candidates, whose vectors are then compared. It needs no extension of either database. Nothing here decides who may see
an item: as in `search.py` the caller names the lists, and no row of another list is read.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from sqlalchemy import Connection

from workspace_memory.domain.blending import Place
from workspace_memory.domain.embedding import REASON_CHARACTERS_MAX
from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.storage.search_numbers import add_bits, bits_size
from workspace_memory.storage.search_sql import Statement
from workspace_memory.storage.vector_cache import ChunkKey, KnownChunk, SignCache
from workspace_memory.storage.vector_numbers import (
    CHUNK_SIZE,
    Chunk,
    as_bytes,
    as_signs,
    signs_size,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_SPACES_OF_NUMBER = Statement(
    "SELECT space, 1 FROM search_vectors WHERE workspace_id = ? AND list_key = ? AND number = ?"
    " UNION ALL"
    " SELECT space, 0 FROM search_vector_refusals WHERE workspace_id = ? AND list_key = ? AND number = ?"
)
_DELETE_NUMBER = (
    Statement("DELETE FROM search_vectors WHERE workspace_id = ? AND list_key = ? AND number = ?"),
    Statement("DELETE FROM search_vector_refusals WHERE workspace_id = ? AND list_key = ? AND number = ?"),
)
_PUT_VECTOR = Statement(
    "INSERT INTO search_vectors (workspace_id, list_key, number, space, vector) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (workspace_id, list_key, number, space) DO UPDATE SET vector = excluded.vector"
)
_CHUNK = Statement(
    "SELECT numbers, signs FROM search_vector_chunks"
    " WHERE workspace_id = ? AND list_key = ? AND space = ? AND chunk = ?"
)
_PUT_CHUNK = Statement(
    "INSERT INTO search_vector_chunks (workspace_id, list_key, space, chunk, numbers, signs, version)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, list_key, space, chunk)"
    " DO UPDATE SET numbers = excluded.numbers, signs = excluded.signs, version = excluded.version"
)
_DELETE_CHUNK = Statement(
    "DELETE FROM search_vector_chunks WHERE workspace_id = ? AND list_key = ? AND space = ? AND chunk = ?"
)
_VERSIONS = Statement(
    "SELECT list_key, chunk, version FROM search_vector_chunks"
    " WHERE workspace_id = ? AND list_key IN (?*) AND space = ?"
)
_CHUNKS = Statement(
    "SELECT chunk, version, numbers, signs FROM search_vector_chunks"
    " WHERE workspace_id = ? AND list_key = ? AND space = ? AND chunk IN (?*)"
)
_VECTORS = Statement(
    "SELECT number, vector FROM search_vectors"
    " WHERE workspace_id = ? AND list_key = ? AND space = ? AND number IN (?*)"
)
_ITEMS = Statement(
    "SELECT number, item_id FROM search_documents WHERE workspace_id = ? AND list_key = ? AND number IN (?*)"
)
_TEXTS = Statement(
    "SELECT d.number, i.content FROM search_documents d JOIN memory_items i"
    " ON i.workspace_id = d.workspace_id AND i.id = d.item_id"
    " WHERE d.workspace_id = ? AND d.list_key = ? AND d.number IN (?*) AND NOT EXISTS (SELECT 1"
    " FROM search_vectors v WHERE v.workspace_id = d.workspace_id AND v.list_key = d.list_key"
    " AND v.number = d.number AND v.space = ?)"
)
_ALL_IN_USE = Statement(
    "SELECT workspace_id, list_key, segment, numbers FROM search_segments ORDER BY workspace_id, list_key"
)
_ALL_WITH_VECTOR = Statement(
    "SELECT workspace_id, list_key, chunk, numbers, version FROM search_vector_chunks WHERE space = ?"
)
_OTHER_SPACES = Statement(
    "SELECT workspace_id, list_key, space FROM search_vector_chunks WHERE space <> ?"
    " UNION SELECT workspace_id, list_key, space FROM search_vector_refusals WHERE space <> ?"
)
_DELETE_SPACE = (
    Statement("DELETE FROM search_vectors WHERE workspace_id = ? AND list_key = ? AND space = ?"),
    Statement("DELETE FROM search_vector_chunks WHERE workspace_id = ? AND list_key = ? AND space = ?"),
    Statement("DELETE FROM search_vector_refusals WHERE workspace_id = ? AND list_key = ? AND space = ?"),
)
_REFUSALS = Statement(
    "SELECT workspace_id, list_key, number, reason, tries, tried_at_us FROM search_vector_refusals WHERE space = ?"
)
_REFUSE = Statement(
    "INSERT INTO search_vector_refusals (workspace_id, list_key, number, space, reason, tries, tried_at_us)"
    " VALUES (?, ?, ?, ?, ?, 1, ?) ON CONFLICT (workspace_id, list_key, number, space) DO UPDATE SET"
    " reason = excluded.reason, tries = search_vector_refusals.tries + 1, tried_at_us = excluded.tried_at_us"
)
_DELETE_REFUSALS = Statement(
    "DELETE FROM search_vector_refusals WHERE workspace_id = ? AND list_key = ? AND space = ? AND number IN (?*)"
)


@dataclass(frozen=True, slots=True)
class Lack:
    """A list with how many items it has, and the numbers of those without a vector as a set of bits."""

    workspace: WorkspaceId
    list_key: str
    items: int
    missing: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A text that the model did not take: its place, the code of the last failure, how many tries there were and when
    the last one was.
    """

    workspace: WorkspaceId
    list_key: str
    number: int
    reason: str
    tries: int
    tried_at: datetime


class Vectors:
    """Writes belong in the caller's transaction, under the workspace lock. `signs` outlives the transaction."""

    def __init__(self, connection: Connection, signs: SignCache) -> None:
        self._connection = connection
        self._signs = signs

    def put(
        self, workspace: WorkspaceId, list_key: str, space: str, vectors: Mapping[int, Sequence[float]]
    ) -> None:
        """Give items of a list, by their numbers in it, their vectors."""
        _DELETE_REFUSALS.run(self._connection, workspace, list_key, space, sorted(vectors))
        by_chunk = groupby(sorted(vectors), key=lambda number: number // CHUNK_SIZE)
        for chunk_number, numbers in by_chunk:
            place = (workspace, list_key, space, chunk_number)
            chunk: Chunk | None = self._chunk(*place)
            for number in numbers:
                signs = as_signs(vectors[number])
                chunk = chunk or Chunk.empty(len(signs))
                chunk.put(number % CHUNK_SIZE, signs)
                _PUT_VECTOR.run(
                    self._connection, workspace, list_key, number, space, as_bytes(vectors[number])
                )
            if chunk is not None:
                self._put_chunk(place, chunk)

    def drop(self, workspace: WorkspaceId, list_key: str, number: int) -> None:
        """Take an item's vectors away, of whatever model, and that its text was refused; one look where it has none."""
        here = (workspace, list_key)
        spaces = _SPACES_OF_NUMBER.rows(self._connection, *here, number, *here, number)
        if not spaces:
            return
        for statement in _DELETE_NUMBER:
            statement.run(self._connection, *here, number)
        chunk_number, local = divmod(number, CHUNK_SIZE)
        for space in (space for space, has_vector in spaces if has_vector):
            place = (*here, space, chunk_number)
            chunk = self._chunk(*place)
            if chunk is None:
                continue
            chunk.drop(local)
            if any(chunk.numbers):
                self._put_chunk(place, chunk)
            else:
                _DELETE_CHUNK.run(self._connection, *place)

    def refuse(
        self, workspace: WorkspaceId, list_key: str, space: str, reasons: Mapping[int, str], *, at: datetime
    ) -> None:
        """Note a try more of each of these texts, which the model did not take, with the code that says why."""
        tried_at_us = (at - _EPOCH) // _MICROSECOND
        for number, reason in sorted(reasons.items()):
            values = (workspace, list_key, number, space, reason[:REASON_CHARACTERS_MAX], tried_at_us)
            _REFUSE.run(self._connection, *values)

    def refusals(self, space: str) -> list[Refusal]:
        """Of the whole installation the texts that this model has refused, the last time that they were tried."""
        rows = _REFUSALS.rows(self._connection, space)
        return [
            Refusal(workspace, list_key, number, reason, tries, _EPOCH + tried_at_us * _MICROSECOND)
            for workspace, list_key, number, reason, tries, tried_at_us in rows
        ]

    def texts_without(
        self, workspace: WorkspaceId, list_key: str, space: str, numbers: Sequence[int]
    ) -> dict[int, str]:
        """The texts of those numbers that are in the list now and have no vector in this space."""
        return dict(_TEXTS.rows(self._connection, workspace, list_key, list(numbers), space))

    def lacking(self, space: str) -> Iterator[Lack]:
        """Each list of the installation with what it lacks in this space: sets alone, no row of an item is read."""
        have: dict[tuple[str, str], int] = {}
        versions: dict[ChunkKey, int] = {}
        for workspace, list_key, chunk, numbers, version in _ALL_WITH_VECTOR.rows(self._connection, space):
            versions[WorkspaceId(workspace), list_key, space, chunk] = version
            bits = int.from_bytes(numbers, "little") << chunk * CHUNK_SIZE
            have[workspace, list_key] = have.get((workspace, list_key), 0) | bits
        # Nothing of what was deleted stays in RAM for longer than it takes to see that.
        self._signs.keep(versions)
        in_use = _ALL_IN_USE.rows(self._connection)
        for (workspace, list_key), rows in groupby(in_use, key=lambda row: (row[0], row[1])):
            segments = {segment: numbers for _, _, segment, numbers in rows}
            bits = bytearray(bits_size(max(segments) + 1))
            for segment, numbers in segments.items():
                add_bits(numbers, bits, segment)
            items = int.from_bytes(bits, "little")
            missing = items & ~have.get((workspace, list_key), 0)
            yield Lack(workspace, list_key, items.bit_count(), missing)

    def other_spaces(self, space: str) -> list[tuple[WorkspaceId, str, str]]:
        """What is left of other models: workspace, list and space."""
        return [(row[0], row[1], row[2]) for row in _OTHER_SPACES.rows(self._connection, space, space)]

    def remove_space(self, workspace: WorkspaceId, list_key: str, space: str) -> None:
        """Take the vectors of one model away from a list, and what it refused."""
        for statement in _DELETE_SPACE:
            statement.run(self._connection, workspace, list_key, space)

    def similarities(
        self,
        workspace: WorkspaceId,
        list_keys: Sequence[str],
        space: str,
        query: Sequence[float],
        *,
        others: Collection[Place],
        nearest: int,
    ) -> dict[Place, float]:
        """The cosine, -1 to 1, to the query: of the nearest items, and of others as far as they have a vector."""
        wanted = self._nearest(workspace, list_keys, space, query, nearest)
        for list_key, number in others:
            if list_key in wanted:
                wanted[list_key].add(number)
        found: dict[Place, bytes] = {}
        for list_key, numbers in wanted.items():
            rows = _VECTORS.rows(self._connection, workspace, list_key, space, sorted(numbers))
            found.update(((list_key, number), vector) for number, vector in rows)
        return _cosines(found, query)

    def items_at(self, workspace: WorkspaceId, places: Collection[Place]) -> dict[Place, ItemId]:
        """The items that stand there."""
        found: dict[Place, ItemId] = {}
        for list_key in {list_key for list_key, _ in places}:
            numbers = [number for key, number in places if key == list_key]
            rows = _ITEMS.rows(self._connection, workspace, list_key, numbers)
            found.update(((list_key, number), ItemId(item)) for number, item in rows)
        return found

    def _nearest(
        self,
        workspace: WorkspaceId,
        list_keys: Sequence[str],
        space: str,
        query: Sequence[float],
        count: int,
    ) -> dict[str, set[int]]:
        """For each list that has vectors the numbers whose signs differ least from the query's."""
        rows = self._chunks(workspace, list_keys, space)
        if not rows:
            return {}
        # Here, since only an installation that has switched the signal on has this library.
        import numpy  # noqa: PLC0415

        width = signs_size(len(query)) // 8
        signs = numpy.frombuffer(b"".join(chunk.signs for _, _, chunk in rows), numpy.uint64).reshape(
            -1, width
        )
        asked = numpy.frombuffer(as_signs(query), numpy.uint64)
        distances = numpy.zeros(len(signs), numpy.uint16)
        # By columns: a sum along such short rows would take longer than all the rest.
        for column, word in enumerate(asked):
            distances += numpy.bitwise_count(signs[:, column] ^ word)
        present = numpy.unpackbits(
            numpy.frombuffer(b"".join(chunk.numbers for _, _, chunk in rows), numpy.uint8), bitorder="little"
        )
        places = numpy.flatnonzero(present)
        if len(places) > count:
            places = places[numpy.argpartition(distances[places], count)[:count]]
        near: dict[str, set[int]] = {list_key: set() for list_key, _, _ in rows}
        for place in places.tolist():
            row, local = divmod(place, CHUNK_SIZE)
            list_key, chunk, _ = rows[row]
            near[list_key].add(chunk * CHUNK_SIZE + local)
        return near

    def _chunks(
        self, workspace: WorkspaceId, list_keys: Sequence[str], space: str
    ) -> list[tuple[str, int, KnownChunk]]:
        """The chunks of these lists as they are in this transaction: list, number, content."""
        rows = _VERSIONS.rows(self._connection, workspace, list(dict.fromkeys(list_keys)), space)
        known: dict[tuple[str, int], KnownChunk] = {}
        unknown: dict[str, list[int]] = {}
        for list_key, number, version in rows:
            chunk = self._signs.get((workspace, list_key, space, number), version)
            if chunk is None:
                unknown.setdefault(list_key, []).append(number)
            else:
                known[list_key, number] = chunk
        for list_key, numbers in unknown.items():
            for number, *content in _CHUNKS.rows(self._connection, workspace, list_key, space, numbers):
                known[list_key, number] = chunk = KnownChunk(*content)
                self._signs.put((workspace, list_key, space, number), chunk)
        return [(list_key, number, known[list_key, number]) for list_key, number, _ in rows]

    def _put_chunk(self, place: ChunkKey, chunk: Chunk) -> None:
        # By chance and not by counting: a chunk that is deleted and made anew must not have a version of before.
        _PUT_CHUNK.run(self._connection, *place, chunk.numbers, chunk.signs, secrets.randbits(63))

    def _chunk(self, workspace: WorkspaceId, list_key: str, space: str, chunk: int) -> Chunk | None:
        for numbers, signs in _CHUNK.rows(self._connection, workspace, list_key, space, chunk):
            return Chunk(numbers, signs)
        return None


def _cosines(vectors: Mapping[Place, bytes], query: Sequence[float]) -> dict[Place, float]:
    if not vectors:
        return {}
    import numpy  # noqa: PLC0415

    # Scaled in double precision: the length of a model's vectors may lie outside of what a single float holds.
    precise = numpy.asarray(query, numpy.float64)
    asked = (precise / (numpy.abs(precise).max() or 1.0)).astype(numpy.float32)
    stored = numpy.frombuffer(b"".join(vectors.values()), numpy.int8).reshape(-1, len(query))
    parts = stored.astype(numpy.float32)
    lengths = numpy.sqrt((parts * parts).sum(axis=1)) * (float(numpy.linalg.norm(asked)) or 1.0)
    cosines = parts @ asked / numpy.maximum(lengths, 1e-9)
    return dict(zip(vectors, cosines.tolist(), strict=True))

"""Cursors: opaque texts that say where the next page begins, bound to the query that they continue.

Newest-first lists continue after a position (time and id), so that an item added meanwhile shifts nothing. Ranked
answers continue after a count, since a rank has no other name. Lists of documents continue after a place.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import DocumentId, ItemId, is_id
from workspace_memory.domain.note import Place

_MISMATCH = "is not one that this query gave; leave it out to begin anew"


@dataclass(frozen=True, slots=True)
class AfterPosition:
    """The last item of a newest-first page."""

    created_at: datetime
    item: ItemId


@dataclass(frozen=True, slots=True)
class AfterCount:
    """How many ranked hits were shown."""

    count: int


def fingerprint(parts: Sequence[str | None]) -> str:
    """Eight characters that differ between queries, so that a cursor cannot continue another one."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]


def encode_cursor(place: AfterPosition | AfterCount, query: str) -> str:
    """The cursor for a place in the answer to the query with this fingerprint."""
    match place:
        case AfterPosition(created_at, item):
            fields = [query, created_at.astimezone(UTC).isoformat(), item]
        case AfterCount(count):
            fields = [query, count]
    return _encoded(fields)


def encode_place(place: Place, query: str) -> str:
    """The cursor for a place in the list of documents with this fingerprint: up to 2,000 characters."""
    return _encoded([query, place.path, place.document])


def decode_place(cursor: str, query: str) -> Place:
    """The place that a cursor names. Raises: InvalidRequest for any text that this query did not give."""
    match _decoded(cursor):
        case [str(given), str(path), str(document)] if given == query and is_id(document) and _is_path(path):
            return Place(path, DocumentId(document))
        case _:
            raise InvalidRequest("cursor", _MISMATCH)


def decode_cursor(cursor: str, query: str, *, ranked: bool) -> AfterPosition | AfterCount:
    """The place that a cursor names: a count in a ranked answer, else a position.

    Raises: InvalidRequest for any text that this query did not give.
    """
    match _decoded(cursor):
        case [str(given), int(count)] if ranked and given == query and 0 <= count <= 1_000_000:
            return AfterCount(count)
        case [str(given), str(time), str(item)] if not ranked and given == query and is_id(item):
            return AfterPosition(_time(time), ItemId(item))
        case _:
            raise InvalidRequest("cursor", _MISMATCH)


def _encoded(fields: Sequence[object]) -> str:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decoded(cursor: str) -> object:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise InvalidRequest("cursor", _MISMATCH) from None


def _is_path(text: str) -> bool:
    # Else a database could not even compare it.
    return "\0" not in text and not any(0xD800 <= ord(character) <= 0xDFFF for character in text)


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC) if time.tzinfo is not None else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("cursor", _MISMATCH) from None

"""Notes and skills: which paths they may have, and the bounds that are kept for them.

A stored path is never rewritten, so that it has to come in plain form. What belongs to the memory document is refused
however it is spelt (`namespace.py`), and the refusal depends on the text of the path alone: it says nothing about what
exists.
"""

import unicodedata
from dataclasses import dataclass

from workspace_memory.domain.document import TEXT_BYTES_MAX
from workspace_memory.domain.document_errors import NamespaceReserved
from workspace_memory.domain.errors import InvalidRequest, QuotaExceeded
from workspace_memory.domain.ids import ClearGeneration, DocumentId, Version
from workspace_memory.domain.namespace import PathVerdict, verdict_of

NOTES_MAX = 10_000
"""How many notes a workspace keeps, deleted ones not counted."""
NOTE_GENERATION = ClearGeneration(0)
"""What notes and their proposals are sealed with: a Clear is about the memory document and retires none of them."""

_PLAIN = (
    "must be in plain form: names joined by single slashes, none of them empty, '.' or '..', without a backslash, in "
    "Unicode NFC"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document stands in a list by path. Deleted ones may share a path; the id tells them apart."""

    path: str
    document: DocumentId


def require_unreserved(path: str, field: str = "path") -> None:
    """Let a path pass that is no spelling of the memory document's place, and of no folder above it.

    Raises: NamespaceReserved; InvalidRequest for what cannot be a path at all.
    """
    match verdict_of(path):
        case PathVerdict.OK:
            return
        case PathVerdict.INVALID:
            raise InvalidRequest(field, "is no path that a document can have")
        case PathVerdict.RESERVED | PathVerdict.ANCESTOR:
            raise NamespaceReserved


def require_note_path(path: str, field: str = "path") -> None:
    """The same for a path that is to be stored: it also has to be in plain form. Raises: as above."""
    require_unreserved(path, field)
    segments = path.split("/")
    if (
        any(segment in {"", ".", ".."} for segment in segments)
        or "\\" in path
        or not unicodedata.is_normalized("NFC", path)
    ):
        raise InvalidRequest(field, _PLAIN)


def require_room(notes: int) -> None:
    """Raise QuotaExceeded when the workspace has as many notes as it may."""
    if notes >= NOTES_MAX:
        raise QuotaExceeded(NOTES_MAX, "notes of one workspace")


def check_text(text: str) -> None:
    """Raise InvalidRequest for a text that is longer than what is kept."""
    length = len(text.encode("utf-8", "surrogatepass"))
    if length > TEXT_BYTES_MAX:
        raise InvalidRequest("text", f"has {length:,} bytes in UTF-8; at most {TEXT_BYTES_MAX:,} are kept")


def require_seen_version(base: Version | None) -> Version:
    """The version that a write is made against. Asked here and not at the edge: a reserved path is refused before.

    Raises: InvalidRequest.
    """
    if base is None:
        raise InvalidRequest(
            "X-Base-Version", "is required: the version that you were shown, 0 for a new document"
        )
    return base

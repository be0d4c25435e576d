"""What the service answers to `notes.py` and `plain_notes.py`, as frozen values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from workspace_memory.client.document_answers import SealedRevision
from workspace_memory.domain.document import DocumentKind
from workspace_memory.domain.ids import DocumentId, ProposalId


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHead:
    """A document without its text; the memory document, of kind `memory`, is in lists alone."""

    id: DocumentId
    kind: DocumentKind
    path: str
    version: int
    live: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHeads:
    """A page of documents by path."""

    documents: tuple[NoteHead, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedNote(NoteHead):
    """A note with its newest version, sealed."""

    newest: SealedRevision


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLine:
    """A line in which a word was found."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlainNote:
    """A note of an agent's list or search."""

    path: str
    version: int
    created_at: datetime
    updated_at: datetime
    lines: tuple[NoteLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlainNotes:
    """A page of them. `next_cursor` is None when everything was looked at."""

    documents: tuple[FoundPlainNote, ...]
    searched: int
    unreadable: int
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainNote:
    """A note's text. `newest_version` is what a write is made against."""

    path: str
    version: int
    newest_version: int
    updated_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainWritten:
    """What became of an agent's write: a suspicious text is proposed and waits for a person."""

    outcome: Literal["written", "proposed"]
    path: str
    version: int
    document_id: DocumentId | None
    proposal_id: ProposalId | None

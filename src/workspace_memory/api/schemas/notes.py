"""Notes as JSON: sealed for people's clients, plain for agents."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StrictInt

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    with_example,
)
from workspace_memory.api.schemas.documents import (
    REVISION_EXAMPLE,
    VERSION_MAX,
    RevisionOut,
    SealedIn,
    revision_out,
)
from workspace_memory.api.schemas.encoded import encode
from workspace_memory.domain.document import DocumentKind, Head
from workspace_memory.domain.ids import Version
from workspace_memory.domain.namespace import PATH_BYTES_MAX
from workspace_memory.domain.note_search import QUERY_CHARACTERS_MAX
from workspace_memory.services.automation_notes import NoteOutcome, NoteWritten, PlainNote
from workspace_memory.services.notes import Note, NotePage
from workspace_memory.services.searching_notes import FOUND_MAX, FoundNotes

_PATH = "notes/tea.md"
_SEALED = {"epoch": 1, "ciphertext": encode(bytes(48))}
_HEAD = {
    "id": EXAMPLE_ID,
    "kind": "note",
    "path": _PATH,
    "version": 3,
    "live": True,
    "created_at": EXAMPLE_TIME,
    "updated_at": EXAMPLE_TIME,
}
_FOUND = {
    "path": _PATH,
    "version": 3,
    "created_at": EXAMPLE_TIME,
    "updated_at": EXAMPLE_TIME,
    "lines": [{"number": 3, "text": "Green tea at four"}],
}
# A cursor holds the path where a page ended.
_PlaceCursor = Annotated[
    Text | None,
    Field(
        default=None,
        max_length=2_500,
        description="Where to continue: `next_cursor` of the page before. Opaque, and valid for the same query only.",
    ),
]
NotePathField = Annotated[
    Text,
    Field(
        max_length=PATH_BYTES_MAX,
        description="Names joined by single slashes, at most 1,024 bytes; stored as it comes.",
        examples=[_PATH],
    ),
]


class HeadOut(Answer):
    """A document without its text."""

    model_config = with_example(_HEAD)

    id: str
    kind: DocumentKind = Field(description="`memory` for the memory document, which has routes of its own.")
    path: str
    version: int = Field(description="The newest version: what a write is made against.")
    live: bool = Field(description="False when it is deleted.")
    created_at: datetime
    updated_at: datetime


class HeadPageOut(Answer):
    """Documents by path."""

    model_config = with_example({"documents": [_HEAD], "next_cursor": None})

    documents: list[HeadOut]
    next_cursor: str | None


class NoteOut(HeadOut):
    """A note with its newest version."""

    model_config = with_example({**_HEAD, "newest": {**REVISION_EXAMPLE, "version": 3, "path": _PATH}})

    newest: RevisionOut


class HeadQuery(Arguments):
    """Which documents."""

    deleted: bool = Field(default=False, description="Those that are deleted, instead of the others.")
    cursor: _PlaceCursor
    limit: int = Field(default=50, ge=1, le=200)


class PathQuery(Arguments):
    """A document by its path."""

    path: NotePathField


class NoteIn(SealedIn):
    """A sealed text for a path."""

    model_config = with_example({"path": _PATH, **_SEALED})

    path: NotePathField


class RestoreIn(SealedIn):
    """An older version's text, sealed as the next one."""

    model_config = with_example({"version": 1, **_SEALED})

    version: StrictInt = Field(ge=1, le=VERSION_MAX, description="The version whose text it is.")


class PlainQuery(Arguments):
    """A list, or with `query` a search."""

    query: Text = Field(
        default="",
        max_length=QUERY_CHARACTERS_MAX,
        description="Words that text and path together have to hold, whatever their case and accents.",
    )
    cursor: _PlaceCursor
    limit: int = Field(default=20, ge=1, le=FOUND_MAX)


class PlainPathQuery(PathQuery):
    """A note by its path, and perhaps an older version of it."""

    version: int | None = Field(default=None, ge=1, le=VERSION_MAX, description="The newest one without it.")

    def to_version(self) -> Version | None:
        """As the services take it."""
        return None if self.version is None else Version(self.version)


class PlainIn(Arguments):
    """A text for a path."""

    model_config = with_example({"path": _PATH, "text": "# Tea\n\n- Green tea at four\n"})

    path: NotePathField
    text: Text = Field(description="Markdown, at most 192 KiB in UTF-8; stored sealed, exactly as it comes.")


class PlainMoveIn(Arguments):
    """Where a note stands, and where it shall stand."""

    model_config = with_example({"path": _PATH, "to": "archive/tea.md"})

    path: NotePathField
    to: NotePathField


class PlainRestoreIn(Arguments):
    """Which version's text shall be the newest again."""

    model_config = with_example({"path": _PATH, "version": 1})

    path: NotePathField
    version: StrictInt = Field(ge=1, le=VERSION_MAX)


class LineOut(Answer):
    """A line in which a word was found."""

    number: int
    text: str = Field(description="Cut to 300 characters around the word.")


class FoundOut(Answer):
    """A note of a list or search."""

    path: str
    version: int
    created_at: datetime
    updated_at: datetime
    lines: list[LineOut] = Field(
        description="The first lines that match; empty in a list, and where the words stand in the path."
    )


class FoundPageOut(Answer):
    """Notes by path."""

    model_config = with_example({"documents": [_FOUND], "searched": 12, "unreadable": 0, "next_cursor": None})

    documents: list[FoundOut]
    searched: int = Field(
        description="How many texts a search has opened: at most 2,000, or 8 MiB. 0 for a list."
    )
    unreadable: int = Field(description="How many of them do not open with the workspace key.")
    next_cursor: str | None = Field(description="Null when everything was looked at.")


class PlainOut(Answer):
    """A note's text."""

    model_config = with_example(
        {
            "path": _PATH,
            "version": 3,
            "newest_version": 3,
            "updated_at": EXAMPLE_TIME,
            "text": "# Tea\n\n- Green tea at four\n",
        }
    )

    path: str
    version: int = Field(description="The version of this text.")
    newest_version: int = Field(description="What a write is made against.")
    updated_at: datetime
    text: str


class PlainWrittenOut(Answer):
    """What became of a write."""

    model_config = with_example(
        {"outcome": "written", "path": _PATH, "version": 4, "document_id": EXAMPLE_ID, "proposal_id": None}
    )

    outcome: NoteOutcome = Field(description="`proposed`: the text is suspicious and waits for a person.")
    path: str
    version: int = Field(description="The newest version; of a proposal the one that it is made against.")
    document_id: str | None = Field(description="Null for a proposal of a new note.")
    proposal_id: str | None


def head_out(head: Head) -> HeadOut:
    """A document as JSON."""
    return HeadOut(
        id=head.id,
        kind=head.kind,
        path=head.path,
        version=head.version,
        live=head.live,
        created_at=head.created_at,
        updated_at=head.updated_at,
    )


def head_page_out(page: NotePage) -> HeadPageOut:
    """A list as JSON."""
    return HeadPageOut(documents=[head_out(each) for each in page.documents], next_cursor=page.next_cursor)


def note_out(note: Note) -> NoteOut:
    """A note as JSON."""
    return NoteOut(**head_out(note.head).model_dump(), newest=revision_out(note.newest))


def plain_out(note: PlainNote) -> PlainOut:
    """A text as JSON."""
    return PlainOut(
        path=note.head.path,
        version=note.version,
        newest_version=note.head.version,
        updated_at=note.head.updated_at,
        text=note.text,
    )


def plain_written_out(written: NoteWritten) -> PlainWrittenOut:
    """The outcome of a write as JSON."""
    return PlainWrittenOut(
        outcome=written.outcome,
        path=written.path,
        version=written.version,
        document_id=written.document,
        proposal_id=written.proposal,
    )


def listed_out(page: NotePage) -> FoundPageOut:
    """An agent's list as JSON."""
    return FoundPageOut(
        documents=[_found(each, []) for each in page.documents],
        searched=0,
        unreadable=0,
        next_cursor=page.next_cursor,
    )


def found_out(found: FoundNotes) -> FoundPageOut:
    """An agent's search as JSON."""
    documents = [
        _found(each.head, [LineOut(number=line.number, text=line.text) for line in each.lines])
        for each in found.found
    ]
    return FoundPageOut(
        documents=documents,
        searched=found.searched,
        unreadable=found.unreadable,
        next_cursor=found.next_cursor,
    )


def _found(head: Head, lines: list[LineOut]) -> FoundOut:
    return FoundOut(
        path=head.path,
        version=head.version,
        created_at=head.created_at,
        updated_at=head.updated_at,
        lines=lines,
    )

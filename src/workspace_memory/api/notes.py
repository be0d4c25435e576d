"""Notes and skills over REST, as people's clients write them: sealed before they come, sealed when they leave.

The memory document is in the list, and nothing here writes it.
"""

from typing import Annotated

from fastapi import Path, Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.documents import BaseVersion, VersionPath
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.common import EXAMPLE_ID
from workspace_memory.api.schemas.documents import (
    PageQuery,
    RevisionOut,
    RevisionPageOut,
    SealedIn,
    revision_out,
    revision_page_out,
)
from workspace_memory.api.schemas.notes import (
    HeadOut,
    HeadPageOut,
    HeadQuery,
    NoteIn,
    NoteOut,
    PathQuery,
    RestoreIn,
    head_out,
    head_page_out,
    note_out,
)
from workspace_memory.domain.document_errors import (
    EpochConflict,
    NamespaceReserved,
    PathTaken,
    VersionConflict,
)
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound, QuotaExceeded
from workspace_memory.domain.ids import DocumentId, Version
from workspace_memory.services.notes import (
    delete_note,
    get_note,
    get_note_at,
    get_note_revision,
    list_note_revisions,
    list_notes,
    move_note,
    restore_note,
    save_note,
    save_note_at,
)

NOTES = "/workspaces/{workspace_id}/documents"
NOTE = f"{NOTES}/{{document_id}}"

router = new_router("documents")

DocumentPath = Annotated[DocumentId, Path(description="The document's id.", examples=[EXAMPLE_ID])]
_USUAL = (NotFound, Forbidden, LevelTooLow)
_WRITING = (NamespaceReserved, VersionConflict, EpochConflict, PathTaken, QuotaExceeded)


@router.get(NOTES, summary="List documents", response_model=HeadPageOut, responses=errors(*_USUAL))
def read_heads(caller: Asking, workspace_id: WorkspacePath, query: Annotated[HeadQuery, Query()]) -> Response:
    """Notes and skills by path, and the memory document among them, without their texts; for every member."""
    page = caller.ask(list_notes, workspace_id, deleted=query.deleted, cursor=query.cursor, limit=query.limit)
    return answer(head_page_out(page))


@router.put(
    NOTES,
    summary="Save a document by its path",
    response_model=HeadOut,
    responses=errors(*_USUAL, *_WRITING),
)
def write_at_path(
    caller: Asking, workspace_id: WorkspacePath, body: NoteIn, base_version: BaseVersion
) -> Response:
    """Make a note, with X-Base-Version 0, or write the next version of the one at this path: admins and editors.

    The version of a deleted one revives it. The text is sealed with the kind `save` and clear generation 0.
    """
    written = caller.ask(
        save_note_at, workspace_id, body.path, base=Version(base_version), sealed=body.to_sealed()
    )
    return answer(head_out(written))


@router.get(
    f"{NOTES}/by-path",
    summary="Get a document by its path",
    response_model=NoteOut,
    responses=errors(*_USUAL, NamespaceReserved),
)
def read_at_path(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[PathQuery, Query()]
) -> Response:
    """The note at a path, or the deleted one that was there last, sealed; for every member."""
    return answer(note_out(caller.ask(get_note_at, workspace_id, query.path)))


@router.get(
    NOTE, summary="Get a document", response_model=NoteOut, responses=errors(*_USUAL, NamespaceReserved)
)
def read_note(caller: Asking, workspace_id: WorkspacePath, document_id: DocumentPath) -> Response:
    """A note with its newest version, sealed, also a deleted one; for every member."""
    return answer(note_out(caller.ask(get_note, workspace_id, document_id)))


@router.put(NOTE, summary="Save a document", response_model=HeadOut, responses=errors(*_USUAL, *_WRITING))
def write_note(
    caller: Asking,
    workspace_id: WorkspacePath,
    document_id: DocumentPath,
    body: SealedIn,
    base_version: BaseVersion,
) -> Response:
    """Write the next version against the one that was seen: admins and editors. A deleted one is there again."""
    written = caller.ask(
        save_note, workspace_id, document_id, base=Version(base_version), sealed=body.to_sealed()
    )
    return answer(head_out(written))


@router.delete(
    NOTE,
    summary="Delete a document",
    response_model=HeadOut,
    responses=errors(*_USUAL, NamespaceReserved, VersionConflict),
)
def remove_note(
    caller: Asking, workspace_id: WorkspacePath, document_id: DocumentPath, base_version: BaseVersion
) -> Response:
    """Leave a tombstone: admins and editors. The history stays, and a save or a restore brings the note back."""
    return answer(head_out(caller.ask(delete_note, workspace_id, document_id, base=Version(base_version))))


@router.post(
    f"{NOTE}/move",
    summary="Move a document",
    response_model=HeadOut,
    responses=errors(*_USUAL, *_WRITING),
)
def rename_note(
    caller: Asking,
    workspace_id: WorkspacePath,
    document_id: DocumentPath,
    body: NoteIn,
    base_version: BaseVersion,
) -> Response:
    """Let a note stand at another path, which is free: a version of the kind `move`, sealed under the new path."""
    written = caller.ask(
        move_note,
        workspace_id,
        document_id,
        path=body.path,
        base=Version(base_version),
        sealed=body.to_sealed(),
    )
    return answer(head_out(written))


@router.post(
    f"{NOTE}/restore",
    summary="Restore a version of a document",
    response_model=HeadOut,
    responses=errors(*_USUAL, *_WRITING),
)
def bring_back_note(
    caller: Asking,
    workspace_id: WorkspacePath,
    document_id: DocumentPath,
    body: RestoreIn,
    base_version: BaseVersion,
) -> Response:
    """Write an older version's text as the next one, also of a deleted note: sealed with the kind `restore`."""
    written = caller.ask(
        restore_note,
        workspace_id,
        document_id,
        version=Version(body.version),
        base=Version(base_version),
        sealed=body.to_sealed(),
    )
    return answer(head_out(written))


@router.get(
    f"{NOTE}/versions",
    summary="List the versions of a document",
    response_model=RevisionPageOut,
    responses=errors(*_USUAL, NamespaceReserved),
)
def list_note_versions(
    caller: Asking,
    workspace_id: WorkspacePath,
    document_id: DocumentPath,
    query: Annotated[PageQuery, Query()],
) -> Response:
    """The history, newest first, for every member; each version keeps the path that it was sealed under."""
    before = None if query.before is None else Version(query.before)
    page = caller.ask(list_note_revisions, workspace_id, document_id, before=before, limit=query.limit)
    return answer(revision_page_out(page))


@router.get(
    f"{NOTE}/versions/{{version}}",
    summary="Get a version of a document",
    response_model=RevisionOut,
    responses=errors(*_USUAL, NamespaceReserved),
)
def read_note_version(
    caller: Asking, workspace_id: WorkspacePath, document_id: DocumentPath, version: VersionPath
) -> Response:
    """One version, sealed, for every member."""
    return answer(revision_out(caller.ask(get_note_revision, workspace_id, document_id, Version(version))))

"""The memory document over REST, as people's clients write it: sealed before it comes, sealed when it leaves."""

from typing import Annotated, Literal

from fastapi import Header, Path, Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.common import InDigits
from workspace_memory.api.schemas.documents import (
    VERSION_MAX,
    DocumentOut,
    PageQuery,
    RevisionOut,
    RevisionPageOut,
    SealedIn,
    WrittenOut,
    document_out,
    revision_out,
    revision_page_out,
    written_out,
)
from workspace_memory.domain.document_errors import EpochConflict, VersionConflict
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.ids import Version
from workspace_memory.services.documents import (
    clear_document,
    delete_document,
    get_document,
    get_revision,
    list_revisions,
    save_document,
)

DOCUMENT = "/workspaces/{workspace_id}/memory/document"

router = new_router("memory document")

_USUAL = (NotFound, Forbidden, LevelTooLow)

BaseVersion = Annotated[
    int,
    InDigits,
    Header(
        alias="X-Base-Version",
        ge=0,
        le=VERSION_MAX,
        description="The version that the write was made against; 0 for a document that was never written.",
        examples=[7],
    ),
]
VersionPath = Annotated[
    int, InDigits, Path(ge=1, le=VERSION_MAX, description="The version's number.", examples=[7])
]
ClearMark = Annotated[
    Literal["1"] | None,
    Header(alias="X-Memory-Clear", description="`1` marks a Clear; the text is then empty."),
]
KindMark = Annotated[
    Literal["save", "undo"],
    Header(alias="X-Memory-Kind", description="`undo` when the text is an older version's."),
]


@router.get(
    DOCUMENT,
    summary="Get the memory document",
    response_model=DocumentOut,
    responses=errors(*_USUAL),
)
def read_document(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The newest version, sealed, for every member; `version` 0 when it was never written."""
    return answer(document_out(caller.ask(get_document, workspace_id)))


@router.put(
    DOCUMENT,
    summary="Save, clear or undo the memory document",
    response_model=WrittenOut,
    responses=errors(*_USUAL, VersionConflict, EpochConflict),
)
def write_document(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: SealedIn,
    base_version: BaseVersion,
    memory_clear: ClearMark = None,
    memory_kind: KindMark = "save",
) -> Response:
    """Write the next version against the one that was seen: admins and editors. Nothing is queued.

    When another write won, the answer is `version_conflict` and nothing has changed. A Clear is sealed with the next
    clear generation; it retires everything automatic from before, also where there was no document.
    """
    base = Version(base_version)
    if memory_clear is None:
        written = caller.ask(
            save_document, workspace_id, base=base, sealed=body.to_sealed(), undo=memory_kind == "undo"
        )
    elif memory_kind == "undo":
        raise InvalidRequest("X-Memory-Kind", "a write is either a Clear or an Undo")
    else:
        written = caller.ask(clear_document, workspace_id, base=base, sealed=body.to_sealed())
    return answer(written_out(written))


@router.delete(
    DOCUMENT,
    summary="Delete the memory document",
    response_model=WrittenOut,
    responses=errors(*_USUAL, VersionConflict),
)
def remove_document(caller: Asking, workspace_id: WorkspacePath, base_version: BaseVersion) -> Response:
    """Leave a tombstone, which a person's Save revives: admins and editors. Like a Clear it retires what is older.

    The history stays.
    """
    return answer(written_out(caller.ask(delete_document, workspace_id, base=Version(base_version))))


@router.get(
    f"{DOCUMENT}/versions",
    summary="List the versions of the memory document",
    response_model=RevisionPageOut,
    responses=errors(*_USUAL),
)
def list_document_versions(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[PageQuery, Query()]
) -> Response:
    """The history, newest first, for every member: who wrote when, by which kind of write."""
    before = None if query.before is None else Version(query.before)
    return answer(
        revision_page_out(caller.ask(list_revisions, workspace_id, before=before, limit=query.limit))
    )


@router.get(
    f"{DOCUMENT}/versions/{{version}}",
    summary="Get a version of the memory document",
    response_model=RevisionOut,
    responses=errors(*_USUAL),
)
def read_document_version(caller: Asking, workspace_id: WorkspacePath, version: VersionPath) -> Response:
    """One version, sealed, for every member."""
    return answer(revision_out(caller.ask(get_revision, workspace_id, Version(version))))

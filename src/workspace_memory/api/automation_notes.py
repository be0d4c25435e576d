"""Notes for agents over REST: plain text, with the user's token and an open key session of the same user.

What belongs to the memory document is refused here in every spelling, before anything else is looked at.
"""

from typing import Annotated

from fastapi import Header, Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.automation import AUTOMATION
from workspace_memory.api.callers import Asking
from workspace_memory.api.items import IdempotencyKey
from workspace_memory.api.key_session_tokens import KeySessionToken
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.documents import VERSION_MAX
from workspace_memory.api.schemas.notes import (
    FoundPageOut,
    PathQuery,
    PlainIn,
    PlainMoveIn,
    PlainOut,
    PlainPathQuery,
    PlainQuery,
    PlainRestoreIn,
    PlainWrittenOut,
    found_out,
    listed_out,
    plain_out,
    plain_written_out,
)
from workspace_memory.api.schemas.proposals import ProposalOut, proposal_out
from workspace_memory.domain.document_errors import (
    KeyLost,
    KeySessionRequired,
    KeyStoreDown,
    NamespaceReserved,
    PathTaken,
    TextUnreadable,
    VersionConflict,
)
from workspace_memory.domain.errors import (
    Forbidden,
    IdempotencyKeyReused,
    LevelTooLow,
    NotFound,
    QuotaExceeded,
    RateLimited,
    SecretRefused,
    StructureRefused,
)
from workspace_memory.domain.ids import Version
from workspace_memory.services.automation_notes import (
    delete_plain_note,
    move_plain_note,
    put_plain_note,
    read_plain_note,
    restore_plain_note,
)
from workspace_memory.services.proposals import propose_note_change
from workspace_memory.services.searching_notes import list_plain_notes, search_plain_notes

NOTES = f"{AUTOMATION}/documents"

router = new_router("automation")

# Not required by its shape: a reserved path is refused first, whatever is missing.
AgentBase = Annotated[
    int | None,
    Header(
        alias="X-Base-Version",
        ge=0,
        le=VERSION_MAX,
        description="Required: the version that the write was made against; 0 for a new document.",
        examples=[3],
    ),
]
_USUAL = (NotFound, Forbidden, LevelTooLow, KeySessionRequired, KeyStoreDown)
_WRITING = (NamespaceReserved, VersionConflict, IdempotencyKeyReused, RateLimited)
_TEXTS = (PathTaken, QuotaExceeded, SecretRefused, StructureRefused)


@router.get(
    NOTES,
    summary="List or search notes",
    response_model=FoundPageOut,
    responses=errors(*_USUAL, RateLimited),
)
def find_plain_notes(
    caller: Asking,
    workspace_id: WorkspacePath,
    query: Annotated[PlainQuery, Query()],
    key_session: KeySessionToken,
) -> Response:
    """Notes and skills by path, or those in which each word of `query` stands. The memory document is not among them.

    A search opens at most 2,000 texts or 8 MiB; `next_cursor` continues it. Neither query nor text is kept.
    """
    if not query.query.strip():
        page = caller.ask(
            list_plain_notes, workspace_id, cursor=query.cursor, limit=query.limit, key_session=key_session
        )
        return answer(listed_out(page))
    found = caller.ask(
        search_plain_notes,
        workspace_id,
        query.query,
        cursor=query.cursor,
        limit=query.limit,
        key_session=key_session,
    )
    return answer(found_out(found))


@router.get(
    f"{NOTES}/text",
    summary="Read a note",
    response_model=PlainOut,
    responses=errors(*_USUAL, NamespaceReserved, TextUnreadable, KeyLost),
)
def read_plain_text(
    caller: Asking,
    workspace_id: WorkspacePath,
    query: Annotated[PlainPathQuery, Query()],
    key_session: KeySessionToken,
) -> Response:
    """The text of the note at a path, or of an older version of it."""
    note = caller.ask(
        read_plain_note, workspace_id, query.path, version=query.to_version(), key_session=key_session
    )
    return answer(plain_out(note))


@router.put(
    NOTES,
    summary="Write a note",
    response_model=PlainWrittenOut,
    responses=errors(*_USUAL, *_WRITING, *_TEXTS),
)
def put_plain_text(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: PlainIn,
    key_session: KeySessionToken,
    base_version: AgentBase = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Make a note, with X-Base-Version 0, or write its next version: admins and editors. The server seals it.

    A text that looks like an order to a model is not written: `outcome` is `proposed`, and a person decides.
    """
    written = caller.ask(
        put_plain_note,
        workspace_id,
        body.path,
        body.text,
        base=_version(base_version),
        key_session=key_session,
        idempotency_key=idempotency_key,
    )
    return answer(plain_written_out(written))


@router.delete(
    NOTES,
    summary="Delete a note",
    response_model=PlainWrittenOut,
    responses=errors(*_USUAL, *_WRITING),
)
def delete_plain_text(
    caller: Asking,
    workspace_id: WorkspacePath,
    query: Annotated[PathQuery, Query()],
    key_session: KeySessionToken,
    base_version: AgentBase = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Leave a tombstone: admins and editors. A restore brings the note back."""
    written = caller.ask(
        delete_plain_note,
        workspace_id,
        query.path,
        base=_version(base_version),
        key_session=key_session,
        idempotency_key=idempotency_key,
    )
    return answer(plain_written_out(written))


@router.post(
    f"{NOTES}/move",
    summary="Move a note",
    response_model=PlainWrittenOut,
    responses=errors(*_USUAL, *_WRITING, PathTaken, TextUnreadable, KeyLost, SecretRefused, StructureRefused),
)
def move_plain_text(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: PlainMoveIn,
    key_session: KeySessionToken,
    base_version: AgentBase = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Let a note stand at another path, which is free: admins and editors. The server seals it anew."""
    written = caller.ask(
        move_plain_note,
        workspace_id,
        body.path,
        body.to,
        base=_version(base_version),
        key_session=key_session,
        idempotency_key=idempotency_key,
    )
    return answer(plain_written_out(written))


@router.post(
    f"{NOTES}/restore",
    summary="Restore a version of a note",
    response_model=PlainWrittenOut,
    responses=errors(*_USUAL, *_WRITING, *_TEXTS, TextUnreadable, KeyLost),
)
def restore_plain_text(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: PlainRestoreIn,
    key_session: KeySessionToken,
    base_version: AgentBase = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Write an older version's text as the next one, also of a deleted note: admins and editors."""
    written = caller.ask(
        restore_plain_note,
        workspace_id,
        body.path,
        version=Version(body.version),
        base=_version(base_version),
        key_session=key_session,
        idempotency_key=idempotency_key,
    )
    return answer(plain_written_out(written))


@router.post(
    f"{NOTES}/proposals",
    summary="Propose a change of a note",
    status_code=201,
    response_model=ProposalOut,
    responses=errors(*_USUAL, NamespaceReserved, VersionConflict, RateLimited, *_TEXTS),
)
def propose_plain_text(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: PlainIn,
    key_session: KeySessionToken,
    base_version: AgentBase = None,
) -> Response:
    """Propose a text for a note, or with X-Base-Version 0 a new one: viewers too. Nothing is written, and a person
    decides. The server seals it. A request that is sent twice is two proposals.
    """
    proposal = caller.ask(
        propose_note_change,
        workspace_id,
        body.path,
        body.text,
        base=_version(base_version),
        key_session=key_session,
    )
    return answer(proposal_out(proposal, proposal.clear_generation), status=201)


def _version(base: int | None) -> Version | None:
    return None if base is None else Version(base)

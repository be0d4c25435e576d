"""Notes and skills, as people write them: listed, read, saved, moved, restored, deleted. All of it is ciphertext here.

Every call asks the reserved namespace first; a call by id resolves the id and asks for the stored path. Lists show the
memory document among the others, and only its own routes write it. `automation_notes.py` is the half for agents.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.domain.access import Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document import (
    DocumentKind,
    Head,
    Revision,
    RevisionKind,
    SealedText,
    check_sealed,
)
from workspace_memory.domain.document_errors import NamespaceReserved, PathTaken, VersionConflict
from workspace_memory.domain.errors import InvalidRequest, NotFound
from workspace_memory.domain.ids import DocumentId, Version, WorkspaceId
from workspace_memory.domain.note import (
    NOTE_GENERATION,
    Place,
    require_note_path,
    require_room,
    require_unreserved,
)
from workspace_memory.domain.paging import decode_place, encode_place, fingerprint
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action
from workspace_memory.services.deps import Deps
from workspace_memory.services.documents import PAGE_MAX, RevisionPage, page_of, require_reader
from workspace_memory.services.session_keys import require_newest_epoch
from workspace_memory.storage.database import Transaction

WHAT = "document"


@dataclass(frozen=True, slots=True)
class NotePage:
    """Documents in the order of their paths, and where the next page begins, or None."""

    documents: Sequence[Head]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Note:
    """A note with its newest version, whose `sealed` is None for a deleted one."""

    head: Head
    newest: Revision


def list_notes(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    deleted: bool = False,
    cursor: str | None = None,
    limit: int = 50,
) -> NotePage:
    """The documents of the workspace, the memory document too, or those that are deleted. Without any text.

    Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest for a cursor of another list.
    """
    limit = max(1, min(limit, PAGE_MAX))
    query = fingerprint(["documents", str(deleted)])
    after = None if cursor is None else decode_place(cursor, query)
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        found = tx.documents.all_documents(workspace, live=not deleted, after=after, limit=limit + 1)
    return page_of_notes(found, limit, query)


def get_note(deps: Deps, actor: Actor, workspace: WorkspaceId, document: DocumentId) -> Note:
    """A note by its id, also a deleted one. Raises: NamespaceReserved, NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        return _with_newest(tx, workspace, _require_document(tx, workspace, document))


def get_note_at(deps: Deps, actor: Actor, workspace: WorkspaceId, path: str) -> Note:
    """The note at a path, or the one that was there last. Raises: as `get_note`; InvalidRequest."""
    require_unreserved(path)
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        head = tx.documents.note_at(workspace, path)
        if head is None:
            raise NotFound(WHAT)
        return _with_newest(tx, workspace, head)


def list_note_revisions(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    document: DocumentId,
    *,
    before: Version | None = None,
    limit: int = 50,
) -> RevisionPage:
    """A note's history, newest first. Raises: as `get_note`."""
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        head = _require_document(tx, workspace, document)
        return page_of(tx, workspace, head.id, before, limit)


def get_note_revision(
    deps: Deps, actor: Actor, workspace: WorkspaceId, document: DocumentId, version: Version
) -> Revision:
    """One version of a note. Raises: as `get_note`."""
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        head = _require_document(tx, workspace, document)
        return _require_revision(tx, workspace, head, version)


def save_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    document: DocumentId,
    *,
    base: Version,
    sealed: SealedText,
) -> Head:
    """Write a note's next version; a deleted one is there again. Sealed with the kind `save` under the stored path.

    Raises: NamespaceReserved, VersionConflict, PathTaken, EpochConflict, QuotaExceeded, InvalidRequest, NotFound,
    Forbidden, LevelTooLow.
    """
    check_sealed(sealed)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_NOTES)
        head = _require_document(tx, workspace, document)
        return append_note(deps, tx, actor, workspace, head, RevisionKind.SAVE, sealed, base=base)


def save_note_at(
    deps: Deps, actor: Actor, workspace: WorkspaceId, path: str, *, base: Version, sealed: SealedText
) -> Head:
    """Make a note at a path (`base` 0), or write the next version of the one that stands or last stood there.

    Raises: as `save_note`.
    """
    require_note_path(path)
    check_sealed(sealed)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_NOTES)
        return write_note(deps, tx, actor, workspace, sealed, document=None, path=path, base=base)


def delete_note(
    deps: Deps, actor: Actor, workspace: WorkspaceId, document: DocumentId, *, base: Version
) -> Head:
    """Make a tombstone, from which the note can be brought back. Raises: as `save_note`."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_NOTES)
        head = _require_document(tx, workspace, document)
        return bury_note(deps, tx, actor, workspace, head, base=base)


def move_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    document: DocumentId,
    *,
    path: str,
    base: Version,
    sealed: SealedText,
) -> Head:
    """Let a note stand at another path, which is free: a version of the kind `move`, sealed under the new path.

    Raises: as `save_note`.
    """
    require_note_path(path)
    check_sealed(sealed)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_NOTES)
        head = _require_document(tx, workspace, document)
        require_live(head)
        require_elsewhere(head, path)
        return append_note(deps, tx, actor, workspace, head, RevisionKind.MOVE, sealed, base=base, path=path)


def restore_note(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    document: DocumentId,
    *,
    version: Version,
    base: Version,
    sealed: SealedText,
) -> Head:
    """Write an older version's text as the next one, also of a deleted note: sealed with the kind `restore`.

    Raises: as `save_note`; NotFound for a version that is not there or holds no text.
    """
    check_sealed(sealed)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_NOTES)
        head = _require_document(tx, workspace, document)
        require_text_of(tx, workspace, head, version)
        return append_note(deps, tx, actor, workspace, head, RevisionKind.RESTORE, sealed, base=base)


def write_note(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceId,
    sealed: SealedText,
    *,
    document: DocumentId | None,
    path: str,
    base: Version,
) -> Head:
    """Save a note under the lock that the caller holds: the one of an id, or without one at a path; `base` 0 makes it.

    Raises: NamespaceReserved, VersionConflict, PathTaken, EpochConflict, QuotaExceeded, InvalidRequest, NotFound.
    """
    if document is not None:
        head: Head | None = _require_document(tx, workspace, document)
    else:
        require_note_path(path)
        head = find_base(tx, workspace, path, base)
    if head is not None:
        return append_note(deps, tx, actor, workspace, head, RevisionKind.SAVE, sealed, base=base)
    require_newest_epoch(tx, workspace, sealed.epoch)
    require_room(tx.documents.count_notes(workspace))
    return tx.documents.create(
        workspace,
        DocumentId(deps.new_id()),
        DocumentKind.NOTE,
        RevisionKind.SAVE,
        sealed,
        path=path,
        author=actor.user,
        generation=NOTE_GENERATION,
        at=deps.clock.now(),
    )


def append_note(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceId,
    head: Head,
    kind: RevisionKind,
    sealed: SealedText,
    *,
    base: Version,
    path: str | None = None,
) -> Head:
    """A note's next version under the lock that the caller holds. Raises: as `write_note`."""
    require_newest_epoch(tx, workspace, sealed.epoch)
    require_base(head, base)
    if not head.live:
        require_room(tx.documents.count_notes(workspace))
    return tx.documents.append(
        workspace,
        head,
        kind,
        sealed,
        expected=base,
        author=actor.user,
        generation=NOTE_GENERATION,
        at=deps.clock.now(),
        path=path,
    )


def bury_note(
    deps: Deps, tx: Transaction, actor: Actor, workspace: WorkspaceId, head: Head, *, base: Version
) -> Head:
    """Delete a note under the lock that the caller holds. Raises: NotFound, VersionConflict."""
    require_live(head)
    require_base(head, base)
    after = tx.documents.append(
        workspace,
        head,
        RevisionKind.DELETE,
        None,
        expected=base,
        author=actor.user,
        generation=NOTE_GENERATION,
        at=deps.clock.now(),
    )
    record(
        deps,
        tx,
        workspace,
        AuditAction.DOCUMENT_DELETED,
        actor,
        document=head.id,
        version=after.version,
    )
    return after


def find_base(tx: Transaction, workspace: WorkspaceId, path: str, base: Version) -> Head | None:
    """The note at a path that `base` is the newest version of; None where `base` is 0 and the path is free.

    Raises: PathTaken, VersionConflict.
    """
    head = tx.documents.note_at(workspace, path)
    if base == 0:
        if head is not None and head.live:
            raise PathTaken
        return None
    if head is None:
        raise VersionConflict(current=0)
    require_base(head, base)
    return head


def require_base(head: Head, base: Version) -> None:
    """Raise VersionConflict unless `base` is the version that the server holds."""
    if head.version != base:
        raise VersionConflict(current=head.version, live=head.live)


def require_live(head: Head) -> None:
    """Raise NotFound for a deleted note."""
    if not head.live:
        raise NotFound(WHAT)


def require_elsewhere(head: Head, path: str) -> None:
    """Raise InvalidRequest for a move to where the note stands."""
    if head.path == path:
        raise InvalidRequest("path", "is where the document stands already")


def require_text_of(tx: Transaction, workspace: WorkspaceId, head: Head, version: Version) -> Revision:
    """A version that holds a text. Raises: NotFound."""
    revision = _require_revision(tx, workspace, head, version)
    if revision.sealed is None:
        raise NotFound("version")
    return revision


def page_of_notes(found: Sequence[Head], limit: int, query: str) -> NotePage:
    """The first `limit` of what was found, and the cursor behind the last of them where there are more."""
    shown = found[:limit]
    more = len(found) > limit
    return NotePage(shown, encode_place(Place(shown[-1].path, shown[-1].id), query) if more else None)


def _require_document(tx: Transaction, workspace: WorkspaceId, document: DocumentId) -> Head:
    """The note of an id, by its stored path. Raises: NamespaceReserved for the memory document; NotFound."""
    head = tx.documents.note(workspace, document)
    if head is None:
        memory = tx.documents.memory_head(workspace)
        if memory is not None and memory.id == document:
            raise NamespaceReserved
        raise NotFound(WHAT)
    require_unreserved(head.path)
    return head


def _require_revision(tx: Transaction, workspace: WorkspaceId, head: Head, version: Version) -> Revision:
    revision = tx.documents.revision(workspace, head.id, version)
    if revision is None:
        raise NotFound("version")
    return revision


def _with_newest(tx: Transaction, workspace: WorkspaceId, head: Head) -> Note:
    return Note(head, _require_revision(tx, workspace, head, head.version))

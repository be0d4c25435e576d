"""The memory document, as people write it: Save, Clear, Undo, delete, and its history. All of it is ciphertext here.

Each write is one transaction against the version that the person saw; nothing is queued. A Clear, and a deletion,
advance the clear generation in that same transaction, which retires every older admission and proposal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document import (
    DocumentKind,
    Head,
    Revision,
    RevisionKind,
    SealedText,
    plan_write,
)
from workspace_memory.domain.document_errors import VersionConflict
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import ClearGeneration, DocumentId, Version, WorkspaceId
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import (
    require_action,
    require_by_hand,
    require_membership,
    require_use,
)
from workspace_memory.services.deps import Deps
from workspace_memory.services.session_keys import require_newest_epoch
from workspace_memory.storage.database import Transaction

PAGE_MAX = 200


@dataclass(frozen=True, slots=True)
class DocumentState:
    """The document at one moment. `newest` is None when it was never written; its `sealed` is None for a tombstone.

    `clear_generation` is the present one: what the next version is sealed with, one more for a Clear.
    """

    newest: Revision | None
    clear_generation: ClearGeneration


@dataclass(frozen=True, slots=True)
class Written:
    """The acknowledgement of a human write: what the server then holds."""

    version: Version
    clear_generation: ClearGeneration


@dataclass(frozen=True, slots=True)
class RevisionPage:
    """Versions newest first; `next_before` is where the next page begins, or None."""

    revisions: Sequence[Revision]
    next_before: Version | None


def get_document(deps: Deps, actor: Actor, workspace: WorkspaceId) -> DocumentState:
    """The newest version, for every member. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        head = tx.documents.memory_head(workspace)
        newest = None if head is None else tx.documents.revision(workspace, head.id, head.version)
        return DocumentState(newest, tx.policies.get(workspace).clear_generation)


def list_revisions(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    before: Version | None = None,
    limit: int = 50,
) -> RevisionPage:
    """The history, for every member. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        head = tx.documents.memory_head(workspace)
        return RevisionPage([], None) if head is None else page_of(tx, workspace, head.id, before, limit)


def get_revision(deps: Deps, actor: Actor, workspace: WorkspaceId, version: Version) -> Revision:
    """One version, for every member. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_reader(tx, actor, workspace)
        head = tx.documents.memory_head(workspace)
        revision = None if head is None else tx.documents.revision(workspace, head.id, version)
        if revision is None:
            raise NotFound("version")
        return revision


def save_document(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    base: Version,
    sealed: SealedText,
    undo: bool = False,
) -> Written:
    """Write the next version against `base`, 0 for none; `undo` says that its text is an older one's.

    A tombstone is revived by it. Raises: VersionConflict when another write won; EpochConflict, InvalidRequest,
    NotFound, Forbidden, LevelTooLow.
    """
    kind = plan_write(sealed, clear=False, undo=undo)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_DOCUMENT)
        generation = tx.policies.get(workspace).clear_generation
        head = write_memory(deps, tx, actor, workspace, kind, sealed, base=base, generation=generation)
        return Written(head.version, generation)


def clear_document(
    deps: Deps, actor: Actor, workspace: WorkspaceId, *, base: Version, sealed: SealedText
) -> Written:
    """Write an empty version and retire every older admission and proposal; also where there was no document.

    The text is sealed with the new generation. Raises: VersionConflict when another write won, the generation has then
    not moved; EpochConflict, InvalidRequest, NotFound, Forbidden, LevelTooLow.
    """
    kind = plan_write(sealed, clear=True, undo=False)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_DOCUMENT)
        generation = tx.policies.advance_clear_generation(workspace)
        head = write_memory(deps, tx, actor, workspace, kind, sealed, base=base, generation=generation)
        record(
            deps,
            tx,
            workspace,
            AuditAction.MEMORY_CLEARED,
            actor,
            version=head.version,
            clear_generation=generation,
        )
        return Written(head.version, generation)


def delete_document(deps: Deps, actor: Actor, workspace: WorkspaceId, *, base: Version) -> Written:
    """Make a tombstone, which a person's Save revives and nothing automatic does; older work is retired as by Clear.

    Raises: VersionConflict, NotFound when there is nothing to delete, Forbidden, LevelTooLow.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_DOCUMENT)
        head = tx.documents.memory_head(workspace)
        if head is None or not head.live:
            raise NotFound("memory document")
        generation = tx.policies.advance_clear_generation(workspace)
        after = tx.documents.append(
            workspace,
            head,
            RevisionKind.DELETE,
            None,
            expected=base,
            author=actor.user,
            generation=generation,
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
            clear_generation=generation,
        )
        return Written(after.version, generation)


def write_memory(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceId,
    kind: RevisionKind,
    sealed: SealedText,
    *,
    base: Version,
    generation: ClearGeneration,
    require_live: bool = False,
) -> Head:
    """Append a version of the memory document, or make it, under the lock that the caller holds.

    Raises: VersionConflict, EpochConflict.
    """
    require_newest_epoch(tx, workspace, sealed.epoch)
    head = tx.documents.memory_head(workspace)
    now = deps.clock.now()
    if head is None:
        if base != 0:
            raise VersionConflict(current=0)
        return tx.documents.create(
            workspace,
            DocumentId(deps.new_id()),
            DocumentKind.MEMORY,
            kind,
            sealed,
            author=actor.user,
            generation=generation,
            at=now,
        )
    return tx.documents.append(
        workspace,
        head,
        kind,
        sealed,
        expected=base,
        author=actor.user,
        generation=generation,
        at=now,
        require_live=require_live,
    )


def page_of(
    tx: Transaction, workspace: WorkspaceId, document: DocumentId, before: Version | None, limit: int
) -> RevisionPage:
    """A page of a document's versions, newest first."""
    limit = max(1, min(limit, PAGE_MAX))
    revisions = tx.documents.revisions(workspace, document, before=before, limit=limit + 1)
    more = len(revisions) > limit
    return RevisionPage(revisions[:limit], revisions[limit - 1].version if more else None)


def require_reader(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> None:
    """An active member, by hand, with a token that may read. Raises: NotFound, Forbidden, LevelTooLow."""
    membership = require_membership(tx, actor, workspace)
    require_by_hand(actor)
    require_use(actor, membership, AccessLevel.READ)

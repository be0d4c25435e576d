"""Memory items: read, changed and deleted. `saving.py` saves new ones, `finding.py` searches and lists.

By hand the role decides; through an AI client the access level does, read in the call's own transaction. Which
items exist for whom is decided once, in the WHERE of `storage/items.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.errors import NotFound, VersionMismatch
from workspace_memory.domain.ids import ItemId, ItemVersion, WorkspaceId
from workspace_memory.domain.item import (
    ItemRevision,
    Kind,
    MemoryItem,
    Scope,
    Status,
    check_content,
    check_tags,
)
from workspace_memory.services.authorization import curates, require_action, require_membership, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.items import Viewer

COMPANY_LIST = "company"


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit sets; None leaves a field as it is."""

    content: str | None = None
    kind: Kind | None = None
    tags: Sequence[str] | None = None
    review_by: date | None = None


def get_item(deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId) -> MemoryItem:
    """One visible item. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        membership = require_membership(tx, actor, workspace)
        require_use(actor, membership, AccessLevel.READ)
        return require_item(tx, workspace, item, viewer(actor, membership))


def item_history(deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId) -> list[ItemRevision]:
    """Every version of a visible item, newest first. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        membership = require_membership(tx, actor, workspace)
        require_use(actor, membership, AccessLevel.READ)
        require_item(tx, workspace, item, viewer(actor, membership))
        return tx.items.history(workspace, item)


def edit_item(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    item: ItemId,
    change: Change,
    *,
    shown: ItemVersion,
) -> MemoryItem:
    """Change an item by hand, against the version that was shown: own personal ones, company ones by curators.

    Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest, VersionMismatch.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_membership(tx, actor, workspace)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        _require_change(tx, actor, membership, found)
        _require_version(found, shown)
        return write_version(deps, tx, actor, found, change)


def delete_item(
    deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId, *, shown: ItemVersion | None = None
) -> None:
    """Delete an item by hand: own personal ones, company ones by curators, own pending ones by their author.

    Raises: NotFound, Forbidden, LevelTooLow, VersionMismatch.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_membership(tx, actor, workspace)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        if _is_own_proposal(found, actor):
            require_use(actor, membership, AccessLevel.CONTRIBUTE)
        else:
            _require_change(tx, actor, membership, found)
        if shown is not None:
            _require_version(found, shown)
        _delete(tx, found)
    deps.database.forget_deleted()


def forget_item(deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId) -> None:
    """Delete an own personal item through an AI client; anything else is like a missing one.

    Raises: NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_membership(tx, actor, workspace)
        require_use(actor, membership, AccessLevel.PERSONAL)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        if found.owner != actor.user:
            raise NotFound("item")
        _delete(tx, found)
    deps.database.forget_deleted()


def viewer(actor: Actor, membership: Membership) -> Viewer:
    """Whose eyes the store looks with."""
    return Viewer(actor.user, curator=curates(actor, membership))


def require_item(tx: Transaction, workspace: WorkspaceId, item: ItemId, eyes: Viewer) -> MemoryItem:
    """The visible item. Raises: NotFound."""
    found = tx.items.get_visible(workspace, item, eyes)
    if found is None:
        raise NotFound("item")
    return found


def list_key(item: MemoryItem) -> str:
    """The search list an item belongs to: one per person and one for the company."""
    return COMPANY_LIST if item.owner is None else item.owner


def index_item(tx: Transaction, item: MemoryItem) -> None:
    """Bring the search index in step with an item: only active ones are found."""
    if item.status is Status.ACTIVE:
        tx.search.put(
            item.workspace, list_key(item), item.id, item.content, item.tags, created_at=item.created_at
        )
    else:
        tx.search.remove(item.workspace, item.id)


def _require_change(tx: Transaction, actor: Actor, membership: Membership, item: MemoryItem) -> None:
    if item.scope is Scope.PERSONAL:
        require_use(actor, membership, AccessLevel.PERSONAL)
    else:
        require_action(tx, actor, membership.workspace, Action.CURATE_COMPANY_ITEMS)


def _is_own_proposal(item: MemoryItem, actor: Actor) -> bool:
    return item.scope is Scope.ORGANIZATION and item.status is Status.PENDING and item.author == actor.user


def _require_version(item: MemoryItem, shown: ItemVersion) -> None:
    if item.version != shown:
        raise VersionMismatch(current=item.version)


def write_version(deps: Deps, tx: Transaction, actor: Actor, found: MemoryItem, change: Change) -> MemoryItem:
    """Write the next version of an item and bring the index in step. The caller has asked who may."""
    changed = replace(
        found,
        content=found.content if change.content is None else check_content(change.content),
        kind=change.kind or found.kind,
        tags=found.tags if change.tags is None else check_tags(change.tags),
        review_by=change.review_by or found.review_by,
        source=actor.source,
        updated_at=deps.clock.now(),
        version=ItemVersion(found.version + 1),
    )
    tx.items.change(changed, changed_by=actor.user)
    index_item(tx, changed)
    return changed


def _delete(tx: Transaction, item: MemoryItem) -> None:
    tx.search.remove(item.workspace, item.id)
    tx.items.delete(item.workspace, item.id)

"""Memory items: read, changed and deleted. `saving.py` saves new ones, `finding.py` searches and lists.

By hand the role decides; through an AI client the access level does, read in the call's own transaction. Which
items exist for whom is decided once, in the WHERE of `storage/items.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.actor import Actor, Channel, Membership
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import AlreadySaved, NotFound, VersionMismatch
from workspace_memory.domain.ids import ItemId, ItemVersion, TokenId, UserId, WorkspaceId
from workspace_memory.domain.item import (
    ItemRevision,
    Kind,
    MemoryItem,
    Scope,
    Status,
    check_content,
    check_tags,
    content_key,
)
from workspace_memory.domain.rate import Rate
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import curates, require_action, require_by_hand, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.licences import require_memory
from workspace_memory.services.rate_limits import rated
from workspace_memory.services.screening import refuse, suspicious
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.items import Viewer
from workspace_memory.storage.search import IndexEntry

COMPANY_LIST = "company"


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit sets, checked like a draft; None leaves a field as it is."""

    content: str | None = None
    kind: Kind | None = None
    tags: Sequence[str] | None = None
    review_by: date | None = None


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote a version of a text: the account, the client's name, the token."""

    user: UserId | None
    source: str
    token: TokenId | None
    by_hand: bool = True


def get_item(deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId) -> MemoryItem:
    """One visible item. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        membership = require_memory(deps, tx, actor, workspace)
        require_use(actor, membership, AccessLevel.READ)
        return _require_readable(tx, actor, membership, item)


def item_history(deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId) -> list[ItemRevision]:
    """Every version of a visible item, newest first. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        membership = require_memory(deps, tx, actor, workspace)
        require_use(actor, membership, AccessLevel.READ)
        _require_readable(tx, actor, membership, item)
        return tx.items.history(workspace, item)


@rated(Rate.SAVE)
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

    A pending item stays pending. An active one whose new text is suspicious waits for an approval of this version.
    Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest, VersionMismatch, SecretRefused, StructureRefused;
    AlreadySaved when another item of the scope, among what the caller may see, has the new text.
    """
    # Before anything looks at them, since a text without a bound is work without a bound.
    change = replace(
        change,
        content=None if change.content is None else check_content(change.content),
        tags=None if change.tags is None else check_tags(change.tags),
    )
    refuse(deps, change.content or "", change.tags or ())
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_memory(deps, tx, actor, workspace)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        require_by_hand(actor)
        require_say(tx, actor, membership, found)
        require_version(found, shown)
        require_new_text(tx, actor, found, change)
        return write_version(deps, tx, writer(actor), found, change)


def delete_item(
    deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId, *, shown: ItemVersion | None = None
) -> None:
    """Delete an item by hand: own personal ones, company ones by curators, own pending ones by their author.

    Raises: NotFound, Forbidden, LevelTooLow, VersionMismatch.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_memory(deps, tx, actor, workspace)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        require_by_hand(actor)
        if _is_own_proposal(found, actor):
            require_use(actor, membership, AccessLevel.CONTRIBUTE)
        else:
            require_say(tx, actor, membership, found)
        if shown is not None:
            require_version(found, shown)
        remove_item(tx, workspace, found.id)
        if found.scope is Scope.ORGANIZATION:
            record(
                deps,
                tx,
                workspace,
                AuditAction.ITEM_DELETED,
                actor,
                subject=found.author,
                item=found.id,
                version=found.version,
                status=found.status.value,
            )
    deps.database.forget_deleted()


def forget_item(deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId) -> None:
    """Delete an own personal item through an AI client; anything else is like a missing one.

    Raises: NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_memory(deps, tx, actor, workspace)
        require_use(actor, membership, AccessLevel.PERSONAL)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        if found.owner != actor.user:
            raise NotFound("item")
        remove_item(tx, workspace, found.id)
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


def index_new_items(tx: Transaction, items: Sequence[MemoryItem]) -> None:
    """Let new items of one workspace be found, as `index_item` does, where many are added at once."""
    active = [item for item in items if item.status is Status.ACTIVE]
    for key in dict.fromkeys(map(list_key, active)):
        some = [item for item in active if list_key(item) == key]
        entries = [IndexEntry(item.id, item.content, item.tags, item.created_at) for item in some]
        tx.search.put_many(some[0].workspace, key, entries)


def writer(actor: Actor) -> Writer:
    """The actor as who writes a text."""
    return Writer(actor.user, actor.source, actor.token, by_hand=actor.channel is Channel.PERSON)


def require_say(tx: Transaction, actor: Actor, membership: Membership, item: MemoryItem) -> None:
    """Let those change an item and decide about it who may: its owner, for company memory its curators.

    Raises: Forbidden, LevelTooLow.
    """
    if item.scope is Scope.PERSONAL:
        require_use(actor, membership, AccessLevel.PERSONAL)
    else:
        require_action(tx, actor, membership.workspace, Action.CURATE_COMPANY_ITEMS)


def _is_own_proposal(item: MemoryItem, actor: Actor) -> bool:
    return item.scope is Scope.ORGANIZATION and item.status is Status.PENDING and item.author == actor.user


def require_version(item: MemoryItem, shown: ItemVersion) -> None:
    """Raise VersionMismatch unless the item is in the version that was shown."""
    if item.version != shown:
        raise VersionMismatch(current=item.version)


def require_new_text(tx: Transaction, actor: Actor, item: MemoryItem, change: Change) -> None:
    """Raise AlreadySaved when the change gives the item the text of another one: as a second save would be answered.

    Seen with the eyes of whoever saves: other members' proposals are no reason. What the item, or the one that it
    proposes to change, says already may be written anew, such as with a capital corrected.
    """
    if change.content is None or content_key(change.content) == content_key(item.content):
        return
    same = tx.items.with_same_text(
        item.workspace,
        item.scope,
        change.content,
        Viewer(actor.user),
        without=[item.id] if item.replaces is None else [item.id, item.replaces],
    )
    if same is not None and same.status is not Status.REJECTED:
        raise AlreadySaved(item=same.id)


def write_version(
    deps: Deps, tx: Transaction, by: Writer, found: MemoryItem, change: Change, *, approved: bool = False
) -> MemoryItem:
    """Write the next version of an item and bring the index in step. The caller has asked who may.

    A new text that is suspicious waits for a person, unless a person has just `approved` this very text.
    Raises: SecretRefused, StructureRefused, unless it was approved.
    """
    changed = replace(
        found,
        content=found.content if change.content is None else change.content,
        kind=change.kind or found.kind,
        tags=found.tags if change.tags is None else tuple(change.tags),
        review_by=change.review_by or found.review_by,
        source=by.source,
        updated_at=deps.clock.now(),
        version=ItemVersion(found.version + 1),
    )
    if not approved and changed.content != found.content and found.scope is Scope.ORGANIZATION:
        # What a person approved was the text before. By hand the writer, a curator, answers for the new one.
        changed = replace(changed, approver=by.user if by.by_hand else None)
    if not approved and (changed.content, changed.tags) != (found.content, found.tags):
        # Once more as a whole: a new tag may end a secret that the text before begins.
        refuse(deps, changed.content, changed.tags)
        held = suspicious(changed.content, changed.tags)
        waits = held is not None and found.status is Status.ACTIVE
        changed = replace(changed, held=held, status=Status.PENDING if waits else found.status)
    tx.items.change(changed, changed_by=by.user, token=by.token)
    index_item(tx, changed)
    return changed


def remove_item(tx: Transaction, workspace: WorkspaceId, item: ItemId) -> None:
    """Delete an item with its history and its words in the index."""
    tx.search.remove(workspace, item)
    tx.items.delete(workspace, item)


def _require_readable(tx: Transaction, actor: Actor, membership: Membership, item: ItemId) -> MemoryItem:
    found = require_item(tx, membership.workspace, item, viewer(actor, membership))
    # What waits for a person is not handed to a model, not even to the one that saved it.
    if actor.channel is Channel.CLIENT and found.status is not Status.ACTIVE:
        raise NotFound("item")
    return found

"""Review: what waits for a person, and the decisions about it.

Company memory that AI clients proposed waits for a curator; suspicious personal text waits for its owner alone.
Nothing pending is found by search. A decision names the version that was shown, so that nobody approves a text
that was changed meanwhile; of a proposed change also the version of the item that it would change. An AI client
decides about nothing, whoever owns it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import (
    AlreadySaved,
    DomainError,
    Forbidden,
    InvalidRequest,
    NotFound,
    NotPending,
    VersionMismatch,
)
from workspace_memory.domain.hidden_characters import (
    HiddenCharacter,
    hidden_characters,
    with_hidden_shown,
)
from workspace_memory.domain.ids import ItemId, ItemVersion, WorkspaceId
from workspace_memory.domain.item import MemoryItem, Scope, Status, check_reason
from workspace_memory.domain.paging import AfterPosition, decode_cursor, encode_cursor, fingerprint
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_by_hand, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.items import (
    Change,
    Writer,
    index_item,
    remove_item,
    require_item,
    require_say,
    require_version,
    viewer,
    write_version,
)
from workspace_memory.services.licences import require_memory
from workspace_memory.services.screening import refuse
from workspace_memory.services.similar import similar_items
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.items import Viewer

BULK_MAX = 500
PAGE_MAX = 200


@dataclass(frozen=True, slots=True)
class ReviewEntry:
    """What a reviewer is shown of one item; who, which client and when stand in the item itself.

    `shown` and `shown_tags` are content and tags with hidden characters made visible, `hidden` lists those of the
    content. `similar` are active items that say nearly the same. `replaced` is the item that a proposal would
    change, as it is now (None when it is gone), `replaced_meanwhile` tells that it was changed since the proposal.
    """

    item: MemoryItem
    shown: str
    shown_tags: tuple[str, ...]
    hidden: Sequence[HiddenCharacter]
    similar: Sequence[MemoryItem]
    replaced: MemoryItem | None
    replaced_meanwhile: bool


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Entries oldest first; `next_cursor` is where the next page begins, or None."""

    entries: Sequence[ReviewEntry]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """One item to decide about, in the version that was shown; for a proposed change also the target's version."""

    item: ItemId
    shown: ItemVersion
    replaced_shown: ItemVersion | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of one item of many: `code` is None when it was done, else the error's code, with its sentence."""

    item: ItemId
    code: str | None = None
    detail: str = ""


def review_queue(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    scope: Scope | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> ReviewPage:
    """What waits for the actor, oldest first: held personal items of everybody's own, company items for curators.

    Raises: NotFound, Forbidden (also for a viewer who asks for company items), LevelTooLow, EditionRequired,
    InvalidRequest.
    """
    limit = max(1, min(limit, PAGE_MAX))
    key = fingerprint(["review", scope])
    place = None if cursor is None else decode_cursor(cursor, key, ranked=False)
    after = (place.created_at, place.item) if isinstance(place, AfterPosition) else None
    with deps.database.read() as tx:
        membership = _require_reader(deps, tx, actor, workspace)
        eyes = viewer(actor, membership)
        if scope is Scope.ORGANIZATION and not eyes.curator:
            raise Forbidden(
                need="only admin or editor of this workspace see the company memory that waits for review"
            )
        items = tx.reviews.waiting(workspace, eyes, scope=scope, after=after, limit=limit + 1)
        entries = [_entry(tx, actor, membership, item) for item in items[:limit]]
    if len(items) <= limit:
        return ReviewPage(entries, None)
    last = items[limit - 1]
    return ReviewPage(entries, encode_cursor(AfterPosition(last.created_at, last.id), key))


def review_entry(deps: Deps, actor: Actor, workspace: WorkspaceId, item: ItemId) -> ReviewEntry:
    """What a reviewer is shown of one pending item.

    Raises: NotFound, Forbidden, LevelTooLow, EditionRequired, NotPending.
    """
    with deps.database.read() as tx:
        membership = _require_reader(deps, tx, actor, workspace)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        require_say(tx, actor, membership, found)
        if found.status is not Status.PENDING:
            raise NotPending(item_status=found.status.value)
        return _entry(tx, actor, membership, found)


def items_to_confirm(
    deps: Deps, actor: Actor, workspace: WorkspaceId, *, limit: int = 50
) -> Sequence[MemoryItem]:
    """Active items whose review date has come, the longest overdue first: own personal ones, for curators company's.

    There is no cursor: what is confirmed leaves the list. Raises: NotFound, Forbidden, LevelTooLow, EditionRequired.
    """
    with deps.database.read() as tx:
        membership = _require_reader(deps, tx, actor, workspace)
        eyes = viewer(actor, membership)
        limit = max(1, min(limit, PAGE_MAX))
        return tx.reviews.due(workspace, eyes, today=deps.clock.now().date(), limit=limit)


def approve_item(deps: Deps, actor: Actor, workspace: WorkspaceId, decision: Decision) -> MemoryItem:
    """Make a pending item active, or carry out the change that it proposes; the answer is the active item.

    Raises: NotFound, Forbidden, LevelTooLow, EditionRequired, NotPending, VersionMismatch, AlreadySaved, and the
    refusals of its text.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = _require_decider(deps, tx, actor, workspace)
        return _approve(deps, tx, actor, membership, decision)


def reject_item(
    deps: Deps, actor: Actor, workspace: WorkspaceId, decision: Decision, *, reason: str = ""
) -> MemoryItem:
    """Reject a pending company item, whose author sees it with the reason; drop an own held one, which deletes it.

    Raises: NotFound, Forbidden, LevelTooLow, EditionRequired, NotPending, VersionMismatch, InvalidRequest, and the
    refusals of the reason.
    """
    reason = _checked_reason(deps, reason)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = _require_decider(deps, tx, actor, workspace)
        rejected = _reject(deps, tx, actor, membership, decision, reason)
    if rejected.scope is Scope.PERSONAL:
        deps.database.forget_deleted()
    return rejected


def approve_items(
    deps: Deps, actor: Actor, workspace: WorkspaceId, decisions: Sequence[Decision]
) -> Sequence[Decided]:
    """Decide about up to 500 items in one transaction; one that cannot be approved stays as it is and says why.

    Raises: NotFound, Forbidden, EditionRequired, InvalidRequest.
    """
    _check_count(decisions)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = _require_decider(deps, tx, actor, workspace)
        return [
            _decided(each, lambda each=each: _approve(deps, tx, actor, membership, each))
            for each in decisions
        ]


def reject_items(
    deps: Deps, actor: Actor, workspace: WorkspaceId, decisions: Sequence[Decision], *, reason: str = ""
) -> Sequence[Decided]:
    """The same for rejecting, with one reason for all. Raises: as `approve_items`, and the refusals of the reason."""
    _check_count(decisions)
    reason = _checked_reason(deps, reason)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = _require_decider(deps, tx, actor, workspace)
        decided = [
            _decided(each, lambda each=each: _reject(deps, tx, actor, membership, each, reason))
            for each in decisions
        ]
    deps.database.forget_deleted()
    return decided


def confirm_item(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    item: ItemId,
    *,
    shown: ItemVersion,
    review_by: date | None = None,
) -> MemoryItem:
    """Confirm that an active item still holds: it is asked about again at `review_by`, or never.

    Raises: NotFound, Forbidden, LevelTooLow, EditionRequired, VersionMismatch, InvalidRequest for a date that is not
    in the future or an item that is not active.
    """
    now = deps.clock.now()
    if review_by is not None and review_by <= now.date():
        raise InvalidRequest("review_by", "must lie in the future, or be left out to ask no more")
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = _require_decider(deps, tx, actor, workspace)
        found = require_item(tx, workspace, item, viewer(actor, membership))
        require_say(tx, actor, membership, found)
        if found.status is not Status.ACTIVE:
            raise InvalidRequest("item", "is not active; only active items are confirmed")
        require_version(found, shown)
        confirmed = replace(found, review_by=review_by, updated_at=now)
        tx.items.decide(confirmed)
        _note(deps, tx, actor, AuditAction.ITEM_CONFIRMED, found)
        return confirmed


def _require_reader(deps: Deps, tx: Transaction, actor: Actor, workspace: WorkspaceId) -> Membership:
    membership = _require_decider(deps, tx, actor, workspace)
    require_use(actor, membership, AccessLevel.READ)
    return membership


def _require_decider(deps: Deps, tx: Transaction, actor: Actor, workspace: WorkspaceId) -> Membership:
    membership = require_memory(deps, tx, actor, workspace)
    require_by_hand(actor)
    return membership


def _checked_reason(deps: Deps, reason: str) -> str:
    reason = check_reason(reason)
    # It is shown to the author, and so perhaps to the author's AI client.
    refuse(deps, reason)
    return reason


def _check_count(decisions: Sequence[Decision]) -> None:
    if len(decisions) > BULK_MAX:
        raise InvalidRequest("items", f"at most {BULK_MAX} items at once, not {len(decisions)}")
    if len({decision.item for decision in decisions}) != len(decisions):
        raise InvalidRequest("items", "an item is named twice")


def _decided(decision: Decision, decide: Callable[[], MemoryItem]) -> Decided:
    # Each refusal comes before the first write of its item, so that nothing of it is half done.
    try:
        decide()
    except DomainError as error:
        return Decided(decision.item, error.code, error.message())
    return Decided(decision.item)


def _entry(tx: Transaction, actor: Actor, membership: Membership, item: MemoryItem) -> ReviewEntry:
    eyes = viewer(actor, membership)
    replaced = None if item.replaces is None else tx.items.get_visible(item.workspace, item.replaces, eyes)
    known = item.replaces_version
    return ReviewEntry(
        item=item,
        shown=with_hidden_shown(item.content),
        shown_tags=tuple(map(with_hidden_shown, item.tags)),
        hidden=hidden_characters(item.content),
        similar=similar_items(tx, membership, eyes, item.scope, item.content, without=item.replaces),
        replaced=replaced,
        replaced_meanwhile=replaced is not None and known is not None and replaced.version != known,
    )


def _approve(
    deps: Deps, tx: Transaction, actor: Actor, membership: Membership, decision: Decision
) -> MemoryItem:
    found = _pending(tx, actor, membership, decision)
    # It was checked when it came, perhaps by an older version of the rules.
    refuse(deps, found.content, found.tags)
    _require_said_once(tx, actor, found)
    if found.replaces is not None:
        item = _carry_out_change(deps, tx, actor, membership, found, decision.replaced_shown)
    else:
        now = deps.clock.now()
        item = replace(
            found, status=Status.ACTIVE, approver=actor.user, updated_at=now, reason=None, held=None
        )
        tx.items.decide(item)
        index_item(tx, item)
    _note(deps, tx, actor, AuditAction.ITEM_APPROVED, found, replaces=found.replaces)
    return require_item(tx, item.workspace, item.id, viewer(actor, membership))


def _require_said_once(tx: Transaction, actor: Actor, found: MemoryItem) -> None:
    """Raise AlreadySaved when another item says the same by now; the item that it would change may."""
    same = tx.items.with_same_text(
        found.workspace,
        found.scope,
        found.content,
        Viewer(actor.user),
        without=[found.id] if found.replaces is None else [found.id, found.replaces],
    )
    if same is not None and same.status is Status.ACTIVE:
        raise AlreadySaved(item=same.id)


def _carry_out_change(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    membership: Membership,
    proposal: MemoryItem,
    replaced_shown: ItemVersion | None,
) -> MemoryItem:
    target = None
    if proposal.replaces is not None:
        target = tx.items.get_visible(proposal.workspace, proposal.replaces, viewer(actor, membership))
    if target is None:
        raise NotFound("item that this proposal would change; it was deleted, so reject the proposal")
    expected = replaced_shown if replaced_shown is not None else proposal.replaces_version
    if expected is not None and target.version != expected:
        raise VersionMismatch(current=target.version)
    refuse(deps, proposal.content, proposal.tags or target.tags)
    change = Change(proposal.content, proposal.kind, proposal.tags or None, proposal.review_by)
    # The text is the author's, the decision the reviewer's.
    by = Writer(proposal.author, proposal.source, proposal.token)
    target = replace(target, approver=actor.user, status=Status.ACTIVE, held=None)
    changed = write_version(deps, tx, by, target, change, approved=True)
    tx.items.delete(proposal.workspace, proposal.id)
    return changed


def _reject(
    deps: Deps, tx: Transaction, actor: Actor, membership: Membership, decision: Decision, reason: str
) -> MemoryItem:
    found = _pending(tx, actor, membership, decision)
    rejected = replace(
        found, status=Status.REJECTED, approver=None, updated_at=deps.clock.now(), reason=reason or None
    )
    if found.scope is Scope.PERSONAL:
        # A held personal text that its owner drops is gone: nobody else is waiting for an answer.
        remove_item(tx, found.workspace, found.id)
    else:
        tx.items.decide(rejected)
        _note(deps, tx, actor, AuditAction.ITEM_REJECTED, found)
    return rejected


def _pending(tx: Transaction, actor: Actor, membership: Membership, decision: Decision) -> MemoryItem:
    found = require_item(tx, membership.workspace, decision.item, viewer(actor, membership))
    require_say(tx, actor, membership, found)
    if found.status is not Status.PENDING:
        raise NotPending(item_status=found.status.value)
    require_version(found, decision.shown)
    return found


def _note(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    action: AuditAction,
    item: MemoryItem,
    *,
    replaces: ItemId | None = None,
) -> None:
    if item.scope is not Scope.ORGANIZATION:
        return  # what a person keeps for themselves is nobody's business
    record(
        deps,
        tx,
        item.workspace,
        action,
        actor,
        subject=item.author,
        item=item.id,
        version=item.version,
        replaces=replaces,
    )

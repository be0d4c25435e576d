"""Saving memory items: new ones, and new versions by `replaces`.

The same text in the same scope is not saved twice, among what the caller may see; similar items are named, never
merged. Limits are counted in the write's own transaction, under the workspace lock.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from workspace_memory.domain.access import AccessLevel, Action, require_role
from workspace_memory.domain.actor import Actor, Channel, Membership
from workspace_memory.domain.errors import InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.ids import ItemId, ItemVersion, WorkspaceId
from workspace_memory.domain.item import (
    WORKSPACE_ITEMS_MAX,
    Draft,
    Held,
    Kind,
    MemoryItem,
    Scope,
    Status,
    WriteMode,
    check_quota,
    content_key,
)
from workspace_memory.domain.rate import Rate
from workspace_memory.services.authorization import require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.idempotency import Replay
from workspace_memory.services.items import (
    Change,
    index_item,
    index_new_items,
    require_item,
    viewer,
    write_version,
    writer,
)
from workspace_memory.services.licences import require_memory
from workspace_memory.services.rate_limits import rated
from workspace_memory.services.screening import screen
from workspace_memory.services.similar import similar_items
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.items import Viewer

BULK_MAX = 500


class Outcome(StrEnum):
    """What became of a text that was to be saved."""

    SAVED = "saved"
    ALREADY_SAVED = "already_saved"
    REPLACED = "replaced"
    PROPOSED = "proposed"
    # Suspicious: it waits for whoever decides about it. `Saved.item.held` says why where the caller is that person.
    HELD = "held"
    REJECTED_BEFORE = "rejected_before"


@dataclass(frozen=True, slots=True)
class Saved:
    """The item as it now stands, what happened, and similar items that the caller may want to replace instead."""

    item: MemoryItem
    outcome: Outcome
    similar: Sequence[MemoryItem] = ()


@rated(Rate.SAVE)
def save_item(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    draft: Draft,
    *,
    replaces: ItemId | None = None,
    idempotency_key: str | None = None,
) -> Saved:
    """Save a text, or a new version of the item `replaces`, unless another item says the same already.

    A repeated request is harmless, since the same text is not saved twice; an explicit key is honoured for 24 hours.
    Raises: NotFound, Forbidden, LevelTooLow, EditionRequired, InvalidRequest, QuotaExceeded, IdempotencyKeyReused,
    SecretRefused, StructureRefused, RateLimited.
    """
    held = screen(deps, draft.content, draft.tags)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_memory(deps, tx, actor, workspace)
        _require_write(actor, membership, draft.scope)
        saver = _Saver(deps, tx, actor, membership)
        request_hash = b"" if idempotency_key is None else _request_hash(draft, replaces)
        replay = Replay(deps, tx, actor, workspace, idempotency_key, request_hash)
        answered = replay.find()
        if answered is not None:
            item = require_item(tx, workspace, ItemId(answered["item"]), saver.eyes)
            return Saved(item, Outcome(answered["outcome"]))
        if replaces is None:
            saved = saver.save(draft, held)
        else:
            saved = saver.replace(draft, held, require_item(tx, workspace, replaces, saver.eyes))
        replay.keep({"item": saved.item.id, "outcome": saved.outcome})
        return saved


@rated(Rate.SAVE)
def add_items(deps: Deps, actor: Actor, workspace: WorkspaceId, drafts: Sequence[Draft]) -> list[Saved]:
    """Save up to 500 texts in one transaction, all or none. Similar items are not looked for.

    Raises: as `save_item`; InvalidRequest for more than 500.
    """
    if len(drafts) > BULK_MAX:
        raise InvalidRequest("items", f"at most {BULK_MAX} items at once, not {len(drafts)}")
    held = [screen(deps, draft.content, draft.tags) for draft in drafts]
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_memory(deps, tx, actor, workspace)
        for scope in {draft.scope for draft in drafts}:
            _require_write(actor, membership, scope)
        return _Saver(deps, tx, actor, membership, adding=len(drafts)).save_all(drafts, held)


class _Saver:
    """Saves items within one transaction, counting once what the limits need."""

    def __init__(
        self, deps: Deps, tx: Transaction, actor: Actor, membership: Membership, *, adding: int = 1
    ) -> None:
        """For saving at most `adding` items."""
        self.eyes: Viewer = viewer(actor, membership)
        # Other members' proposals are no reason not to save, not even for a curator, who sees them.
        self._own_eyes = replace(self.eyes, curator=False)
        self._deps = deps
        self._tx = tx
        self._actor = actor
        self._membership = membership
        self._workspace = membership.workspace
        self._workspace_items = _count_items(tx, membership.workspace, adding)

    def save(self, draft: Draft, held: Held | None) -> Saved:
        """Save one text, unless the caller has it already."""
        known = self._known(draft)
        if known is not None:
            return known
        similar = similar_items(self._tx, self._membership, self.eyes, draft.scope, draft.content)
        item = self._add(draft, self._initial_status(draft.scope, held), held)
        return Saved(item, _outcome(item, held), similar)

    def save_all(self, drafts: Sequence[Draft], held: Sequence[Held | None]) -> list[Saved]:
        """Save each in its order, as one by one, with a few statements for all. Similar items are not looked for."""
        keys = [(draft.scope, content_key(draft.content)) for draft in drafts]
        same = self._with_same_texts(keys)
        made: list[MemoryItem] = []
        answers: list[Saved] = []
        for key, draft, why in zip(keys, drafts, held, strict=True):
            answer = self._answer(same.get(key))
            if answer is None:
                item = self._make(draft, self._initial_status(draft.scope, why), why)
                made.append(item)
                same[key] = item
                answer = Saved(item, _outcome(item, why))
            answers.append(answer)
        self._tx.items.add_many(made, changed_by=self._actor.user)
        index_new_items(self._tx, made)
        return self._shown(answers, {item.id for item in made})

    def _with_same_texts(self, keys: Sequence[tuple[Scope, bytes]]) -> dict[tuple[Scope, bytes], MemoryItem]:
        found: dict[tuple[Scope, bytes], MemoryItem] = {}
        for scope in {scope for scope, _ in keys}:
            wanted = {key for its_scope, key in keys if its_scope is scope}
            same = self._tx.items.with_same_texts(self._workspace, scope, wanted, self._own_eyes)
            found.update(((scope, key), item) for key, item in same.items())
        return found

    def _shown(self, answers: Sequence[Saved], made: set[ItemId]) -> list[Saved]:
        """The same answers with new items as they are read: with the names of people, and for the caller's eyes."""
        own = [answer.item.id for answer in answers if answer.outcome is Outcome.ALREADY_SAVED]
        new = self._tx.items.get_many(self._workspace, list(made), self.eyes)
        repeated = self._tx.items.get_many(
            self._workspace, [item for item in own if item in made], self._own_eyes
        )
        return [
            replace(
                answer,
                item=(repeated if answer.outcome is Outcome.ALREADY_SAVED else new).get(
                    answer.item.id, answer.item
                ),
            )
            for answer in answers
        ]

    def replace(self, draft: Draft, held: Held | None, found: MemoryItem) -> Saved:
        """A new version of a personal item; of a company item by the write mode, below `contribute` not at all."""
        if found.scope is Scope.ORGANIZATION:
            return self._replace_company(replace(draft, scope=Scope.ORGANIZATION), held, found)
        if draft.scope is not Scope.PERSONAL:
            raise InvalidRequest("scope", "a personal item is replaced by a personal one; leave scope out")
        known = self._known_beside(draft, found)
        if known is not None:
            return known
        if held is None or found.status is not Status.ACTIVE:
            return self._next_version(draft, found)
        return self._propose(draft, held, found)

    def _replace_company(self, draft: Draft, held: Held | None, found: MemoryItem) -> Saved:
        try:
            _require_write(self._actor, self._membership, Scope.ORGANIZATION)
        except LevelTooLow:
            raise NotFound("item") from None
        if found.status is not Status.ACTIVE:
            raise NotFound("item")
        known = self._known_beside(draft, found)
        if known is not None:
            return known
        if self._initial_status(Scope.ORGANIZATION, held) is Status.ACTIVE:
            return self._next_version(draft, found)
        return self._propose(draft, held, found)

    def _known_beside(self, draft: Draft, found: MemoryItem) -> Saved | None:
        """The answer when the draft changes nothing of the item, or is what another item says."""
        if _says_the_same(draft, found):
            return Saved(found, Outcome.ALREADY_SAVED)
        if content_key(draft.content) == content_key(found.content):
            return None
        return self._known(draft, beside=found)

    def _known(self, draft: Draft, *, beside: MemoryItem | None = None) -> Saved | None:
        """The answer when the caller has the text already, or an AI client had it rejected."""
        without = () if beside is None else (beside.id,)
        same = self._tx.items.with_same_text(
            self._workspace, draft.scope, draft.content, self._own_eyes, without=without
        )
        return self._answer(same)

    def _answer(self, same: MemoryItem | None) -> Saved | None:
        """The answer where the caller has this item with the same text."""
        if same is not None and same.status is not Status.REJECTED:
            return Saved(same, Outcome.ALREADY_SAVED)
        if same is not None and self._actor.channel is Channel.CLIENT:
            return Saved(same, Outcome.REJECTED_BEFORE)
        return None

    def _propose(self, draft: Draft, held: Held | None, found: MemoryItem) -> Saved:
        """A pending change of the item, unless the caller has proposed it before."""
        same = self._tx.items.with_same_text(
            self._workspace, draft.scope, draft.content, self._own_eyes, replaces=found.id
        )
        if same is not None and same.status is Status.REJECTED:
            return Saved(same, Outcome.REJECTED_BEFORE)
        if same is not None and _says_the_same(draft, same):
            return Saved(same, Outcome.ALREADY_SAVED)
        item = self._add(draft, Status.PENDING, held, replaces=found)
        return Saved(item, _outcome(item, held))

    def _next_version(self, draft: Draft, found: MemoryItem) -> Saved:
        change = Change(draft.content, draft.kind, draft.tags or None, draft.review_by)
        return Saved(
            write_version(self._deps, self._tx, writer(self._actor), found, change), Outcome.REPLACED
        )

    def _initial_status(self, scope: Scope, held: Held | None) -> Status:
        if held is not None:
            return Status.PENDING
        if scope is Scope.PERSONAL or self._actor.channel is Channel.PERSON:
            return Status.ACTIVE
        return Status.ACTIVE if self._write_mode is WriteMode.AUTO else Status.PENDING

    @cached_property
    def _personal_items(self) -> int:
        return self._tx.items.count_personal(self._workspace, self._actor.user)

    @cached_property
    def _write_mode(self) -> WriteMode:
        return self._tx.workspaces.settings(self._workspace).write_mode

    def _add(
        self, draft: Draft, status: Status, held: Held | None, *, replaces: MemoryItem | None = None
    ) -> MemoryItem:
        item = self._make(draft, status, held, replaces=replaces)
        self._tx.items.add(item, changed_by=self._actor.user)
        index_item(self._tx, item)
        return require_item(self._tx, self._workspace, item.id, self.eyes)

    def _make(
        self, draft: Draft, status: Status, held: Held | None, *, replaces: MemoryItem | None = None
    ) -> MemoryItem:
        """The new item, counted against the limits. Raises: QuotaExceeded."""
        personal = draft.scope is Scope.PERSONAL
        check_quota(
            scope=draft.scope,
            personal_items=self._personal_items if personal else 0,
            workspace_items=self._workspace_items,
        )
        self._workspace_items += 1
        if personal:
            self._personal_items += 1
        now = self._deps.clock.now()
        by_hand = self._actor.channel is Channel.PERSON
        curated = draft.scope is Scope.ORGANIZATION and by_hand and status is Status.ACTIVE
        return MemoryItem(
            workspace=self._workspace,
            id=ItemId(self._deps.new_id()),
            scope=draft.scope,
            owner=self._actor.user if draft.scope is Scope.PERSONAL else None,
            kind=draft.kind or (Kind.NOTE if replaces is None else replaces.kind),
            content=draft.content,
            tags=draft.tags,
            status=status,
            source=self._actor.source,
            author=self._actor.user,
            author_name=None,
            approver=self._actor.user if curated else None,
            approver_name=None,
            created_at=now,
            updated_at=now,
            review_by=draft.review_by,
            version=ItemVersion(1),
            replaces=None if replaces is None else replaces.id,
            replaces_version=None if replaces is None else replaces.version,
            held=held,
            token=self._actor.token,
        )


def _count_items(tx: Transaction, workspace: WorkspaceId, adding: int) -> int:
    """The items of the workspace: as the index and what is not in it have them, where so many more surely fit.

    Near the limit the items themselves are counted, which takes many times longer: no save is refused by anything else.
    """
    most = tx.search.count(workspace) + tx.items.count_waiting(workspace)
    return most if most + adding <= WORKSPACE_ITEMS_MAX else tx.items.count(workspace)


def _says_the_same(draft: Draft, item: MemoryItem) -> bool:
    """Whether the draft would change nothing of the item: to the byte, since a corrected capital is a change."""
    return (
        draft.content == item.content
        and draft.kind in {None, item.kind}
        and (not draft.tags or draft.tags == item.tags)
        and (draft.review_by is None or draft.review_by == item.review_by)
    )


def _outcome(item: MemoryItem, held: Held | None) -> Outcome:
    if held is not None:
        return Outcome.HELD
    return Outcome.SAVED if item.status is Status.ACTIVE else Outcome.PROPOSED


def _require_write(actor: Actor, membership: Membership, scope: Scope) -> None:
    if scope is Scope.PERSONAL:
        require_use(actor, membership, AccessLevel.PERSONAL)
        return
    require_use(actor, membership, AccessLevel.CONTRIBUTE)
    if actor.channel is Channel.PERSON:
        require_role(membership.role, Action.CURATE_COMPANY_ITEMS)


def _request_hash(draft: Draft, replaces: ItemId | None) -> bytes:
    facts = [draft.content, draft.kind, draft.scope, draft.tags, str(draft.review_by), replaces]
    return hashlib.sha256(json.dumps(facts).encode()).digest()

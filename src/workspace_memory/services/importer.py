"""What becomes of one batch of an import, decided within one open transaction; `transfer.py` has the use cases.

A dry run decides in the same way and writes nothing. What is there already, by id or by text, is left as it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from workspace_memory.crypto.export_mac import KEY_NAME, is_own_export
from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.errors import ContentRefused, InvalidRequest, QuotaExceeded
from workspace_memory.domain.exchange_jsonl import (
    ExportedItem,
    Header,
    block_digest,
    read_header,
    read_trailer,
    signed_bytes,
)
from workspace_memory.domain.exchange_records import (
    BATCH_RECORDS_MAX,
    Batch,
    Problem,
    Record,
    SealedBlock,
)
from workspace_memory.domain.exchange_sealed import read_block
from workspace_memory.domain.ids import ItemId, ItemVersion, UserId, WorkspaceId
from workspace_memory.domain.item import (
    Draft,
    Held,
    Kind,
    MemoryItem,
    Scope,
    Status,
    check_quota,
    content_key,
)
from workspace_memory.services.authorization import require_action, require_by_hand, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.items import index_new_items, viewer
from workspace_memory.services.licences import require_memory
from workspace_memory.services.screening import screen
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.transfers import PutBack, Transfers

SOURCE = "import"


@dataclass(frozen=True, slots=True)
class Imported:
    """What became, or would become, of a batch.

    `restores`: the items keep their ids, people, times and statuses. Otherwise `status` is the new ones' status.
    `held` of the new ones are suspicious and wait for a person. A text with a secret is one of the problems.
    """

    scope: Scope
    status: Status
    restores: bool
    new: int = 0
    already_there: int = 0
    over_quota: int = 0
    held: int = 0
    problems: tuple[Problem, ...] = ()

    def plus(self, other: "Imported") -> "Imported":
        """The sum with the next batch of the same files."""
        return replace(
            self,
            restores=self.restores and other.restores,
            new=self.new + other.new,
            already_there=self.already_there + other.already_there,
            over_quota=self.over_quota + other.over_quota,
            held=self.held + other.held,
            problems=self.problems + other.problems,
        )


@dataclass(frozen=True, slots=True)
class _Entry:
    """A text to import; `original` is the item that it was, when it is given back as such."""

    record: Record
    original: ExportedItem | None = None


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that was checked; `key` is what the same text has too."""

    entry: _Entry
    draft: Draft
    key: bytes


Screened = Mapping[str, Held | ContentRefused | None]


def screened(deps: Deps, actor: Actor, workspace: WorkspaceId, batch: Batch, *, write: bool) -> Screened:
    """What is to be said of each record, by its place: looked at before the lock, since it takes time.

    What a dry run let pass the import lets pass too, unless it was long ago.
    """
    found: dict[str, Held | ContentRefused | None] = {}
    for each in _records(batch):
        digest = deps.passed_texts.digest(workspace, actor.user, each.content, each.tags)
        if write and deps.passed_texts.take(digest):
            found[each.where] = None
            continue
        try:
            held = screen(deps, each.content, each.tags)
        except ContentRefused as refused:
            found[each.where] = refused
            continue
        found[each.where] = held
        if held is None and not write:
            deps.passed_texts.add(digest)
    return found


def _records(batch: Batch) -> Iterable[Record]:
    if batch.sealed is None:
        return batch.records[:BATCH_RECORDS_MAX]
    header = read_header(batch.sealed.header, f"{batch.sealed.file}, line 1")
    return [item.record() for item in read_block(batch.sealed, header)][:BATCH_RECORDS_MAX]


class Importer:
    """Decides on one batch within one transaction, and writes unless it is a dry run."""

    def __init__(
        self,
        deps: Deps,
        tx: Transaction,
        actor: Actor,
        workspace: WorkspaceId,
        batch: Batch,
        scope: Scope | None,
        found: Screened,
        *,
        approve: bool,
    ) -> None:
        membership = require_memory(deps, tx, actor, workspace)
        require_by_hand(actor)
        self._deps = deps
        self._tx = tx
        self._actor = actor
        self._workspace = workspace
        # Other members' proposals are no reason not to import, not even for a curator, who sees them.
        self._eyes = replace(viewer(actor, membership), curator=False)
        self._problems: list[Problem] = []
        self._proved = _proved_header(tx, actor, workspace, batch.sealed, scope)
        self._scope = scope or (Scope.PERSONAL if self._proved is None else self._proved.scope)
        _require_import(tx, actor, membership, self._scope)
        waits = self._scope is Scope.ORGANIZATION and not approve
        self._status = Status.PENDING if waits else Status.ACTIVE
        self._workspace_items = tx.items.count(workspace)
        self._personal_items = tx.items.count_personal(workspace, actor.user)
        self._screened = found
        self._people: dict[UserId, UserId | None] = {}
        self._new: list[MemoryItem] = []
        self._put_back: list[PutBack] = []

    def take(self, batch: Batch, *, planned: int, write: bool) -> Imported:
        """Go through the batch in order; what is new is written at the end, with a few statements for all of it."""
        texts = [
            _Text(entry, draft, content_key(draft.content))
            for entry in self._entries(batch)
            if (draft := self._draft(entry.record)) is not None
        ]
        originals = [item for text in texts if (item := _id_of(text.entry)) is not None]
        taken = Transfers(self._tx.connection).taken_ids(self._workspace, originals)
        same = self._tx.items.with_same_texts(
            self._workspace, self._scope, {text.key for text in texts}, self._eyes
        )
        seen: set[bytes] = set()
        new = already_there = over_quota = held = 0
        for text in texts:
            if _id_of(text.entry) in taken or self._stands_already(text, same.get(text.key), seen):
                already_there += 1
            elif not self._fits(planned + new):
                over_quota += 1
            else:
                new += 1
                held += self._status_of(text.entry) is Status.PENDING and self._held(text.entry) is not None
                if write:
                    self._add(text.entry, text.draft)
        self._write()
        return Imported(
            self._scope,
            self._status,
            self._proved is not None,
            new,
            already_there,
            over_quota,
            held,
            tuple(self._problems),
        )

    def _entries(self, batch: Batch) -> list[_Entry]:
        if len(batch.records) > BATCH_RECORDS_MAX:
            raise InvalidRequest("records", f"at most {BATCH_RECORDS_MAX} at once, not {len(batch.records)}")
        if batch.sealed is None:
            return [_Entry(record) for record in batch.records]
        header = self._proved or read_header(batch.sealed.header, f"{batch.sealed.file}, line 1")
        entries: list[_Entry] = []
        for item in read_block(batch.sealed, header):
            if self._proved is not None:
                entries.append(_Entry(item.record(), item.exported))
            elif item.exported.item.status is Status.REJECTED:
                self._problems.append(Problem(item.where, "was rejected where it comes from"))
            else:
                entries.append(_Entry(item.record()))
        if len(entries) > BATCH_RECORDS_MAX:
            raise InvalidRequest("sealed", f"at most {BATCH_RECORDS_MAX} items at once, not {len(entries)}")
        return entries

    def _draft(self, record: Record) -> Draft | None:
        """The checked text. An item that is given back is checked too: rules may be stricter than in its day."""
        try:
            draft = record.draft(self._scope)
        except InvalidRequest as error:
            self._problems.append(Problem(record.where, str(error)))
            return None
        refused = self._screened.get(record.where)
        if isinstance(refused, ContentRefused):
            self._problems.append(Problem(record.where, str(refused)))
            return None
        return draft

    def _held(self, entry: _Entry) -> Held | None:
        found = self._screened.get(entry.record.where)
        return found if isinstance(found, Held) else None

    def _status_of(self, entry: _Entry) -> Status:
        """An item that is given back has its status, since a person has decided about it; a new one may be held."""
        if entry.original is not None:
            return entry.original.item.status
        return Status.PENDING if self._held(entry) is not None else self._status

    def _stands_already(self, text: _Text, same: MemoryItem | None, seen: set[bytes]) -> bool:
        """Whether the caller has the text in this scope, in whatever status: one import never revives a rejection."""
        if text.entry.original is None:
            repeated = text.key in seen
            seen.add(text.key)
            return repeated or same is not None
        # What has not changed since the export stands in the file itself, and an export may hold a text twice.
        newest = None if self._proved is None else self._proved.newest_change_at
        return same is not None and (newest is None or same.updated_at > newest)

    def _fits(self, adding: int) -> bool:
        try:
            check_quota(
                scope=self._scope,
                personal_items=self._personal_items + adding,
                workspace_items=self._workspace_items + adding,
            )
        except QuotaExceeded:
            return False
        return True

    def _add(self, entry: _Entry, draft: Draft) -> None:
        if entry.original is None:
            self._new.append(self._made(entry, draft))
        else:
            item = self._as_it_was(entry, entry.original, draft)
            self._put_back.append(PutBack(item, entry.original.history, self._actor.user))

    def _write(self) -> None:
        self._tx.items.add_many(self._new, changed_by=self._actor.user)
        Transfers(self._tx.connection).put_back(self._put_back)
        index_new_items(self._tx, [*self._new, *(each.item for each in self._put_back)])

    def _as_it_was(self, entry: _Entry, original: ExportedItem, draft: Draft) -> MemoryItem:
        """The item as it was, save for accounts that are gone."""
        return replace(
            original.item,
            content=draft.content,
            tags=draft.tags,
            author=self._known(original.item.author),
            approver=self._known(original.item.approver),
            held=self._held(entry) if original.item.status is Status.PENDING else None,
        )

    def _made(self, entry: _Entry, draft: Draft) -> MemoryItem:
        now = self._deps.clock.now()
        status = self._status_of(entry)
        approved = draft.scope is Scope.ORGANIZATION and status is Status.ACTIVE
        return MemoryItem(
            workspace=self._workspace,
            id=ItemId(self._deps.new_id()),
            scope=draft.scope,
            owner=self._actor.user if draft.scope is Scope.PERSONAL else None,
            kind=draft.kind or Kind.NOTE,
            content=draft.content,
            tags=draft.tags,
            status=status,
            source=SOURCE,
            author=self._actor.user,
            author_name=None,
            approver=self._actor.user if approved else None,
            approver_name=None,
            created_at=now,
            updated_at=now,
            review_by=draft.review_by,
            version=ItemVersion(1),
            held=self._held(entry),
            token=self._actor.token,
        )

    def _known(self, user: UserId | None) -> UserId | None:
        if user is None:
            return None
        if user not in self._people:
            self._people[user] = None if self._tx.accounts.get(user) is None else user
        return self._people[user]


def _id_of(entry: _Entry) -> ItemId | None:
    return None if entry.original is None else entry.original.item.id


def _proved_header(
    tx: Transaction, actor: Actor, workspace: WorkspaceId, block: SealedBlock | None, scope: Scope | None
) -> Header | None:
    """The header of a block that this installation exported from here, and that goes back to where it was.

    Raises: InvalidRequest when a proved file's block was changed.
    """
    if block is None:
        return None
    header = read_header(block.header, f"{block.file}, line 1")
    trailer = read_trailer(block.trailer, f"{block.file}, last line")
    key = tx.accounts.instance_value(KEY_NAME)
    if key is None or not is_own_export(key, signed_bytes(block.header, trailer.blocks), trailer.mac):
        return None
    known = 0 <= block.index < len(trailer.blocks)
    if not known or block_digest(block.lines) != trailer.blocks[block.index].digest:
        raise InvalidRequest(
            "file", f"{block.file}, line {block.first_line}: the block is not the exported one"
        )
    own = header.scope is Scope.ORGANIZATION or header.owner == actor.user
    here = header.workspace == workspace and scope in (None, header.scope)
    return header if own and here else None


def _require_import(tx: Transaction, actor: Actor, membership: Membership, scope: Scope) -> None:
    if scope is Scope.PERSONAL:
        require_use(actor, membership, AccessLevel.PERSONAL)
    else:
        require_action(tx, actor, membership.workspace, Action.CURATE_COMPANY_ITEMS)

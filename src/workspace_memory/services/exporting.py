"""Moving memory out: own personal items, or all company items by an admin, as one consistent file.

A file of 20,000 long items has 160 MB, more than one answer may carry, and it must still show one moment. So
`outline_export` reads everything in one snapshot and gives only the first and last line and a digest for each
block; `export_page` reads one block again and gives it when it still has that digest. `write_export` puts them
together and asks for a new outline when memory changed meanwhile, keeping the blocks that stayed as they were:
items stand oldest first, so that a new one changes the last block alone. Nothing is held open between two calls,
and the MAC covers only what this process has read itself. `transfer.py` moves memory in.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from workspace_memory.crypto.export_mac import KEY_NAME, export_mac, new_export_key
from workspace_memory.domain.access import AccessLevel, Role, require_level
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import Busy, Forbidden
from workspace_memory.domain.exchange_jsonl import (
    BLOCK_BYTES_MAX,
    BLOCK_ITEMS_MAX,
    BlockMark,
    ExportedItem,
    Header,
    block_bytes,
    block_digest,
    header_line,
    item_line,
    signed_bytes,
    trailer_line,
)
from workspace_memory.domain.exchange_markdown import markdown_block, markdown_head
from workspace_memory.domain.ids import ItemId, UserId, WorkspaceId
from workspace_memory.domain.item import Scope
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_by_hand, require_membership, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.items import viewer
from workspace_memory.services.running import Runner
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.transfers import Transfers

OUTLINES_MAX = 20
_READ_AT_ONCE = 200


class ExportForm(StrEnum):
    """For moving on, or for reading."""

    JSONL = "jsonl"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class ExportPlace:
    """Where a block begins: behind this item, or at the very first one."""

    created_at: datetime
    item: ItemId


@dataclass(frozen=True, slots=True)
class ExportBlock:
    """One block of an outline."""

    after: ExportPlace | None
    mark: BlockMark


@dataclass(frozen=True, slots=True)
class ExportOutline:
    """A file without its items: first line, blocks in order, last line (both without their line feeds)."""

    count: int
    header: bytes
    blocks: tuple[ExportBlock, ...]
    trailer: bytes


def outline_export(deps: Deps, actor: Actor, workspace: WorkspaceId, scope: Scope) -> ExportOutline:
    """The outline of an export, read in one snapshot. The installation's key is made at the first one.

    Works without a licence: what is stored can be taken along. An export of company memory is in the audit log.
    Raises: NotFound, Forbidden (an AI client; company items for anybody but an admin), LevelTooLow.
    """
    key = _kept_key(deps)
    with deps.database.read() as tx:
        membership = _require_export(tx, actor, workspace, scope)
        owner = _owner(actor, scope)
        blocks: list[ExportBlock] = []
        count, newest = 0, None
        for block, items in _blocks(tx, actor, membership, scope):
            blocks.append(block)
            count += len(items)
            changed = max(item.item.updated_at for item in items)
            newest = changed if newest is None else max(newest, changed)
        header = header_line(Header(workspace, scope, owner, count, newest))
    if scope is Scope.ORGANIZATION:
        with deps.database.begin() as tx:
            tx.lock_workspace(workspace)
            record(deps, tx, workspace, AuditAction.COMPANY_ITEMS_EXPORTED, actor, items=count)
    marks = [block.mark for block in blocks]
    trailer = trailer_line(marks, export_mac(key, signed_bytes(header, marks)))
    return ExportOutline(count, header, tuple(blocks), trailer)


def export_page(
    deps: Deps, actor: Actor, workspace: WorkspaceId, scope: Scope, block: ExportBlock
) -> bytes | None:
    """The item lines of one block, as the file has them, or None when an item of it changed since the outline.

    Raises: as `outline_export`.
    """
    with deps.database.read() as tx:
        membership = _require_export(tx, actor, workspace, scope)
        after = None if block.after is None else (block.after.created_at, block.after.item)
        ids = Transfers(tx.connection).ids_in_order(
            workspace, scope, _owner(actor, scope), after=after, limit=min(block.mark.count, BLOCK_ITEMS_MAX)
        )
        items = [item for some in _in_parts(ids) for item in _read(tx, actor, membership, some)]
    page = block_bytes(map(item_line, items))
    return page if block_digest(page) == block.mark.digest else None


def write_export(
    run: Runner,
    actor: Actor,
    workspace: WorkspaceId,
    scope: Scope,
    write: Callable[[bytes], object],
    *,
    form: ExportForm = ExportForm.JSONL,
    progress: Callable[[int, int], object] | None = None,
) -> int:
    """Write a whole export, and give the number of its items. For a program that asks for the blocks one by one.

    `progress` is told how many items of how many were read; both may change when memory does meanwhile.
    Raises: as `outline_export`; Busy when memory changed during each of twenty attempts.
    """
    held: dict[bytes, bytes] = {}
    for _ in range(OUTLINES_MAX):
        outline = run(outline_export, actor, workspace, scope)
        done = 0
        for block in outline.blocks:
            if block.mark.digest not in held:
                page = run(export_page, actor, workspace, scope, block)
                if page is None:
                    break
                held[block.mark.digest] = page
            done += block.mark.count
            if progress is not None:
                progress(done, outline.count)
        else:
            for part in _file(outline, [held[block.mark.digest] for block in outline.blocks], form):
                write(part)
            return outline.count
    raise Busy


def _file(outline: ExportOutline, pages: Sequence[bytes], form: ExportForm) -> Iterator[bytes]:
    if form is ExportForm.MARKDOWN:
        yield markdown_head(outline.header).encode()
        yield from (markdown_block(outline.header, page).encode() for page in pages)
        return
    yield outline.header + b"\n"
    yield from pages
    yield outline.trailer + b"\n"


def _require_export(tx: Transaction, actor: Actor, workspace: WorkspaceId, scope: Scope) -> Membership:
    membership = require_membership(tx, actor, workspace)
    require_by_hand(actor)
    if scope is Scope.PERSONAL:
        require_use(actor, membership, AccessLevel.READ)
        return membership
    if membership.role is not Role.ADMIN:
        raise Forbidden(need="only admins of this workspace may export the company memory")
    # Below it an admin does not see what is pending, and the file would silently lack it.
    require_level(actor.max_level, AccessLevel.CONTRIBUTE)
    return membership


def _owner(actor: Actor, scope: Scope) -> UserId | None:
    return actor.user if scope is Scope.PERSONAL else None


def _kept_key(deps: Deps) -> bytes:
    with deps.database.read() as tx:
        key = tx.accounts.instance_value(KEY_NAME)
    if key is not None:
        return key
    with deps.database.begin() as tx:
        return Transfers(tx.connection).keep_instance_value(KEY_NAME, new_export_key())


def _blocks(
    tx: Transaction, actor: Actor, membership: Membership, scope: Scope
) -> Iterator[tuple[ExportBlock, list[ExportedItem]]]:
    """Cut what is exported into blocks of at most 500 items and 256 KiB."""
    ids = Transfers(tx.connection).ids_in_order(membership.workspace, scope, _owner(actor, scope))
    after: ExportPlace | None = None
    items: list[ExportedItem] = []
    lines: list[bytes] = []
    size = 0
    for item in (item for some in _in_parts(ids) for item in _read(tx, actor, membership, some)):
        line = item_line(item)
        if items and (len(items) == BLOCK_ITEMS_MAX or size + len(line) > BLOCK_BYTES_MAX):
            yield ExportBlock(after, BlockMark(len(items), block_digest(block_bytes(lines)))), items
            after = ExportPlace(items[-1].item.created_at, items[-1].item.id)
            items, lines, size = [], [], 0
        items.append(item)
        lines.append(line)
        size += len(line)
    if items:
        yield ExportBlock(after, BlockMark(len(items), block_digest(block_bytes(lines)))), items


def _read(
    tx: Transaction, actor: Actor, membership: Membership, ids: Sequence[ItemId]
) -> Iterator[ExportedItem]:
    found = tx.items.get_many(membership.workspace, ids, viewer(actor, membership))
    histories = Transfers(tx.connection).histories(membership.workspace, list(found))
    for item in ids:
        if item in found:
            yield ExportedItem(found[item], histories.get(item, ()))


def _in_parts(ids: Sequence[ItemId]) -> Iterator[Sequence[ItemId]]:
    for start in range(0, len(ids), _READ_AT_ONCE):
        yield ids[start : start + _READ_AT_ONCE]

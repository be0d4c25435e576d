"""Our own export format: JSON lines with a header before the items and a seal behind them.

Pure. Decides the bytes, docs/reference/export-format.md describes them. The same items always give the same bytes:
so the header has no time of export but the time of the newest change. Items stand in blocks; the seal names each
block's digest and carries a MAC over the header and the digests (`crypto/export_mac.py`), so that a block can be
proved without the rest of the file. `exchange_sealed.py` reads whole files.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from workspace_memory.domain.exchange_fields import Fields
from workspace_memory.domain.exchange_records import BATCH_RECORDS_MAX, as_list, as_object
from workspace_memory.domain.ids import ItemId, ItemVersion, UserId, WorkspaceId
from workspace_memory.domain.item import Kind, MemoryItem, Scope, Status

FORMAT_NAME = "workspace-memory"
FORMAT_VERSION = 1
# An item with 50 earlier versions of 2,000 characters stays below this even when each character is escaped.
LINE_BYTES_MAX = 1024 * 1024
HISTORY_MAX = 50
BLOCK_ITEMS_MAX = BATCH_RECORDS_MAX
# So that a block, with what proves it, fits into one request of REST; one long item may be a larger block of its own.
BLOCK_BYTES_MAX = 256 * 1024


@dataclass(frozen=True, slots=True)
class Revision:
    """One version of an item's text, with the account that wrote it."""

    version: ItemVersion
    content: str
    kind: Kind
    tags: tuple[str, ...]
    source: str
    changed_at: datetime
    changed_by: UserId | None


@dataclass(frozen=True, slots=True)
class ExportedItem:
    """An item and its latest versions, the present one included, oldest first."""

    item: MemoryItem
    history: tuple[Revision, ...] = ()


@dataclass(frozen=True, slots=True)
class Header:
    """What a file holds: one member's personal items (`owner`), or all company items (no owner)."""

    workspace: WorkspaceId
    scope: Scope
    owner: UserId | None
    count: int
    newest_change_at: datetime | None


@dataclass(frozen=True, slots=True)
class BlockMark:
    """A block's place in the file: how many items, the SHA-256 of their lines."""

    count: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Trailer:
    """The last line: every block in order, and the MAC."""

    blocks: tuple[BlockMark, ...]
    mac: bytes


def header_line(header: Header) -> bytes:
    """The first line, without its line feed."""
    return _line(
        {
            "format": FORMAT_NAME,
            "version": FORMAT_VERSION,
            "workspace": header.workspace,
            "scope": header.scope.value,
            "owner": header.owner,
            "count": header.count,
            "newest_change_at": None if header.newest_change_at is None else _time(header.newest_change_at),
        }
    )


def item_line(exported: ExportedItem) -> bytes:
    """An item's line, without its line feed."""
    item = exported.item
    return _line(
        {
            "id": item.id,
            "kind": item.kind.value,
            "content": item.content,
            "tags": item.tags,
            "status": item.status.value,
            "source": item.source,
            "author": item.author,
            "author_name": item.author_name,
            "approver": item.approver,
            "approver_name": item.approver_name,
            "created_at": _time(item.created_at),
            "updated_at": _time(item.updated_at),
            "review_by": None if item.review_by is None else item.review_by.isoformat(),
            "version": item.version,
            "replaces": item.replaces,
            "reason": item.reason,
            "history": [_revision(revision, item) for revision in exported.history],
        }
    )


def trailer_line(blocks: Sequence[BlockMark], mac: bytes) -> bytes:
    """The last line, without its line feed."""
    return _line({"end": FORMAT_NAME, "blocks": _marks(blocks), "mac": mac.hex()})


def signed_bytes(header: bytes, blocks: Sequence[BlockMark]) -> bytes:
    """What the MAC is computed over: the header line and the list of blocks."""
    return header + b"\n" + _line(_marks(blocks)) + b"\n"


def block_bytes(lines: Iterable[bytes]) -> bytes:
    """Lines as they stand in the file, each with its line feed."""
    return b"".join(line + b"\n" for line in lines)


def block_digest(block: bytes) -> bytes:
    """The 32 bytes that name a block in the last line."""
    return hashlib.sha256(block).digest()


def read_header(line: bytes, where: str) -> Header:
    """The first line. Raises: InvalidRequest, also for a version that this program does not know."""
    fields = Fields.of(line, where)
    if fields.text("format") != FORMAT_NAME:
        raise fields.wrong("format", "is not the name of this format")
    if fields.number("version") != FORMAT_VERSION:
        raise fields.wrong("version", f"is not {FORMAT_VERSION}, the one that this program reads; upgrade it")
    return Header(
        WorkspaceId(fields.identifier("workspace")),
        Scope(fields.one_of("scope", Scope)),
        _user(fields.optional_identifier("owner")),
        fields.number("count"),
        fields.optional_time("newest_change_at"),
    )


def read_trailer(line: bytes, where: str) -> Trailer:
    """The last line. Raises: InvalidRequest."""
    fields = Fields.of(line, where)
    marks: list[BlockMark] = []
    for pair in fields.array("blocks"):
        match as_list(pair):
            case [int(count), str(digest)] if count > 0:
                marks.append(BlockMark(count, fields.of_hex("blocks", digest)))
            case _:
                raise fields.wrong("blocks", "is not a list of counts and digests")
    return Trailer(tuple(marks), fields.of_hex("mac", fields.text("mac")))


def is_trailer(line: bytes) -> bool:
    """Whether a line is the last one of an export."""
    return line.startswith(_line({"end": FORMAT_NAME})[:-1] + b",")


def read_item(line: bytes, header: Header, where: str) -> ExportedItem:
    """An item's line, of the file with this header. Raises: InvalidRequest that names the field."""
    fields = Fields.of(line, where)
    item = MemoryItem(
        workspace=header.workspace,
        id=ItemId(fields.identifier("id")),
        scope=header.scope,
        owner=header.owner,
        kind=Kind(fields.one_of("kind", Kind)),
        content=fields.text("content"),
        tags=fields.texts("tags"),
        status=Status(fields.one_of("status", Status)),
        source=fields.text("source"),
        author=_user(fields.optional_identifier("author")),
        author_name=fields.optional_text("author_name"),
        approver=_user(fields.optional_identifier("approver")),
        approver_name=fields.optional_text("approver_name"),
        created_at=fields.time("created_at"),
        updated_at=fields.time("updated_at"),
        review_by=fields.optional_date("review_by"),
        version=ItemVersion(fields.number("version")),
        replaces=_item(fields.optional_identifier("replaces")),
        reason=fields.optional_text("reason"),
    )
    return ExportedItem(item, tuple(_read_revision(value, item, fields) for value in fields.array("history")))


def _revision(revision: Revision, item: MemoryItem) -> dict[str, object]:
    """A version; what it has in common with the present text is left out, since most items have one version."""
    facts: dict[str, object] = {
        "version": revision.version,
        "changed_at": _time(revision.changed_at),
        "changed_by": revision.changed_by,
        "source": revision.source,
    }
    if revision.content != item.content:
        facts["content"] = revision.content
    if revision.kind is not item.kind:
        facts["kind"] = revision.kind.value
    if revision.tags != item.tags:
        facts["tags"] = revision.tags
    return facts


def _read_revision(value: object, item: MemoryItem, within: Fields) -> Revision:
    facts = as_object(value)
    if facts is None:
        raise within.wrong("history", "is not a list of versions")
    fields = Fields(facts, within.where)
    return Revision(
        version=ItemVersion(fields.number("version")),
        content=fields.text("content") if "content" in facts else item.content,
        kind=Kind(fields.one_of("kind", Kind)) if "kind" in facts else item.kind,
        tags=fields.texts("tags") if "tags" in facts else item.tags,
        source=fields.text("source"),
        changed_at=fields.time("changed_at"),
        changed_by=_user(fields.optional_identifier("changed_by")),
    )


def _user(identifier: str | None) -> UserId | None:
    return None if identifier is None else UserId(identifier)


def _item(identifier: str | None) -> ItemId | None:
    return None if identifier is None else ItemId(identifier)


def _marks(blocks: Sequence[BlockMark]) -> list[tuple[int, str]]:
    return [(block.count, block.digest.hex()) for block in blocks]


def _time(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

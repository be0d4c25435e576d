"""Reading a whole export of this product: complete, unchanged, and in blocks that can be proved one by one.

Pure. Finds damage from the digests alone, which anybody could compute: who wrote the file is asked later, with the
key, by `services/transfer.py`. A file without header and seal is read too, as texts from elsewhere.
"""

from dataclasses import dataclass, replace

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange_fields import Fields
from workspace_memory.domain.exchange_jsonl import (
    FORMAT_NAME,
    LINE_BYTES_MAX,
    ExportedItem,
    Header,
    block_bytes,
    block_digest,
    is_trailer,
    read_header,
    read_item,
    read_trailer,
)
from workspace_memory.domain.exchange_records import (
    Collector,
    Parsed,
    Record,
    SealedBlock,
    SourceFile,
    as_object,
    kind_of,
    read_json,
)
from workspace_memory.domain.item import Status

# A seal that is left over does no harm: loose lines are read without it.
_REST = "To import what is left as new items, remove the first line."


@dataclass(frozen=True, slots=True)
class BlockItem:
    """An item of a block with its place."""

    where: str
    exported: ExportedItem

    def record(self) -> Record:
        """The item as a text from elsewhere: without id, people, times and status."""
        item = self.exported.item
        return Record(self.where, item.content, item.kind, item.tags, item.review_by)


def parse_jsonl(file: SourceFile, *, part: bool = False) -> Parsed:
    """An export of this product, or item lines without header and seal.

    `part`: it may also be a single block of a larger export, between that one's first and last line.
    Raises: InvalidRequest that names the line, for a file that was cut off, changed or put in another order.
    """
    name, content = file
    lines = _lines(name, content)
    first = as_object(read_json(f"{name}, line 1", _text(lines[0], name, 1)))
    if first is None or "format" not in first:
        return _loose(name, lines)
    return (_one_block(name, lines) if part else None) or _sealed(name, lines)


def unsealed(parsed: Parsed) -> Parsed:
    """The same as texts from elsewhere, without what was rejected: for whoever cannot hand the proof on."""
    if not parsed.sealed:
        return parsed
    collector = Collector()
    for block in parsed.sealed:
        for item in read_block(block, read_header(block.header, f"{block.file}, line 1")):
            if item.exported.item.status is Status.REJECTED:
                collector.skip("rejected items")
            else:
                collector.add(item.record())
    return replace(collector.parsed(parsed.format), problems=parsed.problems)


def read_block(block: SealedBlock, header: Header) -> list[BlockItem]:
    """The items of a block. Raises: InvalidRequest that names the line."""
    found: list[BlockItem] = []
    # Not splitlines(), which would also split at characters that JSON leaves as they are.
    for number, line in enumerate(block.lines.split(b"\n")[:-1], start=block.first_line):
        where = f"{block.file}, line {number}"
        found.append(BlockItem(where, read_item(line, header, where)))
    return found


def _one_block(name: str, lines: list[bytes]) -> Parsed | None:
    """The block that the lines are, or None when they are none, or the whole file."""
    if len(lines) < 3 or not is_trailer(lines[-1]):
        return None
    header = read_header(lines[0], f"{name}, line 1")
    trailer = read_trailer(lines[-1], f"{name}, line {len(lines)}")
    held = block_bytes(lines[1:-1])
    digest = block_digest(held)
    index = next((i for i, mark in enumerate(trailer.blocks) if mark.digest == digest), None)
    if index is None:
        return None
    block = SealedBlock(name, lines[0], lines[-1], index, 2, held)
    collector = Collector(repeated=True)
    for item in read_block(block, header):
        collector.add(item.record())
    return collector.parsed(FORMAT_NAME, [block])


def _sealed(name: str, lines: list[bytes]) -> Parsed:
    header = read_header(lines[0], f"{name}, line 1")
    last = len(lines)
    if last == 1 or not is_trailer(lines[-1]):
        raise InvalidRequest(
            "file", f"{name}, line {last}: the file was cut off, its last line is missing. {_REST}"
        )
    trailer = read_trailer(lines[-1], f"{name}, line {last}")
    announced = sum(mark.count for mark in trailer.blocks)
    if announced != last - 2 or header.count != announced:
        raise InvalidRequest(
            "file", f"{name}, line {last}: {announced} items were exported, but {last - 2} are there. {_REST}"
        )
    collector = Collector(repeated=True)
    blocks: list[SealedBlock] = []
    start = 1
    for index, mark in enumerate(trailer.blocks):
        some = block_bytes(lines[start : start + mark.count])
        block = SealedBlock(name, lines[0], lines[-1], index, start + 1, some)
        # Read before the digests are compared: a line that is no item at all can be named exactly.
        items = read_block(block, header)
        if block_digest(some) != mark.digest:
            place = f"{name}, lines {start + 1} to {start + mark.count}"
            raise InvalidRequest(
                "file", f"{place}: changed, or put in another order, since the export. {_REST}"
            )
        for item in items:
            collector.add(item.record())
        blocks.append(block)
        start += mark.count
    return collector.parsed(FORMAT_NAME, blocks)


def _loose(name: str, lines: list[bytes]) -> Parsed:
    collector = Collector()
    for number, line in enumerate(lines, start=1):
        where = f"{name}, line {number}"
        try:
            facts = as_object(read_json(where, _text(line, name, number)))
        except InvalidRequest as error:
            collector.refuse(where, error.reason.removeprefix(f"{where}: "))
            continue
        match facts:
            case {"status": Status.REJECTED.value}:
                collector.skip("rejected items")
            case {"content": str(content)}:
                _add_loose(collector, content, Fields(facts, where))
            case {"end": str()}:
                collector.skip("seals of another file")
            case _:
                collector.refuse(where, "has no 'content'")
    return collector.parsed(FORMAT_NAME)


def _add_loose(collector: Collector, content: str, fields: Fields) -> None:
    where = fields.where
    try:
        tags = fields.texts("tags") if fields.facts.get("tags") is not None else ()
        review_by = fields.optional_date("review_by")
    except InvalidRequest as error:
        collector.refuse(where, error.reason.removeprefix(f"{where}: "))
        return
    collector.add(Record(where, content, kind_of(fields.facts.get("kind")), tags, review_by))


def _lines(name: str, content: bytes) -> list[bytes]:
    """The lines without what an editor or a mail program may have added: a byte-order mark, CRLF, empty lines below."""
    lines = [line.removesuffix(b"\r") for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise InvalidRequest("file", f"{name} is empty")
    for number, line in enumerate(lines, start=1):
        if len(line) > LINE_BYTES_MAX:
            raise InvalidRequest("file", f"{name}, line {number}: is longer than {LINE_BYTES_MAX:,} bytes")
    return lines


def _text(line: bytes, name: str, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InvalidRequest("file", f"{name}, line {number}: is not UTF-8") from None

"""An export for people to read: Markdown with one section for each item.

Pure. For reading only: importing takes the JSON lines of `exchange_jsonl.py`. A text stands in a quotation, each of
its lines marked, so that nothing in it can pass for a heading or a fact of this file.
"""

import re
from datetime import UTC, datetime

from workspace_memory.domain.exchange_jsonl import Header, read_header, read_item
from workspace_memory.domain.item import MemoryItem, Scope

_LINE_ENDS = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()#+!|<>~])")


def markdown_head(header_line: bytes) -> str:
    """The title and what the file holds."""
    header = read_header(header_line, "line 1")
    title = "Personal memory" if header.scope is Scope.PERSONAL else "Company memory"
    newest = "" if header.newest_change_at is None else f", last changed {_time(header.newest_change_at)}"
    items = "1 item" if header.count == 1 else f"{header.count:,} items"
    return f"# {title}\n\n{items} of workspace {header.workspace}{newest}.\n"


def markdown_block(header_line: bytes, page: bytes) -> str:
    """The sections of a block's items."""
    header = read_header(header_line, "line 1")
    return "".join(_section(line, header) for line in page.split(b"\n")[:-1])


def _section(line: bytes, header: Header) -> str:
    exported = read_item(line, header, "an item")
    item = exported.item
    quoted = "\n".join(f"> {part}".rstrip() for part in _LINE_ENDS.split(item.content))
    facts = "\n".join(f"- {name}: {value}" for name, value in _facts(item) if value)
    return f"\n## {item.kind.value.capitalize()}, {_time(item.created_at)}\n\n{quoted}\n\n{facts}\n"


def _facts(item: MemoryItem) -> list[tuple[str, str]]:
    edited = item.updated_at != item.created_at
    return [
        ("Status", item.status.value),
        ("Reason", _plain(item.reason)),
        ("Tags", ", ".join(map(_plain, item.tags))),
        ("Author", _plain(item.author_name)),
        ("Approved by", _plain(item.approver_name)),
        ("Source", _plain(item.source)),
        ("Changed", f"{_time(item.updated_at)}, version {item.version}" if edited else ""),
        ("To be confirmed by", "" if item.review_by is None else item.review_by.isoformat()),
        ("Id", item.id),
    ]


def _plain(text: str | None) -> str:
    return _PUNCTUATION.sub(r"\\\1", _LINE_ENDS.sub(" ", text or ""))


def _time(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")

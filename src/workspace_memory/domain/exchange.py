"""Moving memory between products: which formats there are, how one is recognised, and who reads it.

Pure, and the door to its neighbours: `exchange_jsonl.py` and `exchange_sealed.py` are our own format,
`exchange_markdown.py` writes for readers, `exchange_graph.py`, `exchange_lists.py`, `exchange_notes.py` and
`exchange_bullets.py` read what other products leave behind. Every text is checked as any other save is; one that is
too long is reported with its place, never cut.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import PurePosixPath

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange_bullets import collect_bullets
from workspace_memory.domain.exchange_graph import collect_graph
from workspace_memory.domain.exchange_lists import collect_json, collect_list
from workspace_memory.domain.exchange_notes import collect_note, is_observation
from workspace_memory.domain.exchange_records import (
    Batch,
    Collector,
    Parsed,
    Problem,
    Record,
    SealedBlock,
    Skipped,
    SourceFile,
)
from workspace_memory.domain.exchange_sealed import parse_jsonl

__all__ = [
    "FORMATS",
    "Batch",
    "Format",
    "Parsed",
    "Problem",
    "Record",
    "SealedBlock",
    "Skipped",
    "SourceFile",
    "detect_format",
    "parse",
]


class Format(StrEnum):
    """What can be imported."""

    WORKSPACE_MEMORY = "workspace-memory"
    MCP_MEMORY = "mcp-memory"
    MEM0 = "mem0"
    BASIC_MEMORY = "basic-memory"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    AGENTS = "agents"


FORMATS: dict[Format, str] = {
    Format.WORKSPACE_MEMORY: "an export of this product (JSON lines)",
    Format.MCP_MEMORY: "the memory file of the reference MCP memory server (JSON lines)",
    Format.MEM0: "a mem0 export (JSON)",
    Format.BASIC_MEMORY: "the Markdown notes of a Basic Memory folder",
    Format.CHATGPT: "memories copied out of ChatGPT (text or JSON)",
    Format.CLAUDE: "memories from Claude: memories.json of a data export, or copied text",
    Format.AGENTS: "the bullets of a CLAUDE.md or AGENTS.md",
}

_COLLECTORS: dict[Format, Callable[[SourceFile, Collector], None]] = {
    Format.MCP_MEMORY: collect_graph,
    Format.MEM0: collect_json,
    Format.BASIC_MEMORY: collect_note,
    Format.CHATGPT: collect_list,
    Format.CLAUDE: collect_list,
    Format.AGENTS: collect_bullets,
}

HEAD_CHARACTERS_MAX = 16_384

_AGENT_FILES = {"claude.md", "claude.local.md", "agents.md", "agent.md", "gemini.md"}
_OUR_HEADER = re.compile(r'\{\s*"format"\s*:\s*"workspace-memory"')
_GRAPH = re.compile(r'\{[^\n]*"type"\s*:\s*"(?:entity|relation)"')
_MEM0 = re.compile(r'"memory"\s*:\s*"')
_HEADING_OR_BULLET = re.compile(r"^(?:#{1,6}\s|[ \t]*[-*+•]\s+\S)", re.MULTILINE)
_NOTE_HEAD = re.compile(r"---\s*\n(?:[^\n]*\n)*?(?:permalink|title)\s*:")


def detect_format(name: str, head: bytes) -> Format | None:
    """The format of a file by its name and its first bytes (16,384 are looked at); None when neither tells.

    A text of lines could be anything, so that only its name can say whose memories it holds.
    """
    text = (
        head.removeprefix(b"\xef\xbb\xbf")
        .decode("utf-8", "replace")[:HEAD_CHARACTERS_MAX]
        .replace("\r\n", "\n")
        .lstrip()
    )
    file = PurePosixPath(name.replace("\\", "/"))
    if not text or "\0" in text:
        return None
    if file.name.lower() in _AGENT_FILES:
        return Format.AGENTS
    if text[0] in "{[":
        found = _detect_json(text)
        if found is not None:
            return found
    elif file.suffix.lower() in {".md", ".markdown"}:
        if _NOTE_HEAD.match(text) or any(map(is_observation, text.split("\n"))):
            return Format.BASIC_MEMORY
        if _HEADING_OR_BULLET.search(text) and not _named(file.name):
            return Format.AGENTS
    return _named(file.name)


def parse(form: str, files: Sequence[SourceFile], *, part: bool = False) -> Parsed:
    """Read files of one format. `part`: also a single block of an export of this product.

    Raises: InvalidRequest for an unknown format, for no file, and, when it is the only one, for a file that cannot
    be read at all; among several files such a one is a problem like others.
    """
    if form not in set(Format):
        raise InvalidRequest("format", f"must be one of {', '.join(FORMATS)}")
    if not files:
        raise InvalidRequest("file", "there is nothing to import")
    chosen = Format(form)
    if chosen is Format.WORKSPACE_MEMORY:
        return _parse_own(files, part=part)
    collector = Collector()
    collect = _COLLECTORS[chosen]
    for file in files:
        try:
            collect(file, collector)
        except InvalidRequest as error:
            if len(files) == 1:
                raise
            collector.refuse(file[0], error.reason.removeprefix(file[0]).lstrip(", "))
    return collector.parsed(chosen.value)


def _parse_own(files: Sequence[SourceFile], *, part: bool) -> Parsed:
    if len(files) > 1:
        raise InvalidRequest("file", "exports of this product are imported one at a time")
    return replace(parse_jsonl(files[0], part=part), format=Format.WORKSPACE_MEMORY.value)


def _detect_json(text: str) -> Format | None:
    if _OUR_HEADER.match(text):
        return Format.WORKSPACE_MEMORY
    if _GRAPH.match(text):
        return Format.MCP_MEMORY
    if '"conversations_memory"' in text or '"project_memories"' in text:
        return Format.CLAUDE
    if _MEM0.search(text):
        return Format.MEM0
    first = text.split("\n", 1)[0].rstrip()
    is_item = first.startswith("{") and first.endswith("}") and '"content"' in first
    return Format.WORKSPACE_MEMORY if is_item else None


def _named(name: str) -> Format | None:
    lowered = name.lower()
    if "chatgpt" in lowered or "openai" in lowered:
        return Format.CHATGPT
    return Format.CLAUDE if "claude" in lowered else None

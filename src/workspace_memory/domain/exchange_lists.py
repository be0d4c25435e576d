"""Reading lists of memories: the JSON of mem0, and what people get out of ChatGPT and Claude.

Pure. The latter have no fixed format: JSON of strings or objects, a list with bullets or dates before the texts,
or plain paragraphs, one memory each. Headings become tags, dates are left out: an import keeps no foreign times.
"""

import re
from collections.abc import Iterator

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange_records import (
    Collector,
    Record,
    SourceFile,
    as_list,
    as_object,
    kind_of,
    labels,
    read_json,
    read_text,
)

_LISTS = ("results", "memories", "items", "data", "entries")
_TEXTS = ("memory", "content", "text", "fact", "value")
# The two places of a Claude data export that hold memory, as Markdown.
_CLAUDE_TEXT, _CLAUDE_PROJECTS = "conversations_memory", "project_memories"

_BULLET = re.compile(r"\s*(?:[-*+•‣◦–]|\d{1,4}[.)])\s+(?P<text>\S.*)")
_DATED = re.compile(
    r"(?:\[[^\]]{0,30}(?:\d{4}|unknown|no date)[^\]]{0,30}\]|\d{4}-\d{2}-\d{2})\s*(?:[-–—:]\s*)?(?P<text>\S.*)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(?P<marked>\S.*)|\*\*(?P<bold>[^*]+)\*\*:?\s*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")


def collect_json(file: SourceFile, collector: Collector) -> None:
    """Take a JSON list of memories, or an object that holds one. Raises: InvalidRequest."""
    name, content = file
    _take_json(name, read_json(name, read_text(name, content)), collector)


def collect_list(file: SourceFile, collector: Collector) -> None:
    """Take a list of memories as JSON or as text. Raises: InvalidRequest."""
    name, content = file
    text = read_text(name, content)
    start = text.lstrip()
    if start.startswith("{") or (start.startswith("[") and not _DATED.match(start.split("\n", 1)[0])):
        _take_json(name, read_json(name, text), collector)
    else:
        _take_text(name, text, collector)


def _take_json(name: str, value: object, collector: Collector) -> None:
    whole = as_object(value)
    values = [whole] if whole is not None and _CLAUDE_TEXT in whole else as_list(value)
    if values is None and whole is not None:
        values = next((found for key in _LISTS if (found := as_list(whole.get(key))) is not None), None)
        collector.skip("relations", len(as_list(whole.get("relations")) or []))
    if values is None:
        raise InvalidRequest("file", f"{name} holds no list of memories")
    for number, entry in enumerate(values, start=1):
        where = f"{name}, entry {number}"
        facts = as_object(entry)
        if isinstance(entry, str):
            collector.add(Record(where, entry))
        elif facts is None:
            collector.refuse(where, "is neither a text nor an object")
        elif _CLAUDE_TEXT in facts or _CLAUDE_PROJECTS in facts:
            _take_claude(where, facts, collector)
        else:
            _take_object(where, facts, collector)


def _take_object(where: str, facts: dict[str, object], collector: Collector) -> None:
    text = next((found for key in _TEXTS if isinstance(found := facts.get(key), str)), None)
    if text is None:
        collector.refuse(where, f"has none of {', '.join(_TEXTS)}")
        return
    metadata = as_object(facts.get("metadata")) or {}
    kind = kind_of(facts.get("kind") or facts.get("type") or metadata.get("kind"))
    collector.add(Record(where, text, kind, labels([*_labels(facts), *_labels(metadata)])))


def _labels(facts: dict[str, object]) -> Iterator[object]:
    for key in ("categories", "category", "tags"):
        value = facts.get(key)
        yield from as_list(value) or [value]


def _take_claude(where: str, facts: dict[str, object], collector: Collector) -> None:
    text = facts.get(_CLAUDE_TEXT)
    if isinstance(text, str):
        _take_text(f"{where}, {_CLAUDE_TEXT}", text, collector)
    projects = as_object(facts.get(_CLAUDE_PROJECTS)) or {}
    for number, text in enumerate(projects.values(), start=1):
        if isinstance(text, str):
            _take_text(f"{where}, {_CLAUDE_PROJECTS} {number}", text, collector)


def _take_text(name: str, text: str, collector: Collector) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    entries = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    marked = any(_entry(line) is not None for _, line in entries)
    heading: tuple[str, ...] = ()
    current: tuple[int, str] | None = None

    def finish() -> None:
        if current is not None:
            number, memory = current
            collector.add(Record(f"{name}, line {number}", memory, tags=heading))

    for number, line in entries:
        entry = _entry(line) if marked else line.strip()
        title = _HEADING.fullmatch(line)
        if title is not None:
            finish()
            current, heading = None, labels([(title["marked"] or title["bold"]).rstrip("#: ")])
        elif _FENCE.match(line):
            continue
        elif entry is not None and (marked or not entry.endswith(":")):
            finish()
            current = (number, entry)
        elif current is not None and line[0].isspace():
            current = (current[0], f"{current[1]}\n{line.strip()}")
        else:
            collector.skip("lines outside of the list")
    finish()


def _entry(line: str) -> str | None:
    """The text behind a bullet, a number or a date."""
    bullet = _BULLET.fullmatch(line)
    text = line if bullet is None else bullet["text"]
    dated = _DATED.fullmatch(text.strip())
    if dated is not None:
        return dated["text"].strip()
    return None if bullet is None else text.strip()

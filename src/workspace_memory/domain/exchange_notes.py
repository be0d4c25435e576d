"""Reading a folder of Basic Memory: Markdown notes whose observations are lines `- [category] text #tag (context)`.

Pure. An observation keeps its words, tags and context included, and is led by the title of its note, without which
few of them can be understood. Relations to other notes and the rest of the prose are counted and left out.
"""

import re
from pathlib import PurePosixPath

from workspace_memory.domain.exchange_records import (
    Collector,
    Record,
    SourceFile,
    kind_of,
    labels,
    read_text,
)

_OBSERVATION = re.compile(r"\s*[-*+]\s+\[(?P<category>[^\[\]()]{1,100})\]\s+(?P<text>\S.*)")
_BULLET = re.compile(r"\s*[-*+]\s")
_TAG = re.compile(r"(?<!\S)#(?P<tag>[^\s#,;)]+)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TASK_MARKS = {"", "x", "-", "/", ">", "!", "?"}


def is_observation(line: str) -> bool:
    """Whether a line is an observation; a task such as `- [x] done` is none."""
    found = _OBSERVATION.fullmatch(line)
    return found is not None and found["category"].strip().lower() not in _TASK_MARKS


def collect_note(file: SourceFile, collector: Collector) -> None:
    """Take the observations of one note. Raises: InvalidRequest for a file that is no text."""
    name, content = file
    if PurePosixPath(name).suffix.lower() not in {".md", ".markdown"}:
        collector.skip("files that are no notes")
        return
    lines = read_text(name, content).split("\n")
    title, tags, start = _front_matter(lines)
    title = title or PurePosixPath(name).stem
    fenced = False
    for number, line in enumerate(lines[start:], start=start + 1):
        if _FENCE.match(line):
            fenced = not fenced
        found = None if fenced else _OBSERVATION.fullmatch(line)
        if found is not None and is_observation(line):
            text, category = found["text"].strip(), found["category"].strip()
            marks = [category, *(tag["tag"] for tag in _TAG.finditer(text)), *tags]
            where = f"{name}, line {number}"
            collector.add(Record(where, f"{title}: {text}", kind_of(category), labels(marks)))
        elif not fenced and _BULLET.match(line) and "]]" in line.partition("[[")[2]:
            collector.skip("relations")
        elif line.strip() and not line.lstrip().startswith("#"):
            collector.skip("lines that are no observations")


def _front_matter(lines: list[str]) -> tuple[str, list[str], int]:
    """Title, tags, and the number of lines they take. Reads the little of YAML that Basic Memory writes there."""
    if lines[0].rstrip() != "---":
        return "", [], 0
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), 0)
    title, tags, key = "", list[str](), ""
    for line in lines[1:end]:
        name, colon, value = line.partition(":")
        if line.lstrip().startswith("- ") and key == "tags":
            tags.append(_unquoted(line.strip()[2:]))
        elif colon and not line[:1].isspace():
            key = name.strip().lower()
            if key == "title":
                title = _unquoted(value)
            elif key == "tags":
                tags += [_unquoted(tag) for tag in value.strip().strip("[]").split(",") if tag.strip()]
    return title, tags, end + 1 if end else 0


def _unquoted(value: str) -> str:
    text = value.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text

"""The rules of one edit: which line it means, where a new one goes, and what no edit may do.

Pure. `edits.py` puts several edits together, `edit_refusal.py` has the codes by which a refused one is told.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Self

from workspace_memory.domain.edit_refusal import HINTS, LINE_BYTES_MAX, EditRefusal
from workspace_memory.domain.errors import EditRefused
from workspace_memory.domain.markdown_lines import (
    Heading,
    Line,
    Outline,
    indent_of,
    is_structure,
    join_lines,
    list_prefix,
    newline_of,
    next_prefix,
    outline_of,
    parse_heading,
    split_lines,
    without_marker,
)

_BLANKS = " \t"
_BULLET = "- "
_NEW_HEADING_LEVEL = 2
# NFC puts at most four characters into one. What is longer is not looked at: it cannot be a line of this length, and
# composing takes time that grows with the square of the length for runs of combining marks.
_CHARACTERS_MAX = 4 * LINE_BYTES_MAX
# Controls, surrogates, separators of lines, bidi controls, zero-width characters.
_NOT_IN_A_LINE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
)


@dataclass(slots=True)
class LineEditor:
    """The lines of a text while edits are applied. Each operation answers whether it changed anything.

    `index` is the number of the present edit. An operation that raises has changed nothing.
    """

    lines: list[Line]
    newline: str
    index: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """An editor for a text."""
        lines = split_lines(text)
        return cls(lines, newline_of(lines))

    def text(self) -> str:
        """The text as it is now, ending with one newline; empty when only blank lines are left."""
        lines = _without_blank_end(self.lines)
        return join_lines([Line(line.text, line.ending or self.newline) for line in lines])

    def refuse(self, refusal: EditRefusal) -> NoReturn:
        """Raise EditRefused for the present edit."""
        raise EditRefused(refusal.value, self.index, HINTS[refusal])

    def add(self, text: str, *, heading: str) -> bool:
        """Put a line at the end of the section under a heading, or of the text where the heading is empty."""
        new = self._checked(text)
        if is_structure(new):
            self.refuse(EditRefusal.STRUCTURAL_LINE)
        if any(_says(line, new) for line in self.lines):
            return False
        outline = outline_of(self.lines)
        level, title = self._level_and_title(heading) if heading else (None, "")
        found = self._find_heading(outline, level, title) if heading else None
        start = found.line + found.lines if found else 0
        end = outline.section_end(found, len(self.lines)) if found else len(self.lines)
        if outline.open_fence and end == len(self.lines):
            self.refuse(EditRefusal.OPEN_FENCE)
        if heading and found is None:
            self._add_section(outline, level or _NEW_HEADING_LEVEL, title, new)
        else:
            self._add_between(outline, start, end, new)
        return True

    def replace(self, target: str, *, text: str) -> bool:
        """Put another text in the place of the one line that is the target. Indent and list marker stay."""
        wanted, new = self._checked(target, copied=True), self._checked(text)
        number, outline = self._find(wanted), outline_of(self.lines)
        line, structure = self.lines[number], outline.structure()
        heading = outline.heading_at(number)
        parsed = parse_heading(new)
        if heading is not None:
            if heading.lines > 1 or parsed is None or not parsed[1]:
                self.refuse(EditRefusal.STRUCTURAL_LINE)
            structure[outline.headings.index(heading)] = parsed
        elif is_structure(new) and not (number in outline.opaque and parsed is not None):
            self.refuse(EditRefusal.STRUCTURAL_LINE)
        if _says(line, new):
            return False
        if any(_says(other, new) for place, other in enumerate(self.lines) if place != number):
            self.refuse(EditRefusal.DUPLICATE_LINE)
        prefix = list_prefix(line.text)
        changed = prefix + without_marker(new) if prefix else indent_of(line.text) + new
        lines = [*self.lines]
        lines[number] = Line(changed, line.ending)
        self._write(lines, structure, outline, opaque=len(outline.opaque))
        return True

    def remove(self, target: str) -> bool:
        """Take out the one line that is the target, and the blank line that would be doubled by that."""
        number, outline = self._find(self._checked(target, copied=True)), outline_of(self.lines)
        heading, structure = outline.heading_at(number), outline.structure()
        if number in outline.delimiters:
            self.refuse(EditRefusal.STRUCTURAL_LINE)
        after = number + 1
        if heading is not None:
            after = number + heading.lines
            end = outline.section_end(heading, len(self.lines), level_max=heading.level)
            if not all(line.is_blank for line in self.lines[after:end]):
                self.refuse(EditRefusal.HEADING_NOT_EMPTY)
            del structure[outline.headings.index(heading)]
        before, rest = self.lines[:number], self.lines[after:]
        if number not in outline.opaque:
            before, rest = _with_one_blank_between(before, rest)
        self._write([*before, *rest], structure, outline, opaque=len(outline.opaque - {number}))
        return True

    def _add_between(self, outline: Outline, start: int, end: int, new: str) -> None:
        place = start + len(_without_blank_end(self.lines[start:end]))
        prefix = self._sibling_prefix(outline, start, place)
        added = [self._new(prefix + without_marker(new))] if prefix else [self._new(_as_item(new))]
        if place > 0 and not prefix:
            added.insert(0, self._new(""))
        if place == end and end < len(self.lines):
            added.append(self._new(""))
        lines = [*self.lines[:place], *added, *self.lines[place:]]
        self._write(lines, outline.structure(), outline, opaque=len(outline.opaque))

    def _add_section(self, outline: Outline, level: int, title: str, new: str) -> None:
        lines = _without_blank_end(self.lines)
        section = ["#" * level + " " + title, "", _as_item(new)]
        added = [self._new(text) for text in (["", *section] if lines else section)]
        structure = [*outline.structure(), (level, title)]
        self._write([*lines, *added], structure, outline, opaque=len(outline.opaque))

    def _sibling_prefix(self, outline: Outline, start: int, place: int) -> str:
        """The prefix that continues the list in front of a place; empty where there is none.

        The list item may be followed by further lines of its own, which are indented more than it is.
        """
        depth: int | None = None
        for number in reversed(range(start, place)):
            text = self.lines[number].text
            if not text.strip():
                continue
            indent = len(indent_of(text))
            if (depth is None or indent < depth) and number not in outline.opaque and list_prefix(text):
                return next_prefix(text)
            depth = indent if depth is None else min(indent, depth)
        return ""

    def _checked(self, text: str, *, copied: bool = False) -> str:
        """The text as a line, in NFC and without outer blanks. A copied one may have tabulators within."""
        line = text.strip(_BLANKS)
        shown = line.replace("\t", " ") if copied else line
        if _NOT_IN_A_LINE.search(shown):
            self.refuse(EditRefusal.NOT_ONE_LINE)
        if not line.strip():
            self.refuse(EditRefusal.EMPTY_LINE)
        if len(line) > _CHARACTERS_MAX:
            self.refuse(EditRefusal.LINE_TOO_LONG)
        line = unicodedata.normalize("NFC", line)
        if len(line.encode()) > LINE_BYTES_MAX:
            self.refuse(EditRefusal.LINE_TOO_LONG)
        return line

    def _level_and_title(self, heading: str) -> tuple[int | None, str]:
        line = self._checked(heading, copied=True)
        level, title = parse_heading(line) or (None, _title(line))
        if not title:
            self.refuse(EditRefusal.EMPTY_LINE)
        return level, title

    def _find_heading(self, outline: Outline, level: int | None, title: str) -> Heading | None:
        found = [
            heading
            for heading in outline.headings
            if level in {None, heading.level} and _normal(heading.title) == title
        ]
        if len(found) > 1:
            self.refuse(EditRefusal.AMBIGUOUS_HEADING)
        return found[0] if found else None

    def _find(self, wanted: str) -> int:
        """The number of the one line that is equal to the text; without list markers only when none is."""
        normal = [_normal(line.text) for line in self.lines]
        found = [number for number, text in enumerate(normal) if text == wanted]
        if not found:
            bare = without_marker(wanted)
            found = [number for number, text in enumerate(normal) if without_marker(text) == bare]
        if len(found) > 1:
            self.refuse(EditRefusal.AMBIGUOUS_TARGET)
        if not found:
            self.refuse(EditRefusal.TARGET_NOT_FOUND)
        return found[0]

    def _new(self, text: str) -> Line:
        return Line(text, self.newline)

    def _write(
        self, lines: Sequence[Line], structure: list[tuple[int, str]], before: Outline, *, opaque: int
    ) -> None:
        """Take over the lines, unless another heading or fence than those came out of it.

        That can happen although each line is harmless: a line that was not below another one becomes its underline.
        """
        lines = [Line(line.text, line.ending or self.newline) for line in lines]
        after = outline_of(lines)
        if (after.structure(), after.open_fence, len(after.opaque)) != (structure, before.open_fence, opaque):
            self.refuse(EditRefusal.STRUCTURAL_LINE)
        self.lines = lines


def _title(line: str) -> str:
    parsed = parse_heading(f"# {line}")
    return parsed[1] if parsed else line


def _normal(text: str) -> str:
    """The text as lines are compared: NFC, without outer blanks."""
    text = text.strip(_BLANKS)
    return unicodedata.normalize("NFC", text) if len(text) <= _CHARACTERS_MAX else text


def _says(line: Line, new: str) -> bool:
    """Whether the line is this text, whatever its list marker."""
    return without_marker(_normal(line.text)) == without_marker(new)


def _as_item(text: str) -> str:
    return text if list_prefix(text) else _BULLET + text


def _without_blank_end(lines: Sequence[Line]) -> list[Line]:
    kept = [*lines]
    while kept and kept[-1].is_blank:
        kept.pop()
    return kept


def _with_one_blank_between(before: list[Line], after: list[Line]) -> tuple[list[Line], list[Line]]:
    """Both parts, with only one blank line where blank lines of both meet."""
    if not (before and after and before[-1].is_blank and after[0].is_blank):
        return before, after
    kept = _without_blank_end(before)
    first = next((number for number, line in enumerate(after) if not line.is_blank), len(after))
    return before[: len(kept) + 1], after[first:]

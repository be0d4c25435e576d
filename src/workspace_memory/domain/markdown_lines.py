"""A Markdown text as lines: their endings, list markers, and which of them are headings.

Pure, and total: any text has lines, and putting them together again gives the same bytes. This is no Markdown
parser. It knows what `edits.py` must not break: headings, code fences, front matter, list items. A lone carriage
return and the separators of Unicode are part of a line, as they are for most editors.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_LINE = re.compile(r"([^\n]*?)(\r?\n|\Z)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_FENCE = re.compile(r" {0,3}((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$", re.DOTALL)
_MARKER = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(?=[^ \t])")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r"(?:=+|-+|\*{3,}|_{3,})$")
_QUOTE = re.compile(r"[ \t]*>[ \t]?")
_KEY = re.compile(r"[A-Za-z_][\w .-]*:(?:[ \t]|$)")
_TAB_COLUMNS = 4
_NUMBER_MAX = 999_999_999  # Markdown takes nine digits for the number of a list item


@dataclass(frozen=True, slots=True)
class Line:
    """One line and the bytes that end it: a line feed, a carriage return and a line feed, or nothing."""

    text: str
    ending: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing but blanks stands in it."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: the number of its line, how many lines it takes, its level from 1 to 6 and its title."""

    line: int
    lines: int
    level: int
    title: str


@dataclass(slots=True)
class Outline:
    """What the lines of a text are.

    `opaque` holds the numbers of lines in which Markdown means nothing: code fences with their delimiters, and
    front matter. `delimiters` are the lines that begin or end these, and the underlines of headings.
    `open_fence` tells that a code fence is still open where the text ends.
    """

    headings: list[Heading] = field(default_factory=list[Heading])
    opaque: set[int] = field(default_factory=set[int])
    delimiters: set[int] = field(default_factory=set[int])
    open_fence: bool = False

    def heading_at(self, line: int) -> Heading | None:
        """The heading that begins in this line."""
        return next((heading for heading in self.headings if heading.line == line), None)

    def section_end(self, heading: Heading, total: int, *, level_max: int = 6) -> int:
        """The number of the line behind the heading's section: of the next heading of at most this level."""
        later = (each for each in self.headings if each.line > heading.line and each.level <= level_max)
        return next((each.line for each in later), total)

    def structure(self) -> list[tuple[int, str]]:
        """Level and title of each heading, in order."""
        return [(heading.level, heading.title) for heading in self.headings]


def split_lines(text: str) -> list[Line]:
    """The lines of a text. The empty text has none, and a newline at the end begins no further line."""
    lines = [Line(match[1], match[2]) for match in _LINE.finditer(text)]
    while lines and not lines[-1].text and not lines[-1].ending:
        lines.pop()
    return lines


def join_lines(lines: Sequence[Line]) -> str:
    """The text that the lines make."""
    return "".join(line.text + line.ending for line in lines)


def newline_of(lines: Sequence[Line]) -> str:
    """The line ending that most lines have; carriage return and line feed where as many have it as not."""
    windows = sum(line.ending == "\r\n" for line in lines)
    return "\r\n" if windows and windows >= sum(line.ending == "\n" for line in lines) else "\n"


def outline_of(lines: Sequence[Line]) -> Outline:
    """Find headings, fences and front matter. Time grows with the number of lines."""
    outline = Outline()
    start = _front_matter_end(lines)
    if start:
        outline.opaque.update(range(start))
        outline.delimiters.update((0, start - 1))
    fence: _Fence | None = None
    for number in range(start, len(lines)):
        text = lines[number].text
        if fence is not None and not fence.ended_before(text):
            outline.opaque.add(number)
            if fence.closed_by(text):
                outline.delimiters.add(number)
                fence = None
            continue
        fence = _opened_by(text)
        if fence is not None:
            outline.opaque.add(number)
            outline.delimiters.add(number)
        elif (heading := _heading(lines, number, outline)) is not None:
            outline.headings.append(heading)
            outline.delimiters.update(range(number + 1, number + heading.lines))
    outline.open_fence = fence is not None
    return outline


def parse_heading(text: str) -> tuple[int, str] | None:
    """Level and title of a line that begins with number signs; None for any other."""
    match = _HEADING.match(text)
    if match is None:
        return None
    title = text[match.end() :].strip(" \t")
    # Number signs behind a blank close a heading and are no part of its title; those of "C#" are.
    open_title = title.rstrip("#")
    if not open_title or open_title[-1] in " \t":
        title = open_title.rstrip(" \t")
    return len(match[1]), title


def list_prefix(text: str) -> str:
    """Indent, list marker and the blanks behind it; empty where the line is no list item."""
    match = _MARKER.match(text)
    return match[0] if match else ""


def without_marker(text: str) -> str:
    """The line without outer blanks and without its list marker."""
    return text[len(list_prefix(text)) :].strip(" \t")


def next_prefix(text: str) -> str:
    """The prefix of a list item that follows this one: the same indent and marker, a number one higher."""
    match = _MARKER.match(text)
    if match is None:
        return ""
    indent, marker, blanks = match.groups()
    if marker[0].isdigit():
        number = min(int(marker[:-1]) + 1, _NUMBER_MAX)
        marker = str(number).zfill(len(marker) - 1) + marker[-1]
    return indent + marker + blanks


def indent_of(text: str) -> str:
    """The blanks before the first character."""
    return text[: len(text) - len(text.lstrip(" \t"))]


def is_structure(text: str) -> bool:
    """Whether a line would be a heading, a fence, a rule or an underline, also behind list markers and quotes."""
    bare = text.strip(" \t")
    while True:
        if parse_heading(bare) or _opened_by(bare) or _is_rule(bare):
            return True
        inner = _QUOTE.sub("", without_marker(bare), count=1).strip(" \t")
        if inner == bare:
            return False
        bare = inner


@dataclass(frozen=True, slots=True)
class _Fence:
    """An open code fence: its delimiter, and how many columns of the list item that it stands in."""

    delimiter: str
    columns: int

    def closed_by(self, text: str) -> bool:
        bare = text.strip(" \t")
        long_enough = len(bare) >= len(self.delimiter) and not bare.strip(self.delimiter[0])
        return long_enough and _columns(text) <= self.columns + 3

    def ended_before(self, text: str) -> bool:
        """Whether the list item around the fence has ended, and the fence with it."""
        return bool(text.strip()) and _columns(text) < self.columns


def _opened_by(text: str) -> _Fence | None:
    match = _FENCE.match(text)
    if match is None or (match[2][0] == "`" and "`" in match[3]):
        return None
    return _Fence(match[2], match.start(2) if match[1] else 0)


def _front_matter_end(lines: Sequence[Line]) -> int:
    """The number of the line behind the front matter; 0 without one that is closed."""
    # A rule at the top of the text is no front matter: that begins with a key.
    if len(lines) < 3 or lines[0].text.rstrip(" \t") != "---" or _KEY.match(lines[1].text) is None:
        return 0
    ends = (number for number in range(1, len(lines)) if lines[number].text.rstrip(" \t") in {"---", "..."})
    return next((number + 1 for number in ends), 0)


def _heading(lines: Sequence[Line], number: int, outline: Outline) -> Heading | None:
    text = lines[number].text
    if (parsed := parse_heading(text)) is not None:
        return Heading(number, 1, *parsed)
    below = _UNDERLINE.match(lines[number + 1].text) if number + 1 < len(lines) else None
    if below is None or not _is_paragraph(text) or number in outline.delimiters:
        return None
    # The last line of a longer paragraph: an underline there makes a heading of all of it, which is left alone.
    above = number - 1
    known = above in outline.opaque or above in outline.delimiters
    if above >= 0 and not known and _is_paragraph(lines[above].text):
        return None
    return Heading(number, 2, 1 if below[1][0] == "=" else 2, text.strip(" \t"))


def _is_paragraph(text: str) -> bool:
    bare = text.strip()
    marked = parse_heading(text) or _opened_by(text) or list_prefix(text) or bare.startswith(">")
    return bool(bare) and not marked and not _is_rule(bare) and _columns(text) <= 3


def _is_rule(bare: str) -> bool:
    return _RULE.match(re.sub(r"[ \t]", "", bare)) is not None


def _columns(text: str) -> int:
    return len(indent_of(text).expandtabs(_TAB_COLUMNS))

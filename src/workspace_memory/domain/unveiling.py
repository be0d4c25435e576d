"""The forms in which a text is searched: what a person or a model would read out of it, whatever its disguise.

Decides nothing and changes nothing that is kept: a text is stored byte-exact, these forms live for one check.
`secret_scan.py` and `injection_scan.py` look at them; docs/explanation/refusals.md lists the disguises.
"""

import base64
import binascii
import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

# Format characters, fillers and selectors that a reader does not see.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")

# Drawn like the ASCII character, and not brought to it by NFKC.
_LOOK_ALIKES = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\u30fc\u2500", "-"),
        **dict.fromkeys("\u2236\ua789\u05c3\u02d0\u0589\ufe55", ":"),
        **dict.fromkeys("\ua78a\u30a0\u2550\u2e40\u1400", "="),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u2039\u203a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2044\u2215\u29f8", "/"),
        **dict.fromkeys("\u2223\u01c0\u2502\u23d0", "|"),
        **dict.fromkeys("\u02cd\u2581\u2017", "_"),
        **dict.fromkeys("\u2028\u2029\u0085\v\f", "\n"),
    }
)
# The long-vowel mark of Japanese looks like a dash but belongs to words such as パスワード.
del _LOOK_ALIKES[0x30FC]
_LETTERS = str.maketrans(
    "АВЕЅІЈКМНОРСТХУԌԚԜаеѕіјорсхуһԁԛԝӏгпΑΒΕΖΗΙΚΜΝΟΡΤΥΧαειονρυχγτκ",
    "ABESIJKMHOPCTXYGQWaesijopcxyhdqwlrnABEZHIKMNOPTYXaeiovpuxytk",
)
_FOREIGN = re.compile("[\u0370-\u052f]")
_SQUEEZED = re.compile(r"(?<!\S)\S(?:([ ._·/-])\S(?=\1|\s|$)){6,}(?:[ ]{2,}\S(?:\1\S(?=\1|\s|$))*)*")
_SQUEEZED_SIGNS = "._·/-"
# Two words side by side, each of them marked up on its own: **ignore** *all*.
_EMPHASIS = re.compile(r"(?<!\w)[*_`~]{1,3}\w+[*_`~]{1,3}[ ]+[*_`~]{1,3}\w+[*_`~]")
_EMPHASIS_MARK = re.compile(r"(?<!\w)[*_`~]{1,3}(?=\w)|(?<=\w)[*_`~]{1,3}(?!\w)")
_TABLE_RULE = re.compile(r"[ ]*\|?(?:[ ]*:?-{2,}:?[ ]*\|?)+[ ]*")
_BULLET = re.compile(r"(?:[-*+>|][ \t]+|\d{1,2}[.)][ \t]+|\|)+")
# Strings put together, and marks of Markdown and HTML within a word, which nobody sees when it is shown.
_CONCATENATION = re.compile(
    r"(?<=\w)(?:\"[ \t]*[+.&]?[ \t]*\"|'[ \t]*[+.&]?[ \t]*'|`[ \t]*\+[ \t]*`"
    r"|(?:[*`~]{1,3}|</?[a-z]{1,8}>|<!--.{0,40}?-->)+)(?=[\w./+=-])"
)
_CONCATENATED = ('"', "'", "`", "*", "~", "<")
_SEAM_PIECES = 4
_SEAM_WORD = re.compile(r"(?=\D*\d)[A-Za-z0-9_.+/=-]{16,256}")
# Characters by their number: in an address, in a string of a program, in JSON.
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}")
_ESCAPED_TWICE = 2
_CHARACTER_MAX = 0x10FFFF
_CODED = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}")
_CODED_CONTEXT = re.compile(r"(?:base64,|sha\d{3}-|AAAA[A-Za-z0-9]{0,4})$")
_CODED_MAX = 8


@dataclass(frozen=True, slots=True)
class View:
    """One form of a text. `starts` are the offsets at which its second, third, … line begins."""

    name: str
    text: str
    starts: tuple[int, ...]

    def line_at(self, offset: int) -> int:
        """The line of the original text (from 1) that the character at `offset` comes from."""
        return bisect_right(self.starts, offset) + 1


def plain_view(text: str) -> View:
    """The text without invisible characters, in NFKC, with look-alike signs as ASCII. Line ends stay."""
    if not text.isascii() or "\v" in text or "\f" in text:
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)))
        text = text.translate(_LOOK_ALIKES)
    return View("plain", text, tuple(match.end() for match in re.finditer("\n", text)))


def disguised_views(plain: View, *, joined: bool = True) -> Iterator[View]:
    """The further forms that differ from the plain one: entities, escapes, foreign letters, joined, spaced out."""
    text = plain.text
    if ("%" in text or "\\" in text) and (unescaped := _without_escapes(text)) != text:
        yield _same_lines("escapes", plain_view(unescaped).text)
    if "&" in text and ";" in text and (unescaped := html.unescape(text)) != text:
        yield _same_lines("entities", plain_view(unescaped).text)
    if not text.isascii() and _FOREIGN.search(text):
        yield _same_lines("letters", text.translate(_LETTERS))
    if spaced := _without_spacing(text):
        yield _same_lines("spaced", spaced)
    if not joined and _EMPHASIS.search(text):
        yield _same_lines("emphasis", _EMPHASIS_MARK.sub("", text))
    if joined and (view := joined_view(plain)) is not None:
        yield view


def joined_view(plain: View) -> View | None:
    """The text as one line: over line ends, bullets, table cells and concatenated strings. None when it is one."""
    pieces: list[str] = []
    starts: list[int] = []
    length = 0
    for number, line in enumerate(plain.text.split("\n")):
        if number:
            starts.append(length)
        piece = _joined_line(line, first=not number)
        pieces.append(piece)
        length += len(piece)
    joined = "".join(pieces)
    if any(sign in joined for sign in _CONCATENATED):
        # What is cut out moves later lines by a few characters: good enough to name a line of a disguised text.
        joined = _CONCATENATION.sub("", joined)
    return None if joined == plain.text else View("joined", joined, tuple(starts))


def seam_views(plain: View) -> Iterator[View]:
    """The words that come about at the ends of two to four lines or cells: along the lines, and down each column.

    Where a word ends matters for keys of a fixed length, and in the joined text the words around run into them.
    """
    cells: list[tuple[int, list[str]]] = []
    columns: dict[int, list[tuple[int, list[str]]]] = {}
    for number, line in enumerate(plain.text.split("\n")):
        if "|" in line and _TABLE_RULE.fullmatch(line):
            continue
        for column, piece in enumerate(re.split(r"[|\t]", line)):
            if words := _joined_line(piece, first=False).split():
                cells.append((number, words))
                columns.setdefault(column, []).append((number, words))
    yield from _at_seams(cells)
    if len(columns) > 1:
        for column in columns.values():
            yield from _at_seams(column)


def _at_seams(pieces: list[tuple[int, list[str]]]) -> Iterator[View]:
    found: list[str] = []
    starts: list[int] = []
    length = 0
    for place, (number, words) in enumerate(pieces):
        word = words[-1]
        for _, following in pieces[place + 1 : place + _SEAM_PIECES]:
            word += following[0]
            if _SEAM_WORD.fullmatch(word):
                starts += [length] * (number - len(starts))
                found.append(word)
                length += len(word) + 1
            if len(following) > 1:
                break
    if found:
        yield View("seams", "\n".join(found), tuple(starts))


def _joined_line(line: str, *, first: bool) -> str:
    line = line.strip(" \t\r\\").replace("\t", "")
    if "|" in line:
        if _TABLE_RULE.fullmatch(line):
            return ""
        line = "".join(cell.strip() for cell in line.split("|"))
    bullet = _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    # A string that goes on in the next line: "ab" +
    return line if first else line.removeprefix("+ ").removeprefix(". ")


def decoded_views(view: View, *, known: str = "") -> Iterator[View]:
    """What base64 words of the view say, one level deep, where they say text. At most eight words are decoded.

    Words of the text `known` have been looked at before.
    """
    count = 0
    before = frozenset(known.split())
    for start, word in long_words(view.text, 20):
        if word in before:
            continue
        for match in _CODED.finditer(word):
            if _CODED_CONTEXT.search(word, max(0, match.start() - 8), match.start()):
                continue
            count += 1
            if count > _CODED_MAX:
                return
            said = _decoded(match.group())
            if said is not None:
                yield View("base64", said, (0,) * (view.line_at(start) - 1))


def long_words(text: str, length_min: int) -> Iterator[tuple[int, str]]:
    """The offset and text of each run of so many characters without a blank: where keys can be."""
    words = [word for word in text.split() if len(word) >= length_min]
    position = 0
    for word in words:
        position = text.index(word, position)
        yield position, word
        position += len(word)


def says_text(word: str) -> bool:
    """Whether the word is base64 of printable text."""
    return _decoded(word) is not None


def _decoded(word: str) -> str | None:
    body = word.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        said = base64.b64decode(body + "=" * (-len(body) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return said if all(character.isprintable() or character in "\n\r\t" for character in said) else None


def _without_escapes(text: str) -> str:
    for _ in range(_ESCAPED_TWICE):
        read = _ESCAPE.sub(_escaped, text)
        if read == text:
            break
        text = read
    return text


def _escaped(match: re.Match[str]) -> str:
    word = match.group()
    if word.startswith("%"):
        said = bytes.fromhex(word.replace("%", "")).decode("utf-8", "ignore")
    else:
        number = int(word[2:].strip("{}"), 16)
        said = chr(number) if number <= _CHARACTER_MAX and not 0xD800 <= number <= 0xDFFF else ""
    # Lines keep their numbers.
    return " ".join(said.splitlines())


def _without_spacing(text: str) -> str | None:
    """The text with words such as `i g n o r e` or `g.h.p` pulled together; None when there are none."""
    words = text.split()
    # The whole text first, since this is asked of every text and nearly none has as many signs in any word.
    signs = [sign for sign in _SQUEEZED_SIGNS if text.count(sign) > 5]
    if list(map(len, words)).count(1) < 7 and not any(
        word.count(sign) > 5 for word in words if len(word) > 12 for sign in signs
    ):
        return None
    found = False

    def pull(match: re.Match[str]) -> str:
        nonlocal found
        found = True
        words = re.split(r" {2,}", match.group())
        return " ".join(word[::2] if len(word) > 1 else word for word in words)

    pulled = _SQUEEZED.sub(pull, text)
    return pulled if found else None


def _same_lines(name: str, text: str) -> View:
    lengths = accumulate(len(line) + 1 for line in text.split("\n")[:-1])
    return View(name, text, tuple(lengths))

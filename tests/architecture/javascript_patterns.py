"""A regular expression of Python as one of JavaScript that matches the same texts.

The two read the same signs differently: `\\w`, `\\d`, `\\s` and `\\b` know all letters in Python and ASCII or another
list in JavaScript, `$` also stands before a last line end, and a part with flags of its own, `(?i:…)`, is unknown to
many browsers. So the parsed expression is written anew, sign by sign. The texts hold no character beyond U+FFFF
(`frontend/src/lib/secrets/unveiling.ts` sees to that), and the flag `u` is set.
"""

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

# The library gives no other way to a parsed expression, and has no types for it.
parser: Any = import_module("re._parser")
sre: Any = import_module("re._constants")

_WORD = r"\p{L}\p{N}_"
# str.isspace() within the BMP.
_SPACE = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_BOUNDARY = f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_LAST = r"(?=\n?$)"
_SYNTAX = set("^$\\.*+?()[]{}|/")
_IN_CLASS = _SYNTAX | {"-"}
_CONTROLS = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\f": r"\f"}


def javascript(pattern: re.Pattern[str]) -> tuple[str, str]:
    """The source and the flags. Raises: ValueError for what has no counterpart here."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    names = {number: name for name, number in tree.state.groupdict.items()}
    flags = tree.state.flags
    # The browser's own flag keeps the text short, and serves where no part of the expression has other flags.
    whole = bool(flags & re.IGNORECASE) and not _has_own_flags(tree)
    writer = _Writer(names, flag_for_all=whole)
    return writer.sequence(tree, flags), "iu" if whole else "u"


def _has_own_flags(tree: Any) -> bool:
    for operation, argument in tree:
        if operation is sre.SUBPATTERN and (argument[1] or argument[2]):
            return True
        if any(_has_own_flags(part) for part in _parts(operation, argument)):
            return True
    return False


def _parts(operation: Any, argument: Any) -> list[Any]:
    if operation is sre.SUBPATTERN:
        return [argument[3]]
    if operation in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
        return [argument[2]]
    if operation in {sre.ASSERT, sre.ASSERT_NOT}:
        return [argument[1]]
    return list(argument[1]) if operation is sre.BRANCH else []


class _Writer:
    def __init__(self, names: dict[int, str], *, flag_for_all: bool) -> None:
        self.names = names
        self.flag_for_all = flag_for_all

    def sequence(self, tree: Any, flags: int) -> str:
        return "".join(self.one(operation, argument, flags) for operation, argument in tree)

    def one(self, operation: Any, argument: Any, flags: int) -> str:
        if operation is sre.LITERAL:
            return self._literal(argument, flags)
        if operation is sre.NOT_LITERAL:
            return f"[^{''.join(_in_class(each) for each in self._cases(chr(argument), flags))}]"
        if operation is sre.ANY:
            return r"[\s\S]" if flags & re.DOTALL else r"[^\n]"
        if operation is sre.IN:
            return self._class(argument, flags)
        if operation is sre.AT:
            return _place(argument, flags)
        if operation is sre.BRANCH:
            return f"(?:{'|'.join(self.sequence(each, flags) for each in argument[1])})"
        if operation is sre.SUBPATTERN:
            return self._group(argument, flags)
        if operation in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
            lowest, highest, repeated = argument
            lazy = "?" if operation is sre.MIN_REPEAT else ""
            return self._atom(repeated, flags) + _times(lowest, highest) + lazy
        if operation in {sre.ASSERT, sre.ASSERT_NOT}:
            direction, asserted = argument
            sign = "=" if operation is sre.ASSERT else "!"
            return f"(?{'<' if direction < 0 else ''}{sign}{self.sequence(asserted, flags)})"
        if operation is sre.GROUPREF:
            return f"\\{argument}(?:)"
        raise ValueError(f"no counterpart for {operation}")

    def _group(self, argument: Any, flags: int) -> str:
        number, added, taken, grouped = argument
        inner = self.sequence(grouped, (flags | added) & ~taken)
        if number is None:
            return f"(?:{inner})"
        return f"(?<{self.names[number]}>{inner})" if number in self.names else f"({inner})"

    def _atom(self, repeated: Any, flags: int) -> str:
        text = self.sequence(repeated, flags)
        operation = repeated[0][0] if len(repeated) == 1 else None
        whole = {sre.IN, sre.NOT_LITERAL, sre.ANY, sre.SUBPATTERN, sre.BRANCH}
        if operation in whole or (operation is sre.LITERAL and len(text.lstrip("\\")) == 1):
            return text
        return f"(?:{text})"

    def _literal(self, code: int, flags: int) -> str:
        cases = self._cases(chr(code), flags)
        return _outside(cases[0]) if len(cases) == 1 else f"[{''.join(map(_in_class, cases))}]"

    def _cases(self, character: str, flags: int) -> list[str]:
        if self.flag_for_all or not flags & re.IGNORECASE:
            return [character]
        return sorted({each for each in (character.lower(), character.upper(), character) if len(each) == 1})

    def _class(self, members: Any, flags: int) -> str:
        parts: list[str] = []
        negated = False
        for operation, argument in members:
            if operation is sre.NEGATE:
                negated = True
            elif operation is sre.LITERAL:
                parts += map(_in_class, self._cases(chr(argument), flags))
            elif operation is sre.RANGE:
                parts += self._range(argument, flags)
            elif operation is sre.CATEGORY:
                if argument in _OPPOSITES and len(members) == 1:
                    return f"[^{_OPPOSITES[argument]}]"
                parts.append(_CATEGORIES[argument])
            else:
                raise ValueError(f"no counterpart for {operation} in a class")
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _range(self, ends: Sequence[int], flags: int) -> list[str]:
        first, last = ends
        ranges = [(chr(first), chr(last))]
        if flags & re.IGNORECASE and not self.flag_for_all and chr(first).isalpha() and last < 128:
            ranges = sorted({(f(chr(first)), f(chr(last))) for f in (str.lower, str.upper)})
        return [f"{_in_class(low)}-{_in_class(high)}" for low, high in ranges]


_CATEGORIES: dict[Any, str] = {
    sre.CATEGORY_WORD: _WORD,
    sre.CATEGORY_DIGIT: r"\p{Nd}",
    sre.CATEGORY_NOT_DIGIT: r"\P{Nd}",
    sre.CATEGORY_SPACE: _SPACE,
}
_OPPOSITES: dict[Any, str] = {sre.CATEGORY_NOT_WORD: _WORD, sre.CATEGORY_NOT_SPACE: _SPACE}


def _place(place: Any, flags: int) -> str:
    if place is sre.AT_BEGINNING and not flags & re.MULTILINE:
        return "^"
    if place is sre.AT_END and not flags & re.MULTILINE:
        return _LAST
    if place is sre.AT_BOUNDARY:
        return _BOUNDARY
    raise ValueError(f"no counterpart for {place}")


def _times(lowest: int, highest: Any) -> str:
    if highest is sre.MAXREPEAT:
        return {0: "*", 1: "+"}.get(lowest, f"{{{lowest},}}")
    if (lowest, highest) == (0, 1):
        return "?"
    return f"{{{lowest}}}" if lowest == highest else f"{{{lowest},{highest}}}"


def _outside(character: str) -> str:
    return _CONTROLS.get(character) or (f"\\{character}" if character in _SYNTAX else _shown(character))


def _in_class(character: str) -> str:
    return _CONTROLS.get(character) or (f"\\{character}" if character in _IN_CLASS else _shown(character))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{{{code:x}}}" if code > 0xFFFF else f"\\u{code:04x}"

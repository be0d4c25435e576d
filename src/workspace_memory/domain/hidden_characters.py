"""Characters that a reader does not see, and a form of the text in which they are seen.

For review alone: what is kept stays byte-exact. Which of them are refused is decided in `injection_scan.py`.
"""

import unicodedata
from dataclasses import dataclass

# Shown as they are: line ends and tabulators are seen by their effect.
_SEEN = frozenset("\n\t")
# They turn the direction in which text is read.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Blanks of other widths, and letters that are drawn as nothing.
_BLANK = frozenset("\u00a0\u115f\u1160\u3164\uffa0\u2800\u180e")


@dataclass(frozen=True, slots=True)
class HiddenCharacter:
    """One hidden character: its position (in characters, from 0), code point and Unicode name."""

    position: int
    code: str
    name: str


def hidden_characters(text: str) -> list[HiddenCharacter]:
    """Every character of the text that a reader does not see, in order."""
    return [
        HiddenCharacter(position, _code(character), unicodedata.name(character, "unnamed"))
        for position, character in enumerate(text)
        if is_hidden(character)
    ]


def with_hidden_shown(text: str) -> str:
    """The text with each hidden character written as ⟦U+200B⟧."""
    return "".join(f"⟦{_code(character)}⟧" if is_hidden(character) else character for character in text)


def drawable(text: str) -> str:
    """The text with what could drive a terminal, or turn the order of what is read, written as ⟦U+001B⟧.

    Unlike `with_hidden_shown` it leaves what only joins or shapes other characters, as in an emoji.
    """
    return "".join(f"⟦{_code(character)}⟧" if _drives(character) else character for character in text)


def _drives(character: str) -> bool:
    if character in _SEEN:
        return False
    return unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} or character in _TURNING


def is_hidden(character: str) -> bool:
    """Whether a reader does not see this character: format, control, private, variation selectors, odd blanks."""
    if character in _SEEN:
        return False
    if character in _BLANK or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return True
    category = unicodedata.category(character)
    return category in {"Cf", "Cc", "Co", "Cs", "Cn", "Zl", "Zp"} or (category == "Zs" and character != " ")


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"

"""Other people's texts on this terminal: indented, cut short, and unable to drive it.

A character that a reader does not see is written as ⟦U+200B⟧, an escape sequence like any other.
"""

from workspace_memory.domain.hidden_characters import with_hidden_shown

LINE_CHARACTERS_MAX = 80


def indented(text: str, by: str = "    ") -> str:
    """The whole text, each line with a margin."""
    return "\n".join(by + line for line in with_hidden_shown(text).split("\n"))


def first_line(text: str) -> str:
    """The beginning of the text on one line."""
    line = with_hidden_shown(text).strip().split("\n")[0]
    return line if len(line) <= LINE_CHARACTERS_MAX else line[: LINE_CHARACTERS_MAX - 1] + "…"

"""Exact edits of a note: passages, each of which stands once in the text, and what takes their place.

Pure. All of them apply or none does. Unlike those of the memory document (`edits.py`) they may span lines, and nothing
but the exact characters counts: a model that remembers a passage wrongly must learn it, not change another one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.domain.edit_refusal import EditRefusal
from workspace_memory.domain.errors import EditRefused, InvalidRequest


@dataclass(frozen=True, slots=True)
class NoteEdit:
    """A passage and what takes its place; an empty `replace` takes it out."""

    find: str
    replace: str


def apply_note_edits(text: str, edits: Sequence[NoteEdit]) -> str:
    """The text after all edits, in their order. Line ends follow the text's own.

    Raises: EditRefused, counted from 0, for a passage that stands nowhere or more than once; InvalidRequest where the
    edits change nothing.
    """
    ends = "\r\n" if "\r\n" in text else "\n"
    changed = text
    for index, edit in enumerate(edits):
        find, replace = _with_ends(edit.find, ends), _with_ends(edit.replace, ends)
        match _occurrences(changed, find):
            case 1:
                changed = changed.replace(find, replace)
            case 0:
                raise EditRefused(
                    EditRefusal.TARGET_NOT_FOUND,
                    index,
                    "Its passage does not stand in that version of the text. Read the document and copy it exactly.",
                )
            case _:
                raise EditRefused(
                    EditRefusal.AMBIGUOUS_TARGET,
                    index,
                    "Its passage stands more than once in the text. Take in more of what is around it.",
                )
    if changed == text:
        raise InvalidRequest("edits", "change nothing: the text would be the one that is there")
    return changed


def _occurrences(text: str, find: str) -> int:
    """0, 1, or 2 for more, also when they overlap."""
    first = text.find(find)
    if first < 0:
        return 0
    return 1 if text.find(find, first + 1) < 0 else 2


def _with_ends(passage: str, ends: str) -> str:
    return passage.replace("\r\n", "\n").replace("\n", ends)

"""The one way in which anything automatic changes the memory document: one to five exact edits of single lines.

Pure. An edit names what it changes by the whole line, so that a stale or ambiguous target fails instead of touching
other text, and nothing outside of the named line changes. `line_editor.py` has the rules of the single edits.
Secrets, forged structure and suspicious words are looked for in `refusal.py`; whether the result may be written at
all is the commit fence's to say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from workspace_memory.domain.edit_refusal import EditRefusal
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.line_editor import LineEditor
from workspace_memory.domain.recall import RECALL_BYTES_MAX

EDITS_MAX = 5

_FIELDS = ("op", "text", "target", "heading")


class EditOp(StrEnum):
    """What an edit does with one line."""

    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit. `text` is the new line, `target` the whole line to replace or remove, `heading` where to add.

    What does not belong to the operation is empty: the text of a removal, the target of an addition, the heading
    of everything else. An addition without a heading goes to the end.
    """

    op: EditOp
    text: str = ""
    target: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Applied:
    """All edits were applied, and this is the text that they make."""

    text: str


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The text says all of it already: nothing is written, and there is no new revision."""


_UNUSED = {EditOp.ADD: ("target",), EditOp.REPLACE: ("heading",), EditOp.REMOVE: ("text", "heading")}


def apply_edits(text: str, edits: Sequence[Edit]) -> Applied | Unchanged:
    """The text after all of the edits, in their order. The first one that is refused refuses all.

    The result ends with one newline, or is empty, and has at most RECALL_BYTES_MAX bytes.

    Raises: EditRefused with the number of the edit, counted from 0.
    """
    editor = LineEditor.of(text)
    last = None
    for index, edit in enumerate(edits):
        editor.index = index
        if _apply(editor, edit):
            last = index
    if last is None or (changed := editor.text()) == text:
        return Unchanged()
    if len(changed.encode("utf-8", "surrogatepass")) > RECALL_BYTES_MAX:
        editor.index = last
        editor.refuse(EditRefusal.DOCUMENT_TOO_LARGE)
    return Applied(changed)


def _apply(editor: LineEditor, edit: Edit) -> bool:
    match edit.op:
        case EditOp.ADD:
            return editor.add(edit.text, heading=edit.heading)
        case EditOp.REPLACE:
            return editor.replace(edit.target, text=edit.text)
        case EditOp.REMOVE:
            return editor.remove(edit.target)


def edits_of(value: object) -> tuple[Edit, ...]:
    """The edits of a decoded body or tool call `{"changes": […]}`.

    Raises: InvalidRequest for anything that is not exactly one to five edits of four texts each.
    """
    body = _object(value, "")
    _require_fields(body, ("changes",), "")
    changes = body["changes"]
    if not isinstance(changes, list):
        raise InvalidRequest("changes", f"must be a list of 1 to {EDITS_MAX} edits")
    entries = cast("list[object]", changes)
    if not 1 <= len(entries) <= EDITS_MAX:
        raise InvalidRequest("changes", f"must have 1 to {EDITS_MAX} edits, and has {len(entries)}")
    return tuple(_edit(entry, f"changes.{number}") for number, entry in enumerate(entries))


def _edit(value: object, where: str) -> Edit:
    entry = _object(value, where)
    _require_fields(entry, _FIELDS, where)
    for name in _FIELDS:
        if not isinstance(entry[name], str):
            raise InvalidRequest(f"{where}.{name}", "must be a text")
    texts = cast("Mapping[str, str]", entry)
    if texts["op"] not in list(EditOp):
        raise InvalidRequest(f"{where}.op", "must be add, replace or remove")
    op = EditOp(texts["op"])
    for name in _UNUSED[op]:
        if texts[name]:
            raise InvalidRequest(f"{where}.{name}", f"must be empty for {op}")
    return Edit(op, texts["text"], texts["target"], texts["heading"])


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InvalidRequest(where, "must be an object" if where else "A JSON object is required.")
    return cast("dict[str, object]", value)


def _require_fields(value: Mapping[str, object], names: Sequence[str], where: str) -> None:
    """Raise unless the object has exactly these fields. An unknown name is not repeated: it may hold anything."""
    for name in names:
        if name not in value:
            raise InvalidRequest(f"{where}.{name}" if where else name, "is required")
    if len(value) > len(names):
        raise InvalidRequest(where, f"No other field is known here than {', '.join(names)}.")

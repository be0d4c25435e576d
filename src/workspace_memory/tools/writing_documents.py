"""create_note and propose_edit: what a model may do to notes. It makes new ones, and changes none by itself.

A path of the memory document, in any spelling, is refused without a use case (`places.py`). Secrets and the like are
refused by the services, and a text that looks like an order to a model waits for a person there.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.document import TEXT_BYTES_MAX
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import Version
from workspace_memory.domain.namespace import PATH_BYTES_MAX
from workspace_memory.domain.note_edits import NoteEdit, apply_note_edits
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.services.automation_notes import NoteOutcome, put_plain_note, read_plain_note
from workspace_memory.services.proposals import propose_note_change
from workspace_memory.tools.arguments import Arguments, Text, read_arguments
from workspace_memory.tools.calling import Tool, ToolCaller
from workspace_memory.tools.documents import PATH, VERSION_MAX
from workspace_memory.tools.note_answers import created_answer, proposed_answer
from workspace_memory.tools.places import require_writable
from workspace_memory.tools.schemas import a_list, a_number, a_text, an_object, definition, one_of

EDITS_MAX: Final = 50

_NEW_PATH = a_text(
    f"Where it stands: names joined by single slashes, such as 'notes/travel.md'; at most {PATH_BYTES_MAX:,} bytes."
)
_REASON = one_of([ProposalReason.PROPOSED, ProposalReason.SUSPICIOUS], "Why it waits for a person.")
_PROPOSAL = a_text("The proposal's id; missing when none was made.")
_MESSAGE = a_text("What happened, in words.")
_ONE_OF_TWO = "Give either text or edits, and not both."


class CreateArguments(Arguments):
    """create_note."""

    path: Text
    text: Text


def _create(caller: ToolCaller, arguments: Mapping[str, object]) -> str:
    require_writable(arguments)
    given = read_arguments(CreateArguments, "create_note", arguments)
    written = caller.ask(
        put_plain_note,
        caller.workspace,
        given.path,
        given.text,
        base=Version(0),
        key_session=caller.key_session,
    )
    return created_answer(written)


CREATE_NOTE: Final = Tool(
    definition(
        "create_note",
        "Create a note",
        "Write a new document (note) at a path where none stands. Use it when the user wants something kept as a "
        "document of its own; to change a document that is there use propose_edit. A text that looks like an "
        "instruction to an AI becomes a proposal, which a person has to apply. No passwords, tokens or keys.",
        an_object(
            {
                "path": _NEW_PATH,
                "text": a_text(f"The whole text, usually Markdown; at most {TEXT_BYTES_MAX:,} bytes."),
            },
            required=["path", "text"],
        ),
        an_object(
            {
                "outcome": one_of(list(NoteOutcome), "What became of the text."),
                "path": PATH,
                "version": a_number(
                    "The number of the version that was written; 0 when it waits for a person."
                ),
                "proposal_id": _PROPOSAL,
                "reason": _REASON,
                "message": _MESSAGE,
            },
            required=["outcome", "path", "version", "message"],
        ),
        # Once more finds the path taken.
        idempotent=False,
    ),
    AccessLevel.CONTRIBUTE,
    _create,
    Action.WRITE_NOTES,
)


class EditArguments(Arguments):
    """One of the edits."""

    find: Text = Field(min_length=1)
    replace: Text


def _as_list(value: object) -> object:
    """A list, or the JSON text of one, which some models send."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


class ProposeArguments(Arguments):
    """propose_edit."""

    path: Text
    version: int = Field(ge=0, le=VERSION_MAX)
    text: Text | None = None
    edits: Annotated[
        list[EditArguments] | None, BeforeValidator(_as_list), Field(min_length=1, max_length=EDITS_MAX)
    ] = None


def _propose(caller: ToolCaller, arguments: Mapping[str, object]) -> str:
    require_writable(arguments)
    given = read_arguments(ProposeArguments, "propose_edit", arguments)
    proposal = caller.ask(
        propose_note_change,
        caller.workspace,
        given.path,
        _changed_text(caller, given),
        base=Version(given.version),
        key_session=caller.key_session,
    )
    return proposed_answer(proposal)


def _changed_text(caller: ToolCaller, given: ProposeArguments) -> str:
    """The whole text that is proposed. A proposal keeps a whole text, whatever it was made from."""
    if (given.text is None) == (given.edits is None):
        raise InvalidRequest("text", _ONE_OF_TWO)
    if given.edits is None:
        return given.text or ""
    if given.version == 0:
        raise InvalidRequest("edits", "there is no text to edit at version 0; give text for a new document")
    note = caller.ask(
        read_plain_note,
        caller.workspace,
        given.path,
        version=Version(given.version),
        key_session=caller.key_session,
    )
    return apply_note_edits(note.text, [NoteEdit(edit.find, edit.replace) for edit in given.edits])


PROPOSE_EDIT: Final = Tool(
    definition(
        "propose_edit",
        "Propose an edit",
        "Propose a change of a document (note), or a new one. Nothing is written: a person looks at the proposal and "
        "applies or drops it, so tell the user that it waits. Read the document first and give the version that you "
        f"read. {_ONE_OF_TWO} Edits are safer: each finds a passage that stands exactly once, copied exactly, and puts "
        "another one in its place. No passwords, tokens or keys.",
        an_object(
            {
                "path": _NEW_PATH,
                "version": a_number("The version that read_document gave; 0 for a new document.", least=0),
                "text": a_text(
                    f"The whole new text, nothing left out; at most {TEXT_BYTES_MAX:,} bytes. Not together with edits."
                ),
                "edits": {
                    **a_list(
                        an_object(
                            {
                                "find": a_text(
                                    "A passage of the present text, copied exactly; it stands there once."
                                ),
                                "replace": a_text("What takes its place; empty to take the passage out."),
                            },
                            required=["find", "replace"],
                        ),
                        f"1 to {EDITS_MAX} edits, made in their order, all or none. Not together with text.",
                    ),
                    "maxItems": EDITS_MAX,
                },
            },
            required=["path", "version"],
        ),
        an_object(
            {
                "outcome": one_of([NoteOutcome.PROPOSED], "It waits for a person."),
                "path": PATH,
                "version": a_number("The version that the proposal is made against; 0 for a new document."),
                "proposal_id": _PROPOSAL,
                "reason": _REASON,
                "message": _MESSAGE,
            },
            required=["outcome", "path", "version", "proposal_id", "message"],
        ),
        # Each call makes a proposal of its own.
        idempotent=False,
    ),
    AccessLevel.CONTRIBUTE,
    _propose,
)

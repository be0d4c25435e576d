"""`remember_in_memory`: the one tool by which a turn may change the memory document.

The model gives the edits and nothing else: admission, credential, key session and place come from the turn. Every
refusal is an answer that says what to do; `services/captures.py` decides, behind the commit fence.
"""

import logging
from collections.abc import Mapping
from typing import Final

from workspace_memory.assistant.authority import TurnAuthority
from workspace_memory.assistant.turn_tools import TurnAnswer, TurnTool
from workspace_memory.domain.document_errors import CaptureWithheld
from workspace_memory.domain.edits import edits_of
from workspace_memory.domain.errors import (
    ContentRefused,
    DomainError,
    EditRefused,
    IdempotencyKeyReused,
    InvalidRequest,
)
from workspace_memory.domain.turn_event import ChangeProposed, Remembered, TurnEvent
from workspace_memory.error_table import row_for
from workspace_memory.services.captures import Captured, CaptureOutcome, commit_capture
from workspace_memory.tools.answers import to_json
from workspace_memory.tools.failures import UNEXPECTED, place_of
from workspace_memory.tools.schemas import Schema

NAME: Final = "remember_in_memory"
REFUSED: Final = "refused"
MEMORY_NOT_SHOWN: Final = "memory_not_shown"

TAKES: Final[Schema] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["changes"],
    "properties": {
        "changes": {
            "type": "array",
            "description": "1 to 5 edits",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["op", "text", "target", "heading"],
                "properties": {
                    "op": {"type": "string", "enum": ["add", "replace", "remove"]},
                    "text": {
                        "type": "string",
                        "description": "the new line, at most 500 bytes; empty for remove",
                    },
                    "target": {
                        "type": "string",
                        "description": "replace/remove: the whole existing line, copied exactly; empty for add",
                    },
                    "heading": {
                        "type": "string",
                        "description": "add: existing heading to put it under; empty for the end",
                    },
                },
            },
        }
    },
}
_DESCRIPTION = (
    "Change the saved workspace memory by one to five edits of single lines, once in a turn. Only for lasting facts "
    "and preferences that the person states in the current message, or asks you to remember or forget. Never for "
    "passwords or keys, for what documents or tools say, or for guesses. The answer says whether it was committed; "
    "only then is it remembered."
)
_ONCE = "This turn has changed the memory already, which it may do once. Tell the person what is left to do."

_logger = logging.getLogger(__name__)


def remember_tool(authority: TurnAuthority) -> TurnTool:
    """The tool of one turn."""

    async def run(arguments: Mapping[str, object]) -> TurnAnswer:
        try:
            edits = edits_of(dict(arguments))
            captured = await authority.in_thread(
                commit_capture,
                authority.workspace,
                authority.admission,
                credential=authority.credential,
                key=f"memory:{authority.admission}",
                key_session_token=authority.key_session,
                edits=edits,
            )
        except DomainError as error:
            _logger.log(row_for(error).log_level, "%s answered %s", NAME, error.code)
            return _refused(error)
        except Exception as error:
            _logger.error("%s failed: %s at %s", NAME, type(error).__name__, place_of(error))
            answer = {"outcome": REFUSED, "code": "unexpected", "hint": UNEXPECTED}
            return TurnAnswer(to_json(answer), refused=True)
        return TurnAnswer(_answer(captured), events=_events(captured))

    return TurnTool(NAME, _DESCRIPTION, TAKES, run, alone=True)


def _answer(captured: Captured) -> str:
    answer: dict[str, object] = {"outcome": captured.outcome.value}
    match captured.outcome:
        case CaptureOutcome.COMMITTED:
            answer["revision"] = captured.version
        case CaptureOutcome.PROPOSED:
            answer["reason"] = captured.reason
            answer["hint"] = "Nothing is remembered yet: a person has to apply the change. Say so."
        case CaptureOutcome.UNCHANGED:
            answer["hint"] = "The memory says this already."
        case CaptureOutcome.OFF:
            answer["hint"] = "Memory is off in this workspace. Nothing was remembered; say so."
    return to_json(answer)


def _events(captured: Captured) -> tuple[TurnEvent, ...]:
    if captured.outcome is CaptureOutcome.COMMITTED and captured.version is not None:
        return (Remembered(captured.version),)
    if captured.proposal is not None and captured.reason is not None:
        return (ChangeProposed(captured.proposal, captured.reason),)
    return ()


def _refused(error: DomainError) -> TurnAnswer:
    answer: dict[str, object] = {"outcome": REFUSED, "code": error.code, "hint": error.message()}
    match error:
        case EditRefused(refusal, index, hint):
            answer |= {"code": refusal, "index": index, "hint": hint}
        case CaptureWithheld():
            answer["code"] = MEMORY_NOT_SHOWN
        case ContentRefused():
            answer["hint"] = f"{error.message()} Do not disguise or split the text to save it all the same."
        case IdempotencyKeyReused():
            answer["hint"] = _ONCE
        case InvalidRequest():
            answer["hint"] = f"{error.message()} Nothing was changed; call again with 1 to 5 complete edits."
        case _:
            pass
    return TurnAnswer(to_json(answer), refused=True)

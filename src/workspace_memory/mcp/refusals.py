"""Refused calls: what the audit log is told of them.

Noted are calls to which somebody had no right: a level that is too low, a deactivated membership, no licence, a tool
that this server does not have. A key session that has ended, a path of the memory document and refused texts are not:
what a model stumbles over is no attempt at anything. Noting fails silently, since it must not change an answer; it
happens on the way of refused calls alone.
"""

import logging

from workspace_memory.domain.document_errors import AiDisabled, KeySessionRequired, NamespaceReserved
from workspace_memory.domain.errors import DomainError, EditionRequired, Forbidden
from workspace_memory.mcp.entry import Caller
from workspace_memory.services.refused_calls import note_refused_call
from workspace_memory.services.running import Runner
from workspace_memory.tools.failures import place_of

UNKNOWN_TOOL = "unknown_tool"
# What anybody runs into whose key session ends; and a path is refused without a use case, this one's too.
_NO_ATTEMPT = (KeySessionRequired, NamespaceReserved, AiDisabled)

_logger = logging.getLogger(__name__)


def note_refusal(runner: Runner, caller: Caller, tool: str, error: DomainError) -> None:
    """Note a call to which the caller had no right; any other failure is nobody's business."""
    if isinstance(error, Forbidden | EditionRequired) and not isinstance(error, _NO_ATTEMPT):
        _note(runner, caller, tool, error.code)


def note_unknown_tool(runner: Runner, caller: Caller, tool: str) -> None:
    """Note a call of a tool that this server does not have; a made-up name is not repeated in the log."""
    _note(runner, caller, tool, UNKNOWN_TOOL)


def _note(runner: Runner, caller: Caller, tool: str, code: str) -> None:
    try:
        runner(note_refused_call, caller.actor, caller.workspace, tool=tool, code=code)
    except Exception as error:
        _logger.warning("a refused call was not noted: %s at %s", type(error).__name__, place_of(error))

"""The tools of one turn: what they take from the model, and what they answer; the list is the same within a turn."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from workspace_memory.domain.ids import ProposalId, is_id
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.domain.turn_event import ChangeProposed, TurnEvent
from workspace_memory.tools.calling import Tool, ToolCaller, call_tool
from workspace_memory.tools.schemas import Schema


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """What a tool tells the model, and what has happened by that."""

    text: str
    refused: bool = False
    events: tuple[TurnEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnTool:
    """A tool of one turn. `run` never raises for what a model can do; `alone`: beside no other call."""

    name: str
    description: str
    takes: Schema
    run: Callable[[Mapping[str, object]], Awaitable[TurnAnswer]]
    alone: bool = False


def shared_tools(tools: Sequence[Tool], caller: ToolCaller) -> list[TurnTool]:
    """The tools that other surfaces have as well, called as the sender of the turn."""
    return [_shared(tool, caller) for tool in tools]


def _shared(tool: Tool, caller: ToolCaller) -> TurnTool:
    async def run(arguments: Mapping[str, object]) -> TurnAnswer:
        answer = await asyncio.to_thread(call_tool, tool, caller, arguments)
        return TurnAnswer(
            answer.text, answer.is_error, () if answer.is_error else proposal_events(answer.text)
        )

    return TurnTool(tool.name, tool.description, tool.takes, run)


def proposal_events(text: str) -> tuple[TurnEvent, ...]:
    """The proposal that the JSON of an answer names as `proposal_id`, if it does."""
    try:
        decoded: object = json.loads(text)
    except ValueError:
        return ()
    if not isinstance(decoded, dict):
        return ()
    answer = cast("dict[str, object]", decoded)
    proposal, reason = answer.get("proposal_id"), answer.get("reason", ProposalReason.PROPOSED.value)
    if not isinstance(proposal, str) or not is_id(proposal) or reason not in list(ProposalReason):
        return ()
    return (ChangeProposed(ProposalId(proposal), ProposalReason(str(reason))),)

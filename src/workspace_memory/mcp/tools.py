"""Which tools a caller has, and what each of them does: read arguments, run one use case, present.

The access level decides (docs/reference/mcp.md). A tool that exists but is not offered at the caller's level is
refused with the reason, also when a client calls it by name. Failures that are expected are answers of the tool,
so that the model reads them and can act; anything else is logged by type and place and told in a neutral sentence.
Calls that somebody had no right to are noted in the audit log (`refusals.py`). Everything here blocks: the edges
call it in a worker thread.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, offers, require_level
from workspace_memory.domain.errors import DomainError, EditionRequired, Forbidden
from workspace_memory.domain.ids import ItemId
from workspace_memory.domain.item import Scope, draft
from workspace_memory.mcp.arguments import (
    ChatGptFetchArguments,
    ChatGptSearchArguments,
    ForgetArguments,
    SaveAnywhereArguments,
    SaveArguments,
)
from workspace_memory.mcp.asking import AskAs
from workspace_memory.mcp.entry import Entry
from workspace_memory.mcp.failures import UnknownTool
from workspace_memory.mcp.presenting import (
    chatgpt_found_answer,
    chatgpt_item_answer,
    forgotten_answer,
    saved_answer,
)
from workspace_memory.mcp.refusals import note_refusal
from workspace_memory.mcp.schemas import (
    CHATGPT_FETCH,
    CHATGPT_SEARCH,
    FORGET,
    SAVE_ANYWHERE,
    SAVE_PERSONAL,
)
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import forget_item, get_item
from workspace_memory.services.licences import memory_is_on
from workspace_memory.services.running import Runner
from workspace_memory.services.saving import save_item
from workspace_memory.tools.answers import Answer
from workspace_memory.tools.arguments import read_arguments
from workspace_memory.tools.calling import ToolCaller, answered, refusal
from workspace_memory.tools.memory_search import MEMORY_SEARCH
from workspace_memory.tools.schemas import Definition


@dataclass(frozen=True, slots=True)
class Call:
    """One call: who, with what, and how to run a use case. `address` is the service's own, for links."""

    runner: Runner
    entry: Entry
    arguments: Mapping[str, object]
    address: str = ""


@dataclass(frozen=True, slots=True)
class _Tool:
    needs: AccessLevel
    run: Callable[[Call], str]
    for_chatgpt: bool = False


def offered_tools(entry: Entry) -> tuple[Definition, ...]:
    """The tools of this caller at this server, in a fixed order; none without access."""
    if not offers(entry.level, AccessLevel.READ):
        return ()
    tools = [MEMORY_SEARCH.definition]
    if offers(entry.level, AccessLevel.PERSONAL):
        tools += [SAVE_ANYWHERE if _contributes(entry) else SAVE_PERSONAL, FORGET]
    if entry.server.chatgpt_tools:
        tools += [CHATGPT_SEARCH, CHATGPT_FETCH]
    return tuple(tools)


def call_tool(
    runner: Runner, entry: Entry, name: str, arguments: Mapping[str, object], *, address: str = ""
) -> Answer:
    """Call a tool by its name. Raises: UnknownTool; every other failure is an answer."""
    tool = _TOOLS.get(name)
    if tool is None or (tool.for_chatgpt and not entry.server.chatgpt_tools):
        raise UnknownTool

    def run() -> str:
        _require(runner, entry, tool)
        return tool.run(Call(runner, entry, arguments, address))

    def refused(error: DomainError) -> str:
        note_refusal(runner, entry, name, error)
        return refusal(error)

    return answered(name, run, refused=refused)


def _require(runner: Runner, entry: Entry, tool: _Tool) -> None:
    if offers(entry.level, tool.needs):
        return
    if not entry.active:
        raise Forbidden(
            need="your membership is deactivated; an administrator of the workspace can activate it"
        )
    # Without a licence the level is none (`enter_server`); only the refused caller asks which of the two it is.
    if not runner(memory_is_on, entry.workspace):
        raise EditionRequired
    require_level(entry.level, tool.needs)


def _contributes(entry: Entry) -> bool:
    return offers(entry.level, AccessLevel.CONTRIBUTE)


def _search(call: Call) -> str:
    return MEMORY_SEARCH.run(
        ToolCaller(AskAs(call.runner, call.entry.actor), call.entry.workspace), call.arguments
    )


def _save(call: Call) -> str:
    entry = call.entry
    scope = Scope.PERSONAL
    if _contributes(entry):
        given = read_arguments(SaveAnywhereArguments, "memory_save", call.arguments)
        scope = given.scope
    else:
        given = read_arguments(SaveArguments, "memory_save", call.arguments)
    saved = call.runner(
        save_item,
        entry.actor,
        entry.workspace,
        draft(given.content, kind=given.kind, scope=scope, tags=given.tags),
        replaces=None if given.replaces is None else ItemId(given.replaces),
    )
    return saved_answer(saved)


def _forget(call: Call) -> str:
    given = read_arguments(ForgetArguments, "memory_forget", call.arguments)
    call.runner(forget_item, call.entry.actor, call.entry.workspace, ItemId(given.id))
    return forgotten_answer(given.id)


def _chatgpt_search(call: Call) -> str:
    given = read_arguments(ChatGptSearchArguments, "search", call.arguments)
    page = call.runner(find_items, call.entry.actor, call.entry.workspace, Query(text=given.query))
    return chatgpt_found_answer(page, address=call.address)


def _chatgpt_fetch(call: Call) -> str:
    given = read_arguments(ChatGptFetchArguments, "fetch", call.arguments)
    item = call.runner(get_item, call.entry.actor, call.entry.workspace, ItemId(given.id))
    return chatgpt_item_answer(item, address=call.address)


_TOOLS: Mapping[str, _Tool] = {
    "memory_search": _Tool(AccessLevel.READ, _search),
    "memory_save": _Tool(AccessLevel.PERSONAL, _save),
    "memory_forget": _Tool(AccessLevel.PERSONAL, _forget),
    "search": _Tool(AccessLevel.READ, _chatgpt_search, for_chatgpt=True),
    "fetch": _Tool(AccessLevel.READ, _chatgpt_fetch, for_chatgpt=True),
}

"""The lint of the tools at every level: what makes some client hide a tool, or the whole list."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

import pytest
from tests.unit.schema_lint import faults

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import McpServer
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.ids import ServerId, UserId, WorkspaceId
from workspace_memory.mcp.arguments import (
    ChatGptFetchArguments,
    ChatGptSearchArguments,
    ForgetArguments,
    SaveAnywhereArguments,
    SaveArguments,
)
from workspace_memory.mcp.entry import Entry
from workspace_memory.mcp.schemas import (
    CHATGPT_FETCH,
    CHATGPT_SEARCH,
    FORGET,
    SAVE_ANYWHERE,
    SAVE_PERSONAL,
)
from workspace_memory.mcp.tools import offered_tools
from workspace_memory.tools.arguments import Arguments
from workspace_memory.tools.memory_search import SEARCH, SearchArguments
from workspace_memory.tools.schemas import Definition

LEVELS = [level for level in AccessLevel if level is not AccessLevel.INHERIT]
Json = Mapping[str, object]


def an_entry(level: AccessLevel, *, chatgpt_tools: bool = False) -> Entry:
    server = McpServer(
        WorkspaceId("w"), ServerId("s"), "Main", chatgpt_tools, datetime(2026, 11, 2, tzinfo=UTC)
    )
    return Entry(Actor(UserId("u"), Channel.CLIENT, "Test"), server, level, active=True)


def names(level: AccessLevel, *, chatgpt_tools: bool = False) -> list[object]:
    return [tool["name"] for tool in offered_tools(an_entry(level, chatgpt_tools=chatgpt_tools))]


@pytest.mark.requirement("items:unit:tools-per-level")
def test_each_level_has_its_tools() -> None:
    three = ["memory_search", "memory_save", "memory_forget"]
    assert [names(level) for level in LEVELS] == [[], ["memory_search"], three, three]


def test_the_pair_for_chatgpt_comes_from_level_read_on() -> None:
    pair = ["search", "fetch"]
    assert [names(level, chatgpt_tools=True)[-2:] for level in LEVELS] == [[], pair, pair, pair]


@pytest.mark.requirement("field:case-20")
@pytest.mark.parametrize("level", LEVELS)
def test_the_lint_finds_nothing(level: AccessLevel) -> None:
    assert [
        fault for tool in offered_tools(an_entry(level, chatgpt_tools=True)) for fault in faults(tool)
    ] == []


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "object", "properties": {"a": {"anyOf": []}}}, "anyOf"),
        ({"type": "object", "properties": {"a": {"$ref": "#"}}}, "$ref"),
        ({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}, "one type"),
        ({"type": "object", "properties": {"a": {"type": "array"}}}, "items"),
        ({"type": "object", "properties": {"a": {}}}, "one type"),
        ({"properties": {}}, "one type"),
        ({"type": "object", "properties": {}, "required": ["b"]}, "required"),
    ],
)
def test_the_lint_finds_what_it_is_for(schema: Json, fault: str) -> None:
    tool = {**SEARCH, "inputSchema": schema}
    assert any(fault in found for found in faults(tool))


@pytest.mark.parametrize(
    ("tool", "model"),
    [
        (SEARCH, SearchArguments),
        (SAVE_PERSONAL, SaveArguments),
        (SAVE_ANYWHERE, SaveAnywhereArguments),
        (FORGET, ForgetArguments),
        (CHATGPT_SEARCH, ChatGptSearchArguments),
        (CHATGPT_FETCH, ChatGptFetchArguments),
    ],
)
def test_what_is_advertised_is_what_is_read(tool: Definition, model: type[Arguments]) -> None:
    schema = cast("Json", tool["inputSchema"])
    required = {name for name, field in model.model_fields.items() if field.is_required()}
    assert set(cast("Json", schema["properties"])) == set(model.model_fields)
    assert set(cast("list[str]", schema["required"])) == required


def test_only_searching_reads_and_only_forgetting_destroys() -> None:
    def hinted(hint: str) -> list[object]:
        tools = [SEARCH, SAVE_PERSONAL, FORGET, CHATGPT_SEARCH, CHATGPT_FETCH]
        return [tool["name"] for tool in tools if cast("Json", tool["annotations"])[hint]]

    assert hinted("readOnlyHint") == ["memory_search", "search", "fetch"]
    assert hinted("destructiveHint") == ["memory_forget"]
    assert hinted("openWorldHint") == []

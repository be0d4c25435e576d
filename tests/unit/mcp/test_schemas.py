"""The lint of the tools at every level: what makes some client hide a tool, or the whole list."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import cast

import pytest

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


def faults(tool: Definition) -> Iterator[str]:
    """What a client somewhere does not understand."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", str(tool["name"])):
        yield f"{tool['name']}: name"
    if not tool["title"] or not 20 <= len(str(tool["description"])) <= 1_024:
        yield f"{tool['name']}: title or description"
    for part in ("inputSchema", "outputSchema"):
        schema = cast("Json", tool[part])
        if schema.get("type") != "object":
            yield f"{tool['name']}.{part}: not an object; every schema has one type"
        yield from _schema_faults(schema, f"{tool['name']}.{part}")


def _schema_faults(schema: Json, place: str) -> Iterator[str]:
    for word in ("oneOf", "anyOf", "allOf", "not", "$ref", "$defs", "nullable", "const"):
        if word in schema:
            yield f"{place}: {word}"
    kind = str(schema.get("type"))
    if kind not in {"string", "integer", "number", "boolean", "array", "object"}:
        yield f"{place}: every schema has one type"
    if kind == "array":
        if "items" not in schema:
            yield f"{place}: an array without items"
        yield from _schema_faults(cast("Json", schema.get("items", {"type": "string"})), f"{place}[]")
    if kind == "object":
        properties = cast("Mapping[str, Json]", schema.get("properties", {}))
        if not set(cast("list[str]", schema.get("required", []))) <= set(properties):
            yield f"{place}: required names what is no property"
        for name, each in properties.items():
            yield from _schema_faults(each, f"{place}.{name}")

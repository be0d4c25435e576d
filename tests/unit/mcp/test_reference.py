"""docs/reference/mcp.md names what there is."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from workspace_memory.mcp.ask_assistant import ASK_ASSISTANT
from workspace_memory.mcp.schemas import (
    CHATGPT_FETCH,
    CHATGPT_SEARCH,
    FORGET,
    SAVE_ANYWHERE,
)
from workspace_memory.services.saving import Outcome
from workspace_memory.tools.catalogue import DOCUMENT_TOOLS
from workspace_memory.tools.memory_search import SEARCH
from workspace_memory.tools.schemas import Definition

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "mcp.md").read_text(encoding="utf-8")
SERVER_TOOLS = [SEARCH, SAVE_ANYWHERE, FORGET, CHATGPT_SEARCH, CHATGPT_FETCH]
SHARED_TOOLS = [*(tool.definition for tool in DOCUMENT_TOOLS), ASK_ASSISTANT]


@pytest.mark.parametrize(
    "tool",
    [
        SEARCH,
        SAVE_ANYWHERE,
        FORGET,
        CHATGPT_SEARCH,
        CHATGPT_FETCH,
        ASK_ASSISTANT,
        *(each.definition for each in DOCUMENT_TOOLS),
    ],
    ids=lambda tool: str(tool["name"]),
)
def test_each_tool_and_argument_is_in_the_reference(tool: Definition) -> None:
    schema = cast("Mapping[str, object]", tool["inputSchema"])
    names = [str(tool["name"]), *cast("Mapping[str, object]", schema["properties"])]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_each_outcome_is_in_the_reference() -> None:
    assert [outcome for outcome in Outcome if f"| `{outcome}` |" not in PAGE] == []


@pytest.mark.parametrize("tool", SHARED_TOOLS, ids=lambda tool: str(tool["name"]))
def test_each_member_of_an_answer_of_the_shared_endpoint_is_in_the_reference(tool: Definition) -> None:
    section = PAGE.split(f"### {tool['name']}\n")[1].split("\n## ")[0].split("\n### ")[0]
    answer = cast("Mapping[str, object]", cast("Mapping[str, object]", tool["outputSchema"])["properties"])
    assert [name for name in answer if f'"{name}"' not in section.replace("\n", " ")] == []

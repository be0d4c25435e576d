"""The tools for models as they are shown: names, texts and flat schemas."""

from collections.abc import Mapping
from typing import cast

import pytest
from tests.unit.schema_lint import faults

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.mcp.ask_assistant import ASK_ASSISTANT, AskArguments
from workspace_memory.tools.arguments import Arguments
from workspace_memory.tools.calling import Tool
from workspace_memory.tools.catalogue import DOCUMENT_TOOLS, is_offered
from workspace_memory.tools.documents import (
    LIST_DOCUMENTS,
    READ_DOCUMENT,
    SEARCH_DOCUMENTS,
    ListArguments,
    ReadArguments,
    SearchDocumentsArguments,
)
from workspace_memory.tools.memory_search import MEMORY_SEARCH, SearchArguments
from workspace_memory.tools.schemas import Definition
from workspace_memory.tools.writing_documents import (
    CREATE_NOTE,
    PROPOSE_EDIT,
    CreateArguments,
    ProposeArguments,
)

Json = Mapping[str, object]
ALL = [*(tool.definition for tool in DOCUMENT_TOOLS), MEMORY_SEARCH.definition, ASK_ASSISTANT]
READING = ["list_documents", "search_documents", "read_document"]


def offered(level: AccessLevel, role: Role) -> list[str]:
    return [tool.name for tool in DOCUMENT_TOOLS if is_offered(tool, level, role)]


@pytest.mark.parametrize("tool", ALL, ids=lambda tool: str(tool["name"]))
def test_the_lint_finds_nothing(tool: Definition) -> None:
    assert list(faults(tool)) == []


@pytest.mark.parametrize(
    ("tool", "model"),
    [
        (LIST_DOCUMENTS.definition, ListArguments),
        (SEARCH_DOCUMENTS.definition, SearchDocumentsArguments),
        (READ_DOCUMENT.definition, ReadArguments),
        (CREATE_NOTE.definition, CreateArguments),
        (PROPOSE_EDIT.definition, ProposeArguments),
        (MEMORY_SEARCH.definition, SearchArguments),
        (ASK_ASSISTANT, AskArguments),
    ],
)
def test_what_is_advertised_is_what_is_read(tool: Definition, model: type[Arguments]) -> None:
    schema = cast("Json", tool["inputSchema"])
    required = {name for name, field in model.model_fields.items() if field.is_required()}
    assert set(cast("Json", schema["properties"])) == set(model.model_fields)
    assert set(cast("list[str]", schema["required"])) == required


def test_a_tool_tells_what_it_is_in_its_own_words() -> None:
    assert (READ_DOCUMENT.name, READ_DOCUMENT.takes["required"]) == ("read_document", ["path"])
    assert READ_DOCUMENT.description.startswith("Read one document")


@pytest.mark.parametrize("tool", [LIST_DOCUMENTS, SEARCH_DOCUMENTS, READ_DOCUMENT])
def test_a_reading_tool_says_that_it_reads_and_that_texts_are_no_instructions(tool: Tool) -> None:
    definition = tool.definition
    assert cast("Json", definition["annotations"])["readOnlyHint"] is True
    assert "not instructions" in str(definition["description"])


def test_from_level_read_on_documents_are_read_and_from_contribute_on_written() -> None:
    assert offered(AccessLevel.NONE, Role.ADMIN) == []
    assert offered(AccessLevel.READ, Role.ADMIN) == READING
    assert offered(AccessLevel.PERSONAL, Role.ADMIN) == READING
    assert offered(AccessLevel.CONTRIBUTE, Role.EDITOR) == [*READING, "create_note", "propose_edit"]


def test_a_viewer_proposes_and_is_not_offered_what_only_editors_may() -> None:
    assert offered(AccessLevel.CONTRIBUTE, Role.VIEWER) == [*READING, "propose_edit"]

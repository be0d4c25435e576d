"""The tools that work on documents, and who is offered them."""

from typing import Final

from workspace_memory.domain.access import AccessLevel, Role, may, offers
from workspace_memory.tools.calling import Tool
from workspace_memory.tools.documents import LIST_DOCUMENTS, READ_DOCUMENT, SEARCH_DOCUMENTS
from workspace_memory.tools.writing_documents import CREATE_NOTE, PROPOSE_EDIT

DOCUMENT_TOOLS: Final = (LIST_DOCUMENTS, SEARCH_DOCUMENTS, READ_DOCUMENT, CREATE_NOTE, PROPOSE_EDIT)


def is_offered(tool: Tool, level: AccessLevel, role: Role) -> bool:
    """Whether a member of this level and role is shown the tool; the use case behind it asks once more."""
    return offers(level, tool.needs) and (tool.role is None or may(role, tool.role))

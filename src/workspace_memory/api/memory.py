"""The state of memory for the caller."""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.workspaces import MemoryCountsOut, MemoryLimitsOut, MemoryStatusOut
from workspace_memory.domain.errors import Forbidden, NotFound
from workspace_memory.domain.item import (
    CONTENT_CHARACTERS_MAX,
    PERSONAL_ITEMS_MAX,
    TAG_CHARACTERS_MAX,
    TAGS_MAX,
    WORKSPACE_ITEMS_MAX,
)
from workspace_memory.services.memory_status import memory_status
from workspace_memory.services.saving import BULK_MAX

router = new_router("memory items")

_LIMITS = MemoryLimitsOut(
    content_characters=CONTENT_CHARACTERS_MAX,
    tags=TAGS_MAX,
    tag_characters=TAG_CHARACTERS_MAX,
    personal_items=PERSONAL_ITEMS_MAX,
    workspace_items=WORKSPACE_ITEMS_MAX,
    bulk_items=BULK_MAX,
)


@router.get(
    "/workspaces/{workspace_id}/memory/status",
    summary="Get the state of memory",
    response_model=MemoryStatusOut,
    responses=errors(NotFound, Forbidden),
)
def read_memory_status(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The caller's role and level, the settings in force, the limits, and how many items the caller sees."""
    status = caller.ask(memory_status, workspace_id)
    counts = MemoryCountsOut(
        personal=status.personal_items,
        company_active=status.company_active,
        company_pending=status.company_pending,
    )
    return answer(
        MemoryStatusOut(
            role=status.role,
            level=status.level,
            default_access=status.default_access,
            write_mode=status.write_mode,
            counts=counts,
            limits=_LIMITS,
        )
    )

"""The state of memory for the caller, and the settings that hold for all members."""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.memory import (
    MemoryCountsOut,
    MemoryLimitsOut,
    MemoryStatusOut,
    SettingsChangeIn,
    SettingsOut,
    settings_out,
)
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound
from workspace_memory.domain.item import (
    CONTENT_CHARACTERS_MAX,
    PERSONAL_ITEMS_MAX,
    TAG_CHARACTERS_MAX,
    TAGS_MAX,
    WORKSPACE_ITEMS_MAX,
)
from workspace_memory.services.memory_status import memory_status
from workspace_memory.services.saving import BULK_MAX
from workspace_memory.services.settings import change_settings, get_settings

MEMORY = "/workspaces/{workspace_id}/memory"

router = new_router("memory settings")

_LIMITS = MemoryLimitsOut(
    content_characters=CONTENT_CHARACTERS_MAX,
    tags=TAGS_MAX,
    tag_characters=TAG_CHARACTERS_MAX,
    personal_items=PERSONAL_ITEMS_MAX,
    workspace_items=WORKSPACE_ITEMS_MAX,
    bulk_items=BULK_MAX,
)


@router.get(
    f"{MEMORY}/status",
    summary="Get the state of memory",
    response_model=MemoryStatusOut,
    responses=errors(NotFound, Forbidden),
)
def read_memory_status(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """Whether memory is licensed, the caller's role and level, the settings in force, the limits, and how many items
    the caller sees. Answers without a licence too.
    """
    status = caller.ask(memory_status, workspace_id)
    counts = MemoryCountsOut(
        personal=status.personal_items,
        personal_active=status.personal_active,
        company_active=status.company_active,
        company_pending=status.company_pending,
        to_review=status.to_review,
        to_confirm=status.to_confirm,
    )
    return answer(
        MemoryStatusOut(
            role=status.role,
            licensed=status.licensed,
            level=status.level,
            default_access=status.default_access,
            write_mode=status.write_mode,
            counts=counts,
            limits=_LIMITS,
        )
    )


@router.get(
    f"{MEMORY}/settings",
    summary="Get the memory settings",
    response_model=SettingsOut,
    responses=errors(NotFound, Forbidden),
)
def read_memory_settings(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The default access level, the write mode of company memory and the Assistant's limit, for every member."""
    return answer(settings_out(caller.ask(get_settings, workspace_id)))


@router.patch(
    f"{MEMORY}/settings",
    summary="Change the memory settings",
    response_model=SettingsOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def change_memory_settings(caller: Asking, workspace_id: WorkspacePath, body: SettingsChangeIn) -> Response:
    """Set what is given: admins. In force from the next call of every client on, open connections included."""
    settings = caller.ask(
        change_settings,
        workspace_id,
        default_access=body.default_access,
        write_mode=body.write_mode,
        assistant_tokens_per_day=body.assistant_tokens_per_day,
    )
    return answer(settings_out(settings))

"""Members' memory over REST: access levels of many at once, and erasing a member's personal items unread."""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.memory import MEMORY
from workspace_memory.api.routing import UserPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.memory import (
    AccessChangedOut,
    AccessChangesIn,
    ErasedOut,
    access_changed_out,
    erased_out,
)
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound
from workspace_memory.services.erasing import erase_personal
from workspace_memory.services.members import set_access

router = new_router("members' memory")


@router.put(
    f"{MEMORY}/members/access",
    summary="Set access levels",
    response_model=AccessChangedOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def set_access_levels(caller: Asking, workspace_id: WorkspacePath, body: AccessChangesIn) -> Response:
    """Set what the AI clients of up to 500 members may do, all or none: admins.

    In force from each member's next call on, open connections included. Each change is in the audit log.
    """
    return answer(access_changed_out(caller.ask(set_access, workspace_id, body.to_changes())))


@router.delete(
    f"{MEMORY}/members/{{user_id}}/personal",
    summary="Erase a member's personal memory",
    response_model=ErasedOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def erase_members_memory(caller: Asking, workspace_id: WorkspacePath, user_id: UserPath) -> Response:
    """Delete all personal items of a member: admins anybody's, everybody the own. The answer is a count.

    The membership and company items stay. Works without a licence.
    """
    return answer(erased_out(caller.ask(erase_personal, workspace_id, user_id)))

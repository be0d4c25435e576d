"""Members of a workspace over REST: listed, changed, removed, given a link to a new password."""

from typing import Annotated

from fastapi import Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.invitations import made_link_out
from workspace_memory.api.routing import UserPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.people import (
    ChangedMemberOut,
    MadeLinkOut,
    MemberChangeIn,
    MemberOut,
    MemberPageOut,
    MemberQuery,
    RemovedMemberOut,
    changed_member_out,
    member_out,
)
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LastAdmin, LevelTooLow, NotFound
from workspace_memory.domain.ids import UserId, is_id
from workspace_memory.services.accounts import make_password_reset
from workspace_memory.services.members import change_member, get_member, list_members, remove_member

MEMBERS = "/workspaces/{workspace_id}/members"

router = new_router("members")


@router.get(
    MEMBERS, summary="List members", response_model=MemberPageOut, responses=errors(NotFound, Forbidden)
)
def read_members(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[MemberQuery, Query()]
) -> Response:
    """Everybody in the workspace, for every member."""
    page = caller.ask(list_members, workspace_id, after=_after(query.cursor), limit=query.limit)
    members = [member_out(each) for each in page.members]
    return answer(MemberPageOut(members=members, next_cursor=page.next_after))


@router.get(
    f"{MEMBERS}/{{user_id}}",
    summary="Get a member",
    response_model=MemberOut,
    responses=errors(NotFound, Forbidden),
)
def read_member(caller: Asking, workspace_id: WorkspacePath, user_id: UserPath) -> Response:
    """One member, for every member."""
    return answer(member_out(caller.ask(get_member, workspace_id, user_id)))


@router.patch(
    f"{MEMBERS}/{{user_id}}",
    summary="Change a member",
    response_model=ChangedMemberOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, LastAdmin),
)
def edit_member(
    caller: Asking, workspace_id: WorkspacePath, user_id: UserPath, body: MemberChangeIn
) -> Response:
    """Set role, status or access level: admins. In force from the member's next call on."""
    changed = caller.ask(
        change_member,
        workspace_id,
        user_id,
        role=body.role,
        status=body.status,
        memory_access=body.memory_access,
    )
    return answer(changed_member_out(changed))


@router.delete(
    f"{MEMBERS}/{{user_id}}",
    summary="Remove a member, or leave",
    response_model=RemovedMemberOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, LastAdmin),
)
def end_membership(caller: Asking, workspace_id: WorkspacePath, user_id: UserPath) -> Response:
    """End a membership: admins anybody's, everybody the own. The personal items and tokens there are deleted."""
    removed = caller.ask(remove_member, workspace_id, user_id)
    return answer(RemovedMemberOut(personal_items=removed.personal_items, key_due=removed.key_due))


@router.post(
    f"{MEMBERS}/{{user_id}}/password-reset",
    summary="Make a password-reset link",
    status_code=201,
    response_model=MadeLinkOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def create_password_reset(caller: Asking, workspace_id: WorkspacePath, user_id: UserPath) -> Response:
    """A link by which the member sets a new password within an hour: admins, for members of no other workspace."""
    made = caller.ask(make_password_reset, workspace_id, user_id)
    return answer(made_link_out(made, caller.edge.address), status=201)


def _after(cursor: str | None) -> UserId | None:
    if cursor is not None and not is_id(cursor):
        raise InvalidRequest("cursor", "is not one that this query gave; leave it out to begin anew")
    return None if cursor is None else UserId(cursor)

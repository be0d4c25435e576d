"""Invitations over REST. No mail is sent: the link is in the answer that made it, once."""

from fastapi import Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import InvitationPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.people import InvitationOut, InvitationsOut, InviteIn, MadeLinkOut
from workspace_memory.domain.address import accept_command, link_url
from workspace_memory.domain.errors import AlreadyMember, Forbidden, LevelTooLow, NotFound
from workspace_memory.services.accounts import MadeLink, invite, list_invitations, withdraw_invitation

INVITATIONS = "/workspaces/{workspace_id}/invitations"

router = new_router("invitations")


@router.get(
    INVITATIONS,
    summary="List invitations",
    response_model=InvitationsOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_invitations(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The invitations that can still be redeemed, newest first: admins."""
    found = caller.ask(list_invitations, workspace_id)
    return answer(
        InvitationsOut(
            invitations=[
                InvitationOut(
                    id=link.id,
                    email=link.email,
                    role=link.role,
                    created_at=link.created_at,
                    created_by=link.created_by,
                    expires_at=link.expires_at,
                )
                for link in found
                if link.email is not None and link.role is not None
            ]
        )
    )


@router.post(
    INVITATIONS,
    summary="Invite somebody",
    status_code=201,
    response_model=MadeLinkOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, AlreadyMember),
)
def create_invitation(caller: Asking, workspace_id: WorkspacePath, body: InviteIn) -> Response:
    """Make a one-time link, valid for seven days: admins. An older one for the same address stops working."""
    made = caller.ask(invite, workspace_id, email=body.email, role=body.role)
    return answer(made_link_out(made, caller.edge.address), status=201)


@router.delete(
    f"{INVITATIONS}/{{invitation_id}}",
    summary="Withdraw an invitation",
    status_code=204,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def remove_invitation(caller: Asking, workspace_id: WorkspacePath, invitation_id: InvitationPath) -> Response:
    """Make an open invitation useless: admins."""
    caller.ask(withdraw_invitation, workspace_id, invitation_id)
    return no_content()


def made_link_out(made: MadeLink, address: str) -> MadeLinkOut:
    """A new link for an answer, as the person is given it."""
    url = link_url(address, made.secret)
    return MadeLinkOut(
        id=made.link.id, url=url, accept_command=accept_command(url), expires_at=made.link.expires_at
    )

"""Workspaces over REST."""

from fastapi import Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.workspaces import (
    ConfirmIn,
    MadeWorkspaceOut,
    WorkspaceIn,
    WorkspaceOut,
    WorkspacesOut,
    workspace_out,
)
from workspace_memory.domain.address import server_url
from workspace_memory.domain.errors import (
    Forbidden,
    LevelTooLow,
    NotFound,
    SecretRefused,
    StructureRefused,
)
from workspace_memory.services.workspaces import (
    delete_workspace,
    get_workspace,
    list_workspaces,
    make_workspace,
    rename_workspace,
)

WORKSPACE = "/workspaces/{workspace_id}"

router = new_router("workspaces")


@router.get("/workspaces", summary="List workspaces", response_model=WorkspacesOut)
def read_workspaces(caller: Asking) -> Response:
    """The workspaces that the credential reaches: one for a token, all of the person's for a session."""
    found = caller.ask(list_workspaces)
    return answer(WorkspacesOut(workspaces=[workspace_out(each) for each in found]))


@router.post(
    "/workspaces",
    summary="Make a workspace",
    status_code=201,
    response_model=MadeWorkspaceOut,
    responses=errors(Forbidden, SecretRefused, StructureRefused),
)
def create_workspace(caller: Asking, body: WorkspaceIn) -> Response:
    """Make a workspace with the caller as its admin and one MCP server: a signed-in admin of any workspace."""
    made = caller.ask(make_workspace, name=body.name)
    return answer(
        MadeWorkspaceOut(
            workspace=workspace_out(made.workspace),
            server_id=made.server,
            server_url=server_url(caller.edge.address, made.server),
        ),
        status=201,
    )


@router.get(
    WORKSPACE,
    summary="Get a workspace",
    response_model=WorkspaceOut,
    responses=errors(NotFound, Forbidden),
)
def read_workspace(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """One workspace of which the caller is an active member."""
    return answer(workspace_out(caller.ask(get_workspace, workspace_id)))


@router.patch(
    WORKSPACE,
    summary="Rename a workspace",
    response_model=WorkspaceOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, SecretRefused, StructureRefused),
)
def change_workspace(caller: Asking, workspace_id: WorkspacePath, body: WorkspaceIn) -> Response:
    """Give a workspace another name: admins."""
    return answer(workspace_out(caller.ask(rename_workspace, workspace_id, name=body.name)))


@router.delete(
    WORKSPACE,
    summary="Delete a workspace",
    status_code=204,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def remove_workspace(caller: Asking, workspace_id: WorkspacePath, body: ConfirmIn) -> Response:
    """Delete a workspace with all its memory, members, servers and tokens: an admin who repeats its name."""
    caller.ask(delete_workspace, workspace_id, confirm_name=body.confirm_name)
    return no_content()

"""The workspace's licence over REST, for admins."""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.licences import LicenceIn, LicenceStateOut, licence_state_out
from workspace_memory.domain.errors import Forbidden, LevelTooLow, LicenceInvalid, NotFound
from workspace_memory.services.licences import licence_state, remove_licence, store_licence

LICENCE = "/workspaces/{workspace_id}/licence"

router = new_router("licence")


@router.get(
    LICENCE,
    summary="Get the state of the licence",
    response_model=LicenceStateOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_licence(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """Whether memory needs a licence here and has one: admins. Everybody sees `licensed` in memory/status."""
    return answer(licence_state_out(caller.ask(licence_state, workspace_id)))


@router.put(
    LICENCE,
    summary="Store a licence key",
    response_model=LicenceStateOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, LicenceInvalid),
)
def put_licence(caller: Asking, workspace_id: WorkspacePath, body: LicenceIn) -> Response:
    """Keep a key in place of the one before: admins. It is verified here; nothing is looked up elsewhere.

    A genuine key of a plan without memory is kept too; `memory` is false then.
    """
    return answer(licence_state_out(caller.ask(store_licence, workspace_id, body.licence_key)))


@router.delete(
    LICENCE,
    summary="Delete the licence key",
    response_model=LicenceStateOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def delete_licence(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """Delete the workspace's key: admins. What is stored in memory is kept."""
    return answer(licence_state_out(caller.ask(remove_licence, workspace_id)))

"""AI clients over REST: listed for admins, and what one of them wrote undone. `tokens.py` cuts one off."""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import TokenPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.clients import ClientsOut, RemovalIn, RemovalOut, client_out, removal_out
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound
from workspace_memory.services.clients import list_clients, remove_from_client

CLIENTS = "/workspaces/{workspace_id}/clients"

router = new_router("clients")


@router.get(
    CLIENTS,
    summary="List clients",
    response_model=ClientsOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_clients(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """Every member's tokens with their last use: admins. `DELETE …/tokens/{token_id}` cuts one off."""
    found = caller.ask(list_clients, workspace_id)
    return answer(ClientsOut(clients=[client_out(each) for each in found]))


@router.delete(
    f"{CLIENTS}/{{token_id}}/items",
    summary="Undo what a client wrote",
    response_model=RemovalOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def remove_client_items(
    caller: Asking, workspace_id: WorkspacePath, token_id: TokenPath, body: RemovalIn
) -> Response:
    """Delete what a token saved since a time, and put back what it changed, at most 1,000 items at once.

    A dry run, which only counts, unless `dry_run` is false. Owners of the token undo their personal items and pending
    proposals, admins whatever it wrote. Of other members' personal items nothing is shown. Works without a licence.
    """
    removal = caller.ask(remove_from_client, workspace_id, token_id, since=body.since, dry_run=body.dry_run)
    return answer(removal_out(removal, dry_run=body.dry_run))

"""The key of a workspace over REST: what a client needs to open it, start it, pass it on and follow it by another."""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.keys import (
    GrantKeyIn,
    RotateKeyIn,
    StartKeyIn,
    WorkspaceKeysOut,
    workspace_keys_out,
)
from workspace_memory.domain.document_errors import (
    EpochConflict,
    KeyHoldersChanged,
    KeysChanged,
    KeysMissing,
    KeyStillHeld,
)
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound
from workspace_memory.domain.ids import Epoch
from workspace_memory.services.workspace_keys import (
    grant_key,
    rotate_workspace_key,
    start_workspace_key,
    workspace_key_state,
)

KEYS = "/workspaces/{workspace_id}/keys"

router = new_router("workspace keys")


@router.get(
    KEYS,
    summary="Get the workspace key's state",
    response_model=WorkspaceKeysOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def read_workspace_keys(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The caller's grant, what proves each key, the chain of older keys, and who holds the key or waits for it."""
    return answer(workspace_keys_out(caller.ask(workspace_key_state, workspace_id)))


@router.post(
    KEYS,
    summary="Start the workspace key",
    status_code=201,
    response_model=WorkspaceKeysOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, EpochConflict, KeyStillHeld, KeysMissing, KeysChanged),
)
def create_workspace_key(caller: Asking, workspace_id: WorkspacePath, body: StartKeyIn) -> Response:
    """The first key of the workspace, made by the caller's client and granted to the caller: editors and admins.

    With `lost_epoch` another one in place of a key that nobody holds any more; while an active member holds it, that is
    409 `key_still_held`.
    """
    state = caller.ask(
        start_workspace_key,
        workspace_id,
        check=body.to_check(),
        grant=body.grant.to_grant(),
        lost=None if body.lost_epoch is None else Epoch(body.lost_epoch),
    )
    return answer(workspace_keys_out(state), status=201)


@router.post(
    f"{KEYS}/grants",
    summary="Grant the workspace key",
    status_code=201,
    response_model=WorkspaceKeysOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, EpochConflict, KeysMissing, KeysChanged),
)
def create_key_grant(caller: Asking, workspace_id: WorkspacePath, body: GrantKeyIn) -> Response:
    """Pass the newest key on to a member who waits: whoever holds it, in any role. Who holds it already keeps what
    is there.
    """
    state = caller.ask(grant_key, workspace_id, epoch=Epoch(body.epoch), grant=body.grant.to_grant())
    return answer(workspace_keys_out(state), status=201)


@router.post(
    f"{KEYS}/rotation",
    summary="Begin a new workspace key",
    status_code=201,
    response_model=WorkspaceKeysOut,
    responses=errors(
        NotFound, Forbidden, LevelTooLow, EpochConflict, KeysMissing, KeysChanged, KeyHoldersChanged
    ),
)
def create_key_epoch(caller: Asking, workspace_id: WorkspacePath, body: RotateKeyIn) -> Response:
    """The next key with all its grants in one request, after somebody who had the present one has left: whoever holds
    it. Another client that was first is 409 `epoch_conflict`.
    """
    state = caller.ask(
        rotate_workspace_key,
        workspace_id,
        epoch=Epoch(body.epoch),
        check=body.to_check(),
        older_sealed=body.older_sealed,
        grants=[each.to_grant() for each in body.grants],
    )
    return answer(workspace_keys_out(state), status=201)

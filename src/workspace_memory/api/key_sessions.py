"""Key sessions over REST: opened by a proof of the key, listed, revoked for good."""

from fastapi import Request, Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking
from workspace_memory.api.cookies import require_session_possible
from workspace_memory.api.key_session_tokens import (
    NewKeySession,
    drop_key_session,
    is_cookie_of,
    set_key_session,
)
from workspace_memory.api.routing import KeySessionPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.keys import (
    KeySessionIn,
    KeySessionOut,
    KeySessionsOut,
    key_session_out,
    listed_key_session_out,
)
from workspace_memory.domain.document_errors import EpochConflict, KeyNotProved, KeyStoreDown
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound, RateLimited
from workspace_memory.domain.ids import Epoch
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.services.key_sessions import (
    list_key_sessions,
    open_key_session,
    revoke_key_session,
    revoke_key_session_anywhere,
)

KEY_SESSIONS = "/workspaces/{workspace_id}/key-sessions"

router = new_router("key sessions")


@router.get(
    KEY_SESSIONS,
    summary="List key sessions",
    response_model=KeySessionsOut,
    responses=errors(NotFound, Forbidden),
)
def read_key_sessions(request: Request, caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The caller's own key sessions in this workspace that have not ended, newest first, and whether the service still
    holds their keys. Tokens are never shown.
    """
    found = caller.ask(list_key_sessions, workspace_id)
    listed = [listed_key_session_out(each, here=is_cookie_of(request, each.session.id)) for each in found]
    return answer(KeySessionsOut(key_sessions=listed))


@router.post(
    KEY_SESSIONS,
    summary="Open a key session",
    status_code=201,
    response_model=KeySessionOut,
    responses={
        201: {
            "headers": {
                "Set-Cookie": {"description": "With a session: the token.", "schema": {"type": "string"}}
            }
        },
        **errors(NotFound, Forbidden, LevelTooLow, EpochConflict, KeyNotProved, KeyStoreDown, RateLimited),
    },
)
def create_key_session(
    request: Request,
    caller: Asking,
    workspace_id: WorkspacePath,
    body: KeySessionIn,
    token: NewKeySession,
) -> Response:
    """Let the service use the workspace key for the caller for a while. The client makes the token, seals the key
    under it and sends both; the service proves the key and keeps it sealed.

    Signed in, the token comes back as a cookie, unless `way` says that it is for a program; with an access token, the
    client sends X-Key-Session from then on.
    """
    way = body.way or (KeySessionWay.COOKIE if caller.by_session else KeySessionWay.HEADER)
    in_browser = way is KeySessionWay.COOKIE
    if in_browser and not caller.by_session:
        raise InvalidRequest("way", "an access token has no cookie; leave it out")
    if in_browser:
        require_session_possible(request, caller.edge)
    session = caller.ask(
        open_key_session,
        workspace_id,
        token=token,
        sealed=body.sealed,
        epoch=Epoch(body.epoch),
        name=body.name,
        way=way,
    )
    response = answer(key_session_out(session), status=201)
    if in_browser:
        set_key_session(response, request, workspace=workspace_id, session=session.id, token=token)
    return response


@router.delete(
    f"{KEY_SESSIONS}/{{key_session_id}}",
    summary="Revoke a key session",
    status_code=204,
    responses=errors(NotFound, Forbidden),
)
def remove_key_session(
    request: Request, caller: Asking, workspace_id: WorkspacePath, key_session_id: KeySessionPath
) -> Response:
    """End a key session for good, and forget its key: its owner or an admin."""
    caller.ask(revoke_key_session, workspace_id, key_session_id)
    response = no_content()
    drop_key_session(response, request, key_session_id)
    return response


@router.delete(
    "/automation/key-sessions/{key_session_id}",
    summary="Revoke a key session by its id",
    status_code=204,
    responses=errors(NotFound, Forbidden),
)
def remove_key_session_by_id(request: Request, caller: Asking, key_session_id: KeySessionPath) -> Response:
    """The same, where only the session's id is at hand: in the token's workspace, or in the caller's own ones."""
    caller.ask(revoke_key_session_anywhere, key_session_id)
    response = no_content()
    drop_key_session(response, request, key_session_id)
    return response

"""Personal access tokens over REST. The secret is in the answer that made it, once."""

from typing import Annotated

from fastapi import Query, Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking
from workspace_memory.api.routing import TokenPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.workspaces import MadeTokenOut, TokenIn, TokenQuery, TokensOut, token_out
from workspace_memory.domain.errors import (
    Forbidden,
    LevelTooLow,
    NotFound,
    SecretRefused,
    StructureRefused,
)
from workspace_memory.domain.ids import UserId
from workspace_memory.services.tokens import list_tokens, make_token, revoke_token

TOKENS = "/workspaces/{workspace_id}/tokens"

router = new_router("tokens")


@router.get(TOKENS, summary="List tokens", response_model=TokensOut, responses=errors(NotFound, Forbidden))
def read_tokens(
    caller: Asking, workspace_id: WorkspacePath, query: Annotated[TokenQuery, Query()]
) -> Response:
    """The caller's own tokens, newest first, or for admins another member's. Secrets are never shown."""
    user = None if query.user_id is None else UserId(query.user_id)
    found = caller.ask(list_tokens, workspace_id, user)
    return answer(TokensOut(tokens=[token_out(each) for each in found]))


@router.post(
    TOKENS,
    summary="Make a token",
    status_code=201,
    response_model=MadeTokenOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, SecretRefused, StructureRefused),
)
def create_token(caller: Asking, workspace_id: WorkspacePath, body: TokenIn) -> Response:
    """A token of the caller for this workspace. A token can make others, but none that may do more than itself."""
    made = caller.ask(
        make_token,
        workspace_id,
        name=body.name,
        max_level=body.max_level,
        surface=body.surface,
        expires_at=body.expires_at,
    )
    return answer(MadeTokenOut(token=token_out(made.token), secret=made.secret), status=201)


@router.delete(
    f"{TOKENS}/{{token_id}}",
    summary="Revoke a token",
    status_code=204,
    responses=errors(NotFound, Forbidden),
)
def remove_token(caller: Asking, workspace_id: WorkspacePath, token_id: TokenPath) -> Response:
    """Make a token useless at once: its owner or an admin."""
    caller.ask(revoke_token, workspace_id, token_id)
    return no_content()

"""Signing in and out, who one is and where one is signed in, another password, deleting the own account."""

from fastapi import Request, Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking, Visiting
from workspace_memory.api.cookies import (
    drop_session,
    require_same_site,
    require_session_possible,
    session_secret,
    set_session,
)
from workspace_memory.api.key_session_tokens import drop_key_sessions
from workspace_memory.api.openapi import NO_CREDENTIAL
from workspace_memory.api.routing import SessionPath, errors, new_router
from workspace_memory.api.schemas.memory import ErasedOut, erased_out
from workspace_memory.api.schemas.people import (
    AccountDeletionIn,
    MeOut,
    PasswordChangeIn,
    ReachedWorkspaceOut,
    SignedInOut,
    SignInIn,
    SignInSessionsOut,
    sign_in_session_out,
)
from workspace_memory.domain.errors import Forbidden, LastAdmin, NotFound, SignInRefused, TooManyAttempts
from workspace_memory.services.authentication import sign_in, sign_out, who_am_i
from workspace_memory.services.erasing import delete_account
from workspace_memory.services.sign_ins import change_password, end_sign_in, list_sign_ins

router = new_router("accounts and sessions")


@router.post(
    "/sign-in",
    summary="Sign in",
    response_model=SignedInOut,
    openapi_extra=NO_CREDENTIAL,
    responses={
        200: {"headers": {"Set-Cookie": {"description": "The session.", "schema": {"type": "string"}}}},
        **errors(SignInRefused, TooManyAttempts, Forbidden),
    },
)
def start_session(request: Request, visitor: Visiting, body: SignInIn) -> Response:
    """Start a session with e-mail address and password; the answer sets its cookie.

    The answer is the same for an unknown address, a wrong password and a deactivated account. After five failures
    the next attempt has to wait, twice as long each time.
    """
    require_session_possible(request, visitor.edge)
    signed_in = visitor.ask(
        sign_in, email=body.email, password=body.password, address=visitor.network_address
    )
    response = answer(SignedInOut(user_id=signed_in.user, expires_at=signed_in.expires_at))
    set_session(response, request, visitor.edge, signed_in.secret)
    return response


@router.post("/sign-out", summary="Sign out", status_code=204, openapi_extra=NO_CREDENTIAL)
def end_session(request: Request, visitor: Visiting) -> Response:
    """End the cookie's session, and the key sessions opened in browsers; without one nothing happens."""
    secret = session_secret(request, visitor.edge)
    response = no_content()
    if secret is not None:
        require_same_site(request, visitor.edge, proof=True)
        visitor.ask(sign_out, secret)
        drop_session(response, request, visitor.edge)
        drop_key_sessions(response, request)
    return response


@router.get("/me", summary="Get the own account", response_model=MeOut)
def read_me(caller: Asking) -> Response:
    """The caller's account and the workspaces that the credential reaches."""
    found = caller.ask(who_am_i)
    account = found.account
    reached = [ReachedWorkspaceOut(id=each.id, name=each.name) for each in found.workspaces]
    return answer(MeOut(user_id=account.id, email=account.email, name=account.name, workspaces=reached))


@router.get(
    "/me/sessions",
    summary="List the own sessions",
    response_model=SignInSessionsOut,
    responses=errors(Forbidden),
)
def read_sessions(request: Request, caller: Asking) -> Response:
    """Where the account is signed in, the last used first. For a signed-in person; a token cannot do it."""
    found = caller.ask(list_sign_ins, session_secret(request, caller.edge) or "")
    return answer(SignInSessionsOut(sessions=[sign_in_session_out(each) for each in found]))


@router.delete(
    "/me/sessions/{session_id}",
    summary="End one of the own sessions",
    status_code=204,
    responses=errors(Forbidden, NotFound),
)
def remove_session(caller: Asking, session_id: SessionPath) -> Response:
    """Sign out somewhere else, for a signed-in person. The key sessions that were opened in browsers end too."""
    caller.ask(end_sign_in, session_id)
    return no_content()


@router.post(
    "/me/password",
    summary="Change the own password",
    status_code=204,
    responses=errors(Forbidden, SignInRefused, TooManyAttempts),
)
def set_password(request: Request, caller: Asking, body: PasswordChangeIn) -> Response:
    """Take another password, proved by the present one; signed in, a token cannot do it.

    The account's other sessions end, and all its key sessions.
    """
    caller.ask(
        change_password,
        session_secret(request, caller.edge) or "",
        password=body.password,
        new_password=body.new_password,
        address=request.client.host if request.client else "",
    )
    response = no_content()
    drop_key_sessions(response, request)
    return response


@router.delete(
    "/me",
    summary="Delete the own account",
    response_model=ErasedOut,
    responses=errors(Forbidden, SignInRefused, TooManyAttempts, LastAdmin),
)
def delete_me(request: Request, caller: Asking, body: AccountDeletionIn) -> Response:
    """Delete the account with its memberships, tokens, sessions and personal items everywhere, by its password.

    For a signed-in person; a token cannot do it. Company items stay, without an author. Where a workspace would be
    left without an active admin, another one has to be made first, or the workspace deleted.
    """
    address = request.client.host if request.client else ""
    erased = caller.ask(delete_account, password=body.password, address=address)
    response = answer(erased_out(erased))
    drop_session(response, request, caller.edge)
    drop_key_sessions(response, request)
    return response

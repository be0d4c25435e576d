"""One-time links: what one is for, and redeeming it.

The secret comes in the body, so that it stands in no access log.
"""

from fastapi import Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Visiting
from workspace_memory.api.openapi import NO_CREDENTIAL
from workspace_memory.api.routing import errors, new_router
from workspace_memory.api.schemas.people import LinkFactsOut, LinkSecretIn, RedeemedOut, RedeemIn
from workspace_memory.domain.address import server_url
from workspace_memory.domain.errors import (
    AlreadyMember,
    AlreadySetUp,
    EmailTaken,
    LinkInvalid,
    SecretRefused,
    SignInRefused,
    StructureRefused,
    TooManyAttempts,
)
from workspace_memory.services.accounts import look_at_link, redeem_link

router = new_router("one-time links")


@router.post(
    "/links/facts",
    summary="Look at a one-time link",
    response_model=LinkFactsOut,
    openapi_extra=NO_CREDENTIAL,
    responses=errors(LinkInvalid),
)
def read_link(visitor: Visiting, body: LinkSecretIn) -> Response:
    """What a set-up, invitation or password-reset link is for. Looking does not use it up."""
    facts = visitor.ask(look_at_link, body.secret)
    return answer(
        LinkFactsOut(
            purpose=facts.purpose,
            email=facts.email,
            workspace_name=facts.workspace_name,
            account_exists=facts.account_exists,
            expires_at=facts.expires_at,
        )
    )


@router.post(
    "/links/redeem",
    summary="Redeem a one-time link",
    response_model=RedeemedOut,
    openapi_extra=NO_CREDENTIAL,
    responses=errors(
        LinkInvalid,
        AlreadySetUp,
        EmailTaken,
        AlreadyMember,
        SecretRefused,
        SignInRefused,
        StructureRefused,
        TooManyAttempts,
    ),
)
def use_link(visitor: Visiting, body: RedeemIn) -> Response:
    """Use a link up and set the account's password; sign in afterwards.

    A set-up link makes the first account, workspace and MCP server. An invitation makes an account or adds the
    workspace to the one that exists, whose password then has to be given. A password reset ends all its sessions.
    """
    redeemed = visitor.ask(
        redeem_link,
        body.secret,
        password=body.password,
        email=body.email,
        name=body.name,
        workspace_name=body.workspace_name,
        address=visitor.network_address,
    )
    server = redeemed.server
    return answer(
        RedeemedOut(
            user_id=redeemed.user,
            email=redeemed.email,
            purpose=redeemed.purpose,
            workspace_id=redeemed.workspace,
            server_id=server,
            server_url=None if server is None else server_url(visitor.edge.address, server),
        )
    )

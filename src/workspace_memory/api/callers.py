"""Who sends a request: the credential is read here, and proved together with the use case.

Reading a header needs no thread and proving needs the database, so a route asks `Caller.ask` to do both in the one
thread in which it runs. What the actor may do is decided by the service.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Request

from workspace_memory.api.cookies import require_same_site, session_secret
from workspace_memory.api.edge import Edge, edge_of
from workspace_memory.api.errors import WrongMediaType
from workspace_memory.api.request_bounds import is_json
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.errors import InvalidRequest, NotAuthenticated
from workspace_memory.services.authentication import authenticate_session, authenticate_token
from workspace_memory.services.deps import Deps

P = ParamSpec("P")
R = TypeVar("R")

# Another tab may have signed in as somebody else: a page must not act under a session that is not its person's.
PAGE_USER = "X-Page-User"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody without a credential, at a network address."""

    edge: Edge
    network_address: str

    def ask(self, use_case: Callable[Concatenate[Deps, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a use case that needs nobody. Blocks."""
        return self.edge.run(use_case, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a credential that is not proved yet; `page_user` is whose page a session's request says it is."""

    edge: Edge
    secret: str
    by_session: bool
    page_user: str | None = None

    def ask(
        self, use_case: Callable[Concatenate[Deps, Actor, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Prove the credential and run the use case as its actor. Blocks.

        Raises: NotAuthenticated, TokenForMcpOnly; what the use case raises.
        """
        return self.edge.run(use_case, self.prove(), *args, **kwargs)

    def prove(self) -> Actor:
        """Who the credential says it is, for what takes several use cases. Blocks.

        Raises: NotAuthenticated, TokenForMcpOnly.
        """
        if self.by_session:
            actor = self.edge.run(authenticate_session, self.secret)
            if self.page_user not in {None, actor.user}:
                raise NotAuthenticated
            return actor
        return self.edge.run(authenticate_token, self.secret, channel=Channel.PERSON)


async def read_visitor(request: Request) -> Visitor:
    """The visitor behind a request. Raises: CrossSiteRequest when another site's page sent it."""
    edge = edge_of(request)
    require_same_site(request, edge, proof=False)
    return Visitor(edge, request.client.host if request.client else "")


async def read_caller(request: Request) -> Caller:
    """The caller behind a request, by token or by session, never by both.

    Raises: NotAuthenticated, InvalidRequest, CrossSiteRequest, WrongMediaType.
    """
    edge = edge_of(request)
    authorization = request.headers.get("authorization")
    session = session_secret(request, edge)
    if authorization is not None:
        if session is not None:
            raise InvalidRequest("Authorization", "send a token or a session cookie, not both")
        scheme, _, token = authorization.strip().partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise NotAuthenticated
        return Caller(edge, token.strip(), by_session=False)
    if session is None:
        raise NotAuthenticated
    require_same_site(request, edge, proof=True)
    # A form of another site can send anything but this type without asking first; a body of another type was
    # refused before, so this is about requests without a body.
    if request.method in {"POST", "PUT", "PATCH"} and not is_json(request.headers.get("content-type", "")):
        raise WrongMediaType
    return Caller(edge, session, by_session=True, page_user=request.headers.get(PAGE_USER))


Asking = Annotated[Caller, Depends(read_caller)]
Visiting = Annotated[Visitor, Depends(read_visitor)]

"""Routers whose routes refuse what they do not know, and document the errors that they can answer."""

import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, get_args, get_origin

from fastapi import APIRouter, Path, Request, Response
from fastapi.params import Header, Query
from fastapi.routing import APIRoute
from pydantic import BaseModel

from workspace_memory.api.error_docs import problem_responses
from workspace_memory.api.problems import shown_name
from workspace_memory.domain.errors import DomainError, InvalidRequest
from workspace_memory.domain.ids import (
    ItemId,
    KeySessionId,
    LinkId,
    ServerId,
    SignInId,
    TokenId,
    UserId,
    WorkspaceId,
)

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

_EXAMPLE = "019d2f6e-8c1a-7b42-9d3e-5f60718293a4"
WorkspacePath = Annotated[WorkspaceId, Path(description="The workspace's id.", examples=[_EXAMPLE])]
ItemPath = Annotated[ItemId, Path(description="The item's id.", examples=[_EXAMPLE])]
UserPath = Annotated[UserId, Path(description="The member's user id.", examples=[_EXAMPLE])]
ServerPath = Annotated[ServerId, Path(description="The MCP server's id.", examples=[_EXAMPLE])]
TokenPath = Annotated[TokenId, Path(description="The token's id.", examples=[_EXAMPLE])]
KeySessionPath = Annotated[KeySessionId, Path(description="The key session's id.", examples=[_EXAMPLE])]
SessionPath = Annotated[SignInId, Path(description="The session's id.", examples=["0f" * 16])]
InvitationPath = Annotated[LinkId, Path(description="The invitation's id.", examples=[_EXAMPLE])]


class Route(APIRoute):
    """A route that refuses query arguments which it does not declare, by name, and headers that come twice."""

    def get_route_handler(self) -> Handler:
        """Wrap the framework's handler."""
        handle = super().get_route_handler()
        known = _query_names(self.endpoint)
        single = _single_headers(self.endpoint)

        async def checked(request: Request) -> Response:
            for name in request.query_params:
                if name not in known:
                    raise InvalidRequest(shown_name(name), "is not an argument of this route")
            for name in single:
                # Whichever of two the framework would take, a proxy in front may have read the other.
                if len(request.headers.getlist(name)) > 1:
                    raise InvalidRequest(name, "must come once")
            return await handle(request)

        return checked


def new_router(tag: str) -> APIRouter:
    """A router of one noun."""
    return APIRouter(tags=[tag], route_class=Route)


def errors(*kinds: type[DomainError]) -> dict[int | str, dict[str, Any]]:
    """The errors that a route can answer beside those that every route can, for `responses=`."""
    return problem_responses(kinds)


def _query_names(endpoint: Callable[..., Any]) -> frozenset[str]:
    names: set[str] = set()
    for parameter in inspect.signature(endpoint, eval_str=True).parameters.values():
        hint = parameter.annotation
        if get_origin(hint) is Annotated and any(isinstance(part, Query) for part in get_args(hint)[1:]):
            model = get_args(hint)[0]
            if not (isinstance(model, type) and issubclass(model, BaseModel)):
                raise TypeError(f"{parameter.name}: query arguments stand in one model")
            names |= model.model_fields.keys()
    return frozenset(names)


def _single_headers(endpoint: Callable[..., Any]) -> Sequence[str]:
    """The headers that the route declares with one value."""
    names: list[str] = []
    for parameter in inspect.signature(endpoint, eval_str=True).parameters.values():
        hint = parameter.annotation
        if get_origin(hint) is not Annotated or any(get_origin(part) is list for part in _alternatives(hint)):
            continue
        names += [
            part.alias for part in get_args(hint)[1:] if isinstance(part, Header) and part.alias is not None
        ]
    return names


def _alternatives(hint: object) -> tuple[object, ...]:
    """The types of `Annotated[A | B, …]`."""
    inner = get_args(hint)[0]
    return get_args(inner) or (inner,)

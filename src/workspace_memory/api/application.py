"""The FastAPI application: which routes there are, how errors are answered, what holds for every request."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from workspace_memory import __version__
from workspace_memory.api import (
    audit,
    automation,
    automation_notes,
    clients,
    conversations,
    documents,
    health,
    invitations,
    items,
    key_sessions,
    licences,
    links,
    member_memory,
    members,
    memory,
    notes,
    policies,
    proposals,
    review,
    servers,
    sessions,
    tokens,
    transfers,
    user_keys,
    workspace_keys,
    workspaces,
)
from workspace_memory.api.edge import keep_edge
from workspace_memory.api.openapi import openapi_document
from workspace_memory.api.problems import answer_domain_error, answer_http_error, answer_malformed, problem
from workspace_memory.api.request_bounds import RequestBounds
from workspace_memory.domain.errors import DomainError
from workspace_memory.services.running import Runner
from workspace_memory.settings import Settings

PREFIX = "/api/v1"
NOUNS = (
    sessions,
    links,
    workspaces,
    members,
    invitations,
    servers,
    tokens,
    clients,
    user_keys,
    workspace_keys,
    key_sessions,
    memory,
    items,
    review,
    transfers,
    member_memory,
    audit,
    licences,
    policies,
    documents,
    notes,
    proposals,
    conversations,
    automation,
    automation_notes,
)

_DESCRIPTION = (
    "A governed memory for the AI clients of a team. Errors are problem documents (RFC 9457) with a stable `code`. "
    "Lists continue with `next_cursor`. An item's version travels as ETag and If-Match."
)


def build_api(runner: Runner, settings: Settings) -> FastAPI:
    """Every route of the REST interface."""
    app = FastAPI(
        title="Workspace Memory",
        version=__version__,
        description=_DESCRIPTION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        # A redirect to the path without its slash would lose the Authorization header in some clients.
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        # RFC 9457 answers for everything that goes wrong; `RequestBounds` answers for the rest.
        exception_handlers={
            DomainError: answer_domain_error,
            RequestValidationError: answer_malformed,
            HTTPException: answer_http_error,
        },
    )
    keep_edge(app, runner, settings)
    for noun in NOUNS:
        app.include_router(noun.router, prefix=PREFIX)
    app.include_router(health.router)
    app.add_api_route(
        f"{PREFIX}/openapi.json", lambda: JSONResponse(openapi_document(app)), include_in_schema=False
    )
    app.add_middleware(RequestBounds, problem=problem, https=settings.address().startswith("https://"))
    return app

"""The frame around routes: how errors are answered, and what holds for every request."""

from collections.abc import Iterable
from types import ModuleType

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from workspace_memory import __version__
from workspace_memory.api.edge import keep_edge
from workspace_memory.api.problems import answer_domain_error, answer_http_error, answer_malformed, problem
from workspace_memory.api.request_bounds import RequestBounds
from workspace_memory.domain.errors import DomainError
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings

PREFIX = "/api/v1"

_DESCRIPTION = (
    "A governed memory for the AI clients of a team. Errors are problem documents (RFC 9457) with a stable `code`. "
    "Lists continue with `next_cursor`. An item's version travels as ETag and If-Match."
)


def framed(
    runner: Runner, settings: Settings, nouns: Iterable[ModuleType], turns: TurnRunner | None = None
) -> FastAPI:
    """An application with the routers of some nouns, each a module with a `router`."""
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
    keep_edge(app, runner, settings, turns)
    for noun in nouns:
        app.include_router(noun.router, prefix=PREFIX)
    app.add_middleware(RequestBounds, problem=problem, https=settings.address().startswith("https://"))
    return app

"""The FastAPI application: which routes there are. `framing.py` says what holds for all of them."""

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from workspace_memory.api import (
    assistant,
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
from workspace_memory.api.framing import PREFIX, framed
from workspace_memory.api.openapi import openapi_document
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings

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
    assistant,
    automation,
    automation_notes,
)


def build_api(runner: Runner, settings: Settings, turns: TurnRunner | None = None) -> FastAPI:
    """Every route of the REST interface."""
    app = framed(runner, settings, NOUNS, turns)
    app.include_router(health.router)
    app.add_api_route(
        f"{PREFIX}/openapi.json", lambda: JSONResponse(openapi_document(app)), include_in_schema=False
    )
    return app


def is_api(path: str) -> bool:
    """Whether a path belongs to the REST interface, be there a route or not."""
    return path in {"/api", "/healthz", "/readyz"} or path.startswith("/api/")

"""The FastAPI application: routes, error answers, limits of the request."""

from fastapi import FastAPI

from workspace_memory.services.running import Runner
from workspace_memory.settings import Settings


def build_api(runner: Runner, settings: Settings) -> FastAPI:
    """Every route of the REST interface."""
    del runner, settings
    return FastAPI(title="Workspace Memory", docs_url=None, redoc_url=None)

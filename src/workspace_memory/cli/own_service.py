"""The service within this very process, for the commands of this machine that go through the REST client.

What is sealed on the client's side is sealed by the same code as over a network. The requests go to the application in
this process, which carries them out in the data folder or hands them to the process that has it open; who asks is
settled before, by whom the command acts for.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

import httpx2
from fastapi import FastAPI

from workspace_memory.api.own_application import build_own_api
from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.local import opened
from workspace_memory.cli.local_memory import LocalMemory
from workspace_memory.cli.target import Target
from workspace_memory.client import WorkspaceMemory
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.running import Runner
from workspace_memory.settings import Settings

_ADDRESS = "http://127.0.0.1"
# No secret: whoever may open the folder is let in, and nothing outside of this process is asked.
_TOKEN = "this-process"


@contextmanager
def own_client(target: Target, settings: Settings, *, lasting: bool) -> Generator[WorkspaceMemory]:
    """The client of this machine; with `lasting` only where a key session outlives the command.

    Raises: Refused, DomainError.
    """
    with opened(settings) as way:
        memory = LocalMemory(way, account=target.account, workspace=target.workspace)
        app = build_own_api(_as_actor(way.runner, memory.actor), settings)
        workspace = WorkspaceId(memory.workspace_id())
        if lasting and not way.keeps_keys():
            raise Refused(
                "A key session lies in the memory of a running server, and none runs here. "
                f"Start '{typed('serve')}' first, or name a server with --url."
            )
        with WorkspaceMemory(_ADDRESS, _TOKEN, workspace=workspace, transport=_InProcess(app)) as client:
            yield client


def _as_actor(runner: Runner, actor: Actor) -> Runner:
    """A runner for which the credential of every request is this actor's."""

    def run(use_case: Any, /, *args: Any, **kwargs: Any) -> Any:  # a runner's own type
        return actor if use_case is authenticate_token else runner(use_case, *args, **kwargs)

    return cast("Runner", run)


class _InProcess(httpx2.BaseTransport):
    """Sends each request to an ASGI application in this process, and waits for its answer."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """One request. Blocks."""
        return asyncio.run(self._exchange(request))

    async def _exchange(self, request: httpx2.Request) -> httpx2.Response:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": request.url.scheme,
            "path": request.url.path,
            "raw_path": request.url.raw_path.partition(b"?")[0],
            "query_string": request.url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": ("127.0.0.1", 0),
            "server": ("127.0.0.1", 80),
        }
        body = request.read()
        status, headers, chunks = 500, list[tuple[bytes, bytes]](), list[bytes]()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], list(message["headers"])
            else:
                chunks.append(message.get("body", b""))

        await self._app(scope, receive, send)
        return httpx2.Response(status, headers=headers, content=b"".join(chunks))

"""A real server on a port of its own, over the cast's database: once with SQLite, once with PostgreSQL."""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import uvicorn
from tests.conftest import PATIENCE_SECONDS, World
from tests.e2e.rest_calls import Rest

from workspace_memory.app import build_app
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import UserId
from workspace_memory.services import recall
from workspace_memory.services.running import run
from workspace_memory.services.tokens import make_token_here
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings


@dataclass
class Live:
    """A running server and the world behind it."""

    world: World
    url: str

    def token(
        self,
        user: UserId,
        *,
        max_level: AccessLevel = AccessLevel.CONTRIBUTE,
        surface: Surface = Surface.ALL,
        name: str = "Test client",
    ) -> str:
        """A fresh access token of the user in the user's own workspace."""
        world = self.world
        workspace = world.other_workspace if user == world.mallory else world.workspace
        made = make_token_here(world.deps, workspace, user, name=name, max_level=max_level, surface=surface)
        return made.secret

    @property
    def mcp_url(self) -> str:
        """The address of the cast's MCP server."""
        return f"{self.url}/mcp/{self.world.server}"

    @property
    def api_url(self) -> str:
        """The address of the cast's workspace in the REST interface."""
        return f"{self.url}/api/v1/workspaces/{self.world.workspace}"


@pytest.fixture(autouse=True)
def patient_recalls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine must not make memory unavailable; the test of that bound sets it again."""
    monkeypatch.setattr(recall, "RECALL_SECONDS", PATIENCE_SECONDS)


@contextmanager
def serving(world: World, *, turns: TurnRunner | None = None) -> Generator[Live]:
    """The service on a free port of the loopback, in a thread, with the world's clock and database."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    settings = Settings(port=port)
    app = build_app(partial(run, world.deps), settings, turns=turns)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    waiting = threading.Event()
    for _ in range(500):
        if server.started or not thread.is_alive():
            break
        waiting.wait(0.01)
    assert server.started, "the server did not start"
    try:
        yield Live(world, f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@pytest.fixture
def live(world: World) -> Iterator[Live]:
    """The service, running."""
    with serving(world) as running:
        yield running


@pytest.fixture
def rest(live: Live) -> Iterator[Rest]:
    """REST clients of the cast."""
    clients = Rest(live)
    try:
        yield clients
    finally:
        clients.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte, where this user may mount one."""
    mount = shutil.which("mount")
    place = tmp_path / "disk"
    place.mkdir()
    if sys.platform != "linux" or mount is None or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk")
    done = subprocess.run([mount, "-t", "tmpfs", "-o", "size=1m", "none", str(place)], check=False)
    if done.returncode:
        pytest.skip("this machine allows no mount")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)

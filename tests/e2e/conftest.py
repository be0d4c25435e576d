"""A real server on a port of its own, over the cast's database: once with SQLite, once with PostgreSQL."""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import pytest
from tests.conftest import PATIENCE_SECONDS, World, make_passwords_cheap
from tests.e2e.in_thread import answering, free_listener
from tests.e2e.rest_calls import Rest

from workspace_memory.app import build_app
from workspace_memory.crypto import user_keys
from workspace_memory.crypto.passphrases import key_encryption_key, new_salt
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import UserId
from workspace_memory.services import recall
from workspace_memory.services.running import run
from workspace_memory.services.tokens import make_token_here
from workspace_memory.services.turn_running import TurnRunner
from workspace_memory.settings import Settings

HERE = Path(__file__).parent
_derive_once = cache(key_encryption_key)
SALT = new_salt()
"""The salt of everybody's passphrase."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Beside a server one test of each file is enough in the normal run; the rest is in the exhaustive one.

    A command is the same as in the folder: its calls travel to the server's process, of which
    tests/unit/cli/test_registry.py proves that every use case can.
    """
    met: set[Path] = set()
    for item in items:
        if item.path.parent != HERE or not item.name.endswith(("[beside]", "[beside a server]")):
            continue
        if item.path in met:
            item.add_marker(pytest.mark.exhaustive)
        met.add(item.path)


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


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords that cost little in this process; processes of their own, such as `serve`, do the real work."""
    make_passwords_cheap(monkeypatch)


@pytest.fixture(autouse=True)
def remembered_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """A passphrase is worked through in full, by the floor of the product, but once in this process.

    Every command is another client, which derives the same key again; and people are given the same salt, so that
    those of another test with the same passphrase have the same one. tests/unit/crypto proves that salts are random.
    """
    monkeypatch.setattr(user_keys, "key_encryption_key", _derive_once)
    monkeypatch.setattr(user_keys, "new_salt", lambda: SALT)


@contextmanager
def serving(
    world: World, *, turns: TurnRunner | None = None, settings: Mapping[str, object] | None = None
) -> Generator[Live]:
    """The service on a free port of the loopback, in a thread, with the world's clock and database."""
    listener, port = free_listener()
    chosen = Settings(port=port).model_copy(update=dict(settings or {}))
    app = build_app(partial(run, world.deps), chosen, turns=turns)
    with answering(app, listener):
        yield Live(world, f"http://127.0.0.1:{port}")


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

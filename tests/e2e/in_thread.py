"""A server of the service in a thread of this process: real requests, without the seconds that a process's start takes.

`answering` is over any application; `serving_here` is what `serve` does with a data folder, which it owns meanwhile.
"""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import uvicorn

from workspace_memory.app import Application, build_app
from workspace_memory.cli.local import folder_gateway
from workspace_memory.cli.web_server import Server
from workspace_memory.services.running import run
from workspace_memory.settings import Settings

START_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Here:
    """A server of this process."""

    url: str


def free_listener() -> tuple[socket.socket, int]:
    """A socket on a free port of the loopback, and that port."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    return listener, listener.getsockname()[1]


@contextmanager
def answering(app: Application, listener: socket.socket) -> Generator[None]:
    """The application on uvicorn, once it answers; the listener is closed at the end."""
    config = uvicorn.Config(app, log_level="warning", lifespan="on")
    server = Server(config, end_turns=app.end_turns, turn_grace=0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    waiting = threading.Event()
    for _ in range(int(START_SECONDS / 0.01)):
        if server.started or not thread.is_alive():
            break
        waiting.wait(0.01)
    assert server.started, "the server did not start"
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@contextmanager
def serving_here(folder: Path) -> Generator[Here]:
    """A server that owns the folder as `serve` does. What only a process shows, its log for one, is not here."""
    listener, port = free_listener()
    settings = Settings(data=folder, port=port)
    gateway = folder_gateway(settings)
    try:
        deps = gateway.own_as_serve().deps
        with answering(build_app(partial(run, deps), settings), listener):
            yield Here(settings.address())
    finally:
        listener.close()
        gateway.close()

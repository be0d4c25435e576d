"""The web server of `serve`: the application on uvicorn, from the first request to the last."""

import asyncio
import gc
import logging
import socket
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import uvicorn

from workspace_memory.app import build_app
from workspace_memory.cli.welcome import welcome
from workspace_memory.services.deps import Deps
from workspace_memory.services.running import run
from workspace_memory.services.screening import warm_up
from workspace_memory.settings import Settings

GRACE_SECONDS = 10
TURN_GRACE_SECONDS = 5.0
# New objects between two looks for garbage; a search makes and frees thousands, and hardly any in cycles.
GARBAGE_OBJECTS = 10_000

_logger = logging.getLogger(__name__)


def answer_requests(
    deps: Deps, settings: Settings, listener: socket.socket, *, tls_cert: Path | None, tls_key: Path | None
) -> None:
    """Answer requests until a signal comes; say what to do next once they are answered.

    Requests in flight get ten seconds to finish, turns of the Assistant half of them: a turn is then stopped, so that
    whoever listens still hears of it. The TLS files have been tried before.
    """
    app = build_app(partial(run, deps), settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        lifespan="on",
        ws="none",
        server_header=False,
        # Whoever talks to us may write any header; --public-url says under which address we are reached.
        proxy_headers=False,
        ssl_certfile=tls_cert,
        ssl_keyfile=tls_key,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    Server(config, end_turns=app.end_turns, on_start=partial(_begin, deps, settings)).run(sockets=[listener])


def _begin(deps: Deps, settings: Settings) -> None:
    """Say what to do next, and make ready in the background what the first save would wait for."""
    welcome(deps, settings)
    threading.Thread(target=_get_ready, args=(deps,), name="warm-up", daemon=True).start()


def _get_ready(deps: Deps) -> None:
    make_ready(deps)
    # What was made by now stays until the end: looking through hundreds of thousands of objects for garbage, in the
    # middle of somebody's call, would find none.
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_OBJECTS)


def make_ready(deps: Deps) -> None:
    """Warm up what the first save needs; fails nothing."""
    try:
        warm_up(deps)
    except Exception as error:  # whatever it is, the first save will tell; the server runs without it
        _logger.warning("warm_up_failed: %s", type(error).__name__)


class Server(uvicorn.Server):
    """uvicorn, which says what to do next once it answers, and ends turns before it would cut their listeners off."""

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        end_turns: Callable[[], Awaitable[None]],
        turn_grace: float = TURN_GRACE_SECONDS,
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        """`turn_grace`: for how many seconds turns may go on."""
        super().__init__(config)
        self._end_turns = end_turns
        self._turn_grace = turn_grace
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start answering, then say so."""
        await super().startup(sockets=sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """No new requests, then the end of those in flight."""
        ending = asyncio.create_task(self._end_turns_in_time())
        try:
            await super().shutdown(sockets=sockets)
        finally:
            ending.cancel()

    async def _end_turns_in_time(self) -> None:
        await asyncio.sleep(self._turn_grace)
        await self._end_turns()

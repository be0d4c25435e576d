"""Several raw clients at once, each a process of its own, and the wall clock over all of them.

The clients wait for each other before the first timed call. Each is ended by its own handle, whatever happens.
"""

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from _metrics import Timing, timing
from _servers import Running

Call = tuple[str, Mapping[str, object]]

_PROGRAM = Path(__file__).with_name("_raw_client.py")
_END_SECONDS = 5.0


class ClientFailed(Exception):
    """A client ended before it had made its calls; the message has what it said."""


@dataclass(frozen=True, slots=True)
class ClientOrder:
    """What one client does: where, as whom, which calls are timed, and which come before to warm up."""

    url: str
    token: str
    calls: Sequence[Call]
    warm: Sequence[Call] = ()


def run_clients(orders: Sequence[ClientOrder], *, server: Running) -> Timing:
    """Let every client make its calls to the server at the same time. Raises: ClientFailed."""
    with ExitStack() as stack:
        clients = [stack.enter_context(_Client(order)) for order in orders]
        for client in clients:
            client.wait_until_ready()
        started, used = time.perf_counter(), server.cpu_seconds()
        for client in clients:
            client.go()
        times = [milliseconds for client in clients for milliseconds in client.times()]
        elapsed, used = time.perf_counter() - started, server.cpu_seconds() - used
        return timing(times, elapsed_seconds=elapsed, cpu_seconds=used)


class _Client:
    def __init__(self, order: ClientOrder) -> None:
        self._order = order
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "_Client":
        order = self._order
        self._say(
            json.dumps({"url": order.url, "token": order.token, "calls": order.calls, "warm": order.warm})
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.communicate(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def wait_until_ready(self) -> None:
        if self._hear() != "ready":
            raise ClientFailed(self._complaint())

    def go(self) -> None:
        self._say("go")

    def times(self) -> list[float]:
        line = self._hear()
        if not line:
            raise ClientFailed(self._complaint())
        found: list[float] = json.loads(line)
        return found

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None  # noqa: S101  it was asked for
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ClientFailed(self._complaint()) from None

    def _hear(self) -> str:
        assert self._process.stdout is not None  # noqa: S101  it was asked for
        return self._process.stdout.readline().strip()

    def _complaint(self) -> str:
        _, errors = self._process.communicate(timeout=_END_SECONDS)
        return (errors.strip().splitlines() or ["a client ended without a word"])[-1]

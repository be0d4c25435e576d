"""Two servers of the product that are sent the same calls in turn, so that a ratio is not the machine's mood.

Each is a process with one connection of a raw client. Processor time is that of the server, and of PostgreSQL's
connections to its database.
"""

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from _metrics import Timing, timing
from _pg_server import backends_cpu_seconds
from _raw_client import RawClient, require_success
from _servers import Running
from _tenants import Tenant

WARM = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A server of the product and its database; `database_url` is empty for SQLite, which is in the same process."""

    server: Running
    database_url: str = ""

    def cpu_seconds(self) -> float:
        """What the server and the database's connections to it have used so far."""
        used = self.server.cpu_seconds()
        return used + backends_cpu_seconds(self.database_url) if self.database_url else used


@dataclass(frozen=True, slots=True)
class Calls:
    """What calls to one of the servers took: milliseconds of each, and processor time of all."""

    times: Sequence[float]
    cpu_seconds: float

    def timing(self) -> Timing:
        """Their percentiles; the rate is over the calls alone, since the other server has its own in between."""
        return timing(self.times, elapsed_seconds=sum(self.times) / 1000, cpu_seconds=self.cpu_seconds)


def together(calls: Sequence[Calls]) -> Calls:
    """Several kinds of calls to the same server as one."""
    return Calls([each for one in calls for each in one.times], sum(one.cpu_seconds for one in calls))


class Side:
    """One of two servers, and the requests that it is sent; the first `WARM` are not timed."""

    def __init__(self, place: Place, client: RawClient, requests: Sequence[bytes]) -> None:
        self._place, self._client = place, client
        self.warm, self.timed = requests[:WARM], requests[WARM:]
        self.begin()

    def begin(self) -> None:
        """Count from here on."""
        self._times: list[float] = []
        self._cpu_before = self._place.cpu_seconds()

    def send(self, request: bytes) -> None:
        """Make one call. Raises: CallFailed, OSError."""
        started = time.perf_counter()
        body = self._client.exchange(request)
        self._times.append((time.perf_counter() - started) * 1000)
        require_success(body)

    def calls(self) -> Calls:
        """What the calls took since it began to count."""
        return Calls(self._times, self._place.cpu_seconds() - self._cpu_before)


def in_turn(first: Side, second: Side) -> tuple[Calls, Calls]:
    """Send both sides their requests, one after the other. Raises: CallFailed, OSError."""
    for side in (first, second):
        for request in side.warm:
            side.send(request)
    for side in (first, second):
        side.begin()
    for number, requests in enumerate(zip(first.timed, second.timed, strict=True)):
        sides = list(zip((first, second), requests, strict=True))
        # Whoever comes second finds the machine in another state: each is second as often as the other.
        for side, request in sides if number % 2 else reversed(sides):
            side.send(request)
    return first.calls(), second.calls()


@contextmanager
def connected(server: Running, tenant: Tenant) -> Generator[RawClient]:
    """A client of the tenant's MCP server, as its admin."""
    client = RawClient(tenant.mcp_url(server.url), tenant.curator_token)
    try:
        yield client
    finally:
        client.close()

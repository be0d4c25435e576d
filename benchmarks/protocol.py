"""What the product's side of MCP costs: processor time per call, beside a floor written by hand and the plain SDK.

    benchmarks/protocol.py [--calls 2000] [--json]

One search that finds nothing is called again and again over HTTP, with one kept connection, at four servers in turn:

floor    a few lines of ASGI that read the request, check token, address and arguments, and answer (no SDK)
         floor in a thread: the same, but the answer is made in a worker thread, where a database would be waited for
product  the whole application; its use cases have run once and answer what they answered, so that no database counts
sdk      a tool that does nothing, with the official SDK's own server, stateless, without authentication

Each in both eras of the protocol: 2026-07-28 (stateless, names in headers) and 2025-06-18. Counted is the processor
time of the server's process, so that waiting for others on the machine is not in it.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from _arguments import calls, report_parser
from _floors import EMPTY_TOOL
from _progress import say
from _raw_client import CallFailed, RawClient, require_success
from _servers import Running, ServerFailed, end_on_signals, free_port, running
from _tables import table
from _tenants import make_tenants
from workspace_memory.domain.errors import DomainError

MODERN, HANDSHAKE = "2026-07-28", "2025-06-18"
FLOOR, THREADED, PRODUCT, SDK = "floor", "floor in a thread", "product", "sdk"
ROUNDS = 10
WARM = 50
RATIO_MAX = 1.5
EXPECTED = (ServerFailed, CallFailed, DomainError, OSError)
_APPS = Path(__file__).with_name("_protocol_apps.py")
_FLOORS = Path(__file__).with_name("_floors.py")

Costs = Mapping[str, Mapping[str, float]]
"""For each era and each server the processor time of a call, in microseconds."""


@dataclass(frozen=True, slots=True)
class Place:
    """A server, and what is called there."""

    server: Running
    path: str
    token: str
    tool: str
    arguments: Mapping[str, object]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    end_on_signals()
    try:
        costs = measure(options.calls)
    except EXPECTED as error:
        print(f"protocol: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(json.dumps(as_json(costs)) if options.json else as_text(costs))
    return 0


def measure(count: int) -> Costs:
    """Start the servers and call each so many times in each era. Raises: the errors of EXPECTED."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wm-protocol-")))
        (tenant,) = make_tenants(folder / "data", ["Protocol"])
        path, token = tenant.mcp_url(""), tenant.curator_token
        searching = (path, token, "memory_search", {"query": "nothing"})
        words = [token, str(tenant.server)]

        def start(script: Path, which: str, *rest: str) -> Running:
            port = free_port()
            command = [sys.executable, str(script), which, str(port), *rest]
            return stack.enter_context(running(command, port, folder / f"{which}.log"))

        places = {
            FLOOR: Place(start(_APPS, "floor", *words), *searching),
            THREADED: Place(start(_APPS, "threaded", *words), *searching),
            PRODUCT: Place(start(_APPS, "direct", *words, str(folder / "data")), *searching),
            SDK: Place(start(_FLOORS, "tool"), "/mcp", "none", EMPTY_TOOL, {}),
        }
        return {era: _costs_of_era(places, era, count) for era in (MODERN, HANDSHAKE)}


def _costs_of_era(places: Mapping[str, Place], era: str, count: int) -> Mapping[str, float]:
    say(f"{era}: {count:,} calls at each of {len(places)} servers")
    used = dict.fromkeys(places, 0.0)
    each = max(1, count // ROUNDS)
    for turn in range(ROUNDS + 1):
        for name, place in places.items():
            # The first turn warms up. Each turn has a connection of its own, since an idle one is closed.
            spent = _turn(place, era, each if turn else WARM)
            used[name] += spent if turn else 0.0
    return {name: seconds * 1e6 / (each * ROUNDS) for name, seconds in used.items()}


def _turn(place: Place, era: str, count: int) -> float:
    """The processor seconds that so many calls take."""
    client = RawClient(place.server.url + place.path, place.token)
    try:
        request = _REQUESTS[era](client, place)
        require_success(client.exchange(request))
        before = cpu_seconds(place.server)
        for _ in range(count):
            client.exchange(request)
        return cpu_seconds(place.server) - before
    finally:
        client.close()


def cpu_seconds(server: Running) -> float:
    """As the server tells, but in nanoseconds where Linux counts them: a hundredth of a second is many calls here."""
    try:
        threads = list(Path(f"/proc/{server.process.pid}/task").iterdir())
        # The first number of schedstat, https://docs.kernel.org/scheduler/sched-stats.html
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
    except (OSError, ValueError, IndexError):
        return server.cpu_seconds()


def _modern(client: RawClient, place: Place) -> bytes:
    return client.request(place.tool, place.arguments)


def handshake_request(place: Place) -> bytes:
    """A call as a client of the era before sends it, after a handshake that a stateless server does not ask for."""
    params = {"name": place.tool, "arguments": place.arguments}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    head = (
        f"POST {place.path} HTTP/1.1\r\nHost: {place.server.url.removeprefix('http://')}\r\n"
        f"Authorization: Bearer {place.token}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nMcp-Protocol-Version: {HANDSHAKE}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


_REQUESTS: Mapping[str, Callable[[RawClient, Place], bytes]] = {
    MODERN: _modern,
    HANDSHAKE: lambda _client, place: handshake_request(place),
}


def as_json(costs: Costs) -> Mapping[str, object]:
    """The report for programs: microseconds, and the ratio to the floor."""
    return {
        era: {
            name: {"cpu_microseconds": round(cost, 1), "ratio": round(cost / of_era[FLOOR], 2)}
            for name, cost in of_era.items()
        }
        for era, of_era in costs.items()
    }


def as_text(costs: Costs) -> str:
    """The report for people."""
    rows = [
        [f"{era}, {name}", f"{cost:.0f}", f"{cost / of_era[FLOOR]:.2f}"]
        for era, of_era in costs.items()
        for name, cost in of_era.items()
    ]
    return table(["era and server", "CPU of a call, µs", "floors"], rows)


def _parser() -> argparse.ArgumentParser:
    parser = report_parser("protocol", __doc__)
    parser.add_argument(
        "--calls", type=calls, default=2_000, metavar="N", help="at each server and era (2,000)"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

"""How long Save, Clear, recall and capture of the memory document take over HTTP, with sealing on the client's side.

    benchmarks/document.py [--clients 1,8] [--calls 100] [--database-url URL] [--json]

A server of its own is started in a temporary folder on the loopback, on SQLite or on the given empty PostgreSQL. Each
client is a process with a workspace of its own, a workspace key, an open key session and a document of about 2 KiB:
writes to one document follow each other by contract. A Save and a Clear are sealed by the client and counted with that;
a recall decrypts on the server and writes its receipt; a capture is timed with a turn that was admitted and recalled
before. Beside them stands the floor: an empty ASGI route, called the same way. On a shared machine trust the ratios.
"""

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx2

from _arguments import calls, clients
from _metrics import Timing, timing
from _progress import say
from _servers import ServerFailed, end_on_signals, free_port, product, running
from _tables import table
from _tenants import DatabaseInUse, Tenant, make_tenants
from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.keys import Keyholder
from workspace_memory.client.known_keys import KnownKeys
from workspace_memory.client.memory_document import MemoryDocument, OpenDocument
from workspace_memory.domain.edits import Edit, EditOp
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.policy import Mode

KINDS = ("floor", "save", "clear", "recall", "capture")
_PASSPHRASE = "made for one benchmark run"
_FLOORS = Path(__file__).with_name("_floors.py")
_TEXT = "# Team\n\n" + "".join(f"- A sentence of a usual length about matter {n}\n" for n in range(45))
_WARM = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What one client process is to do."""

    url: str
    floor_url: str
    tenant: Tenant
    passphrase: str
    calls: int


@dataclass(frozen=True, slots=True)
class Spans:
    """When each call of a kind began and ended, in seconds of one clock."""

    by_kind: dict[str, list[tuple[float, float]]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=clients, default=(1, 8), help="at once, such as 1,8")
    parser.add_argument("--calls", type=calls, default=100, help="of each kind, over all clients")
    parser.add_argument("--database-url", default="", help="an empty PostgreSQL database instead of SQLite")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    options = parser.parse_args(arguments)
    end_on_signals()
    try:
        measured = measure(options.clients, options.calls, options.database_url)
    except (ServerFailed, DatabaseInUse, DomainError, httpx2.HTTPError) as error:
        print(f"document: {error}", file=sys.stderr)
        return 1
    database = "PostgreSQL" if options.database_url else "SQLite"
    if options.json:
        print(json.dumps({"database": database, "clients": _plain(measured)}))
    else:
        print(as_text(database, measured))
    return 0


def measure(counts: Sequence[int], calls_: int, database_url: str) -> dict[int, dict[str, Timing]]:
    """The timings of each kind for each number of clients. Raises: what the clients and servers raise."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wm-document-")))
        names = [f"workspace {number}" for number in range(max(counts))]
        tenants = make_tenants(folder / "data", names, database_url=database_url)
        server = stack.enter_context(product(folder / "data", database_url=database_url))
        port = free_port()
        floor = stack.enter_context(
            running([sys.executable, str(_FLOORS), "route", str(port)], port, folder / "floor.log")
        )
        say("making keys and documents")
        set_up(server.url, tenants)
        measured: dict[int, dict[str, Timing]] = {}
        for count in counts:
            say(f"{count} client(s)")
            orders = [
                Order(server.url, floor.url, tenant, _PASSPHRASE, max(1, calls_ // count))
                for tenant in tenants[:count]
            ]
            with multiprocessing.get_context("spawn").Pool(count) as pool:
                measured[count] = combined(pool.map(work, orders, chunksize=1))
        return measured


def set_up(url: str, tenants: Sequence[Tenant]) -> None:
    """One person's keys, and in each workspace a key, a document, mode auto and AI turned on."""
    for number, tenant in enumerate(tenants):
        with WorkspaceMemory(url, tenant.curator_token, workspace=tenant.workspace) as memory:
            holder = Keyholder(memory, KnownKeys(None, server=url))
            if number == 0:
                holder.set_up_keys(_PASSPHRASE)
            else:
                holder.unlock(_PASSPHRASE)
            holder.start_workspace_key()
            document = MemoryDocument(memory, holder.keyring(), holder.user)
            document.save(_TEXT, document.read())
            memory.change_memory_mode(Mode.AUTO, expected=memory.memory_policy().policy_revision)
            memory.change_workspace_ai(enabled=True, expected=0)


def work(order: Order) -> Spans:
    """Make the calls of one client, kind after kind."""
    spans: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    with (
        WorkspaceMemory(order.url, order.tenant.curator_token, workspace=order.tenant.workspace) as memory,
        httpx2.Client() as http,
    ):
        holder = Keyholder(memory, KnownKeys(None, server=order.url))
        holder.unlock(order.passphrase)
        session = holder.open_key_session("benchmark")
        document = MemoryDocument(memory, holder.keyring(), holder.user)
        _repeat(spans["floor"], order.calls, lambda _: http.get(order.floor_url))
        _write(document, spans, order.calls)
        talk = memory.begin_conversation().id
        admission = memory.admit_turn(talk, key="recall", key_session=session)
        _repeat(spans["recall"], order.calls, lambda _: memory.recall_memory(admission, key_session=session))
        for number in range(order.calls + _WARM):
            turn = memory.admit_turn(talk, key=f"capture {number}", key_session=session)
            memory.recall_memory(turn, key_session=session)
            # One line that changes to and fro, so that the text keeps its length.
            old, new = f"- Matter {number} was captured", f"- Matter {number + 1} was captured"
            edit = (
                Edit(EditOp.ADD, text=new) if number == 0 else Edit(EditOp.REPLACE, text=new[2:], target=old)
            )
            began = time.perf_counter()
            captured = memory.capture_memory(turn, [edit], key_session=session)
            if captured.outcome != "committed":
                raise RuntimeError(f"a capture was {captured.outcome}")
            if number >= _WARM:
                spans["capture"].append((began, time.perf_counter()))
    return Spans(spans)


def _write(document: MemoryDocument, spans: dict[str, list[tuple[float, float]]], count: int) -> None:
    """Saves, then Clears, each against what the one before was acknowledged as."""
    shown = document.read()
    for number in range(count + _WARM):
        began = time.perf_counter()
        document.save(f"{_TEXT}- Change {number}\n", shown)
        ended = time.perf_counter()
        if number >= _WARM:
            spans["save"].append((began, ended))
        shown = document.read()
    for number in range(count + _WARM):
        shown = _timed_clear(document, shown, spans["clear"] if number >= _WARM else [])
    document.save(_TEXT, document.read())


def _timed_clear(
    document: MemoryDocument, shown: OpenDocument, into: list[tuple[float, float]]
) -> OpenDocument:
    began = time.perf_counter()
    document.clear(shown)
    into.append((began, time.perf_counter()))
    return document.read()


def _repeat(into: list[tuple[float, float]], count: int, call: Callable[[int], object]) -> None:
    for number in range(count + _WARM):
        began = time.perf_counter()
        call(number)
        if number >= _WARM:
            into.append((began, time.perf_counter()))


def combined(spans: Sequence[Spans]) -> dict[str, Timing]:
    """The figures of all clients together; the rate is over the time in which a kind was called at all."""
    figures: dict[str, Timing] = {}
    for kind in KINDS:
        calls_ = [span for each in spans for span in each.by_kind[kind]]
        elapsed = max(end for _, end in calls_) - min(begin for begin, _ in calls_)
        figures[kind] = timing([(end - begin) * 1000 for begin, end in calls_], elapsed_seconds=elapsed)
    return figures


def as_text(database: str, measured: dict[int, dict[str, Timing]]) -> str:
    """A table of the figures in milliseconds, with the ratio of each median to the floor's."""
    rows: list[list[str]] = []
    for count, figures in measured.items():
        floor = figures["floor"].p50
        for kind in KINDS:
            figure = figures[kind]
            rows.append(
                [
                    f"{kind}, {count} client{'' if count == 1 else 's'}",
                    f"{figure.p50:.1f}",
                    f"{figure.p99:.1f}",
                    f"{figure.per_second:.0f}",
                    f"{figure.p50 / floor:.1f}",
                ]
            )
    return f"{database}\n\n{table(['what', 'p50 ms', 'p99 ms', 'per s', 'floors'], rows)}"


def _plain(measured: dict[int, dict[str, Timing]]) -> dict[str, dict[str, dict[str, float]]]:
    return {
        str(count): {kind: asdict(figure) for kind, figure in figures.items()}
        for count, figures in measured.items()
    }


if __name__ == "__main__":
    sys.exit(main())

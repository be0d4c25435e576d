"""How long it takes to import a workspace full of company memory, and how much memory the server then needs.

    benchmarks/bulk.py [--items 20000] [--json] [--database-url URL]

A server of its own is started in a temporary folder on the loopback. A curator imports a file of made-up texts with
`workspace-memory import FILE --scope organization --approve --yes --url …`, as a person does: dry run and import,
over REST, in batches of one transaction each. Meanwhile a member saves one new version after the other of a
personal item, which is one of the items: the longest save shows how long a batch keeps others waiting. The same
import is then repeated, which brings in nothing, and eight clients search by MCP.

Named is which limits are missed: 20 s for the import of 20,000, 150 MiB of resident memory after the searches.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2

from _arguments import ITEMS_MAX, add_database, one_size, report_parser
from _bulk_figures import Figures, Run, as_json, as_text
from _curator import CuratorRefused
from _load import Call, ClientFailed, ClientOrder, run_clients
from _progress import say
from _servers import Running, ServerFailed, end_on_signals, product
from _speed_stage import disk_bytes
from _tenants import DatabaseInUse, Tenant, make_tenants
from _texts import QueryKind, Writer, queries
from workspace_memory.domain.errors import DomainError

EXPECTED = (ServerFailed, DatabaseInUse, CuratorRefused, ClientFailed, DomainError, httpx2.HTTPError)
SEARCHES = 200
CLIENTS = 8
IMPORT_SECONDS_MAX = 600
_BYSTANDER_PAUSE_SECONDS = 0.25
_SAVE_SECONDS_MAX = 60.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    end_on_signals()
    try:
        figures = measure(options.items, database_url=options.database_url)
    except EXPECTED as error:
        print(f"bulk: {error}", file=sys.stderr)
        return 1
    database = "PostgreSQL" if options.database_url else "SQLite"
    print(json.dumps(as_json(database, figures)) if options.json else as_text(database, figures))
    return 0


def measure(items: int, *, database_url: str = "") -> Figures:
    """Import, import again and search. Raises: the errors of EXPECTED."""
    with tempfile.TemporaryDirectory(prefix="wm-bulk-") as folder:
        data, file = Path(folder) / "data", Path(folder) / "memory.jsonl"
        (tenant,) = make_tenants(data, ["Bulk"], database_url=database_url, members=1)
        texts = Writer().texts(items - 1)
        file.write_text("".join(f"{json.dumps({'content': text})}\n" for text in texts), encoding="utf-8")
        with product(data, database_url=database_url) as server:
            before = server.resident_bytes()
            with _bystander(server, tenant) as waits:
                first = _import(server, tenant, file)
            after_import = server.resident_bytes()
            say(f"{items:,} items imported in {first.seconds:.1f} s; once more")
            again = _import(server, tenant, file)
            say(f"searching {SEARCHES} times")
            mixed = [
                query for kind in QueryKind for query in queries(texts, kind, SEARCHES // len(QueryKind))
            ]
            _search(server, tenant, mixed)
            return Figures(
                items=items,
                first=first,
                again=again,
                other_saves=len(waits),
                other_save_max_ms=max(waits, default=0.0),
                resident_before=before,
                resident_after_import=after_import,
                resident_after_searches=server.resident_bytes(),
                disk=disk_bytes(data, database_url),
            )


def _import(server: Running, tenant: Tenant, file: Path) -> Run:
    command = [str(Path(sys.executable).with_name("workspace-memory")), "import", str(file)]
    options = ["--format", "workspace-memory", "--scope", "organization", "--approve", "--yes", "--json"]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("WORKSPACE_MEMORY_")},
        "WORKSPACE_MEMORY_URL": server.url,
        "WORKSPACE_MEMORY_TOKEN": tenant.curator_token,
    }
    started, used, own = time.perf_counter(), server.cpu_seconds(), _children_cpu_seconds()
    ended = subprocess.run(
        [*command, *options],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=IMPORT_SECONDS_MAX,
    )
    seconds, cpu = time.perf_counter() - started, server.cpu_seconds() - used
    if ended.returncode:
        raise CuratorRefused(ended.stderr[-500:])
    told = json.loads(ended.stdout)
    counts = told["result"] if told["imported"] else told["plan"]
    command_cpu = _children_cpu_seconds() - own
    return Run(
        seconds, cpu, command_cpu, 0 if not told["imported"] else counts["new"], counts["already_there"]
    )


def _children_cpu_seconds() -> float:
    """The processor time of the commands that were waited for."""
    used = os.times()
    return used.children_user + used.children_system


@contextmanager
def _bystander(server: Running, tenant: Tenant) -> Generator[list[float]]:
    """A member who saves personal items meanwhile; the milliseconds of each."""
    ended = threading.Event()
    waits: list[float] = []
    address = f"{server.url}/api/v1/workspaces/{tenant.workspace}/memory/items"

    def save() -> None:
        headers = {"Authorization": f"Bearer {tenant.member_tokens[0]}"}
        with httpx2.Client(headers=headers, timeout=_SAVE_SECONDS_MAX) as client:
            known: dict[str, str] = {}
            while not ended.wait(_BYSTANDER_PAUSE_SECONDS):
                started = time.perf_counter()
                answer = client.post(address, json={"content": f"remembers moment {len(waits)}", **known})
                answer.raise_for_status()
                waits.append((time.perf_counter() - started) * 1000)
                known = {"replaces": answer.json()["item"]["id"]}

    thread = threading.Thread(target=save, name="bystander", daemon=True)
    thread.start()
    try:
        yield waits
    finally:
        ended.set()
        thread.join(_SAVE_SECONDS_MAX)


def _search(server: Running, tenant: Tenant, texts: Sequence[str]) -> None:
    shares: list[list[Call]] = [
        [("memory_search", {"query": query}) for query in texts[number::CLIENTS]] for number in range(CLIENTS)
    ]
    url, token = tenant.mcp_url(server.url), tenant.member_tokens[0]
    run_clients([ClientOrder(url, token, share, share[:1]) for share in shares], server=server)


def _parser() -> argparse.ArgumentParser:
    parser = report_parser("bulk", __doc__)
    parser.add_argument(
        "--items", type=one_size, default=ITEMS_MAX, metavar="N", help="items in the workspace"
    )
    add_database(parser)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

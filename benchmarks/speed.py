"""How long memory_search and memory_save take over MCP on HTTP, and what limits them.

    benchmarks/speed.py [--sizes 1000,5000,20000] [--clients 1,8] [--json] [--database-url URL]

A server of its own is started in a temporary folder on the loopback. One workspace grows through the sizes with
active company items added in bulk by REST, less the saves that are timed, which are personal ones of its members.
Each client is a process with one kept connection that sends raw MCP. The official client is timed too, alone, with the
empty tool and with each kind of search.

In the same run and with the same clients stand two servers that do nothing (an ASGI route, an MCP tool of the
official SDK), and in process SQLite's own full text over the same texts and a durable commit on the same disk.
The ratio of a search is its median over the empty tool's plus raw full text's; that of a save, over the empty
tool's plus a commit's. On a shared machine trust ratios, not milliseconds. All texts are made up.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import httpx2

from _arguments import ITEMS_MIN, add_database, calls, clients, report_parser, sizes
from _curator import CuratorRefused
from _load import ClientFailed
from _official_client import ToolFailed
from _progress import say
from _servers import Running, ServerFailed, end_on_signals, free_port, product, running
from _speed_figures import Stage, as_json, as_text
from _speed_stage import MEMBERS, Bench, Plan
from _tenants import DatabaseInUse, make_tenants
from workspace_memory.domain.errors import DomainError

EXPECTED = (
    ServerFailed,
    DatabaseInUse,
    CuratorRefused,
    ClientFailed,
    ToolFailed,
    DomainError,
    httpx2.HTTPError,
)
SEARCHES = 200
SAVES = 100
_FLOORS = Path(__file__).with_name("_floors.py")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    plan = Plan(options.clients, options.searches, options.saves)
    if plan.saves_made >= min(ITEMS_MIN, options.sizes[0]):
        parser.error("the timed saves would be more than the workspace holds; fewer --saves or --clients")
    end_on_signals()
    stages: list[Stage] = []
    code = 0
    try:
        for stage in measure(options.sizes, plan, database_url=options.database_url):
            stages.append(stage)
    except EXPECTED as error:
        print(f"speed: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # The larger sizes take minutes, and the finished ones are whole results.
        say("interrupted; reporting the sizes that are finished")
        code = 130
    database = "PostgreSQL" if options.database_url else "SQLite"
    if stages:
        print(json.dumps(as_json(database, stages)) if options.json else as_text(database, stages))
    return code


def measure(sizes_: Sequence[int], plan: Plan, *, database_url: str = "") -> Iterator[Stage]:
    """Start the servers and measure one size after the other. Raises: the errors of EXPECTED."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wm-speed-")))
        data = folder / "data"
        (tenant,) = make_tenants(data, ["Speed"], database_url=database_url, members=MEMBERS)
        bench = Bench(
            server=stack.enter_context(product(data, database_url=database_url)),
            route=_floor(stack, "route", folder),
            tool=_floor(stack, "tool", folder),
            tenant=tenant,
            folder=folder,
            database_url=database_url,
            plan=plan,
        )
        for size in sizes_:
            yield bench.stage(size)


def _floor(stack: ExitStack, which: str, folder: Path) -> Running:
    port = free_port()
    command = [sys.executable, str(_FLOORS), which, str(port)]
    return stack.enter_context(running(command, port, folder / f"{which}.log"))


def _parser() -> argparse.ArgumentParser:
    parser = report_parser("speed", __doc__)
    parser.add_argument(
        "--sizes", type=sizes, default=(1_000, 5_000, 20_000), metavar="N,…", help="items in the workspace"
    )
    parser.add_argument("--clients", type=clients, default=(1, 8), metavar="N,…", help="clients at once")
    parser.add_argument(
        "--searches", type=calls, default=SEARCHES, metavar="N", help=f"of each kind and size ({SEARCHES})"
    )
    parser.add_argument("--saves", type=calls, default=SAVES, metavar="N", help=f"at each size ({SAVES})")
    add_database(parser)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

"""Whether a search costs the same however large the installation is, up to a million items.

    benchmarks/scale.py [--items 20000] [--workspaces 1,5,10,25,50] [--searches 200] [--database both]
                        [--database-url URL] [--plot FILE.svg] [--json]

The first workspace is filled by the product over REST; its rows are then copied inside the database into the others,
under their own ids, in every table that a search touches. Two servers of the product answer: one over the first
workspace alone, one over the whole. A client with one connection sends each query to both, one
after the other; at the larger one it goes to a workspace by chance. Before that, copies must answer like the original.
Processor time is that of the server, and of PostgreSQL's connections to it.

--database       sqlite, postgresql (from its development wheel) or both
--database-url   a PostgreSQL server to use instead; two databases wm_scale_… are made there, and dropped at the end
--plot           draw the ratios over the size

A million items need several GB in the temporary folder; TMPDIR names another one, on a real disk.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import httpx2
import psycopg

from _arguments import ITEMS_MAX, calls, report_parser
from _copies import copy_in_postgresql, copy_in_sqlite
from _curator import CuratorRefused, add_company_items
from _in_turn import WARM, Place, Side, connected, in_turn
from _metrics import Pair
from _pg_server import new_database, postgresql_server
from _plot import plot
from _progress import say
from _raw_client import CallFailed, RawClient
from _scale_figures import RATIO_MAX, Point, as_json, as_text
from _servers import Running, ServerFailed, end_on_signals, product
from _tenants import DatabaseInUse, Tenant, make_tenants
from _texts import QueryKind, Writer, queries
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.ids import WorkspaceId

ITEMS_EACH_MIN = 100
WORKSPACES_MAX = 200
# Measured: 3.7 KB on SQLite, 6 KB on PostgreSQL; the write-ahead log and the copy of the smallest come on top.
BYTES_PER_ITEM = 10_000
EXPECTED = (
    ServerFailed,
    DatabaseInUse,
    CuratorRefused,
    CallFailed,
    DomainError,
    httpx2.HTTPError,
    psycopg.Error,
)


class NotPossible(Exception):
    """The run cannot begin, or what it made is not right; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Items in each workspace, ascending numbers of workspaces, and searches of each kind at each size."""

    items: int
    workspaces: Sequence[int]
    searches: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    plan = Plan(options.items, options.workspaces, options.searches)
    end_on_signals()
    found: dict[str, list[Point]] = {}
    code = 0
    try:
        for name, points in _measured(options, plan):
            found[name] = points
    except (NotPossible, *EXPECTED) as error:
        print(f"scale: {error}", file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        code = 130
    if found:
        if options.plot is not None:
            options.plot.write_text(_drawn(found), encoding="utf-8")
        print(json.dumps(as_json(found)) if options.json else as_text(found))
    return code


def _measured(options: argparse.Namespace, plan: Plan) -> Iterator[tuple[str, list[Point]]]:
    if options.database in {"sqlite", "both"}:
        require_room(Path(tempfile.gettempdir()), plan)
        with tempfile.TemporaryDirectory(prefix="wm-scale-") as folder:
            yield "SQLite", measure_sqlite(Path(folder), plan)
    if options.database in {"postgresql", "both"}:
        if not options.database_url:
            require_room(Path(tempfile.gettempdir()), plan)
        with (
            tempfile.TemporaryDirectory(prefix="wm-scale-") as folder,
            postgresql_server(options.database_url) as server_url,
        ):
            yield "PostgreSQL", measure_postgresql(Path(folder), server_url, plan)


def require_room(folder: Path, plan: Plan) -> None:
    """Raises: NotPossible where the folder's disk has too little left for the largest size."""
    needed = plan.items * plan.workspaces[-1] * BYTES_PER_ITEM
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise NotPossible(
            f"{plan.items * plan.workspaces[-1]:,} items need about {needed / 1e9:.1f} GB in {folder}, where "
            f"{free / 1e9:.1f} GB are free; set TMPDIR to a folder on a larger disk, or ask for fewer --workspaces"
        )


def measure_sqlite(folder: Path, plan: Plan) -> list[Point]:
    """All sizes on SQLite. Raises: NotPossible, and the errors of EXPECTED."""
    whole, smallest = folder / "whole" / "data", folder / "smallest" / "data"
    for place in (whole, smallest):
        place.parent.mkdir()
    tenants = make_tenants(whole, _names(plan))
    with product(whole) as server:
        texts = _fill(server, tenants[0], plan)
    shutil.copytree(whole, smallest, ignore=shutil.ignore_patterns("*.sock", "*.lock"))
    points: list[Point] = []
    done = 1
    with product(smallest) as base:
        for count in plan.workspaces:
            copy_in_sqlite(_file(whole), tenants[0].workspace, _copies(tenants, done, count))
            done = max(done, count)
            with product(whole) as server:
                disk = sum(path.stat().st_size for path in whole.rglob("*") if path.is_file())
                points.append(_point(Place(base), Place(server), tenants[:count], texts, plan, disk))
    return points


def measure_postgresql(folder: Path, server_url: str, plan: Plan) -> list[Point]:
    """All sizes on PostgreSQL. Raises: NotPossible, and the errors of EXPECTED."""
    whole_name, smallest_name = (f"wm_scale_{part}_{os.getpid()}" for part in ("whole", "smallest"))
    for part in ("whole", "smallest"):
        (folder / part).mkdir()
    points: list[Point] = []
    done = 1
    with new_database(server_url, whole_name) as whole:
        tenants = make_tenants(folder / "data", _names(plan), database_url=whole)
        with product(folder / "whole" / "data", database_url=whole) as server:
            texts = _fill(server, tenants[0], plan)
        copy_in_postgresql(whole, tenants[0].workspace, {})
        with (
            new_database(server_url, smallest_name, like=whole_name) as smallest,
            product(folder / "smallest" / "data", database_url=smallest) as base,
        ):
            for count in plan.workspaces:
                copy_in_postgresql(whole, tenants[0].workspace, _copies(tenants, done, count))
                done = max(done, count)
                with product(folder / "whole" / "data", database_url=whole) as server:
                    places = (Place(base, smallest), Place(server, whole))
                    points.append(_point(*places, tenants[:count], texts, plan, _database_bytes(whole)))
    return points


def _names(plan: Plan) -> list[str]:
    return [f"Scale {number}" for number in range(1, plan.workspaces[-1] + 1)]


def _copies(tenants: Sequence[Tenant], done: int, count: int) -> dict[int, WorkspaceId]:
    return {number: tenants[number].workspace for number in range(done, count)}


def _fill(server: Running, tenant: Tenant, plan: Plan) -> list[str]:
    texts = Writer().texts(plan.items)
    say(f"filling the first workspace with {plan.items:,} items")
    add_company_items(server.url, tenant, texts)
    return texts


def _file(folder: Path) -> Path:
    (found,) = folder.glob("*.db")
    return found


def _database_bytes(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(row[0]) if row else 0


def _point(
    base: Place, place: Place, tenants: Sequence[Tenant], texts: Sequence[str], plan: Plan, disk: int
) -> Point:
    items = plan.items * len(tenants)
    say(f"{items:,} items in {len(tenants):,} workspaces: searching")
    numbers = random.Random(len(tenants))  # noqa: S311  the point is to be repeatable
    asked = {kind: queries(texts, kind, plan.searches + WARM) for kind in QueryKind}
    _require_alike(place.server, tenants, [some[0] for some in asked.values()])
    searches = {kind: _pair(base, place, tenants, asked[kind], numbers) for kind in QueryKind}
    return Point(items, len(tenants), searches, place.server.resident_bytes(), disk)


def _require_alike(server: Running, tenants: Sequence[Tenant], some: Sequence[str]) -> None:
    """Raises: NotPossible where the last copy does not find what the first workspace finds."""
    with connected(server, tenants[0]) as client:
        for query in some:
            first, last = (_found(client, tenant, query) for tenant in (tenants[0], tenants[-1]))
            if not first or first != last:
                raise NotPossible("the copied workspaces do not find what the first one finds")


def _found(client: RawClient, tenant: Tenant, query: str) -> list[object]:
    answer = json.loads(client.exchange(_search(client, tenant, query)))
    items = cast("list[dict[str, object]]", answer["result"]["structuredContent"]["items"])
    return [item["content"] for item in items]


def _pair(
    base: Place, place: Place, tenants: Sequence[Tenant], asked: Sequence[str], numbers: random.Random
) -> Pair:
    with connected(base.server, tenants[0]) as first, connected(place.server, tenants[0]) as second:
        smallest, here = in_turn(
            Side(base, first, [_search(first, tenants[0], query) for query in asked]),
            Side(place, second, [_search(second, numbers.choice(tenants), query) for query in asked]),
        )
    return Pair(smallest.timing(), here.timing())


def _search(client: RawClient, tenant: Tenant, query: str) -> bytes:
    path, token = tenant.mcp_url(""), tenant.curator_token
    return client.request("memory_search", {"query": query}, path=path, token=token)


def _drawn(found: Mapping[str, Sequence[Point]]) -> str:
    panels = {
        database: {
            kind.value: [(point.items, point.searches[kind].ratio) for point in points] for kind in QueryKind
        }
        for database, points in found.items()
    }
    return plot(
        panels, y_label="median of memory_search, 1 = the smallest size asked in turn", limit=RATIO_MAX
    )


def items_each(text: str) -> int:
    """Items in each workspace. Raises: ArgumentTypeError."""
    if not (text.isdigit() and ITEMS_EACH_MIN <= int(text) <= ITEMS_MAX):
        raise argparse.ArgumentTypeError(f"a workspace has {ITEMS_EACH_MIN:,} to {ITEMS_MAX:,} items here")
    return int(text)


def workspaces(text: str) -> tuple[int, ...]:
    """Ascending numbers of workspaces, such as 1,10,50. Raises: ArgumentTypeError."""
    numbers = sorted({int(part) if part.strip().isdigit() else 0 for part in text.split(",")})
    if not (numbers[0] >= 1 and numbers[-1] <= WORKSPACES_MAX):
        raise argparse.ArgumentTypeError(f"numbers of workspaces lie between 1 and {WORKSPACES_MAX}")
    return tuple(numbers)


def _parser() -> argparse.ArgumentParser:
    parser = report_parser("scale", __doc__)
    parser.add_argument("--items", type=items_each, default=ITEMS_MAX, metavar="N", help="in each workspace")
    parser.add_argument("--workspaces", type=workspaces, default=(1, 5, 10, 25, 50), metavar="N,…")
    parser.add_argument(
        "--searches", type=calls, default=200, metavar="N", help="of each kind and size (200)"
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--database-url", default="", metavar="URL", help="a PostgreSQL server to use")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write the ratios over the size as SVG")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

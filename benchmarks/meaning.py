"""What search by meaning costs: a server with a sentence model beside one without, over the same memory items.

    benchmarks/meaning.py FOLDER [--items 20000] [--searches 100] [--saves 60] [--json]
                          [--database sqlite] [--database-url URL]

FOLDER holds the model, as docs/howto/search-by-meaning.md describes it; the extra `semantic` must be installed. The
product fills one workspace over REST with made-up texts, in words that the model knows, and a server with the signal
makes a vector of every item. That is most of the time: 10 to 30 ms for each, so with 20,000 items up to ten minutes.
The data is then copied, and two servers of the product answer, one with the signal and one without. A client with one
connection sends each of them every call, one after the other, in raw MCP. No two questions are alike, since the product
remembers the vectors of the latest ones; so frequent words reach further down than in other benchmarks. Either server
saves texts of its own, and the one with the signal makes their vectors meanwhile, in the background.

Named is which limits are missed: a search takes at most 3 times what it takes without, over all kinds of query, and a
save 1.1 times, which is no longer but for noise. Processor time is that of the server, and of PostgreSQL's connections.

--database       sqlite, or postgresql from its development wheel
--database-url   a PostgreSQL server to use instead; two databases wm_meaning_… are made there, and dropped at the end
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import httpx2
import psycopg

from _arguments import ITEMS_MAX, calls, one_size, report_parser
from _curator import CuratorRefused, add_company_items
from _in_turn import WARM, Calls, Place, Side, connected, in_turn, together
from _meaning_figures import Figures, Making, as_json, as_text
from _metrics import Pair
from _pg_server import new_database, postgresql_server
from _progress import say
from _raw_client import CallFailed, RawClient
from _semantic import ModelUnusable, Signal, known_words, require_model
from _servers import ServerFailed, end_on_signals, product
from _tenants import DatabaseInUse, Tenant, make_tenants
from _texts import QueryKind, Writer, different_queries
from workspace_memory.domain.errors import DomainError

SEARCHES = 100
SAVES = 60


class NotPossible(Exception):
    """The run cannot begin, or does not measure what it should; the message says why."""


EXPECTED = (
    NotPossible,
    ModelUnusable,
    ServerFailed,
    DatabaseInUse,
    CuratorRefused,
    CallFailed,
    DomainError,
    httpx2.HTTPError,
    psycopg.Error,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is filled, asked and saved: texts, different questions of each kind, and texts for either server."""

    filled: Sequence[str]
    asked: Mapping[QueryKind, Sequence[str]]
    saved: tuple[Sequence[str], Sequence[str]]

    @property
    def items(self) -> int:
        """How many items the workspace has at the end."""
        return len(self.filled) + len(self.saved[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    on_postgresql = options.database == "postgresql" or bool(options.database_url)
    end_on_signals()
    try:
        require_model(options.folder)
        words = known_words(options.folder)
        plan = planned(options.items, options.searches, options.saves, words=words)
        with tempfile.TemporaryDirectory(prefix="wm-meaning-") as folder:
            if on_postgresql:
                with postgresql_server(options.database_url) as server_url:
                    figures = measure_postgresql(Path(folder), server_url, options.folder, plan)
            else:
                figures = measure_sqlite(Path(folder), options.folder, plan)
    except EXPECTED as error:
        print(f"meaning: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    database = "PostgreSQL" if on_postgresql else "SQLite"
    print(json.dumps(as_json(database, figures)) if options.json else as_text(database, figures))
    return 0


def planned(items: int, searches: int, saves: int, *, words: Sequence[str] = ()) -> Plan:
    """Texts in these words and questions, for so many items. Raises: NotPossible where so few do not offer so much."""
    if saves + WARM >= items / 2:
        raise NotPossible("the saves would be most of the items; fewer --saves or more --items")
    writer = Writer(words=words)
    filled, *saved = (writer.texts(count) for count in (items - saves - WARM, saves + WARM, saves + WARM))
    try:
        asked = different_queries(filled, searches + WARM)
    except ValueError as error:
        raise NotPossible(f"{error}; fewer --searches or more --items") from None
    return Plan(filled, asked, (saved[0], saved[1]))


def measure_sqlite(folder: Path, model: Path, plan: Plan) -> Figures:
    """On SQLite, where one process owns a data folder: the second server has a copy. Raises: those of EXPECTED."""
    data, copy = folder / "with" / "data", folder / "without" / "data"
    for place in (data, copy):
        place.parent.mkdir()
    (tenant,) = make_tenants(data, ["Meaning"])
    making = _filled(data, tenant, Signal(model, data), plan)
    shutil.copytree(data, copy, ignore=shutil.ignore_patterns("*.sock", "*.lock"))
    with product(data, more=Signal(model, data).settings) as here, product(copy) as base:
        return _figures(Place(here), Place(base), tenant, plan, making)


def measure_postgresql(folder: Path, server_url: str, model: Path, plan: Plan) -> Figures:
    """On PostgreSQL, with a copy of the database as well, so that neither server waits for the other's writes.

    Raises: those of EXPECTED.
    """
    data, copy = folder / "with" / "data", folder / "without" / "data"
    for place in (data, copy):
        place.parent.mkdir()
    name, copy_name = (f"wm_meaning_{part}_{os.getpid()}" for part in ("with", "without"))
    with new_database(server_url, name) as url:
        (tenant,) = make_tenants(data, ["Meaning"], database_url=url)
        signal = Signal(model, data, url)
        making = _filled(data, tenant, signal, plan)
        with psycopg.connect(url, autocommit=True) as connection:
            # As autovacuum would have it, and for both alike.
            connection.execute("VACUUM ANALYZE")
        with (
            new_database(server_url, copy_name, like=name) as copy_url,
            product(data, database_url=url, more=signal.settings) as here,
            product(copy, database_url=copy_url) as base,
        ):
            return _figures(Place(here, url), Place(base, copy_url), tenant, plan, making)


def _filled(data: Path, tenant: Tenant, signal: Signal, plan: Plan) -> Making:
    say(f"filling a workspace with {len(plan.filled):,} items")
    with product(data, database_url=signal.database_url) as server:
        add_company_items(server.url, tenant, plan.filled)
    # By a server that does nothing else, so that the time is that of the vectors.
    with product(data, database_url=signal.database_url, more=signal.settings) as server:
        started, used = time.perf_counter(), server.cpu_seconds()
        items = signal.wait()
        return Making(items, time.perf_counter() - started, server.cpu_seconds() - used)


def _figures(here: Place, base: Place, tenant: Tenant, plan: Plan, making: Making) -> Figures:
    with connected(here.server, tenant) as ours, connected(base.server, tenant) as theirs:
        require_signal(ours, theirs, plan.asked[QueryKind.FIVE_WORDS][:WARM])
        found: dict[QueryKind, tuple[Calls, Calls]] = {}
        for kind, asked in plan.asked.items():
            say(f"searching: {kind.value}")
            found[kind] = in_turn(
                Side(here, ours, [_search(ours, query) for query in asked]),
                Side(base, theirs, [_search(theirs, query) for query in asked]),
            )
        memory = [place.server.resident_bytes() for place in (here, base)]
        say("saving")
        saved = in_turn(
            Side(here, ours, [_save(ours, text) for text in plan.saved[0]]),
            Side(base, theirs, [_save(theirs, text) for text in plan.saved[1]]),
        )
    return Figures(
        items=plan.items,
        making=making,
        searches={kind: _pair(*calls) for kind, calls in found.items()},
        all_searches=_pair(*(together(calls) for calls in zip(*found.values(), strict=True))),
        save=_pair(*saved),
        resident_bytes=memory[0],
        resident_bytes_without=memory[1],
    )


def _pair(here: Calls, base: Calls) -> Pair:
    return Pair(base.timing(), here.timing())


def require_signal(ours: RawClient, theirs: RawClient, some: Sequence[str]) -> None:
    """Raises: NotPossible where both servers find the same in the same order, so that no meaning counts."""
    if all(_found(ours, query) == _found(theirs, query) for query in some):
        raise NotPossible(
            "the server with the model finds what the one without finds: meaning does not count"
        )


def _found(client: RawClient, query: str) -> list[object]:
    answer = json.loads(client.exchange(_search(client, query)))
    items = cast("list[dict[str, object]]", answer["result"]["structuredContent"]["items"])
    return [item["content"] for item in items]


def _search(client: RawClient, query: str) -> bytes:
    return client.request("memory_search", {"query": query})


def _save(client: RawClient, text: str) -> bytes:
    return client.request("memory_save", {"content": text})


def _parser() -> argparse.ArgumentParser:
    parser = report_parser("meaning", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the model; nothing is downloaded")
    parser.add_argument("--items", type=one_size, default=ITEMS_MAX, metavar="N", help=f"({ITEMS_MAX:,})")
    parser.add_argument(
        "--searches", type=calls, default=SEARCHES, metavar="N", help=f"of each kind of query ({SEARCHES})"
    )
    parser.add_argument("--saves", type=calls, default=SAVES, metavar="N", help=f"at each server ({SAVES})")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--database-url", default="", metavar="URL", help="a PostgreSQL server to use")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

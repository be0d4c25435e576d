"""Measures one size after the other in one workspace that only grows, and the floors beside each.

The workspace is filled with active company items to the size, less the saves that are timed, which are personal
and spread over the members. Searches come before saves, so that they meet the filled workspace.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from _curator import add_company_items
from _floors import EMPTY_TOOL
from _limits import RawFullText, durable_commits
from _load import Call, ClientOrder, run_clients
from _metrics import Timing, timing
from _official_client import asker
from _progress import say
from _servers import Running
from _speed_figures import Stage
from _tenants import Tenant
from _texts import QueryKind, Writer, queries

MEMBERS = 10
WARM = 3
OFFICIAL_SHARE = 3  # the official client makes a third of the calls, since it shows a constant only


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is timed at each size: calls over all clients, of searches for each kind of query."""

    clients: Sequence[int]
    searches: int
    saves: int

    @property
    def saves_made(self) -> int:
        """All saves of one size, with those that warm up."""
        official = self.saves // OFFICIAL_SHARE + WARM
        return official + sum((_each(self.saves, clients) + WARM) * clients for clients in self.clients)


@dataclass
class Bench:
    """The running servers and what the workspace holds so far."""

    server: Running
    route: Running
    tool: Running
    tenant: Tenant
    folder: Path
    database_url: str
    plan: Plan
    writer: Writer = field(default_factory=Writer)
    company: list[str] = field(default_factory=list[str])
    personal_items: int = 0

    def stage(self, size: int) -> Stage:
        """Fill the workspace to the size and measure. Raises: what the parts raise."""
        plan = self.plan
        added = self.writer.texts(size - plan.saves_made - self.personal_items - len(self.company))
        started, used = time.perf_counter(), self.server.cpu_seconds()
        add_company_items(self.server.url, self.tenant, added)
        bulk_seconds, bulk_cpu = time.perf_counter() - started, self.server.cpu_seconds() - used
        self.company += added
        say(f"{size:,} items: {len(added):,} added in {bulk_seconds:.1f} s; searching")
        asked = {kind: queries(self.company, kind, plan.searches + WARM) for kind in QueryKind}
        by_kind = {kind: self._searches(asked[kind], 1) for kind in QueryKind}
        mixed = [query for some in zip(*asked.values(), strict=True) for query in some]
        search = {clients: self._searches(mixed, clients) for clients in plan.clients}
        official_by_kind = {
            kind: asyncio.run(self._official_searches(texts)) for kind, texts in asked.items()
        }
        say(f"{size:,} items: saving, and the floors")
        save = {clients: self._saves(clients) for clients in plan.clients}
        official_save = asyncio.run(self._official_saves())
        self.personal_items += plan.saves_made
        return Stage(
            items=size,
            personal_items=self.personal_items,
            bulk_items=len(added),
            bulk_seconds=bulk_seconds,
            bulk_cpu_seconds=bulk_cpu,
            search_by_kind=by_kind,
            search=search,
            save=save,
            official_by_kind=official_by_kind,
            official_tool=asyncio.run(self._official_floor()),
            official_save=official_save,
            empty_route={clients: self._floor(self.route, "/", clients) for clients in plan.clients},
            empty_tool={clients: self._floor(self.tool, "/mcp", clients) for clients in plan.clients},
            full_text=self._full_text(asked, size),
            durable_commit=self._commits(size),
            resident_bytes=self.server.resident_bytes(),
            disk_bytes=disk_bytes(self.folder / "data", self.database_url),
        )

    def _searches(self, texts: Sequence[str], clients: int) -> Timing:
        shares = [texts[number::clients] for number in range(clients)]
        return self._run([[_search(query) for query in share] for share in shares])

    def _saves(self, clients: int) -> Timing:
        each = _each(self.plan.saves, clients) + WARM
        return self._run([[_save(text) for text in self.writer.texts(each)] for _ in range(clients)])

    def _run(self, calls: Sequence[Sequence[Call]]) -> Timing:
        url, tokens = self.tenant.mcp_url(self.server.url), self.tenant.member_tokens
        return run_clients(
            [
                ClientOrder(url, tokens[number % len(tokens)], own[WARM:], own[:WARM])
                for number, own in enumerate(calls)
            ],
            server=self.server,
        )

    def _floor(self, server: Running, path: str, clients: int) -> Timing:
        calls: list[Call] = [(EMPTY_TOOL, {})] * _each(self.plan.searches, clients)
        order = ClientOrder(server.url + path, "none", calls, calls[:WARM])
        return run_clients([order] * clients, server=server)

    async def _official_searches(self, texts: Sequence[str]) -> Timing:
        some = texts[: self.plan.searches // OFFICIAL_SHARE + WARM]
        return await self._official([_search(query) for query in some])

    async def _official_saves(self) -> Timing:
        some = self.writer.texts(self.plan.saves // OFFICIAL_SHARE + WARM)
        return await self._official([_save(text) for text in some])

    async def _official_floor(self) -> Timing:
        calls: list[Call] = [(EMPTY_TOOL, {})] * (self.plan.searches // OFFICIAL_SHARE + WARM)
        return await self._official(calls, f"{self.tool.url}/mcp", "none")

    async def _official(self, calls: Sequence[Call], url: str = "", token: str = "") -> Timing:
        times: list[float] = []
        url, token = url or self.tenant.mcp_url(self.server.url), token or self.tenant.member_tokens[-1]
        async with asker(url, token) as client:
            for tool, arguments in calls:
                started = time.perf_counter()
                await client.call(tool, dict(arguments))
                times.append((time.perf_counter() - started) * 1000)
        timed = times[WARM:]
        return timing(timed, elapsed_seconds=sum(timed) / 1000)

    def _full_text(self, asked: Mapping[QueryKind, Sequence[str]], size: int) -> dict[QueryKind, Timing]:
        raw = RawFullText(self.folder / f"fts5-{size}.db", self.company)
        try:
            return {kind: _in_process(raw.times(kind, texts)[WARM:]) for kind, texts in asked.items()}
        finally:
            raw.close()

    def _commits(self, size: int) -> Timing:
        path = self.folder / f"commits-{size}.db"
        return _in_process(durable_commits(path, self.company[0], self.plan.saves + WARM)[WARM:])


def disk_bytes(data: Path, database_url: str) -> int:
    """What the data folder occupies, or the PostgreSQL database."""
    if database_url:
        with psycopg.connect(database_url) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(row[0]) if row else 0
    return sum(path.stat().st_size for path in data.rglob("*") if path.is_file())


def _each(calls: int, clients: int) -> int:
    """How many calls each of the clients makes."""
    return max(1, calls // clients)


def _search(query: str) -> Call:
    return "memory_search", {"query": query}


def _save(text: str) -> Call:
    return "memory_save", {"content": text}


def _in_process(milliseconds: Sequence[float]) -> Timing:
    return timing(milliseconds, elapsed_seconds=sum(milliseconds) / 1000)

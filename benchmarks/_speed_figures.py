"""What the speed benchmark measures at one size, and what it says about it.

Pure. The figures of a small shared machine differ from run to run; a ratio to floors of the same run differs
little, so both are reported. `_speed_stage.py` measures, `speed.py` prints.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from _metrics import Timing
from _tables import table
from _texts import QueryKind

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything measured at one size. The keys of mappings by number are clients at once; times are ms."""

    items: int
    personal_items: int
    bulk_items: int
    bulk_seconds: float
    bulk_cpu_seconds: float
    search_by_kind: Mapping[QueryKind, Timing]
    search: Mapping[int, Timing]
    save: Mapping[int, Timing]
    official_by_kind: Mapping[QueryKind, Timing]
    official_tool: Timing
    official_save: Timing
    empty_route: Mapping[int, Timing]
    empty_tool: Mapping[int, Timing]
    full_text: Mapping[QueryKind, Timing]
    durable_commit: Timing
    resident_bytes: int
    disk_bytes: int

    def search_ratio(self, kind: QueryKind) -> float:
        """The median search of a kind to the empty MCP tool and the same query in raw FTS5 together."""
        return self.search_by_kind[kind].p50 / (self._tool_p50 + self.full_text[kind].p50)

    def official_ratio(self, kind: QueryKind) -> float:
        """As `search_ratio`, where the official client makes both calls: its own cost is in both."""
        return self.official_by_kind[kind].p50 / (self.official_tool.p50 + self.full_text[kind].p50)

    @property
    def save_ratio(self) -> float:
        """The median save to the empty MCP tool and one durable commit together."""
        return self.save[min(self.save)].p50 / (self._tool_p50 + self.durable_commit.p50)

    @property
    def _tool_p50(self) -> float:
        return self.empty_tool[min(self.empty_tool)].p50


def as_json(database: str, stages: Sequence[Stage]) -> Mapping[str, object]:
    """The report for programs: one entry for each size."""
    return {"database": database, "sizes": {str(stage.items): _stage_json(stage) for stage in stages}}


def _stage_json(stage: Stage) -> Mapping[str, object]:
    return {
        "items": stage.items,
        "personal_items": stage.personal_items,
        "bulk": {
            "items": stage.bulk_items,
            "seconds": round(stage.bulk_seconds, 3),
            "cpu_seconds": round(stage.bulk_cpu_seconds, 3),
            "items_per_second": round(stage.bulk_items / stage.bulk_seconds, 1),
        },
        "search": _timings(stage.search),
        "search_by_kind": {
            kind.value: {
                **_timing(one),
                "fts5_p50": round(stage.full_text[kind].p50, 3),
                "ratio": round(stage.search_ratio(kind), 2),
                "official_p50": round(stage.official_by_kind[kind].p50, 3),
                "official_ratio": round(stage.official_ratio(kind), 2),
            }
            for kind, one in stage.search_by_kind.items()
        },
        "save": _timings(stage.save),
        "save_ratio": round(stage.save_ratio, 2),
        "official_client": {
            "empty_tool": _timing(stage.official_tool),
            "save": _timing(stage.official_save),
        },
        "floors": {
            "empty_route": _timings(stage.empty_route),
            "empty_tool": _timings(stage.empty_tool),
            "durable_commit": _timing(stage.durable_commit),
        },
        "resident_bytes": stage.resident_bytes,
        "disk_bytes": stage.disk_bytes,
    }


def _timings(timings: Mapping[int, Timing]) -> Mapping[str, object]:
    return {str(clients): _timing(one) for clients, one in timings.items()}


def _timing(one: Timing) -> Mapping[str, float]:
    return {name: round(value, 3) for name, value in asdict(one).items()}


def as_text(database: str, stages: Sequence[Stage]) -> str:
    """The report for people, as Markdown tables."""
    return "\n\n".join(
        [
            f"On {database}. Times in ms; memory and disk in MiB.",
            _calls_table(stages),
            _kinds_table(stages),
            _growth_table(stages),
        ]
    )


def _calls_table(stages: Sequence[Stage]) -> str:
    rows: list[list[str]] = []
    for stage in stages:
        for name, timings in (
            ("search", stage.search),
            ("save", stage.save),
            ("empty MCP tool", stage.empty_tool),
            ("empty route", stage.empty_route),
        ):
            rows += [
                [name, f"{stage.items:,}", str(clients), *_cells(one)] for clients, one in timings.items()
            ]
        rows.append(
            ["empty MCP tool, official client", f"{stage.items:,}", "1", *_cells(stage.official_tool)]
        )
        rows.append(["save, official client", f"{stage.items:,}", "1", *_cells(stage.official_save)])
        rows.append(["durable commit, in process", f"{stage.items:,}", "1", *_cells(stage.durable_commit)])
    return table(["call", "items", "clients", "calls", "p50", "p95", "p99", "per s", "server CPU"], rows)


def _kinds_table(stages: Sequence[Stage]) -> str:
    rows = [
        [
            kind.value,
            f"{stage.items:,}",
            *(f"{value:.2f}" for value in (one.p50, one.p95, one.p99, one.cpu)),
            f"{stage.full_text[kind].p50:.2f}",
            f"{stage.search_ratio(kind):.2f}",
            f"{stage.official_by_kind[kind].p50:.2f}",
            f"{stage.official_ratio(kind):.2f}",
        ]
        for stage in stages
        for kind, one in stage.search_by_kind.items()
    ]
    head = ["query, one client", "items", "p50", "p95", "p99", "server CPU", "FTS5 p50", "ratio"]
    return table([*head, "official client", "its ratio"], rows)


def _growth_table(stages: Sequence[Stage]) -> str:
    rows = [
        [
            f"{stage.items:,}",
            f"{stage.personal_items:,}",
            f"{stage.bulk_items:,}",
            f"{stage.bulk_seconds:.1f}",
            f"{stage.bulk_items / stage.bulk_seconds:,.0f}",
            f"{stage.bulk_cpu_seconds * 1000 / stage.bulk_items:.2f}",
            f"{stage.save_ratio:.2f}",
            f"{stage.resident_bytes / _MIB:.0f}",
            f"{stage.disk_bytes / _MIB:.1f}",
        ]
        for stage in stages
    ]
    head = [
        "items",
        "personal",
        "added in bulk",
        "seconds",
        "per s",
        "CPU each",
        "save ratio",
        "memory",
        "disk",
    ]
    return table(head, rows)


def _cells(one: Timing) -> list[str]:
    times = (f"{value:.2f}" for value in (one.p50, one.p95, one.p99))
    return [str(one.calls), *times, f"{one.per_second:,.0f}", f"{one.cpu:.2f}" if one.cpu else "–"]

"""The lines of the overview: what the reports of the single benchmarks say about each limit. Pure.

A report is what a benchmark prints with `--json`. Limits that are a floor times a factor take the floor of the same
report, so of the same run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from _meaning_figures import SAVE_RATIO_MAX, SEARCH_RATIO_MAX
from _tables import table
from _texts import QueryKind

Report = Mapping[str, Any]

LOCOMO_RECALL_10 = 0.70
LOCOMO_RECALL_10_WITH_MEANING = 0.73
LANGUAGE_RECALL = {"recall@1": 0.93, "recall@5": 0.98}
SEARCH_FLOORS = 1.5
WIDENED_FLOORS = 3.0  # a search for several words makes a second pass
P99_MEDIANS = 4.0
SAVE_FLOORS = 2.0
SEARCHES_PER_SECOND = 140.0  # ten times what the protocol's reference memory server was measured at
CLIENTS = "8"
ITEMS_PER_SECOND = 1_000.0
FLAT_RATIO = 1.2
PROTOCOL_FLOORS = 1.5
MEMORY_MIB = 150.0
MEMORY_MIB_AT_A_MILLION = 400.0
START_SECONDS = 1.0
HOSTILE_MS = 200.0
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """One limit and what was measured. `at_least`: the limit is the least that must be reached."""

    what: str
    measured: float
    limit: float
    unit: str = ""
    at_least: bool = False

    @property
    def ratio(self) -> float:
        """How much of the limit is used; up to 1 it holds."""
        if self.at_least:
            return self.limit / self.measured if self.measured else float("inf")
        return self.measured / self.limit

    @property
    def holds(self) -> bool:
        """Whether the limit is kept."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


@dataclass(frozen=True, slots=True)
class Missing:
    """A limit without a figure, and why. `failed`: it should have been measured."""

    what: str
    why: str
    failed: bool


def conversation_lines(name: str, report: Report) -> list[Line]:
    """Of `quality.py` on conversations."""
    return [
        Line(f"quality, {name}: recall@10", report["overall"]["recall@10"], LOCOMO_RECALL_10, at_least=True)
    ]


def conversation_meaning_lines(name: str, report: Report) -> list[Line]:
    """Of `quality.py --semantic` on conversations."""
    recall: float = report["overall"]["recall@10"]
    what = f"quality with meaning, {name}: recall@10"
    return [Line(what, recall, LOCOMO_RECALL_10_WITH_MEANING, at_least=True)]


def meaning_lines(report: Report) -> list[Line]:
    """Of `meaning.py`: searches of all kinds and saves, beside those of the server without the signal."""
    items = f"{report['items']:,} items"
    search: float = report["all_searches"]["ratio"]
    save: float = report["save"]["ratio"]
    return [
        Line(f"search with meaning, p50 beside without, {items}", search, SEARCH_RATIO_MAX),
        Line(f"save with meaning, p50 beside without, {items}", save, SAVE_RATIO_MAX),
    ]


def language_lines(name: str, report: Report) -> list[Line]:
    """Of `quality.py` on languages: the weakest of them."""
    lines: list[Line] = []
    for figure, least in LANGUAGE_RECALL.items():
        weakest = min(report, key=lambda language: report[language][figure])
        what = f"quality, {name}: {figure}, weakest ({weakest})"
        lines.append(Line(what, report[weakest][figure], least, at_least=True))
    return lines


def speed_lines(report: Report) -> list[Line]:
    """Of `speed.py` at its largest size, with memory."""
    stage: Report = list(report["sizes"].values())[-1]
    items = f"{stage['items']:,} items"
    tool: float = stage["floors"]["empty_tool"]["1"]["p50"]
    official: float = stage["official_client"]["empty_tool"]["p50"]
    lines: list[Line] = []
    for kind, one in stage["search_by_kind"].items():
        factor = WIDENED_FLOORS if kind == QueryKind.FIVE_WORDS else SEARCH_FLOORS
        limit = factor * (tool + one["fts5_p50"])
        lines.append(Line(f"search p50, {kind}, {items}", one["p50"], limit, "ms"))
        limit = factor * (official + one["fts5_p50"])
        lines.append(Line(f"search p50, {kind}, official client", one["official_p50"], limit, "ms"))
    kind, one = max(stage["search_by_kind"].items(), key=lambda each: each[1]["p99"] / each[1]["p50"])
    lines.append(
        Line(f"search p99, furthest from its p50 ({kind})", one["p99"], P99_MEDIANS * one["p50"], "ms")
    )
    commit: float = stage["floors"]["durable_commit"]["p50"]
    lines.append(Line(f"save p50, {items}", stage["save"]["1"]["p50"], SAVE_FLOORS * (tool + commit), "ms"))
    if CLIENTS in stage["search"]:
        rate: float = stage["search"][CLIENTS]["per_second"]
        lines.append(
            Line(f"searches of {CLIENTS} clients", rate, SEARCHES_PER_SECOND, "per s", at_least=True)
        )
    lines.append(Line(f"server memory, {items}", stage["resident_bytes"] / _MIB, MEMORY_MIB, "MiB"))
    return lines


def bulk_lines(report: Report) -> list[Line]:
    """Of `bulk.py`: the import as a person makes it, and the server's memory after searches."""
    items: int = report["items"]
    return [
        Line(f"importing {items:,} items", report["first"]["seconds"], items / ITEMS_PER_SECOND, "s"),
        Line(
            f"server memory, {items:,} items imported",
            report["resident_after_searches"] / _MIB,
            MEMORY_MIB,
            "MiB",
        ),
    ]


def scale_lines(report: Report) -> list[Line]:
    """Of `scale.py`: each kind of query at the largest size beside the smallest, and the server's memory."""
    lines: list[Line] = []
    for database, points in report.items():
        point: Report = points[-1]
        where = f"{point['items']:,} items in {point['workspaces']}, {database}"
        for kind, one in point["searches"].items():
            lines.append(
                Line(f"flat p50, {kind}, {where}", one["p50"], FLAT_RATIO * one["smallest"]["p50"], "ms")
            )
        lines.append(
            Line(f"server memory, {where}", point["resident_bytes"] / _MIB, MEMORY_MIB_AT_A_MILLION, "MiB")
        )
    return lines


def protocol_lines(report: Report) -> list[Line]:
    """Of `protocol.py`: each era beside the floor written by hand."""
    return [
        Line(
            f"protocol cost, CPU of a call, {era}",
            of_era["product"]["cpu_microseconds"],
            PROTOCOL_FLOORS * of_era["floor"]["cpu_microseconds"],
            "µs",
        )
        for era, of_era in report.items()
    ]


def startup_lines(report: Report) -> list[Line]:
    """Of `startup.py`: the answers to `initialize`, on a folder that is new and on one that is not."""
    return [
        Line(f"start of {name}, median", one["median"], START_SECONDS, "s")
        for name, one in report.items()
        if name.endswith("initialize")
    ]


def hostile_lines(report: Report) -> list[Line]:
    """Of `hostile.py`: the slowest query, and that none failed."""
    asked = f"{report['queries']:,} hostile queries, {report['items']:,} items"
    return [
        Line(f"{asked}: slowest", report["slowest"], HOSTILE_MS, "ms"),
        Line(f"{asked}: failed", report["failed"], 0),
    ]


def as_text(lines: Sequence[Line | Missing]) -> str:
    """The overview for people, as a Markdown table and a count."""
    rows = [_row(line) for line in lines]
    held = sum(isinstance(line, Line) and line.holds for line in lines)
    missed = sum(isinstance(line, Line) and not line.holds for line in lines)
    without = len(lines) - held - missed
    shown = table(["what", "measured", "limit", "ratio", "verdict"], rows)
    return f"{shown}\n\n{held} hold, {missed} missed, {without} not measured. A ratio of up to 1 holds."


def _row(line: Line | Missing) -> list[str]:
    if isinstance(line, Missing):
        return [line.what, "–", "–", "–", line.why]
    sign = "≥" if line.at_least else "≤"
    ratio = f"{line.ratio:.2f}" if line.limit else "–"
    verdict = "holds" if line.holds else "missed"
    return [
        line.what,
        _figure(line.measured, line.unit),
        f"{sign} {_figure(line.limit, line.unit)}",
        ratio,
        verdict,
    ]


def _figure(value: float, unit: str) -> str:
    digits = 3 if not unit and value != round(value) else 0 if value >= 100 or value == round(value) else 2
    return f"{value:,.{digits}f} {unit}".strip()


def as_json(lines: Sequence[Line | Missing]) -> list[Mapping[str, object]]:
    """The overview for programs."""
    return [
        {"what": line.what, "verdict": "not measured", "why": line.why}
        if isinstance(line, Missing)
        else {
            "what": line.what,
            "measured": round(line.measured, 4),
            "limit": round(line.limit, 4),
            "unit": line.unit,
            "ratio": round(line.ratio, 3) if line.limit else None,
            "verdict": "holds" if line.holds else "missed",
        }
        for line in lines
    ]

"""What the scale benchmark measures at one size of the installation, and what it says about it. Pure.

Each size is measured against the smallest one with each query in turn, so that a ratio is not
the machine's mood. `scale.py` measures, `_plot.py` draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from _metrics import Pair, Timing
from _tables import table
from _texts import QueryKind

RATIO_MAX = 1.2
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Point:
    """One size: all items of the installation, and the server that answered; base of a pair is the smallest size."""

    items: int
    workspaces: int
    searches: Mapping[QueryKind, Pair]
    resident_bytes: int
    disk_bytes: int

    @property
    def worst_ratio(self) -> float:
        """The largest ratio of any kind of query."""
        return max(pair.ratio for pair in self.searches.values())


def as_json(points_by_database: Mapping[str, Sequence[Point]]) -> Mapping[str, object]:
    """The report for programs: the points of each database, ascending."""
    return {
        database: [_point_json(point) for point in points] for database, points in points_by_database.items()
    }


def _point_json(point: Point) -> Mapping[str, object]:
    return {
        "items": point.items,
        "workspaces": point.workspaces,
        "searches": {
            kind.value: {
                "ratio": round(pair.ratio, 3),
                "cpu_ratio": round(pair.cpu_ratio, 3),
                "smallest": _timing(pair.base),
                **_timing(pair.here),
            }
            for kind, pair in point.searches.items()
        },
        "worst_ratio": round(point.worst_ratio, 3),
        "resident_bytes": point.resident_bytes,
        "disk_bytes": point.disk_bytes,
    }


def _timing(one: Timing) -> Mapping[str, float]:
    return {name: round(value, 3) for name, value in asdict(one).items()}


def as_text(points_by_database: Mapping[str, Sequence[Point]]) -> str:
    """The report for people, as Markdown tables."""
    parts = [
        "Times in ms, memory of the server and disk in MiB. The ratio is to the smallest size, asked in turn."
    ]
    for database, points in points_by_database.items():
        parts += [f"On {database}:", _searches_table(points), _sizes_table(points)]
    return "\n\n".join(parts)


def _searches_table(points: Sequence[Point]) -> str:
    rows = [
        [
            kind.value,
            f"{point.items:,}",
            f"{point.workspaces:,}",
            f"{pair.here.p50:.2f}",
            f"{pair.here.p99:.2f}",
            f"{pair.base.p50:.2f}",
            f"{pair.ratio:.2f}",
            f"{pair.here.cpu:.2f}",
            f"{pair.base.cpu:.2f}",
            f"{pair.cpu_ratio:.2f}" if pair.cpu_ratio else "–",
        ]
        for kind in QueryKind
        for point in points
        if (pair := point.searches.get(kind)) is not None
    ]
    head = [
        "query",
        "items",
        "workspaces",
        "p50",
        "p99",
        "p50 smallest",
        "ratio",
        "CPU",
        "CPU smallest",
        "CPU ratio",
    ]
    return table(head, rows)


def _sizes_table(points: Sequence[Point]) -> str:
    rows = [
        [
            f"{point.items:,}",
            f"{point.workspaces:,}",
            f"{point.worst_ratio:.2f}",
            f"{point.resident_bytes / _MIB:,.0f}",
            f"{point.disk_bytes / _MIB:,.0f}",
        ]
        for point in points
    ]
    return table(["items", "workspaces", "worst ratio", "memory", "disk"], rows)

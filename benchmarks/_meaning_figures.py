"""What the benchmark of search by meaning measures, the limits it holds the product to, and what it says of both. Pure.

The base of each pair is a server without the signal over the same content, sent the same calls in turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from _metrics import Pair, Timing
from _tables import table
from _texts import QueryKind

SEARCH_RATIO_MAX = 3.0
SAVE_RATIO_MAX = 1.1  # not slower, and room for what the same command differs by from run to run
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Making:
    """Making the vectors of so many items: the wall clock and the processor time of the server, in seconds."""

    items: int
    seconds: float
    cpu_seconds: float

    @property
    def milliseconds_each(self) -> float:
        """The wall clock of one item."""
        return self.seconds * 1000 / self.items

    @property
    def cpu_milliseconds_each(self) -> float:
        """The processor time of one item."""
        return self.cpu_seconds * 1000 / self.items


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything measured; memory of the two servers in bytes, after the searches."""

    items: int
    making: Making
    searches: Mapping[QueryKind, Pair]
    all_searches: Pair
    save: Pair
    resident_bytes: int
    resident_bytes_without: int

    @property
    def missed(self) -> Sequence[str]:
        """The limits that were not held, as sentences."""
        limits = {"a search": (self.all_searches, SEARCH_RATIO_MAX), "a save": (self.save, SAVE_RATIO_MAX)}
        return [
            f"{what} takes {pair.ratio:.2f} times what it takes without, more than {limit:g}"
            for what, (pair, limit) in limits.items()
            if pair.ratio > limit
        ]


def as_json(database: str, figures: Figures) -> Mapping[str, object]:
    """The report for programs."""
    making = figures.making
    return {
        "database": database,
        "items": figures.items,
        "making": {
            "items": making.items,
            "seconds": round(making.seconds, 1),
            "milliseconds_each": round(making.milliseconds_each, 2),
            "cpu_milliseconds_each": round(making.cpu_milliseconds_each, 2),
        },
        "searches": {kind.value: _pair(pair) for kind, pair in figures.searches.items()},
        "all_searches": _pair(figures.all_searches),
        "save": _pair(figures.save),
        "resident_bytes": figures.resident_bytes,
        "resident_bytes_without": figures.resident_bytes_without,
        "missed": list(figures.missed),
    }


def _pair(pair: Pair) -> Mapping[str, object]:
    return {
        "ratio": round(pair.ratio, 3),
        "cpu_ratio": round(pair.cpu_ratio, 3),
        "with": _timing(pair.here),
        "without": _timing(pair.base),
    }


def _timing(one: Timing) -> Mapping[str, float]:
    return {name: round(value, 3) for name, value in asdict(one).items()}


def as_text(database: str, figures: Figures) -> str:
    """The report for people, as Markdown tables."""
    making = figures.making
    calls = {
        **{f"search, {kind.value}": pair for kind, pair in figures.searches.items()},
        "all searches": figures.all_searches,
        "save": figures.save,
    }
    cells = [
        f"{making.items:,}",
        f"{making.seconds:.0f}",
        f"{making.milliseconds_each:.1f}",
        f"{making.cpu_milliseconds_each:.1f}",
        f"{figures.resident_bytes / _MIB:.0f}",
        f"{figures.resident_bytes_without / _MIB:.0f}",
    ]
    held = "; ".join(figures.missed) or "both are held"
    return "\n\n".join(
        [
            f"On {database}, {figures.items:,} items. Times and the server's CPU of each call in ms; ratios are to the "
            "server without the signal, which is sent the same calls in turn. Memory of the server in MiB.",
            table(
                [
                    "call",
                    "p50",
                    "p95",
                    "CPU",
                    "p50 without",
                    "p95 without",
                    "CPU without",
                    "ratio",
                    "CPU ratio",
                ],
                [[name, *_cells(pair)] for name, pair in calls.items()],
            ),
            table(
                ["vectors made", "seconds", "ms each", "CPU each", "memory", "memory without"],
                [cells],
            ),
            f"Limits, {SEARCH_RATIO_MAX:g} times for all searches and {SAVE_RATIO_MAX:g} times for a save: {held}.",
        ]
    )


def _cells(pair: Pair) -> list[str]:
    times = [f"{value:.2f}" for one in (pair.here, pair.base) for value in (one.p50, one.p95, one.cpu)]
    return [*times, f"{pair.ratio:.2f}", f"{pair.cpu_ratio:.2f}" if pair.cpu_ratio else "–"]

"""What the benchmark of imports measures, the limits it holds the product to, and what it says about both. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from _tables import table

SECONDS_MAX = 20.0
RESIDENT_MIB_MAX = 150
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Run:
    """One import of the file: the wall clock, the processor time on both sides, and what became of the texts."""

    seconds: float
    server_cpu_seconds: float
    client_cpu_seconds: float
    new: int
    already_there: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything measured. Memory and disk in bytes; `other_save_max_ms` is the longest save of the bystander."""

    items: int
    first: Run
    again: Run
    other_saves: int
    other_save_max_ms: float
    resident_before: int
    resident_after_import: int
    resident_after_searches: int
    disk: int

    @property
    def missed(self) -> Sequence[str]:
        """The limits that were not held, as sentences."""
        found: list[str] = []
        if self.first.seconds > SECONDS_MAX:
            found.append(f"the import took {self.first.seconds:.1f} s, more than {SECONDS_MAX:.0f}")
        if self.resident_after_searches > RESIDENT_MIB_MAX * _MIB:
            found.append(
                f"the server has {self.resident_after_searches / _MIB:.0f} MiB, more than {RESIDENT_MIB_MAX}"
            )
        return found


def as_json(database: str, figures: Figures) -> Mapping[str, object]:
    """The report for programs."""
    return {"database": database, **asdict(figures), "missed": list(figures.missed)}


def as_text(database: str, figures: Figures) -> str:
    """The report for people, as Markdown tables."""
    imports = [
        [name, f"{run.new:,}", f"{run.already_there:,}", f"{run.seconds:.1f}", *_rates(run)]
        for name, run in (("first", figures.first), ("once more", figures.again))
    ]
    memory = (figures.resident_before, figures.resident_after_import, figures.resident_after_searches)
    cells = [f"{size / _MIB:.0f}" for size in (*memory, figures.disk)]
    saves = [f"{figures.other_saves:,}", f"{figures.other_save_max_ms:.0f}"]
    held = "; ".join(figures.missed) or "both are held"
    return "\n\n".join(
        [
            f"On {database}. CPU each is the server's for each text, in ms; command is the command's own CPU, in s. "
            "Memory and disk in MiB.",
            table(["import", "new", "there already", "seconds", "per s", "CPU each", "command"], imports),
            table(
                ["items", "at start", "imported", "searched", "disk", "saves beside", "longest ms"],
                [[f"{figures.items:,}", *cells, *saves]],
            ),
            f"Limits, {SECONDS_MAX:.0f} s and {RESIDENT_MIB_MAX} MiB: {held}.",
        ]
    )


def _rates(run: Run) -> list[str]:
    texts = run.new + run.already_there
    each = run.server_cpu_seconds * 1000 / max(1, texts)
    return [f"{texts / run.seconds:,.0f}", f"{each:.2f}", f"{run.client_cpu_seconds:.1f}"]

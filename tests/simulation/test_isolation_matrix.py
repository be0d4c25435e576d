"""Every pair of use cases that meet at the memory document, in both orders, at every step in between.

A normal run takes a seeded step of each pair, on SQLite, where all writers stand in one line, of every third pair
(conftest.py); `./run test --exhaustive` takes all of them.
docs/explanation/transactions.md says what is proved by it, and mutations.py that it would notice.
"""

import random
import time
from collections.abc import Callable

import pytest
from tests.simulation.arena import Arena
from tests.simulation.oracle import Trial
from tests.simulation.pairs import CASES, THREE, Case

from workspace_memory.services import recall

SEED = 20_261_102
STEPS_OF_A_PAIR = 1
STEPS_OF_THREE = 6


@pytest.fixture(autouse=True)
def patient_recall(monkeypatch: pytest.MonkeyPatch) -> None:
    # A recall that stands still for another move must not give up for that.
    monkeypatch.setattr(recall, "RECALL_SECONDS", 60.0)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_pair_ends_as_in_the_order_of_its_commits(
    arena: Arena, case: Case, record_property: Callable[[str, object], None]
) -> None:
    judge(arena, case, record_property, steps=STEPS_OF_A_PAIR)


def test_three_end_as_in_the_order_of_their_commits(
    arena: Arena, record_property: Callable[[str, object], None]
) -> None:
    judge(arena, THREE, record_property, steps=STEPS_OF_THREE)


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.parametrize("case", [*CASES, THREE], ids=str)
def test_at_every_step(arena: Arena, case: Case, record_property: Callable[[str, object], None]) -> None:
    judge(arena, case, record_property, steps=None)


def judge(
    arena: Arena, case: Case, record_property: Callable[[str, object], None], *, steps: int | None
) -> None:
    """Run the interleavings of a case, all or so many of a seeded selection, and report the count of them."""
    began = time.monotonic()
    trial = Trial(arena, case)
    chosen = trial.interleavings()
    if steps is not None:
        chosen = random.Random(f"{SEED} {case}").sample(chosen, min(steps, len(chosen)))  # noqa: S311
    violations = [
        f"{trial.clients[first][0].name} stopped at {stops}: {wrong}"
        for first, stops in chosen
        if (wrong := trial.violation(first, stops)) is not None
    ]
    counts = {
        "cases": 1,
        "orders": len(trial.serial),
        "interleavings": len(chosen),
        "violations": len(violations),
        "seconds": round(time.monotonic() - began, 2),
    }
    how = "every step" if steps is None else "a seeded selection"
    record_property("summary", (f"isolation matrix on {arena.dialect.writer.dialect.name}, {how}", counts))
    assert not violations, f"{len(violations)} of {len(chosen)}: " + "\n".join(violations[:3])

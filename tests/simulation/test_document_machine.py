"""Any order of mode, consent, turn, recall, revoke, Clear, Save, Undo, delete, capture, retry, role and rotation.

The real services on a real database against `document_oracle.py`. Each run prints its seed: a fixed one in the normal
run, a new one and many more examples with --exhaustive. --hypothesis-seed=N repeats one.
"""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.simulation.document_machine import DocumentMachine

from workspace_memory.storage.database import Database

FIXED_SEED = 20261130
# What must have come about in any run that is worth its time, and in a long one.
WANTED = {"capture committed", "capture proposed", "capture AdmissionRetired", "recall attached", "clear ok"}
WANTED_OF_MANY = WANTED | {
    "admit AiDisabled",
    "admit KeySessionRequired",
    "begun anew",
    "capture unchanged",
    "capture off",
    "capture again",
    "capture CaptureWithheld",
    "capture KeySessionRequired",
    "recall empty",
    "recall deleted",
    "recall no_access",
    "recall oversized",
    "recall stale",
    "recall superseded",
    "recall unavailable",
    "proposal applied",
    "proposal dismissed",
    "proposal shared",
    "undo ok",
    "delete ok",
}


def explore(request: pytest.FixtureRequest, database: Database, *, examples: int) -> None:
    exhaustive = bool(request.config.getoption("--exhaustive"))
    given: str | None = request.config.getoption("--hypothesis-seed")
    number = int(given or (random.randrange(2**32) if exhaustive else FIXED_SEED))  # noqa: S311
    outcomes: Counter[str] = Counter()

    class Machine(DocumentMachine):
        pass

    Machine.database, Machine.outcomes, Machine.examples = database, outcomes, itertools.count(1)
    print(f"seed {number}")  # noqa: T201  shown with a failure
    run_state_machine_as_test(
        seed(number)(Machine),
        settings=settings(
            max_examples=examples * (50 if exhaustive else 1),
            stateful_step_count=30,
            deadline=None,
            database=None,
            suppress_health_check=[
                HealthCheck.too_slow,
                HealthCheck.data_too_large,
                HealthCheck.filter_too_much,
            ],
            phases=[Phase.generate],
        ),
    )
    print(dict(sorted(outcomes.items())))  # noqa: T201
    missing = (WANTED_OF_MANY if exhaustive else WANTED) - set(outcomes)
    assert missing == set()


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_no_order_of_calls_leads_the_memory_document_astray(
    request: pytest.FixtureRequest, database: Database
) -> None:
    explore(request, database, examples=20)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_no_order_of_calls_leads_it_astray_on_postgresql_either(
    request: pytest.FixtureRequest, database: Database
) -> None:
    explore(request, database, examples=8)

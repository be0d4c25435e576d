"""Every sentence of the contract that promises behaviour, each with an id and one state.

The contract is two texts, one on the memory document and one on memory items, and the thirty cases of the
field. A test marks what it proves with `@pytest.mark.requirement("items:limit:10-tags-per-item")`;
`tests/test_requirements.py` fails for a kept sentence without a test, and for a test without a sentence.
An id, once written, stays: other projects and change logs may name it.

To keep a deferred sentence: write its test, mark it, and turn its state into `TESTED` in
`tests/requirement_lists/`. `python -m tests.requirements` prints how much of the contract stands.
"""

import sys
from collections import Counter
from pathlib import Path

from tests.requirement_lists import (
    document_capture,
    document_people,
    document_recall,
    field_cases,
    items_changes,
    items_proof,
)
from tests.requirement_lists.coverage import untested
from tests.requirement_lists.markers import collect_markers
from tests.requirement_lists.vocabulary import (
    Capability,
    Deferred,
    NotOurs,
    Requirement,
    Source,
    State,
    Tested,
)

__all__ = [
    "BUILT",
    "REQUIREMENTS",
    "Capability",
    "Deferred",
    "NotOurs",
    "Requirement",
    "Source",
    "State",
    "Tested",
    "summary",
]

REQUIREMENTS: tuple[Requirement, ...] = (
    *items_changes.REQUIREMENTS,
    *items_proof.REQUIREMENTS,
    *document_people.REQUIREMENTS,
    *document_recall.REQUIREMENTS,
    *document_capture.REQUIREMENTS,
    *field_cases.REQUIREMENTS,
)

# What is finished, or being finished in this tree: nothing may be deferred to it.
BUILT = frozenset(
    {Capability.ITEMS, Capability.GOVERNANCE, Capability.DOCUMENT, Capability.ASSISTANT, Capability.SEARCH}
)


def summary(requirements: tuple[Requirement, ...], without_a_test: list[str]) -> str:
    """Counts for each state, then what is deferred, by capability, and what still lacks its test."""
    tested = sum(isinstance(each.state, Tested) for each in requirements)
    not_ours = sum(isinstance(each.state, NotOurs) for each in requirements)
    counted = Counter(each.state.capability for each in requirements if isinstance(each.state, Deferred))
    deferred = {each: counted[each] for each in Capability if counted[each]}
    lines = [
        f"{len(requirements)} entries",
        f"{tested:5} tested, {len(without_a_test)} of them without a test yet",
        f"{counted.total():5} deferred: {', '.join(f'{name} {count}' for name, count in deferred.items())}",
        f"{not_ours:5} not ours",
    ]
    for capability in deferred:
        lines += ["", f"Deferred to {capability}"]
        lines += [
            f"  {each.id}  {each.behaviour}" for each in requirements if each.state == Deferred(capability)
        ]
    if without_a_test:
        lines += ["", "Without a test yet", *(f"  {identifier}" for identifier in without_a_test)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    _markers = collect_markers(Path(__file__).parent)
    sys.stdout.write(summary(REQUIREMENTS, untested(REQUIREMENTS, _markers.named)))

"""No text is a query language: whatever is searched for, items are found or none, and nothing fails.

How long they take is measured, not asserted: benchmarks/hostile.py.
"""

import pytest
from benchmarks._hostile import FIXED, hostile_texts, stretches
from tests.conftest import World

from workspace_memory.domain.item import Scope
from workspace_memory.services.finding import Query, find_items

KEPT = (
    "green tea",
    "Ticket BENCH-100821",
    "C:\\repo\\main.py",
    "They don't",
    "the key health.base",
)
COUNT = 5_000


@pytest.mark.requirement("field:case-09")
def test_5000_hostile_queries_find_items_or_none(world: World) -> None:
    for content in KEPT:
        world.save(world.by_hand(world.bob), content, scope=Scope.PERSONAL)
    bob = world.client(world.bob)
    found = set[str]()
    for text in hostile_texts(COUNT):
        page = find_items(world.deps, bob, world.workspace, Query(text))
        found |= {each.item.content for each in page.found}
    # So that it is known that they were searched for at all.
    assert found == set(KEPT)


def test_the_queries_are_of_every_stretch_of_unicode_that_has_characters() -> None:
    drawn = hostile_texts(COUNT)[len(FIXED) :]
    assert COUNT - len(FIXED) >= len(list(stretches()))
    for text, stretch in zip(drawn, stretches(), strict=False):
        assert set(text) & set(stretch), ascii(stretch[0])

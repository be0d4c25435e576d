"""Saving, changing and deleting items, against every store."""

import pytest
from tests.conftest import World

from workspace_memory.domain.item import Scope, Status
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.saving import Outcome


@pytest.mark.requirement("items:save:facts-preferences-and-notes")
def test_a_saved_item_is_found(world: World) -> None:
    saved = world.save(world.client(world.bob), "Espresso machine is serviced by Rossi")
    page = find_items(world.deps, world.client(world.bob), world.workspace, Query("espresso"))
    assert [f.item.id for f in page.found] == [saved.item.id]
    assert saved.outcome is Outcome.SAVED
    assert saved.item.author_name == "bob"


@pytest.mark.requirement("items:save:company-item-is-pending-under-approval")
def test_a_company_item_of_an_ai_client_is_pending(world: World) -> None:
    from workspace_memory.domain.access import AccessLevel

    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    saved = world.save(world.client(world.bob), scope=Scope.ORGANIZATION)
    assert saved.item.status is Status.PENDING

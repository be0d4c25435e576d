"""The limits, exact also when many saves come at once: they are counted under the workspace lock."""

from datetime import timedelta

import pytest
from sqlalchemy import func, insert, select
from tests.conftest import World, a_draft
from tests.contract.together import answers, at_once, failures

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.errors import QuotaExceeded
from workspace_memory.domain.ids import ItemId, UserId
from workspace_memory.domain.item import (
    PERSONAL_ITEMS_MAX,
    WORKSPACE_ITEMS_MAX,
    Scope,
    Status,
    WriteMode,
    content_key,
)
from workspace_memory.services.items import COMPANY_LIST, forget_item
from workspace_memory.services.members import remove_member
from workspace_memory.services.reviewing import Decision, approve_item
from workspace_memory.services.saving import Outcome, add_items, save_item
from workspace_memory.storage.search import IndexEntry
from workspace_memory.storage.tables import memory_items

COMPANY = Scope.ORGANIZATION


def fill(world: World, number: int, *, owner: UserId | None, status: Status = Status.ACTIVE) -> None:
    """Put rows into the table and the active ones into the index, past every service."""
    at = world.clock.now()
    rows = [
        {
            "workspace_id": world.workspace,
            "id": world.deps.new_id(),
            "scope": (COMPANY if owner is None else Scope.PERSONAL).value,
            "owner_id": owner,
            "kind": "note",
            "content": f"filler {position}",
            "content_key": content_key(f"filler {position}"),
            "tags": "[]",
            "tag_keys": "",
            "status": status.value,
            "source": "test",
            "author_id": owner or world.bob,
            "created_at": at - timedelta(seconds=position),
            "updated_at": at,
            "version": 1,
        }
        for position in range(number)
    ]
    with world.deps.database.begin() as tx:
        tx.connection.execute(insert(memory_items), rows)
        if status is Status.ACTIVE:
            entries = [IndexEntry(ItemId(str(row["id"])), "filler", (), at) for row in rows]
            tx.search.put_many(world.workspace, owner or COMPANY_LIST, entries)


def count(world: World, owner: UserId | None = None) -> int:
    statement = select(func.count()).select_from(memory_items)
    if owner is not None:
        statement = statement.where(memory_items.c.owner_id == owner)
    with world.deps.database.read() as tx:
        return tx.connection.execute(statement).scalar_one()


@pytest.mark.requirement("items:limit:1000-personal-items-per-member")
@pytest.mark.parametrize("already", [960, 990, 999])
def test_40_parallel_saves_leave_exactly_1000(world: World, already: int) -> None:
    fill(world, already, owner=world.bob)
    bob = world.client(world.bob)
    outcomes = at_once(*(lambda n=number: world.save(bob, f"new text {n}").outcome for number in range(40)))
    assert count(world, world.bob) == PERSONAL_ITEMS_MAX
    assert len(answers(outcomes)) == PERSONAL_ITEMS_MAX - already
    assert set(failures(outcomes)) <= {QuotaExceeded}


@pytest.mark.requirement("items:unit:save-keeps-the-limits")
@pytest.mark.parametrize("status", [Status.ACTIVE, Status.PENDING])
def test_a_full_personal_memory_takes_no_more_and_keeps_no_row(world: World, status: Status) -> None:
    fill(world, PERSONAL_ITEMS_MAX, owner=world.bob, status=status)
    with pytest.raises(QuotaExceeded, match="Retrying is useless"):
        world.save(world.client(world.bob))
    assert count(world) == PERSONAL_ITEMS_MAX


def test_it_is_full_for_its_owner_alone(world: World) -> None:
    fill(world, PERSONAL_ITEMS_MAX, owner=world.bob)
    assert world.save(world.client(world.carol)).outcome is Outcome.SAVED


def test_a_full_personal_memory_leaves_room_for_company_items(world: World) -> None:
    fill(world, PERSONAL_ITEMS_MAX, owner=world.bob)
    assert world.company_item().outcome is Outcome.SAVED


def test_what_is_there_already_is_found_although_it_is_full(world: World) -> None:
    fill(world, PERSONAL_ITEMS_MAX, owner=world.bob)
    assert world.save(world.client(world.bob), "filler 7").outcome is Outcome.ALREADY_SAVED


def test_an_item_can_be_replaced_although_it_is_full(world: World) -> None:
    bob = world.client(world.bob)
    item = world.save(bob).item
    fill(world, PERSONAL_ITEMS_MAX - 1, owner=world.bob)
    replaced = save_item(world.deps, bob, world.workspace, a_draft("likes coffee"), replaces=item.id)
    assert replaced.outcome is Outcome.REPLACED


def test_what_is_forgotten_makes_room(world: World) -> None:
    bob = world.client(world.bob)
    item = world.save(bob).item
    fill(world, PERSONAL_ITEMS_MAX - 1, owner=world.bob)
    forget_item(world.deps, bob, world.workspace, item.id)
    assert world.save(bob, "likes coffee").outcome is Outcome.SAVED


def test_of_many_together_none_is_added_when_they_do_not_all_fit(world: World) -> None:
    fill(world, PERSONAL_ITEMS_MAX - 5, owner=world.bob)
    drafts = [a_draft(f"new text {number}") for number in range(6)]
    with pytest.raises(QuotaExceeded):
        add_items(world.deps, world.by_hand(world.bob), world.workspace, drafts)
    assert count(world) == PERSONAL_ITEMS_MAX - 5


@pytest.mark.requirement("items:limit:20000-items-per-workspace")
def test_company_and_personal_items_together_fill_a_workspace(world: World) -> None:
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    fill(world, WORKSPACE_ITEMS_MAX - 501, owner=None)
    fill(world, 500, owner=world.bob)
    assert world.save(world.client(world.carol), "the last one").outcome is Outcome.SAVED
    for scope in Scope:
        with pytest.raises(QuotaExceeded, match="20,000 items of one workspace"):
            world.save(world.client(world.carol), f"one more {scope}", scope=scope)
    assert count(world) == WORKSPACE_ITEMS_MAX


@pytest.mark.requirement("items:limit:20000-items-per-workspace")
def test_many_together_fill_a_workspace_exactly(world: World) -> None:
    fill(world, WORKSPACE_ITEMS_MAX - 10, owner=None)
    fill(world, 5, owner=None, status=Status.REJECTED)
    alice = world.by_hand(world.alice)
    drafts = [a_draft(f"new text {number}", scope=COMPANY) for number in range(6)]
    with pytest.raises(QuotaExceeded):
        add_items(world.deps, alice, world.workspace, drafts)
    add_items(world.deps, alice, world.workspace, drafts[:5])
    assert count(world) == WORKSPACE_ITEMS_MAX


def test_what_an_index_has_too_much_refuses_nothing(world: World) -> None:
    fill(world, WORKSPACE_ITEMS_MAX - 1, owner=None)
    with world.deps.database.begin() as tx:
        tx.search.put(world.workspace, "stray", ItemId("stray"), "stray", (), created_at=world.clock.now())
    assert world.save(world.client(world.bob)).outcome is Outcome.SAVED


def test_the_index_and_what_is_not_in_it_are_all_items(world: World) -> None:
    world.configure(write_mode=WriteMode.APPROVAL)
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    bob, carol = world.client(world.bob), world.client(world.carol)
    kept, forgotten = (world.save(bob, text).item for text in ("likes tea", "likes coffee"))
    proposed = [
        world.save(carol, f"The kitchen opens at {hour}", scope=COMPANY).item
        for hour in ("six", "nine", "ten")
    ]
    world.save(carol, "own text")
    world.company_item()
    save_item(world.deps, bob, world.workspace, a_draft("likes green tea"), replaces=kept.id)
    forget_item(world.deps, bob, world.workspace, forgotten.id)
    world.set_status(proposed[1], Status.REJECTED)
    alice = world.by_hand(world.alice)
    approve_item(world.deps, alice, world.workspace, Decision(proposed[2].id, proposed[2].version))
    remove_member(world.deps, alice, world.workspace, world.carol)
    with world.deps.database.read() as tx:
        indexed, waiting = tx.search.count(world.workspace), tx.items.count_waiting(world.workspace)
    assert (indexed, waiting, count(world)) == (3, 2, 5)


def test_a_full_workspace_leaves_room_in_another(world: World) -> None:
    fill(world, WORKSPACE_ITEMS_MAX, owner=None)
    assert world.save(world.client(world.mallory)).outcome is Outcome.SAVED


@pytest.mark.requirement("items:limit:20000-items-per-workspace")
def test_parallel_saves_of_several_members_fill_a_workspace_exactly(world: World) -> None:
    fill(world, WORKSPACE_ITEMS_MAX - 5, owner=None)
    outcomes = at_once(
        *(
            lambda n=number, u=user: world.save(world.client(u), f"new text {n}").outcome
            for number in range(6)
            for user in (world.alice, world.bob, world.carol)
        )
    )
    assert (count(world), len(answers(outcomes)), set(failures(outcomes))) == (
        WORKSPACE_ITEMS_MAX,
        5,
        {QuotaExceeded},
    )

"""Reading, editing, deleting and forgetting items: who may, against which version, and what the index shows."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from tests.conftest import World
from tests.contract.together import answers, at_once, failures

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import (
    Forbidden,
    InvalidRequest,
    LevelTooLow,
    NotFound,
    VersionMismatch,
)
from workspace_memory.domain.ids import ItemId, ItemVersion
from workspace_memory.domain.item import Kind, MemoryItem, Scope, Status
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import (
    Change,
    delete_item,
    edit_item,
    forget_item,
    get_item,
    item_history,
)
from workspace_memory.storage.tables import memory_items

V1, V2 = ItemVersion(1), ItemVersion(2)
COMPANY = Scope.ORGANIZATION


def edit(
    world: World, actor: Actor, item: MemoryItem, content: str = "likes black tea", shown: ItemVersion = V1
) -> MemoryItem:
    return edit_item(world.deps, actor, world.workspace, item.id, Change(content), shown=V1)


def found_by(world: World, text: str, who: Actor) -> list[ItemId]:
    return [found.item.id for found in find_items(world.deps, who, world.workspace, Query(text)).found]


def is_there(world: World, item: MemoryItem) -> bool:
    with world.deps.database.read() as tx:
        return item.id in tx.connection.execute(select(memory_items.c.id)).scalars().all()


@pytest.fixture
def item(world: World) -> MemoryItem:
    """A personal item of bob's."""
    return world.save(world.client(world.bob)).item


# --- Editing -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:search:index-changes-with-the-item")
def test_an_edit_shows_in_the_next_search(world: World, item: MemoryItem) -> None:
    bob = world.by_hand(world.bob)
    edit(world, bob, item, "likes black coffee")
    assert (found_by(world, "coffee", bob), found_by(world, "green", bob)) == ([item.id], [])


def test_an_edit_keeps_what_it_does_not_name(world: World) -> None:
    bob = world.by_hand(world.bob)
    item = world.save(bob, tags=("drinks",), kind=Kind.PREFERENCE).item
    world.clock.move(timedelta(minutes=1))
    changed = edit(world, bob, item)
    assert (changed.kind, changed.tags, changed.author, changed.created_at) == (
        Kind.PREFERENCE,
        ("drinks",),
        world.bob,
        item.created_at,
    )
    assert changed.updated_at == world.clock.now()


def test_an_edit_can_take_the_tags_away(world: World) -> None:
    bob = world.by_hand(world.bob)
    item = world.save(bob, tags=("drinks",)).item
    assert edit_item(world.deps, bob, world.workspace, item.id, Change(tags=()), shown=V1).tags == ()


def test_what_an_edit_answers_is_what_is_kept(world: World, item: MemoryItem) -> None:
    bob = world.by_hand(world.bob)
    change = Change("Mu\u0308nchen", Kind.FACT, [" Tea "])
    changed = edit_item(world.deps, bob, world.workspace, item.id, change, shown=V1)
    assert get_item(world.deps, bob, world.workspace, item.id) == changed
    assert (changed.content, changed.tags) == ("München", ("Tea",))


def test_the_history_tells_every_version_and_who_wrote_it(world: World) -> None:
    item = world.company_item("The office closes at six").item
    edit(world, world.by_hand(world.alice), item, "The office closes at eight")
    history = item_history(world.deps, world.by_hand(world.carol), world.workspace, item.id)
    assert [(entry.version, entry.content, entry.changed_by_name) for entry in history] == [
        (2, "The office closes at eight", "alice"),
        (1, "The office closes at six", "bob"),
    ]


def test_an_edit_against_another_version_is_refused_with_the_present_one(
    world: World, item: MemoryItem
) -> None:
    bob = world.by_hand(world.bob)
    edit(world, bob, item)
    with pytest.raises(VersionMismatch) as refused:
        edit(world, bob, item, "likes coffee")
    assert (refused.value.current, get_item(world.deps, bob, world.workspace, item.id).content) == (
        2,
        "likes black tea",
    )


def test_of_two_edits_at_once_exactly_one_wins(world: World, item: MemoryItem) -> None:
    bob = world.by_hand(world.bob)
    outcomes = at_once(
        *(lambda t=text: edit(world, bob, item, t).content for text in ("likes coffee", "likes water"))
    )
    assert (len(answers(outcomes)), failures(outcomes)) == (1, [VersionMismatch])
    kept = get_item(world.deps, bob, world.workspace, item.id)
    assert ([kept.content], kept.version) == (answers(outcomes), 2)


def test_of_an_edit_and_a_delete_at_once_one_wins(world: World, item: MemoryItem) -> None:
    bob = world.by_hand(world.bob)
    outcomes = at_once(
        lambda: str(edit(world, bob, item).id),
        lambda: str(delete_item(world.deps, bob, world.workspace, item.id, shown=V1)),
    )
    assert len(answers(outcomes)) == 1
    assert set(failures(outcomes)) <= {VersionMismatch, NotFound}


@pytest.mark.parametrize(
    "change",
    [
        Change("x" * 2_001),
        Change(" "),
        Change("a\0"),
        Change("\ud800"),
        Change(tags=[str(n) for n in range(11)]),
    ],
)
def test_an_edit_out_of_bounds_changes_nothing(world: World, item: MemoryItem, change: Change) -> None:
    bob = world.by_hand(world.bob)
    with pytest.raises(InvalidRequest):
        edit_item(world.deps, bob, world.workspace, item.id, change, shown=V1)
    assert get_item(world.deps, bob, world.workspace, item.id) == item


@pytest.mark.requirement("items:unit:curators-only-for-company-items")
def test_curators_edit_company_items(world: World) -> None:
    item = world.company_item().item
    assert edit(world, world.by_hand(world.alice), item).content == "likes black tea"


@pytest.mark.requirement("items:unit:curators-only-for-company-items")
def test_a_viewer_does_not_edit_company_items(world: World) -> None:
    with pytest.raises(Forbidden):
        edit(world, world.by_hand(world.carol), world.company_item().item)


def test_an_editor_with_a_capped_token_does_not_edit_company_items(world: World) -> None:
    capped = world.by_hand(world.bob, max_level=AccessLevel.PERSONAL)
    with pytest.raises(LevelTooLow):
        edit(world, capped, world.company_item().item)


def test_a_token_that_only_reads_does_not_edit(world: World, item: MemoryItem) -> None:
    with pytest.raises(LevelTooLow):
        edit(world, world.by_hand(world.bob, max_level=AccessLevel.READ), item)


# --- Deleting and forgetting -------------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:forget-an-own-item")
def test_a_forgotten_item_is_gone_from_search_and_lists(world: World, item: MemoryItem) -> None:
    bob = world.client(world.bob)
    forget_item(world.deps, bob, world.workspace, item.id)
    assert (found_by(world, "green tea", bob), found_by(world, "", bob)) == ([], [])
    with pytest.raises(NotFound):
        get_item(world.deps, bob, world.workspace, item.id)


def test_it_takes_its_history_along(world: World, item: MemoryItem) -> None:
    edit(world, world.by_hand(world.bob), item)
    forget_item(world.deps, world.client(world.bob), world.workspace, item.id)
    with world.deps.database.read() as tx:
        assert tx.connection.exec_driver_sql("SELECT count(*) FROM memory_item_history").scalar() == 0


def test_forgetting_twice_is_not_found(world: World, item: MemoryItem) -> None:
    forget_item(world.deps, world.client(world.bob), world.workspace, item.id)
    with pytest.raises(NotFound):
        forget_item(world.deps, world.client(world.bob), world.workspace, item.id)


@pytest.mark.requirement("items:forget:own-personal-items-only")
def test_a_company_item_is_not_forgotten(world: World) -> None:
    item = world.company_item().item
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    with pytest.raises(NotFound):
        forget_item(world.deps, world.client(world.bob), world.workspace, item.id)
    assert is_there(world, item)


@pytest.mark.parametrize("level", [AccessLevel.NONE, AccessLevel.READ])
def test_below_personal_nothing_is_forgotten(world: World, item: MemoryItem, level: AccessLevel) -> None:
    world.set_level(world.bob, level)
    with pytest.raises(LevelTooLow):
        forget_item(world.deps, world.client(world.bob), world.workspace, item.id)
    assert is_there(world, item)


def test_a_person_deletes_an_own_item(world: World, item: MemoryItem) -> None:
    delete_item(world.deps, world.by_hand(world.bob), world.workspace, item.id)
    assert not is_there(world, item)


def test_a_delete_against_another_version_is_refused(world: World, item: MemoryItem) -> None:
    with pytest.raises(VersionMismatch):
        delete_item(world.deps, world.by_hand(world.bob), world.workspace, item.id, shown=V2)
    assert is_there(world, item)


@pytest.mark.requirement("items:unit:curators-only-for-company-items")
@pytest.mark.parametrize(("who", "may"), [("alice", True), ("bob", True), ("carol", False)])
def test_curators_and_nobody_else_delete_company_items(world: World, who: str, may: bool) -> None:
    item = world.company_item().item
    actor = world.by_hand(getattr(world, who))
    if may:
        delete_item(world.deps, actor, world.workspace, item.id)
    else:
        with pytest.raises(Forbidden):
            delete_item(world.deps, actor, world.workspace, item.id)
    assert is_there(world, item) is not may


def proposal(world: World) -> MemoryItem:
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    return world.save(world.client(world.carol), scope=COMPANY).item


def test_an_author_withdraws_the_own_proposal(world: World) -> None:
    item = proposal(world)
    delete_item(world.deps, world.by_hand(world.carol), world.workspace, item.id)
    assert not is_there(world, item)


@pytest.mark.parametrize("cap", [AccessLevel.NONE, AccessLevel.READ, AccessLevel.PERSONAL])
def test_a_capped_token_withdraws_no_proposal(world: World, cap: AccessLevel) -> None:
    item = proposal(world)
    with pytest.raises(LevelTooLow):
        delete_item(world.deps, world.by_hand(world.carol, max_level=cap), world.workspace, item.id)
    assert is_there(world, item)


def test_an_author_does_not_withdraw_what_was_approved(world: World) -> None:
    item = proposal(world)
    world.set_status(item, Status.ACTIVE)
    with pytest.raises(Forbidden):
        delete_item(world.deps, world.by_hand(world.carol), world.workspace, item.id)


@pytest.mark.parametrize("item", ["", "nothing", "\0", "\ud800", "0190a0b0-aaaa-7000-8000-00000000abcd"])
def test_what_is_no_item_is_not_found(world: World, item: str) -> None:
    bob = world.by_hand(world.bob)
    for act in (get_item, item_history, delete_item, forget_item):
        with pytest.raises(NotFound):
            act(world.deps, bob, world.workspace, ItemId(item))


@pytest.mark.requirement("items:search:index-changes-with-the-item")
def test_a_pending_or_rejected_item_leaves_the_index(world: World) -> None:
    item = proposal(world)
    assert item.status is Status.PENDING
    for who in (world.client(world.carol), world.by_hand(world.carol), world.by_hand(world.bob)):
        assert found_by(world, "green tea", who) == []

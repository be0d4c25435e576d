"""Which items exist for whom: every actor, every kind of item, every way of asking."""

import pytest
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import DomainError, Forbidden, NotFound
from workspace_memory.domain.ids import ItemId, ItemVersion
from workspace_memory.domain.item import MemoryItem, Scope, Status, draft
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import (
    Change,
    delete_item,
    edit_item,
    forget_item,
    get_item,
    item_history,
)
from workspace_memory.services.members import change_member
from workspace_memory.services.memory_status import memory_status
from workspace_memory.services.saving import save_item

COMPANY = Scope.ORGANIZATION
OTHERS = ["alice", "carol"]
CHANNELS = ["client", "by_hand"]


@pytest.fixture
def item(world: World) -> MemoryItem:
    """A personal item of bob's, in a workspace where everybody may contribute."""
    for user in (world.alice, world.bob, world.carol):
        world.set_level(user, AccessLevel.CONTRIBUTE)
    return world.save(world.client(world.bob), "keeps a zebra in the kitchen", tags=("animals",)).item


def refusals(
    world: World, actor: Actor, item: ItemId
) -> list[tuple[type[DomainError], str, dict[str, object]]]:
    """What every way of asking for the item answers."""
    deps, workspace = world.deps, world.workspace
    change, shown = Change("no longer"), ItemVersion(1)
    answered: list[tuple[type[DomainError], str, dict[str, object]]] = []
    for ask in (
        lambda: get_item(deps, actor, workspace, item),
        lambda: item_history(deps, actor, workspace, item),
        lambda: edit_item(deps, actor, workspace, item, change, shown=shown),
        lambda: edit_item(deps, actor, workspace, item, change, shown=ItemVersion(7)),
        lambda: delete_item(deps, actor, workspace, item),
        lambda: delete_item(deps, actor, workspace, item, shown=ItemVersion(7)),
        lambda: forget_item(deps, actor, workspace, item),
        lambda: save_item(deps, actor, workspace, draft("no longer"), replaces=item),
    ):
        with pytest.raises(DomainError) as refused:
            ask()
        answered.append((type(refused.value), str(refused.value), refused.value.facts()))
    return answered


@pytest.mark.requirement("field:case-02:items")
@pytest.mark.requirement("items:privacy:answers-like-a-missing-item")
@pytest.mark.requirement("items:unit:foreign-personal-item-not-found-by-an-admin")
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("who", OTHERS)
def test_somebody_elses_item_answers_like_a_missing_one(
    world: World, item: MemoryItem, who: str, channel: str
) -> None:
    actor = getattr(world, channel)(getattr(world, who))
    assert refusals(world, actor, item.id) == refusals(world, actor, ItemId(world.deps.new_id()))
    assert {kind for kind, _, _ in refusals(world, actor, item.id)} == {NotFound}


@pytest.mark.requirement("items:privacy:only-the-owner-edits")
@pytest.mark.requirement("items:privacy:only-the-owner-deletes")
@pytest.mark.requirement("items:e2e:the-member-still-sees-it")
def test_after_all_attempts_the_owner_has_it_unchanged(world: World, item: MemoryItem) -> None:
    for who in OTHERS:
        for channel in CHANNELS:
            refusals(world, getattr(world, channel)(getattr(world, who)), item.id)
    assert get_item(world.deps, world.by_hand(world.bob), world.workspace, item.id) == item


@pytest.mark.requirement("items:privacy:only-the-owner-reads")
@pytest.mark.requirement("items:unit:search-personal-for-the-owner")
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("who", OTHERS)
@pytest.mark.parametrize(
    "query",
    [
        Query("zebra"),
        Query("zebra", scope=Scope.PERSONAL),
        Query("animals"),
        Query(),
        Query(scope=Scope.PERSONAL),
        Query(tag="animals"),
        Query(status=None),
    ],
)
def test_no_search_or_list_of_others_finds_it(
    world: World, item: MemoryItem, who: str, channel: str, query: Query
) -> None:
    actor = getattr(world, channel)(getattr(world, who))
    assert find_items(world.deps, actor, world.workspace, query).found == []


@pytest.mark.requirement("items:privacy:only-the-owner-reads")
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(
    "query", [Query("zebra"), Query(), Query(scope=Scope.PERSONAL), Query(tag="ANIMALS")]
)
def test_the_owner_finds_it_every_way(world: World, item: MemoryItem, channel: str, query: Query) -> None:
    actor = getattr(world, channel)(world.bob)
    assert [found.item for found in find_items(world.deps, actor, world.workspace, query).found] == [item]


def test_no_count_tells_of_it(world: World, item: MemoryItem) -> None:
    for who in OTHERS:
        status = memory_status(world.deps, world.by_hand(getattr(world, who)), world.workspace)
        assert (status.personal_items, status.company_active, status.company_pending) == (0, 0, 0)


@pytest.mark.requirement("items:e2e:admins-list-shows-own-items-only")
def test_an_admins_personal_list_is_the_admins_own(world: World, item: MemoryItem) -> None:
    own = world.save(world.by_hand(world.alice), "waters the plants").item
    page = find_items(world.deps, world.by_hand(world.alice), world.workspace, Query(scope=Scope.PERSONAL))
    assert [found.item.id for found in page.found] == [own.id]


def test_a_rank_does_not_depend_on_what_others_keep(world: World, item: MemoryItem) -> None:
    actor = world.client(world.carol)
    world.save(actor, "a zebra in the zoo")
    before = [f.score for f in find_items(world.deps, actor, world.workspace, Query("zebra")).found]
    for number in range(5):
        world.save(world.client(world.bob), f"zebra number {number}")
    assert [f.score for f in find_items(world.deps, actor, world.workspace, Query("zebra")).found] == before


# --- Company items -----------------------------------------------------------------------------------------


@pytest.mark.requirement("items:e2e:viewer-sees-active-company-items")
@pytest.mark.requirement("items:scope:a-workspace-has-company-memory")
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("who", ["alice", "bob", "carol"])
def test_active_company_items_are_there_for_every_member(world: World, who: str, channel: str) -> None:
    item = world.company_item().item
    actor = getattr(world, channel)(getattr(world, who))
    assert get_item(world.deps, actor, world.workspace, item.id).id == item.id
    assert [f.item.id for f in find_items(world.deps, actor, world.workspace, Query("office")).found] == [
        item.id
    ]


@pytest.mark.parametrize("status", [Status.PENDING, Status.REJECTED])
@pytest.mark.parametrize(
    ("who", "channel", "sees"),
    [
        ("carol", "client", True),  # its author
        ("carol", "by_hand", True),
        ("bob", "by_hand", True),  # curators by hand
        ("alice", "by_hand", True),
        ("bob", "client", False),  # and no AI client of theirs
        ("alice", "client", False),
    ],
)
def test_a_proposal_is_there_for_its_author_and_curators_by_hand(
    world: World, status: Status, who: str, channel: str, sees: bool
) -> None:
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    item = world.save(world.client(world.carol), scope=COMPANY).item
    world.set_status(item, status)
    actor = getattr(world, channel)(getattr(world, who))
    listed = find_items(world.deps, actor, world.workspace, Query(status=status)).found
    assert [found.item.id for found in listed] == ([item.id] if sees else [])
    if not sees:
        with pytest.raises(NotFound):
            get_item(world.deps, actor, world.workspace, item.id)


def test_another_viewer_does_not_see_a_proposal(world: World) -> None:
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    item = world.save(world.client(world.bob), scope=COMPANY).item
    with pytest.raises(NotFound):
        get_item(world.deps, world.by_hand(world.carol), world.workspace, item.id)


def test_a_curator_with_a_capped_token_is_no_curator(world: World) -> None:
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    item = world.save(world.client(world.carol), scope=COMPANY).item
    capped = world.by_hand(world.bob, max_level=AccessLevel.PERSONAL)
    with pytest.raises(NotFound):
        get_item(world.deps, capped, world.workspace, item.id)


def test_a_viewer_who_asks_for_the_review_queue_is_refused(world: World) -> None:
    for actor in (world.by_hand(world.carol), world.client(world.bob)):
        with pytest.raises(Forbidden):
            find_items(world.deps, actor, world.workspace, Query(scope=COMPANY, status=Status.PENDING))


# --- No access at all --------------------------------------------------------------------------------------


@pytest.mark.requirement("items:unit:access-of-a-non-member")
@pytest.mark.requirement("items:unit:search-stays-in-the-workspace")
def test_for_a_stranger_the_workspace_is_not_there(world: World, item: MemoryItem) -> None:
    for actor in (world.client(world.mallory), world.by_hand(world.mallory)):
        with pytest.raises(NotFound, match="workspace"):
            find_items(world.deps, actor, world.workspace, Query())
        assert {kind for kind, _, _ in refusals(world, actor, item.id)} == {NotFound}


@pytest.mark.requirement("items:unit:search-stays-in-the-workspace")
@pytest.mark.requirement("items:unit:arguments-stay-in-the-servers-workspace")
def test_an_id_of_another_workspace_is_missing(world: World, item: MemoryItem) -> None:
    for actor in (world.client(world.mallory), world.by_hand(world.mallory)):
        with pytest.raises(NotFound, match="item"):
            get_item(world.deps, actor, world.other_workspace, item.id)
        assert find_items(world.deps, actor, world.other_workspace, Query("zebra")).found == []


@pytest.mark.requirement("items:e2e:second-workspace-does-not-see-the-first")
def test_the_same_person_has_another_memory_in_another_workspace(world: World, item: MemoryItem) -> None:
    with world.deps.database.begin() as tx:
        tx.members.add(workspace=world.other_workspace, user=world.bob, role=Role.ADMIN, at=world.clock.now())
    bob = world.by_hand(world.bob)
    assert find_items(world.deps, bob, world.other_workspace, Query("zebra")).found == []
    assert find_items(world.deps, bob, world.other_workspace, Query()).found == []


@pytest.mark.requirement("items:unit:access-of-a-deactivated-member")
def test_a_deactivated_member_has_no_access_whatever_the_level(world: World, item: MemoryItem) -> None:
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    for actor in (world.client(world.bob), world.by_hand(world.bob)):
        assert {kind for kind, _, _ in refusals(world, actor, item.id)} == {Forbidden}
        with pytest.raises(Forbidden, match="deactivated"):
            find_items(world.deps, actor, world.workspace, Query())


@pytest.mark.requirement("items:level:checked-again-at-each-call")
@pytest.mark.requirement("field:case-24:items")
def test_a_lowered_level_holds_from_the_next_call_on(world: World, item: MemoryItem) -> None:
    actor = world.client(world.bob)
    world.set_level(world.bob, AccessLevel.NONE)
    with pytest.raises(Forbidden):
        find_items(world.deps, actor, world.workspace, Query())
    with pytest.raises(Forbidden):
        save_item(world.deps, actor, world.workspace, draft("one more"))

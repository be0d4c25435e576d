"""Members: the last admin, who may change whom, leaving, and pages."""

from functools import partial

import pytest
from tests.conftest import World
from tests.contract.together import at_once, failures

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LastAdmin, LevelTooLow, NotFound
from workspace_memory.domain.ids import UserId
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.members import change_member, get_member, list_members, remove_member


def role_of(world: World, user: UserId) -> Role:
    return get_member(world.deps, world.by_hand(world.carol), world.workspace, user).role


def change(world: World, actor: Actor, user: UserId, **changes: object) -> None:
    change_member(world.deps, actor, world.workspace, user, **changes)  # pyright: ignore[reportArgumentType]  a test's shorthand


def test_every_member_sees_everybody(world: World) -> None:
    page = list_members(world.deps, world.by_hand(world.carol), world.workspace)
    assert [(m.name, m.role) for m in page.members] == [
        ("alice", Role.ADMIN),
        ("bob", Role.EDITOR),
        ("carol", Role.VIEWER),
    ]


def test_the_pages_hold_everybody_once(world: World) -> None:
    seen: list[str] = []
    after: UserId | None = None
    for _ in range(3):
        page = list_members(world.deps, world.by_hand(world.alice), world.workspace, after=after, limit=1)
        seen += [member.name for member in page.members]
        after = page.next_after
    assert (seen, after) == (["alice", "bob", "carol"], None)


@pytest.mark.parametrize("after", ["", "x", "\0", "\ud800"])
def test_a_place_that_no_page_gave_is_refused(world: World, after: str) -> None:
    with pytest.raises(InvalidRequest, match="after"):
        list_members(world.deps, world.by_hand(world.alice), world.workspace, after=UserId(after))


@pytest.mark.parametrize("who", ["bob", "carol"])
@pytest.mark.parametrize(
    "changes",
    [{"role": Role.ADMIN}, {"memory_access": AccessLevel.CONTRIBUTE}, {"status": MemberStatus.ACTIVE}],
)
def test_only_admins_change_members_themselves_included(
    world: World, who: str, changes: dict[str, object]
) -> None:
    user = getattr(world, who)
    with pytest.raises(Forbidden, match="admin"):
        change(world, world.by_hand(user), user, **changes)


def test_a_capped_token_of_an_admin_changes_nobody(world: World) -> None:
    with pytest.raises(LevelTooLow):
        change(world, world.by_hand(world.alice, max_level=AccessLevel.PERSONAL), world.bob, role=Role.ADMIN)
    assert role_of(world, world.bob) is Role.EDITOR


def test_an_admin_of_another_workspace_finds_nobody_here(world: World) -> None:
    with pytest.raises(NotFound, match="workspace"):
        change(world, world.by_hand(world.mallory), world.bob, role=Role.VIEWER)
    with pytest.raises(NotFound, match="member"):
        change_member(
            world.deps, world.by_hand(world.mallory), world.other_workspace, world.bob, role=Role.VIEWER
        )


@pytest.mark.parametrize("user", ["", "nobody", "\0", "\ud800"])
def test_what_is_no_member_is_not_found(world: World, user: str) -> None:
    with pytest.raises(NotFound, match="member"):
        change(world, world.by_hand(world.alice), UserId(user), role=Role.VIEWER)


def test_a_change_leaves_the_rest_as_it_was(world: World) -> None:
    change(world, world.by_hand(world.alice), world.bob, memory_access=AccessLevel.READ)
    member = get_member(world.deps, world.by_hand(world.bob), world.workspace, world.bob)
    assert (member.role, member.status, member.memory_access) == (
        Role.EDITOR,
        MemberStatus.ACTIVE,
        AccessLevel.READ,
    )


@pytest.mark.parametrize("changes", [{"role": Role.EDITOR}, {"status": MemberStatus.DEACTIVATED}])
def test_the_last_admin_stays_one(world: World, changes: dict[str, object]) -> None:
    with pytest.raises(LastAdmin):
        change(world, world.by_hand(world.alice), world.alice, **changes)
    assert role_of(world, world.alice) is Role.ADMIN


def test_the_last_admin_cannot_leave(world: World) -> None:
    with pytest.raises(LastAdmin):
        remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.alice)
    assert role_of(world, world.alice) is Role.ADMIN


def test_a_deactivated_admin_does_not_count(world: World) -> None:
    alice = world.by_hand(world.alice)
    change(world, alice, world.bob, role=Role.ADMIN, status=MemberStatus.DEACTIVATED)
    with pytest.raises(LastAdmin):
        change(world, alice, world.alice, role=Role.VIEWER)


def test_of_two_admins_who_leave_at_once_one_stays(world: World) -> None:
    change(world, world.by_hand(world.alice), world.bob, role=Role.ADMIN)
    outcomes = at_once(
        *(
            lambda u=user: remove_member(world.deps, world.by_hand(u), world.workspace, u)
            for user in (world.alice, world.bob)
        )
    )
    assert failures(outcomes) == [LastAdmin]


def test_of_two_admins_who_demote_each_other_one_stays(world: World) -> None:
    change(world, world.by_hand(world.alice), world.bob, role=Role.ADMIN)
    pairs = [(world.alice, world.bob), (world.bob, world.alice)]
    outcomes = at_once(*(partial(change, world, world.by_hand(a), b, role=Role.VIEWER) for a, b in pairs))
    assert len(failures(outcomes)) == 1
    with world.deps.database.read() as tx:
        assert tx.members.active_admins(world.workspace) == 1


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_everybody_else_may_leave(world: World, who: str) -> None:
    user = getattr(world, who)
    remove_member(world.deps, world.by_hand(user), world.workspace, user)
    with pytest.raises(NotFound, match="workspace"):
        find_items(world.deps, world.by_hand(user), world.workspace, Query())


@pytest.mark.parametrize("cap", [AccessLevel.READ, AccessLevel.PERSONAL])
def test_a_capped_token_does_not_make_its_owner_leave(world: World, cap: AccessLevel) -> None:
    with pytest.raises(LevelTooLow):
        remove_member(world.deps, world.by_hand(world.bob, max_level=cap), world.workspace, world.bob)
    assert role_of(world, world.bob) is Role.EDITOR


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_only_admins_remove_others(world: World, who: str) -> None:
    with pytest.raises(Forbidden):
        remove_member(world.deps, world.by_hand(getattr(world, who)), world.workspace, world.alice)


def test_a_deactivated_member_may_nothing_and_is_told_why(world: World) -> None:
    change(world, world.by_hand(world.alice), world.bob, status=MemberStatus.DEACTIVATED)
    with pytest.raises(Forbidden, match="deactivated"):
        list_members(world.deps, world.by_hand(world.bob), world.workspace)

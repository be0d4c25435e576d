"""Settings of a workspace and levels of its members: by admins, in force at once, each change in the log."""

import threading

import pytest
from tests.conftest import World
from tests.contract.together import at_once, failures

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import WorkspaceSettings
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction, AuditEvent
from workspace_memory.domain.errors import DomainError, Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.item import Scope, Status, WriteMode
from workspace_memory.services.audit import AuditQuery, list_audit
from workspace_memory.services.deps import new_uuid7
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.members import AccessChange, change_member, get_member, set_access
from workspace_memory.services.settings import change_settings, get_settings

COMPANY = Scope.ORGANIZATION


def events(world: World, action: AuditAction) -> list[AuditEvent]:
    query = AuditQuery(action=action)
    return list(list_audit(world.deps, world.by_hand(world.alice), world.workspace, query).events)


def levels(world: World) -> dict[str, AccessLevel]:
    return {
        name: get_member(world.deps, world.by_hand(world.alice), world.workspace, user).memory_access
        for user, name in world.people.items()
        if user != world.mallory
    }


def many_members(world: World, count: int) -> list[UserId]:
    users = [UserId(new_uuid7()) for _ in range(count)]
    with world.deps.database.begin() as tx:
        for number, user in enumerate(users):
            at = world.clock.now()
            tx.accounts.add(user=user, email=f"m{number}@example.com", name="m", password_hash=None, at=at)
            tx.members.add(workspace=world.workspace, user=user, role=Role.VIEWER, at=at)
    return users


# --- Settings ------------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:settings:default-access-can-be-set")
def test_who_inherits_follows_the_default(world: World) -> None:
    alice = world.by_hand(world.alice)
    change_settings(world.deps, alice, world.workspace, default_access=AccessLevel.READ)
    with pytest.raises(LevelTooLow):
        world.save(world.client(world.bob))
    change_settings(world.deps, alice, world.workspace, default_access=AccessLevel.CONTRIBUTE)
    assert world.save(world.client(world.bob), scope=COMPANY).item.status is Status.PENDING


@pytest.mark.requirement("items:settings:write-mode-can-be-auto")
@pytest.mark.requirement("items:settings:admin-sets-whether-approval-is-needed")
@pytest.mark.requirement("items:save:company-item-is-active-under-auto")
@pytest.mark.requirement("items:unit:save-under-auto")
def test_the_write_mode_is_set_to_auto_and_back(world: World) -> None:
    alice, bob = world.by_hand(world.alice), world.client(world.bob)
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    change_settings(world.deps, alice, world.workspace, write_mode=WriteMode.AUTO)
    assert world.save(bob, "closes at six", scope=COMPANY).item.status is Status.ACTIVE
    assert find_items(world.deps, world.client(world.carol), world.workspace, Query("six")).found
    change_settings(world.deps, alice, world.workspace, write_mode=WriteMode.APPROVAL)
    assert world.save(bob, "opens at nine", scope=COMPANY).item.status is Status.PENDING


def test_every_member_may_read_them(world: World) -> None:
    assert get_settings(world.deps, world.by_hand(world.carol), world.workspace) == WorkspaceSettings()


def test_what_is_not_given_stays(world: World) -> None:
    alice = world.by_hand(world.alice)
    change_settings(world.deps, alice, world.workspace, write_mode=WriteMode.AUTO)
    changed = change_settings(world.deps, alice, world.workspace, default_access=AccessLevel.NONE)
    assert changed == WorkspaceSettings(AccessLevel.NONE, WriteMode.AUTO)


@pytest.mark.requirement("items:audit:settings-changed")
def test_a_change_is_in_the_log_with_before_and_after(world: World) -> None:
    change_settings(world.deps, world.by_hand(world.alice), world.workspace, default_access=AccessLevel.READ)
    [event] = events(world, AuditAction.MEMORY_SETTINGS_CHANGED)
    assert event.actor == world.alice
    assert event.facts == {
        "default_access_from": "personal",
        "default_access_to": "read",
        "write_mode_from": "approval",
        "write_mode_to": "approval",
        "assistant_tokens_from": 2_000_000,
        "assistant_tokens_to": 2_000_000,
    }


def test_setting_what_holds_already_is_no_change(world: World) -> None:
    change_settings(world.deps, world.by_hand(world.alice), world.workspace, write_mode=WriteMode.APPROVAL)
    assert events(world, AuditAction.MEMORY_SETTINGS_CHANGED) == []


def test_a_default_cannot_be_inherited(world: World) -> None:
    with pytest.raises(InvalidRequest, match="none, read, personal, contribute"):
        change_settings(
            world.deps, world.by_hand(world.alice), world.workspace, default_access=AccessLevel.INHERIT
        )


def strangers(world: World) -> list[tuple[Actor, type[DomainError]]]:
    return [
        (world.by_hand(world.bob), Forbidden),
        (world.by_hand(world.carol), Forbidden),
        (world.by_hand(world.mallory), NotFound),
        (world.client(world.alice), Forbidden),
        (world.by_hand(world.alice, max_level=AccessLevel.PERSONAL), LevelTooLow),
    ]


@pytest.mark.parametrize("number", range(5))
def test_only_admins_by_hand_change_settings_and_levels(world: World, number: int) -> None:
    actor, refusal = strangers(world)[number]
    with pytest.raises(refusal):
        change_settings(world.deps, actor, world.workspace, write_mode=WriteMode.AUTO)
    with pytest.raises(refusal):
        set_access(world.deps, actor, world.workspace, [AccessChange(world.bob, AccessLevel.NONE)])


# --- Levels --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:access:admin-sets-each-members-level")
@pytest.mark.requirement("items:audit:access-changed-one-row-per-member")
def test_several_levels_are_set_at_once_with_a_row_for_each(world: World) -> None:
    alice = world.by_hand(world.alice)
    changes = [AccessChange(world.bob, AccessLevel.READ), AccessChange(world.carol, AccessLevel.NONE)]
    changed = set_access(world.deps, alice, world.workspace, changes)
    assert [member.memory_access for member in changed.members] == [AccessLevel.READ, AccessLevel.NONE]
    rows = {event.subject: event.facts for event in events(world, AuditAction.MEMORY_ACCESS_CHANGED)}
    assert rows == {
        world.bob: {"level_from": "inherit", "level_to": "read"},
        world.carol: {"level_from": "inherit", "level_to": "none"},
    }


def test_who_has_the_level_already_makes_no_row(world: World) -> None:
    changes = [AccessChange(world.bob, AccessLevel.INHERIT), AccessChange(world.carol, AccessLevel.NONE)]
    changed = set_access(world.deps, world.by_hand(world.alice), world.workspace, changes)
    assert changed.changed == 1
    assert [event.subject for event in events(world, AuditAction.MEMORY_ACCESS_CHANGED)] == [world.carol]


@pytest.mark.requirement("items:unit:access-changes")
@pytest.mark.parametrize("stranger", ["mallory", "nobody", "no id"])
def test_one_who_is_no_member_stops_all_changes(world: World, stranger: str) -> None:
    user = {"mallory": world.mallory, "nobody": UserId(new_uuid7())}.get(stranger, UserId(stranger))
    changes = [AccessChange(world.bob, AccessLevel.NONE), AccessChange(user, AccessLevel.NONE)]
    with pytest.raises(NotFound):
        set_access(world.deps, world.by_hand(world.alice), world.workspace, changes)
    assert set(levels(world).values()) == {AccessLevel.INHERIT}
    assert events(world, AuditAction.MEMORY_ACCESS_CHANGED) == []


def test_a_member_is_named_once(world: World) -> None:
    changes = [AccessChange(world.bob, AccessLevel.NONE), AccessChange(world.bob, AccessLevel.READ)]
    with pytest.raises(InvalidRequest, match="twice"):
        set_access(world.deps, world.by_hand(world.alice), world.workspace, changes)


def test_500_members_are_changed_at_once(world: World) -> None:
    users = many_members(world, 500)
    changes = [AccessChange(user, AccessLevel.READ) for user in users]
    changed = set_access(world.deps, world.by_hand(world.alice), world.workspace, changes)
    assert changed.changed == 500
    with world.deps.database.read() as tx:
        last = tx.audit.head(world.workspace).number
        assert len(tx.audit.following(world.workspace, after=last - 500, limit=999)) == 500


def test_501_are_refused(world: World) -> None:
    changes = [AccessChange(UserId(new_uuid7()), AccessLevel.READ) for _ in range(501)]
    with pytest.raises(InvalidRequest, match="at most 500"):
        set_access(world.deps, world.by_hand(world.alice), world.workspace, changes)


@pytest.mark.requirement("field:case-24:governance")
def test_a_lowered_level_holds_from_the_next_call_on(world: World) -> None:
    bob = world.client(world.bob)
    world.save(bob)
    change = AccessChange(world.bob, AccessLevel.NONE)
    set_access(world.deps, world.by_hand(world.alice), world.workspace, [change])
    with pytest.raises(LevelTooLow):
        world.save(bob, "another text")


def test_role_and_status_are_in_the_log_too(world: World) -> None:
    change_member(
        world.deps,
        world.by_hand(world.alice),
        world.workspace,
        world.bob,
        role=Role.VIEWER,
        status=MemberStatus.DEACTIVATED,
    )
    [event] = events(world, AuditAction.MEMBER_CHANGED)
    assert event.facts == {
        "role_from": "editor",
        "role_to": "viewer",
        "status_from": "active",
        "status_to": "deactivated",
    }


# --- Order ---------------------------------------------------------------------------------------------------


def test_of_two_bulk_changes_at_once_one_comes_whole_after_the_other(world: World) -> None:
    alice = world.by_hand(world.alice)

    def change(level: AccessLevel) -> object:
        changes = [AccessChange(world.bob, level), AccessChange(world.carol, level)]
        return set_access(world.deps, alice, world.workspace, changes)

    outcomes = at_once(lambda: change(AccessLevel.READ), lambda: change(AccessLevel.CONTRIBUTE))
    assert failures(outcomes) == []
    now = levels(world)
    assert now["bob"] is now["carol"]
    last = {
        event.subject: event.facts["level_to"]
        for event in reversed(events(world, AuditAction.MEMORY_ACCESS_CHANGED))
    }
    assert last == {world.bob: now["bob"].value, world.carol: now["bob"].value}


def test_a_save_that_waits_for_a_lowered_level_is_refused(world: World) -> None:
    """The level is read after the lock: a save that began before the change ended comes after it."""
    outcome: list[object] = []

    def save() -> None:
        try:
            outcome.append(world.save(world.client(world.bob)))
        except LevelTooLow as refused:
            outcome.append(refused)

    saving = threading.Thread(target=save)
    with world.deps.database.begin() as tx:
        tx.lock_workspace(world.workspace)
        saving.start()
        saving.join(0.3)
        assert outcome == []
        tx.members.set_access(world.workspace, [world.bob], AccessLevel.NONE)
    saving.join(10)
    assert isinstance(outcome[0], LevelTooLow)

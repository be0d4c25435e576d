"""Leaving, each way: grants and key sessions end in the transaction that ends the membership, and a new key is due."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.conftest import World
from tests.contract.keyed import Keyed
from tests.contract.together import at_once

from workspace_memory.crypto.errors import KeySessionNotHeld
from workspace_memory.crypto.key_sessions import RamKeyStore
from workspace_memory.crypto.session_sealing import new_session_token
from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import KeyHoldersChanged, KeySessionRequired
from workspace_memory.domain.errors import DomainError, LastAdmin
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.key_session import KeySession, KeySessionWay
from workspace_memory.services.accounts import (
    deactivate_account_here,
    make_password_reset_here,
    redeem_link,
)
from workspace_memory.services.authentication import sign_in, sign_out
from workspace_memory.services.erasing import delete_account, delete_account_here
from workspace_memory.services.key_sessions import list_key_sessions
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.session_keys import borrow_key, find_session
from workspace_memory.services.sign_ins import change_password, end_sign_in, list_sign_ins
from workspace_memory.services.workspace_keys import KeyStanding
from workspace_memory.services.workspaces import delete_workspace
from workspace_memory.storage.database import open_sqlite
from workspace_memory.storage.key_tables import key_session_revocations

PASSWORD = "correct horse battery staple"


@pytest.fixture
def keyed(world: World) -> Keyed:
    """Alice, bob and carol hold the workspace key, and bob has a password."""
    made = Keyed(world)
    made.set_up(world.alice, world.bob, world.carol)
    made.start(world.alice)
    made.grant(world.alice, world.bob)
    made.grant(world.alice, world.carol)
    give_password(world)
    return made


def give_password(world: World) -> None:
    redeem_link(world.deps, make_password_reset_here(world.deps, "bob@example.com").secret, password=PASSWORD)


def removed(world: World) -> None:
    remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)


def left(world: World) -> None:
    remove_member(world.deps, world.by_hand(world.bob), world.workspace, world.bob)


def deactivated(world: World) -> None:
    change_member(
        world.deps,
        world.by_hand(world.alice),
        world.workspace,
        world.bob,
        status=MemberStatus.DEACTIVATED,
    )


def account_deactivated(world: World) -> None:
    deactivate_account_here(world.deps, "bob@example.com")


def account_deleted(world: World) -> None:
    delete_account(world.deps, world.by_hand(world.bob), password=PASSWORD)


def account_deleted_here(world: World) -> None:
    delete_account_here(world.deps, "bob@example.com")


WAYS = [removed, left, deactivated, account_deactivated, account_deleted, account_deleted_here]


def revoked(world: World) -> set[str]:
    """The ids of durably revoked key sessions."""
    with world.deps.database.read() as tx:
        rows = tx.connection.execute(select(key_session_revocations.c.key_session_id))
        return {row.key_session_id for row in rows}


def is_dead(world: World, user: UserId, token: bytes) -> bool:
    with world.deps.database.read() as tx:
        try:
            find_session(world.deps, tx, user, world.workspace, token)
        except KeySessionRequired:
            return True
    return False


def key_is_dropped(world: World, session: KeySession, token: bytes) -> bool:
    try:
        world.deps.key_store.borrow(session.id, token=token, user=session.user, workspace=session.workspace)
    except KeySessionNotHeld:
        return True
    return False


@pytest.mark.parametrize("leave", WAYS)
def test_who_leaves_has_no_key_session_any_more(keyed: Keyed, leave: Callable[[World], None]) -> None:
    world = keyed.world
    session, token = keyed.open_session(world.bob)
    another, its_token = keyed.open_session(world.carol)
    leave(world)
    assert revoked(world) == {session.id}
    assert is_dead(world, world.bob, token)
    assert key_is_dropped(world, session, token)
    assert borrow_key(world.deps.key_store, another, its_token) == keyed.key


@pytest.mark.parametrize("leave", WAYS)
def test_after_a_holder_has_left_a_new_key_is_due(keyed: Keyed, leave: Callable[[World], None]) -> None:
    world = keyed.world
    leave(world)
    assert keyed.state(world.alice).rotation_due
    assert "bob" not in keyed.standings(world.alice)
    state = keyed.rotate(world.carol, [world.alice, world.carol])
    assert (state.epoch, state.rotation_due) == (2, False)


@pytest.mark.parametrize("leave", [removed, deactivated])
def test_who_never_held_the_key_leaves_it_as_it_is(world: World, leave: Callable[[World], None]) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob)
    keyed.start(world.alice)
    leave(world)
    assert not keyed.state(world.alice).rotation_due


def test_who_comes_back_waits_for_a_key(keyed: Keyed) -> None:
    world = keyed.world
    alice = world.by_hand(world.alice)
    deactivated(world)
    change_member(world.deps, alice, world.workspace, world.bob, status=MemberStatus.ACTIVE)
    assert keyed.state(world.bob).own is None
    assert keyed.standings(world.alice)["bob"] is KeyStanding.WAITING
    removed(world)
    with world.deps.database.begin() as tx:
        tx.members.add(workspace=world.workspace, user=world.bob, role=Role.EDITOR, at=world.clock.now())
    assert keyed.state(world.bob).own is None
    keyed.grant(world.carol, world.bob)
    assert keyed.standings(world.bob)["bob"] is KeyStanding.HOLDS


def test_a_lower_role_keeps_key_and_sessions(keyed: Keyed) -> None:
    world = keyed.world
    session, token = keyed.open_session(world.bob)
    change_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob, role=Role.VIEWER)
    assert borrow_key(world.deps.key_store, session, token) == keyed.key
    assert revoked(world) == set()


def test_a_removal_that_fails_takes_no_key(keyed: Keyed) -> None:
    world = keyed.world
    session, token = keyed.open_session(world.alice)
    for leave in (
        lambda: remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.alice),
        lambda: deactivate_account_here(world.deps, "alice@example.com"),
        lambda: delete_account_here(world.deps, "alice@example.com"),
    ):
        with pytest.raises(LastAdmin):
            leave()
    assert borrow_key(world.deps.key_store, session, token) == keyed.key
    assert (keyed.state(world.alice).rotation_due, revoked(world)) == (False, set())


def test_the_only_holder_can_leave(world: World) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.bob, world.alice)
    keyed.start(world.bob)
    removed(world)
    assert keyed.state(world.alice).rotation_due
    assert set(keyed.standings(world.alice).values()) == {KeyStanding.WAITING, KeyStanding.NO_KEYS}


def test_a_session_that_opens_while_its_member_is_removed_does_not_outlive_it(keyed: Keyed) -> None:
    world = keyed.world
    for _ in range(5):
        opened, _ = at_once(lambda: keyed.open_session(world.bob), lambda: removed(world))
        if isinstance(opened, tuple):
            session, token = opened
            assert revoked(world) >= {session.id}
            assert is_dead(world, world.bob, token)
            assert key_is_dropped(world, session, token)
        else:
            assert isinstance(opened, DomainError)
        with world.deps.database.begin() as tx:
            tx.members.add(workspace=world.workspace, user=world.bob, role=Role.EDITOR, at=world.clock.now())


@pytest.mark.requirement("document:keys:revocation-is-stored-first")
def test_a_revocation_outlives_the_process_and_the_key_store(keyed: Keyed, tmp_path: Path) -> None:
    world = keyed.world
    session, token = keyed.open_session(world.bob)
    deactivated(world)
    change_member(
        world.deps,
        world.by_hand(world.alice),
        world.workspace,
        world.bob,
        status=MemberStatus.ACTIVE,
    )
    # The row of the session is still there, and so is its revocation, on a connection of a new process.
    if (tmp_path / "memory.db").exists():
        again = open_sqlite(tmp_path / "memory.db")
        with again.read() as tx:
            found = tx.key_sessions.get(world.workspace, session.id)
        again.close()
    else:
        with world.deps.database.read() as tx:
            found = tx.key_sessions.get(world.workspace, session.id)
    assert found is not None
    assert found.revoked
    assert is_dead(world, world.bob, token)


class StubbornStore(RamKeyStore):
    """A store that looks, when it drops, whether the revocation is there already."""

    def __init__(self, world: World) -> None:
        super().__init__(world.clock.now)
        self.world = world
        self.was_revoked: list[bool] = []

    def drop(self, session_id: str) -> None:
        self.was_revoked.append(session_id in revoked(self.world))
        super().drop(session_id)


@pytest.fixture
def stubborn(keyed: Keyed) -> StubbornStore:
    store = StubbornStore(keyed.world)
    keyed.world.deps = replace(keyed.world.deps, key_store=store)
    return store


@pytest.mark.requirement("document:keys:revocation-is-stored-first")
@pytest.mark.parametrize("leave", WAYS)
def test_keys_are_dropped_after_the_revocation_is_stored(
    keyed: Keyed, stubborn: StubbornStore, leave: Callable[[World], None]
) -> None:
    keyed.open_session(keyed.world.bob)
    leave(keyed.world)
    assert stubborn.was_revoked == [True]


# --- A new workspace key -------------------------------------------------------------------------------------


def test_a_new_workspace_key_ends_everybodys_key_sessions(keyed: Keyed) -> None:
    world = keyed.world
    opened = [keyed.open_session(user) for user in (world.alice, world.bob, world.bob)]
    keyed.rotate(world.alice, [world.alice, world.bob, world.carol])
    newer, newer_token = keyed.open_session(world.bob)
    assert revoked(world) == {session.id for session, _ in opened}
    assert all(key_is_dropped(world, session, token) for session, token in opened)
    assert borrow_key(world.deps.key_store, newer, newer_token) == keyed.key
    listed = list_key_sessions(world.deps, world.by_hand(world.bob), world.workspace)
    assert [(each.session.id, each.held) for each in listed] == [(newer.id, True)]
    ended = {event.facts["key_session"] for event in keyed.events(AuditAction.KEY_SESSION_REVOKED)}
    assert ended == revoked(world)


def test_the_keys_before_are_dropped_after_their_end_is_stored(keyed: Keyed, stubborn: StubbornStore) -> None:
    keyed.open_session(keyed.world.bob)
    keyed.rotate(keyed.world.alice, [keyed.world.alice, keyed.world.bob, keyed.world.carol])
    assert stubborn.was_revoked == [True]


def test_a_new_key_that_is_refused_ends_no_key_session(keyed: Keyed) -> None:
    world = keyed.world
    session, token = keyed.open_session(world.bob)
    with pytest.raises(KeyHoldersChanged):
        keyed.rotate(world.alice, [world.alice])
    assert revoked(world) == set()
    assert borrow_key(world.deps.key_store, session, token) == keyed.key


# --- Signing out, and a new password -------------------------------------------------------------------------


def test_signing_out_ends_what_was_opened_in_a_browser(keyed: Keyed) -> None:
    world = keyed.world
    signed_in = sign_in(world.deps, email="bob@example.com", password=PASSWORD, address="")
    browser, browser_token = keyed.open_session(world.bob, KeySessionWay.COOKIE)
    agent, agent_token = keyed.open_session(world.bob, KeySessionWay.HEADER)
    carols, _ = keyed.open_session(world.carol, KeySessionWay.COOKIE)
    sign_out(world.deps, signed_in.secret)
    assert revoked(world) == {browser.id}
    assert key_is_dropped(world, browser, browser_token)
    assert borrow_key(world.deps.key_store, agent, agent_token) == keyed.key
    assert [
        each.session.id for each in list_key_sessions(world.deps, world.by_hand(world.carol), world.workspace)
    ] == [carols.id]
    assert not keyed.state(world.bob).rotation_due


def test_signing_out_of_nothing_ends_nothing(keyed: Keyed) -> None:
    world = keyed.world
    keyed.open_session(world.bob, KeySessionWay.COOKIE)
    sign_out(world.deps, f"wm_ses_{new_session_token().hex()}")
    assert revoked(world) == set()


def test_a_new_password_by_a_link_ends_every_key_session(keyed: Keyed) -> None:
    world = keyed.world
    opened = [keyed.open_session(world.bob, way) for way in KeySessionWay]
    give_password(world)
    assert revoked(world) == {session.id for session, _ in opened}
    assert all(key_is_dropped(world, session, token) for session, token in opened)
    assert not keyed.state(world.bob).rotation_due


def test_another_password_ends_every_key_session(keyed: Keyed) -> None:
    world = keyed.world
    signed_in = sign_in(world.deps, email="bob@example.com", password=PASSWORD, address="")
    opened = [keyed.open_session(world.bob, way) for way in KeySessionWay]
    change_password(
        world.deps,
        world.by_hand(world.bob),
        signed_in.secret,
        password=PASSWORD,
        new_password="a new and longer password",
    )
    assert revoked(world) == {session.id for session, _ in opened}
    assert all(key_is_dropped(world, session, token) for session, token in opened)


def test_ending_a_session_elsewhere_ends_what_was_opened_in_a_browser(keyed: Keyed) -> None:
    world = keyed.world
    signed_in = sign_in(world.deps, email="bob@example.com", password=PASSWORD, address="")
    browser, browser_token = keyed.open_session(world.bob, KeySessionWay.COOKIE)
    agent, agent_token = keyed.open_session(world.bob, KeySessionWay.HEADER)
    bob = world.by_hand(world.bob)
    [listed] = list_sign_ins(world.deps, bob, signed_in.secret)
    end_sign_in(world.deps, bob, listed.id)
    assert revoked(world) == {browser.id}
    assert key_is_dropped(world, browser, browser_token)
    assert borrow_key(world.deps.key_store, agent, agent_token) == keyed.key


def test_keys_of_a_deleted_workspace_are_dropped(keyed: Keyed) -> None:
    world = keyed.world
    session, token = keyed.open_session(world.bob)
    delete_workspace(world.deps, world.by_hand(world.alice), world.workspace, confirm_name="Tea shop")
    assert key_is_dropped(world, session, token)

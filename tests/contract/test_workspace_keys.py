"""Workspace keys: who starts one, who passes it on to whom, how a new one takes its place, and what is refused."""

import secrets
from dataclasses import replace

import pytest
from tests.conftest import World
from tests.contract.keyed import Keyed
from tests.contract.together import answers, at_once, failures

from workspace_memory.crypto.grants import Grant, open_grant
from workspace_memory.crypto.user_keys import new_user_keys
from workspace_memory.crypto.workspace_keys import WorkspaceKey, new_workspace_key, open_chain
from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import EpochConflict, KeyHoldersChanged, KeysChanged, KeysMissing
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.ids import Epoch, UserId
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.workspace_keys import (
    KeyStanding,
    MadeCheck,
    grant_key,
    rotate_workspace_key,
    start_workspace_key,
    workspace_key_state,
)


@pytest.fixture
def keyed(world: World) -> Keyed:
    """Alice and bob have keys, and alice has started the workspace key."""
    made = Keyed(world)
    made.set_up(world.alice, world.bob)
    made.start(world.alice)
    return made


def opened(keyed: Keyed, user: UserId) -> WorkspaceKey:
    """The newest key as the member's own client opens it out of the state."""
    own = keyed.state(user).own
    assert own is not None
    return open_grant(
        Grant(own.sealed, own.signature),
        workspace=keyed.world.workspace,
        epoch=own.epoch,
        member=user,
        member_keys=keyed.keys[user],
        granter=own.granter,
        granter_keys=keyed.keys[own.granter].public,
    )


# --- Starting ------------------------------------------------------------------------------------------------


def test_before_anybody_starts_a_key_there_is_none(world: World) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.bob)
    state = keyed.state(world.carol)
    assert (state.epoch, state.epochs, state.own, state.rotation_due) == (0, (), None, False)
    assert keyed.standings(world.carol) == {
        "alice": KeyStanding.NO_KEYS,
        "bob": KeyStanding.WAITING,
        "carol": KeyStanding.NO_KEYS,
    }


def test_whoever_starts_the_key_holds_it_and_others_wait(keyed: Keyed) -> None:
    world = keyed.world
    state = keyed.state(world.alice)
    assert (state.epoch, state.rotation_due) == (1, False)
    assert (state.epochs[0].maker, state.epochs[0].older_sealed) == (world.alice, None)
    assert opened(keyed, world.alice) == keyed.key
    assert keyed.state(world.bob).own is None
    assert keyed.standings(world.bob) == {
        "alice": KeyStanding.HOLDS,
        "bob": KeyStanding.WAITING,
        "carol": KeyStanding.NO_KEYS,
    }
    [begun] = keyed.events(AuditAction.KEY_EPOCH_BEGUN)
    assert (begun.actor, begun.facts) == (world.alice, {"epoch": 1})


def test_a_key_is_started_once(keyed: Keyed) -> None:
    world = keyed.world
    with pytest.raises(EpochConflict) as refused:
        Keyed(world, keyed.keys).start(world.bob)
    assert refused.value.current == 1
    assert opened(keyed, world.alice) == keyed.key


def test_of_two_that_start_a_key_at_once_one_wins(world: World) -> None:
    both = [Keyed(world), Keyed(world)]
    both[0].set_up(world.alice, world.bob)
    both[1].keys = both[0].keys
    outcomes = at_once(lambda: both[0].start(world.alice), lambda: both[1].start(world.bob))
    assert failures(outcomes) == [EpochConflict]
    assert [state.epoch for state in answers(outcomes)] == [1]


def test_a_viewer_starts_no_key(world: World) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.carol)
    with pytest.raises(Forbidden, match="editors"):
        keyed.start(world.carol)


def test_keys_are_set_up_before_a_key_is_started(world: World) -> None:
    keyed = Keyed(world)
    keyed.keys[world.alice] = new_user_keys()
    with pytest.raises(KeysMissing):
        keyed.start(world.alice)


def test_the_first_grant_is_the_makers_own(world: World) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob)
    key = new_workspace_key(world.workspace)
    with pytest.raises(InvalidRequest, match="own"):
        start_workspace_key(
            world.deps,
            world.by_hand(world.alice),
            world.workspace,
            check=keyed.made_check(world.alice, key),
            grant=keyed.made_grant(world.alice, world.bob, key),
        )
    assert keyed.state(world.alice).epoch == 0


@pytest.mark.parametrize("wrong", ["check", "grant"])
def test_what_another_key_signed_starts_nothing(world: World, wrong: str) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob)
    key = new_workspace_key(world.workspace)
    check_signer, grant_signer = (world.bob, None) if wrong == "check" else (None, world.bob)
    with pytest.raises(InvalidRequest, match="not the caller's own"):
        start_workspace_key(
            world.deps,
            world.by_hand(world.alice),
            world.workspace,
            check=keyed.made_check(world.alice, key, signer=check_signer),
            grant=keyed.made_grant(world.alice, world.alice, key, signer=grant_signer),
        )
    assert keyed.state(world.alice).epoch == 0


# --- Granting ------------------------------------------------------------------------------------------------


def test_whoever_was_granted_the_key_opens_it_and_passes_it_on(keyed: Keyed) -> None:
    world = keyed.world
    keyed.grant(world.alice, world.bob)
    assert opened(keyed, world.bob) == keyed.key
    keyed.set_up(world.carol)
    keyed.grant(world.bob, world.carol)
    assert opened(keyed, world.carol) == keyed.key
    granted = keyed.events(AuditAction.KEY_GRANTED)
    assert [(each.actor, each.subject) for each in granted] == [
        (world.alice, world.alice),
        (world.alice, world.bob),
        (world.bob, world.carol),
    ]


def test_a_viewer_who_holds_the_key_passes_it_on(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.carol)
    keyed.grant(world.alice, world.carol)
    keyed.grant(world.carol, world.bob)
    assert opened(keyed, world.bob) == keyed.key


def test_an_administrator_without_the_key_grants_nothing(world: World) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob, world.carol)
    keyed.start(world.bob)
    with pytest.raises(Forbidden, match="holds the newest key"):
        keyed.grant(world.alice, world.carol)
    with pytest.raises(Forbidden, match="holds the newest key"):
        keyed.grant(world.alice, world.alice)
    assert keyed.standings(world.bob)["carol"] is KeyStanding.WAITING


def test_a_second_grant_leaves_the_first_as_it_is(keyed: Keyed) -> None:
    world = keyed.world
    keyed.grant(world.alice, world.bob)
    keyed.set_up(world.carol)
    keyed.grant(world.alice, world.carol)
    first = keyed.state(world.bob).own
    keyed.grant(world.carol, world.bob)
    assert keyed.state(world.bob).own == first
    assert len(keyed.events(AuditAction.KEY_GRANTED)) == 3


def test_a_grant_that_another_key_signed_is_refused(keyed: Keyed) -> None:
    world = keyed.world
    grant = keyed.made_grant(world.alice, world.bob, signer=world.bob)
    with pytest.raises(InvalidRequest, match="not the caller's own"):
        grant_key(world.deps, world.by_hand(world.alice), world.workspace, epoch=Epoch(1), grant=grant)
    assert keyed.state(world.bob).own is None


def test_a_grant_for_another_workspace_or_epoch_is_refused(keyed: Keyed) -> None:
    world = keyed.world
    for key in (new_workspace_key(world.other_workspace), new_workspace_key(world.workspace, 2)):
        grant = keyed.made_grant(world.alice, world.bob, key)
        with pytest.raises(InvalidRequest, match="not the caller's own"):
            grant_key(world.deps, world.by_hand(world.alice), world.workspace, epoch=Epoch(1), grant=grant)


def test_a_grant_of_an_older_epoch_is_refused(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.carol)
    keyed.rotate(world.alice, [world.alice, world.bob])
    del keyed.chain[1:]
    with pytest.raises(EpochConflict) as refused:
        keyed.grant(world.alice, world.carol)
    assert refused.value.current == 2


def test_a_grant_is_for_the_members_present_key(keyed: Keyed) -> None:
    world = keyed.world
    keyed.keys[world.bob] = new_user_keys()
    with pytest.raises(KeysChanged):
        keyed.grant(world.alice, world.bob)


def test_a_grant_is_for_a_member_with_keys(keyed: Keyed) -> None:
    world = keyed.world
    keyed.keys |= {world.carol: new_user_keys(), world.mallory: new_user_keys()}
    with pytest.raises(KeysMissing):
        keyed.grant(world.alice, world.carol)
    with pytest.raises(NotFound):
        keyed.grant(world.alice, world.mallory)


def test_a_deactivated_member_is_granted_nothing(keyed: Keyed) -> None:
    world = keyed.world
    alice = world.by_hand(world.alice)
    change_member(world.deps, alice, world.workspace, world.bob, status=MemberStatus.DEACTIVATED)
    with pytest.raises(NotFound):
        keyed.grant(world.alice, world.bob)


@pytest.mark.parametrize("field", ["member_public", "sealed", "signature"])
@pytest.mark.parametrize("length", [0, 31, 100])
def test_a_grant_has_its_lengths(keyed: Keyed, field: str, length: int) -> None:
    world = keyed.world
    grant = replace(keyed.made_grant(world.alice, world.bob), **{field: secrets.token_bytes(length)})
    with pytest.raises(InvalidRequest, match=field):
        grant_key(world.deps, world.by_hand(world.alice), world.workspace, epoch=Epoch(1), grant=grant)


# --- Rotating ------------------------------------------------------------------------------------------------


def test_a_new_epoch_is_held_by_all_who_held_the_old_and_opens_the_chain(keyed: Keyed) -> None:
    world = keyed.world
    keyed.grant(world.alice, world.bob)
    first = keyed.key
    state = keyed.rotate(world.bob, [world.alice, world.bob])
    assert (state.epoch, [each.epoch for each in state.epochs]) == (2, [2, 1])
    for user in (world.alice, world.bob):
        newest = opened(keyed, user)
        assert newest == keyed.key
        epochs = keyed.state(user).epochs
        sealed = {each.epoch - 1: each.older_sealed for each in epochs if each.older_sealed is not None}
        assert open_chain(newest, sealed) == {1: first, 2: keyed.key}
    begun = keyed.events(AuditAction.KEY_EPOCH_BEGUN)
    assert [(each.actor, each.facts["epoch"]) for each in begun] == [(world.alice, 1), (world.bob, 2)]


def test_a_new_epoch_may_take_in_who_waits(keyed: Keyed) -> None:
    keyed.rotate(keyed.world.alice, [keyed.world.alice, keyed.world.bob])
    assert opened(keyed, keyed.world.bob) == keyed.key


def test_a_new_epoch_leaves_nobody_out(keyed: Keyed) -> None:
    world = keyed.world
    keyed.grant(world.alice, world.bob)
    for members in ([world.alice], [world.bob], []):
        with pytest.raises(KeyHoldersChanged):
            keyed.rotate(world.alice, members)
    assert keyed.state(world.alice).epoch == 1


def test_a_new_epoch_is_for_nobody_else(keyed: Keyed) -> None:
    world = keyed.world
    keyed.keys |= {world.carol: new_user_keys(), world.mallory: new_user_keys()}
    for stranger in (world.carol, world.mallory):
        with pytest.raises(KeyHoldersChanged):
            keyed.rotate(world.alice, [world.alice, stranger])
    with pytest.raises(InvalidRequest, match="twice"):
        keyed.rotate(world.alice, [world.alice, world.alice])
    assert keyed.state(world.alice).epoch == 1


def test_only_a_holder_begins_a_new_epoch(keyed: Keyed) -> None:
    world = keyed.world
    with pytest.raises(Forbidden, match="holds the newest key"):
        keyed.rotate(world.bob, [world.alice, world.bob])


def test_of_two_holders_that_begin_an_epoch_at_once_one_wins(keyed: Keyed) -> None:
    world = keyed.world
    keyed.grant(world.alice, world.bob)
    others = Keyed(world, keyed.keys, list(keyed.chain))
    everybody = [world.alice, world.bob]
    outcomes = at_once(
        lambda: keyed.rotate(world.alice, everybody), lambda: others.rotate(world.bob, everybody)
    )
    assert failures(outcomes) == [EpochConflict]
    winner = max((keyed, others), key=lambda each: len(each.chain))
    assert opened(winner, world.alice) == opened(winner, world.bob) == winner.key


def test_a_leaver_and_a_new_epoch_at_once_end_in_one_that_the_leaver_has_not(keyed: Keyed) -> None:
    world = keyed.world
    keyed.grant(world.alice, world.bob)
    at_once(
        lambda: keyed.rotate(world.alice, [world.alice, world.bob]),
        lambda: remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob),
    )
    # Whoever was first: the present key is one that bob has had, so that another one is due.
    assert keyed.state(world.alice).rotation_due
    keyed.rotate(world.alice, [world.alice])
    assert not keyed.state(world.alice).rotation_due


def test_an_epoch_follows_the_present_one(keyed: Keyed) -> None:
    world = keyed.world
    for number in (1, 3):
        key = new_workspace_key(world.workspace, number)
        with pytest.raises(EpochConflict) as refused:
            rotate_workspace_key(
                world.deps,
                world.by_hand(world.alice),
                world.workspace,
                epoch=Epoch(number),
                check=keyed.made_check(world.alice, key),
                older_sealed=bytes(60),
                grants=[keyed.made_grant(world.alice, world.alice, key)],
            )
        assert refused.value.current == 1


def test_a_new_epoch_that_another_key_signed_is_refused_whole(keyed: Keyed) -> None:
    world = keyed.world
    with pytest.raises(InvalidRequest, match="check_signature"):
        keyed.rotate(world.alice, [world.alice], signer=world.bob)
    assert (keyed.state(world.alice).epoch, opened(keyed, world.alice)) == (1, keyed.key)


@pytest.mark.parametrize(
    ("check", "older", "field"),
    [
        (MadeCheck(bytes(31), bytes(64)), bytes(60), "check_value"),
        (MadeCheck(bytes(32), bytes(63)), bytes(60), "check_signature"),
        (MadeCheck(bytes(32), bytes(64)), bytes(61), "older_sealed"),
    ],
)
def test_a_new_epoch_has_its_lengths(keyed: Keyed, check: MadeCheck, older: bytes, field: str) -> None:
    world = keyed.world
    with pytest.raises(InvalidRequest, match=field):
        rotate_workspace_key(
            world.deps,
            world.by_hand(world.alice),
            world.workspace,
            epoch=Epoch(2),
            check=check,
            older_sealed=older,
            grants=[],
        )


# --- Who may look and act ------------------------------------------------------------------------------------


def test_keys_are_for_members_and_their_own_hands(keyed: Keyed) -> None:
    world = keyed.world
    with pytest.raises(NotFound):
        workspace_key_state(world.deps, world.by_hand(world.mallory), world.workspace)
    with pytest.raises(Forbidden, match="by hand"):
        workspace_key_state(world.deps, world.client(world.alice), world.workspace)
    with pytest.raises(LevelTooLow):
        workspace_key_state(
            world.deps, world.by_hand(world.alice, max_level=AccessLevel.NONE), world.workspace
        )
    less = world.by_hand(world.alice, max_level=AccessLevel.PERSONAL)
    with pytest.raises(LevelTooLow):
        grant_key(
            world.deps,
            less,
            world.workspace,
            epoch=Epoch(1),
            grant=keyed.made_grant(world.alice, world.bob),
        )


def test_a_lower_role_keeps_the_key(keyed: Keyed) -> None:
    world = keyed.world
    keyed.grant(world.alice, world.bob)
    change_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob, role=Role.VIEWER)
    assert opened(keyed, world.bob) == keyed.key
    assert not keyed.state(world.bob).rotation_due

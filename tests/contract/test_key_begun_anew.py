"""A workspace key that nobody holds any more: who begins another one, when not, and what stays unreadable."""

from collections.abc import Callable

import pytest
from tests.conftest import World
from tests.contract.keyed import Keyed
from tests.contract.together import answers, at_once, failures

from workspace_memory.domain.access import MemberStatus
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import EpochConflict, KeyLost, KeyStillHeld
from workspace_memory.domain.errors import Forbidden
from workspace_memory.services.accounts import deactivate_account_here
from workspace_memory.services.erasing import delete_account_here
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.session_keys import Keyring
from workspace_memory.services.workspace_keys import KeyStanding


@pytest.fixture
def keyed(world: World) -> Keyed:
    """Alice and bob have keys of their own, and bob alone holds that of the workspace."""
    made = Keyed(world)
    made.set_up(world.alice, world.bob)
    made.start(world.bob)
    return made


def removed(keyed: Keyed) -> None:
    remove_member(keyed.world.deps, keyed.hand(keyed.world.alice), keyed.world.workspace, keyed.world.bob)


def deactivated(keyed: Keyed) -> None:
    world = keyed.world
    change_member(
        world.deps, keyed.hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )


def account_deactivated(keyed: Keyed) -> None:
    deactivate_account_here(keyed.world.deps, "bob@example.com")


def account_deleted(keyed: Keyed) -> None:
    delete_account_here(keyed.world.deps, "bob@example.com")


def keys_replaced(keyed: Keyed) -> None:
    keyed.lose(keyed.world.bob)


WAYS = [removed, deactivated, account_deactivated, account_deleted, keys_replaced]


@pytest.mark.parametrize("gone", WAYS)
def test_where_nobody_holds_the_key_it_is_begun_anew(keyed: Keyed, gone: Callable[[Keyed], None]) -> None:
    alice = keyed.world.alice
    assert not keyed.state(alice).nobody_holds
    gone(keyed)
    assert keyed.state(alice).nobody_holds
    state = keyed.begin_anew(alice)
    assert (state.epoch, state.nobody_holds, state.rotation_due) == (2, False, False)
    assert [(each.epoch, each.older_sealed) for each in state.epochs] == [(2, None), (1, None)]
    assert keyed.standings(alice)["alice"] is KeyStanding.HOLDS


def test_before_the_first_key_nothing_is_lost(world: World) -> None:
    assert not Keyed(world).state(world.alice).nobody_holds


def test_the_audit_log_says_which_key_was_given_up(keyed: Keyed) -> None:
    removed(keyed)
    keyed.begin_anew(keyed.world.alice)
    begun = keyed.events(AuditAction.KEY_EPOCH_BEGUN)
    assert [each.facts for each in begun] == [{"epoch": 1}, {"epoch": 2, "lost_epoch": 1}]
    assert begun[1].actor == keyed.world.alice


def test_a_key_that_somebody_holds_is_not_begun_anew(keyed: Keyed) -> None:
    world = keyed.world
    for maker in (world.alice, world.bob):
        with pytest.raises(KeyStillHeld):
            keyed.begin_anew(maker)
    assert keyed.state(world.bob).epoch == 1


def test_a_viewer_who_holds_the_key_keeps_it_from_being_begun_anew(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.carol)
    keyed.grant(world.bob, world.carol)
    removed(keyed)
    with pytest.raises(KeyStillHeld):
        keyed.begin_anew(world.alice)


@pytest.mark.parametrize("lost", [2, 3])
def test_the_lost_key_is_named_exactly(keyed: Keyed, lost: int) -> None:
    removed(keyed)
    with pytest.raises(EpochConflict) as refused:
        keyed.begin_anew(keyed.world.alice, lost=lost)
    assert refused.value.current == 1


def test_without_naming_the_lost_key_none_is_begun(keyed: Keyed) -> None:
    removed(keyed)
    with pytest.raises(EpochConflict):
        Keyed(keyed.world, keyed.keys).start(keyed.world.alice)


def test_nothing_is_lost_where_there_was_no_key(world: World) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.alice)
    with pytest.raises(EpochConflict):
        keyed.begin_anew(world.alice, lost=1)


def test_a_viewer_begins_no_key_anew(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.carol)
    removed(keyed)
    with pytest.raises(Forbidden, match="editors"):
        keyed.begin_anew(world.carol)


def test_of_two_that_begin_anew_at_once_one_wins(keyed: Keyed) -> None:
    world = keyed.world
    keyed.lose(world.bob)
    others = Keyed(world, keyed.keys, list(keyed.chain))
    outcomes = at_once(lambda: keyed.begin_anew(world.alice), lambda: others.begin_anew(world.bob))
    assert failures(outcomes) == [EpochConflict]
    assert [state.epoch for state in answers(outcomes)] == [2]


def test_the_last_holder_leaving_and_a_new_beginning_at_once_lose_nothing_that_is_held(keyed: Keyed) -> None:
    world = keyed.world
    outcomes = at_once(lambda: removed(keyed), lambda: keyed.begin_anew(world.alice))
    state = keyed.state(world.alice)
    # Either bob was gone first, or the key was his still.
    assert (state.epoch, failures(outcomes)) in [(2, []), (1, [KeyStillHeld])]
    assert state.nobody_holds is (state.epoch == 1)


# --- The chain of keys ---------------------------------------------------------------------------------------


def test_a_key_from_before_the_break_is_lost_and_those_since_open(keyed: Keyed) -> None:
    world = keyed.world
    removed(keyed)
    keyed.begin_anew(world.alice)
    keyed.rotate(world.alice, [world.alice])
    ring = Keyring(keyed.key, keyed.state(world.alice).epochs)
    assert [ring.at(epoch) for epoch in (3, 2)] == [keyed.chain[2], keyed.chain[1]]
    with pytest.raises(KeyLost) as lost:
        ring.at(1)
    assert lost.value.epoch == 1
    assert "nobody holds any more" in str(lost.value)


def test_after_a_second_loss_only_the_newest_part_of_the_chain_is_left(keyed: Keyed) -> None:
    world = keyed.world
    keyed.lose(world.bob)
    keyed.begin_anew(world.bob)
    keyed.rotate(world.bob, [world.bob])
    keyed.lose(world.bob)
    keyed.begin_anew(world.alice)
    ring = Keyring(keyed.key, keyed.state(world.alice).epochs)
    assert (ring.first, ring.at(4)) == (4, keyed.key)
    for epoch in (1, 2, 3):
        with pytest.raises(KeyLost):
            ring.at(epoch)

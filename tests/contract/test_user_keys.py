"""A person's own keys: once, of the right shape, by hand, wrapped anew by whoever opened them, replaced by password."""

import secrets
from collections.abc import Callable

import pytest
from tests.conftest import World
from tests.contract.keyed import Keyed, a_wrapping, public_of
from tests.contract.together import answers, at_once, failures

from workspace_memory.crypto.user_keys import new_user_keys
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import KeySessionRequired, KeysExist, KeysMissing
from workspace_memory.domain.errors import (
    Forbidden,
    InvalidRequest,
    LevelTooLow,
    NotFound,
    SignInRefused,
    VersionMismatch,
)
from workspace_memory.domain.ids import TokenId
from workspace_memory.domain.user_key import PublicPair, UserKeyRecord, Wrapping
from workspace_memory.services.accounts import add_workspace, make_password_reset_here, redeem_link
from workspace_memory.services.audit import AuditQuery, list_audit_here
from workspace_memory.services.session_keys import find_session
from workspace_memory.services.user_keys import create_keys, get_own_keys, replace_keys, rewrap_keys
from workspace_memory.services.workspace_keys import KeyStanding

PASSWORD = "correct horse battery staple"


@pytest.fixture
def keyed(world: World) -> Keyed:
    return Keyed(world)


def own_keys(world: World) -> UserKeyRecord:
    return get_own_keys(world.deps, world.by_hand(world.bob))


def test_keys_come_back_as_they_were_stored(world: World) -> None:
    public, wrapping = public_of(new_user_keys()), a_wrapping(memory_kib=128 * 1024, passes=4, lanes=5)
    made = create_keys(world.deps, world.by_hand(world.bob), public, wrapping)
    assert own_keys(world) == made
    assert (made.version, made.public, made.wrapping) == (1, public, wrapping)
    with pytest.raises(NotFound):
        get_own_keys(world.deps, world.by_hand(world.alice))


def test_keys_are_set_up_once(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    with pytest.raises(KeysExist):
        create_keys(world.deps, world.by_hand(world.bob), public_of(new_user_keys()), a_wrapping())
    assert own_keys(world).public == public_of(keyed.keys[world.bob])


def test_of_two_set_ups_at_once_one_is_stored(world: World) -> None:
    publics = [public_of(new_user_keys()) for _ in range(4)]
    outcomes = at_once(
        *(
            lambda public=public: create_keys(world.deps, world.by_hand(world.bob), public, a_wrapping())
            for public in publics
        )
    )
    assert failures(outcomes) == [KeysExist] * 3
    [made] = answers(outcomes)
    assert own_keys(world) == made


@pytest.mark.parametrize(
    "wrapping",
    [
        a_wrapping(salt=bytes(15)),
        a_wrapping(salt=bytes(17)),
        a_wrapping(wrapped=bytes(91)),
        a_wrapping(wrapped=bytes(93)),
        a_wrapping(recovery_wrapped=b""),
        a_wrapping(recovery_wrapped=bytes(93)),
        a_wrapping(memory_kib=64 * 1024 - 1),
        a_wrapping(memory_kib=1024 * 1024 + 1),
        a_wrapping(memory_kib=10**30),
        a_wrapping(passes=2),
        a_wrapping(passes=11),
        a_wrapping(lanes=3),
        a_wrapping(lanes=17),
        a_wrapping(lanes=-4),
    ],
)
def test_a_wrapping_that_no_sound_client_makes_is_refused(keyed: Keyed, wrapping: Wrapping) -> None:
    world = keyed.world
    with pytest.raises(InvalidRequest, match="wrapping"):
        create_keys(world.deps, world.by_hand(world.alice), public_of(new_user_keys()), wrapping)
    keyed.set_up(world.bob)
    with pytest.raises(InvalidRequest, match="wrapping"):
        rewrap_keys(world.deps, world.by_hand(world.bob), version=1, wrapping=wrapping, signature=bytes(64))
    assert own_keys(world).version == 1


@pytest.mark.parametrize("public", [PublicPair(bytes(31), bytes(32)), PublicPair(bytes(32), bytes(33))])
def test_a_public_key_has_32_bytes(world: World, public: PublicPair) -> None:
    with pytest.raises(InvalidRequest, match="32 bytes"):
        create_keys(world.deps, world.by_hand(world.bob), public, a_wrapping())


def test_no_ai_client_touches_keys(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    client = world.client(world.bob)
    calls: list[Callable[[], object]] = [
        lambda: get_own_keys(world.deps, client),
        lambda: create_keys(world.deps, client, public_of(new_user_keys()), a_wrapping()),
        lambda: rewrap_keys(world.deps, client, version=1, wrapping=a_wrapping(), signature=bytes(64)),
        lambda: replace_keys(world.deps, client, public_of(new_user_keys()), a_wrapping(), password=PASSWORD),
    ]
    for call in calls:
        with pytest.raises(Forbidden, match="by hand"):
            call()


@pytest.mark.parametrize("level", [AccessLevel.READ, AccessLevel.PERSONAL])
def test_a_token_for_less_reads_keys_and_changes_none(keyed: Keyed, level: AccessLevel) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    assert get_own_keys(world.deps, world.by_hand(world.bob, max_level=level)).version == 1
    with pytest.raises(LevelTooLow):
        create_keys(
            world.deps, world.by_hand(world.alice, max_level=level), public_of(new_user_keys()), a_wrapping()
        )
    with pytest.raises(LevelTooLow):
        rewrap_keys(
            world.deps,
            world.by_hand(world.bob, max_level=level),
            version=1,
            wrapping=a_wrapping(),
            signature=bytes(64),
        )


def test_wrapping_anew_advances_the_version_and_keeps_the_keys(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    wrapping = a_wrapping()
    assert keyed.rewrap(world.bob, 1, wrapping) == own_keys(world)
    assert (own_keys(world).version, own_keys(world).wrapping) == (2, wrapping)
    assert own_keys(world).public == public_of(keyed.keys[world.bob])


def test_wrapping_anew_is_noted_in_each_workspace_of_the_account(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    with world.deps.database.begin() as tx:
        second, _ = add_workspace(world.deps, tx, name="Second", admin=world.bob)
    keyed.rewrap(world.bob, 1, a_wrapping())
    with pytest.raises(VersionMismatch):
        keyed.rewrap(world.bob, 1, a_wrapping())
    wanted = AuditQuery(action=AuditAction.USER_KEYS_REWRAPPED)
    for workspace in (world.workspace, second):
        [event] = list_audit_here(world.deps, workspace, wanted).events
        assert (event.actor, event.subject, event.facts) == (world.bob, world.bob, {})


def test_wrapping_anew_goes_against_the_version_that_was_read(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    keyed.rewrap(world.bob, 1, a_wrapping())
    for version in (0, 1, 3):
        with pytest.raises(VersionMismatch) as refused:
            keyed.rewrap(world.bob, version, a_wrapping())
        assert refused.value.current == 2


def test_of_two_new_passphrases_at_once_one_is_stored(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    outcomes = at_once(*(lambda: keyed.rewrap(world.bob, 1, a_wrapping()) for _ in range(4)))
    assert failures(outcomes) == [VersionMismatch] * 3
    [made] = answers(outcomes)
    assert own_keys(world) == made


def test_who_has_not_opened_the_keys_cannot_put_rubbish_in_their_place(keyed: Keyed) -> None:
    world = keyed.world
    keyed.set_up(world.bob)
    with pytest.raises(InvalidRequest, match="signature"):
        keyed.rewrap(world.bob, 1, a_wrapping(), signer=new_user_keys())
    with pytest.raises(InvalidRequest, match="64 bytes"):
        rewrap_keys(
            world.deps,
            world.by_hand(world.bob),
            version=1,
            wrapping=a_wrapping(),
            signature=secrets.token_bytes(9),
        )
    assert own_keys(world).version == 1


def test_there_is_nothing_to_wrap_anew_before_keys_are_set_up(keyed: Keyed) -> None:
    keyed.keys[keyed.world.bob] = new_user_keys()
    with pytest.raises(KeysMissing):
        keyed.rewrap(keyed.world.bob, 1, a_wrapping())


# --- Replacing -----------------------------------------------------------------------------------------------


def give_password(world: World, name: str) -> None:
    redeem_link(
        world.deps, make_password_reset_here(world.deps, f"{name}@example.com").secret, password=PASSWORD
    )


def replace_bobs(keyed: Keyed, password: str = PASSWORD) -> UserKeyRecord:
    world = keyed.world
    fresh = new_user_keys()
    made = replace_keys(
        world.deps, world.by_hand(world.bob), public_of(fresh), a_wrapping(), password=password
    )
    keyed.keys[world.bob] = fresh
    return made


def test_replaced_keys_wait_for_a_grant_and_the_key_is_due(keyed: Keyed) -> None:
    world = keyed.world
    give_password(world, "bob")
    keyed.set_up(world.alice, world.bob)
    keyed.start(world.alice)
    keyed.grant(world.alice, world.bob)
    _, token = keyed.open_session(world.bob)
    made = replace_bobs(keyed)
    assert (made.version, made.public) == (2, public_of(keyed.keys[world.bob]))
    state = keyed.state(world.bob)
    assert (state.own, state.rotation_due) == (None, True)
    assert keyed.standings(world.alice)["bob"] is KeyStanding.WAITING
    with world.deps.database.read() as tx, pytest.raises(KeySessionRequired):
        find_session(world.deps, tx, world.bob, world.workspace, token)
    assert [event.subject for event in keyed.events(AuditAction.USER_KEYS_REPLACED)] == [world.bob]
    keyed.rotate(world.alice, [world.alice, world.bob])
    assert keyed.standings(world.bob)["bob"] is KeyStanding.HOLDS


def test_replacing_needs_the_accounts_password(keyed: Keyed) -> None:
    world = keyed.world
    give_password(world, "bob")
    keyed.set_up(world.bob)
    with pytest.raises(SignInRefused):
        replace_bobs(keyed, "another password entirely")
    assert own_keys(world).version == 1


def test_no_token_replaces_keys(keyed: Keyed) -> None:
    world = keyed.world
    give_password(world, "bob")
    keyed.set_up(world.bob)
    actor = world.by_hand(world.bob)
    token = type(actor)(actor.user, actor.channel, actor.source, world.workspace, TokenId(world.bob))
    with pytest.raises(Forbidden, match="token"):
        replace_keys(world.deps, token, public_of(new_user_keys()), a_wrapping(), password=PASSWORD)
    assert own_keys(world).version == 1


def test_only_other_keys_take_the_place_of_keys(keyed: Keyed) -> None:
    world = keyed.world
    give_password(world, "bob")
    with pytest.raises(KeysMissing):
        replace_bobs(keyed)
    keyed.set_up(world.bob)
    with pytest.raises(InvalidRequest, match="new ones"):
        replace_keys(
            world.deps,
            world.by_hand(world.bob),
            public_of(keyed.keys[world.bob]),
            a_wrapping(),
            password=PASSWORD,
        )

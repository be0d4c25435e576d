"""A signed-in person about the own sessions: which there are, ending one, another password."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conftest import World, make_passwords_cheap

from workspace_memory.domain.account import SESSION_IDLE
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import (
    Forbidden,
    InvalidRequest,
    LinkInvalid,
    NotAuthenticated,
    NotFound,
    SignInRefused,
)
from workspace_memory.domain.ids import SignInId, TokenId
from workspace_memory.services.accounts import make_password_reset_here, redeem_link
from workspace_memory.services.audit import AuditQuery, list_audit_here
from workspace_memory.services.authentication import SignedIn, authenticate_session, sign_in
from workspace_memory.services.sign_ins import change_password, end_sign_in, list_sign_ins

BOB = "bob@example.com"
PASSWORD = "correct horse tea"
NEW_PASSWORD = "a new and longer password"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    make_passwords_cheap(monkeypatch)


@pytest.fixture
def here(world: World) -> SignedIn:
    """Bob, signed in."""
    redeem_link(world.deps, make_password_reset_here(world.deps, BOB).secret, password=PASSWORD)
    return signed_in(world)


def signed_in(world: World, password: str = PASSWORD) -> SignedIn:
    return sign_in(world.deps, email=BOB, password=password, address="192.0.2.1")


def bob(world: World) -> Actor:
    return world.by_hand(world.bob)


def by_token(world: World) -> Actor:
    return replace(bob(world), token=TokenId("t"), workspace=world.workspace)


def is_over(world: World, session: SignedIn) -> bool:
    try:
        authenticate_session(world.deps, session.secret)
    except NotAuthenticated:
        return True
    return False


def test_each_place_is_listed_the_last_used_first(world: World, here: SignedIn) -> None:
    world.clock.move(timedelta(minutes=5))
    there = signed_in(world)
    world.clock.move(timedelta(minutes=5))
    authenticate_session(world.deps, here.secret)
    first, second = list_sign_ins(world.deps, bob(world), here.secret)
    assert (first.present, second.present) == (True, False)
    assert (first.last_seen_at, second.last_seen_at) == (
        world.clock.now(),
        world.clock.now() - timedelta(minutes=5),
    )
    assert second.expires_at == there.expires_at


def test_what_a_session_is_called_by_does_not_open_it(world: World, here: SignedIn) -> None:
    [listed] = list_sign_ins(world.deps, bob(world), here.secret)
    with pytest.raises(NotAuthenticated):
        authenticate_session(world.deps, listed.id)


def test_a_session_that_is_over_is_not_listed(world: World, here: SignedIn) -> None:
    world.clock.move(SESSION_IDLE)
    assert list_sign_ins(world.deps, bob(world), here.secret) == []


def test_a_session_is_ended_from_another_one(world: World, here: SignedIn) -> None:
    there = signed_in(world)
    [other] = [each for each in list_sign_ins(world.deps, bob(world), here.secret) if not each.present]
    end_sign_in(world.deps, bob(world), other.id)
    assert (is_over(world, here), is_over(world, there)) == (False, True)


def test_sessions_of_others_are_not_found(world: World, here: SignedIn) -> None:
    [listed] = list_sign_ins(world.deps, bob(world), here.secret)
    for other in (listed.id, SignInId(""), SignInId("\0")):
        with pytest.raises(NotFound):
            end_sign_in(world.deps, world.by_hand(world.alice), other)
    assert list_sign_ins(world.deps, world.by_hand(world.alice), here.secret) == []
    assert not is_over(world, here)


def test_a_token_neither_sees_nor_ends_sessions(world: World, here: SignedIn) -> None:
    [listed] = list_sign_ins(world.deps, bob(world), here.secret)
    for actor in (by_token(world), world.client(world.bob)):
        with pytest.raises(Forbidden):
            list_sign_ins(world.deps, actor, here.secret)
        with pytest.raises(Forbidden):
            end_sign_in(world.deps, actor, listed.id)
        with pytest.raises(Forbidden):
            change_password(world.deps, actor, here.secret, password=PASSWORD, new_password=NEW_PASSWORD)


def test_another_password_ends_the_other_sessions(world: World, here: SignedIn) -> None:
    there = signed_in(world)
    change_password(world.deps, bob(world), here.secret, password=PASSWORD, new_password=NEW_PASSWORD)
    assert (is_over(world, here), is_over(world, there)) == (False, True)
    with pytest.raises(SignInRefused):
        signed_in(world)
    assert not is_over(world, signed_in(world, NEW_PASSWORD))


def test_another_password_is_in_the_audit_log(world: World, here: SignedIn) -> None:
    change_password(world.deps, bob(world), here.secret, password=PASSWORD, new_password=NEW_PASSWORD)
    [event] = list_audit_here(world.deps, world.workspace, AuditQuery(limit=1)).events
    assert (event.action, event.actor, event.subject) == (
        AuditAction.PASSWORD_CHANGED,
        world.bob,
        world.bob,
    )


def test_another_password_makes_open_links_for_one_useless(world: World, here: SignedIn) -> None:
    link = make_password_reset_here(world.deps, BOB)
    change_password(world.deps, bob(world), here.secret, password=PASSWORD, new_password=NEW_PASSWORD)
    with pytest.raises(LinkInvalid):
        redeem_link(world.deps, link.secret, password=PASSWORD)


def test_without_the_present_password_nothing_changes(world: World, here: SignedIn) -> None:
    there = signed_in(world)
    with pytest.raises(SignInRefused):
        change_password(
            world.deps, bob(world), here.secret, password="wrong password", new_password=NEW_PASSWORD
        )
    assert not is_over(world, there)
    assert not is_over(world, signed_in(world))


def test_a_short_new_password_is_refused_by_its_name(world: World, here: SignedIn) -> None:
    with pytest.raises(InvalidRequest) as refused:
        change_password(world.deps, bob(world), here.secret, password=PASSWORD, new_password="short")
    assert refused.value.field == "new_password"

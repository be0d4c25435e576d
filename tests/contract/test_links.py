"""One-time links: an invitation, a password reset; used once, in time, by the right person."""

from datetime import timedelta

import pytest
from tests.conftest import World
from tests.contract.together import answers, at_once, failures

from workspace_memory.crypto import passwords
from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.account import (
    INVITATION_VALID,
    PASSWORD_RESET_VALID,
    AccountStatus,
    LinkPurpose,
)
from workspace_memory.domain.errors import (
    AlreadyMember,
    Forbidden,
    InvalidRequest,
    LevelTooLow,
    LinkInvalid,
    NotAuthenticated,
    NotFound,
    SignInRefused,
)
from workspace_memory.domain.ids import LinkId
from workspace_memory.services import accounts
from workspace_memory.services.accounts import (
    MadeLink,
    Redeemed,
    deactivate_account_here,
    invite,
    invite_here,
    list_invitations,
    look_at_link,
    make_password_reset,
    make_password_reset_here,
    redeem_link,
    withdraw_invitation,
)
from workspace_memory.services.authentication import authenticate_session, sign_in
from workspace_memory.services.members import get_member

PASSWORD = "correct horse tea"
OTHER_PASSWORD = "battery staple coffee"
DAVE = "dave@example.com"
HERE = "192.0.2.1"


def invited(world: World, email: str = DAVE, role: Role = Role.EDITOR) -> MadeLink:
    return invite(world.deps, world.by_hand(world.alice), world.workspace, email=email, role=role)


def redeem(world: World, link: MadeLink, password: str = PASSWORD) -> Redeemed:
    return redeem_link(world.deps, link.secret, password=password, address=HERE)


def with_password(world: World, email: str, password: str = PASSWORD) -> None:
    redeem(world, make_password_reset_here(world.deps, email), password)


def invited_by_mallory(world: World, email: str) -> MadeLink:
    return invite(
        world.deps, world.by_hand(world.mallory), world.other_workspace, email=email, role=Role.VIEWER
    )


# --- Invitations -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", list(Role))
def test_an_invitation_makes_a_member_of_its_role(world: World, role: Role) -> None:
    made = redeem(world, invited(world, role=role))
    member = get_member(world.deps, world.by_hand(world.alice), world.workspace, made.user)
    assert (member.role, member.email, made.server) == (role, DAVE, world.server)


@pytest.mark.requirement("items:access:a-new-member-inherits")
def test_a_new_member_inherits_the_level(world: World) -> None:
    made = redeem(world, invited(world))
    member = get_member(world.deps, world.by_hand(world.alice), world.workspace, made.user)
    assert member.memory_access is AccessLevel.INHERIT


def test_whoever_was_invited_can_sign_in(world: World) -> None:
    made = redeem(world, invited(world))
    assert sign_in(world.deps, email=DAVE, password=PASSWORD, address=HERE).user == made.user


def test_a_link_tells_its_holder_what_it_is_for(world: World) -> None:
    facts = look_at_link(world.deps, invited(world).secret)
    assert (facts.purpose, facts.email, facts.workspace_name, facts.account_exists) == (
        LinkPurpose.INVITATION,
        DAVE,
        "Tea shop",
        False,
    )


def test_a_link_works_once(world: World) -> None:
    link = invited(world)
    redeem(world, link)
    with pytest.raises(LinkInvalid):
        redeem(world, link)


def test_a_link_used_twice_at_once_works_once(world: World) -> None:
    link = invited(world)
    outcomes = at_once(*[lambda: redeem(world, link)] * 2)
    assert len(answers(outcomes)) == 1
    assert set(failures(outcomes)) <= {LinkInvalid, SignInRefused}


def test_two_invitations_of_a_new_person_used_at_once_make_one_account(world: World) -> None:
    links = invited(world), invited_by_mallory(world, DAVE)
    outcomes = at_once(*(lambda given=link: redeem(world, given) for link in links))
    with world.deps.database.read() as tx:
        account = tx.accounts.by_email(DAVE)
    assert account is not None
    assert {made.user for made in answers(outcomes)} == {account.id}
    # The slower one has not shown that it knows the password that the faster one set.
    assert set(failures(outcomes)) <= {SignInRefused}


def test_an_account_that_came_up_meanwhile_has_to_be_proved(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = invited(world), invited_by_mallory(world, DAVE)

    def hash_while_dave_joins_elsewhere(password: str) -> str:
        monkeypatch.undo()
        redeem(world, first, OTHER_PASSWORD)
        return passwords.hash_password(password)

    monkeypatch.setattr(accounts, "hash_password", hash_while_dave_joins_elsewhere)
    with pytest.raises(SignInRefused):
        redeem(world, second)


@pytest.mark.parametrize(("later", "works"), [(-timedelta(seconds=1), True), (timedelta(0), False)])
def test_an_invitation_is_valid_for_seven_days(world: World, later: timedelta, works: bool) -> None:
    link = invited(world)
    world.clock.move(INVITATION_VALID + later)
    if works:
        assert redeem(world, link).email == DAVE
    else:
        with pytest.raises(LinkInvalid):
            redeem(world, link)
    assert timedelta(days=7) == INVITATION_VALID


@pytest.mark.parametrize("spelling", [DAVE, "DAVE@Example.com", " dave@example.com "])
def test_a_newer_invitation_of_the_same_address_replaces_the_older(world: World, spelling: str) -> None:
    older, newer = invited(world), invited(world, spelling)
    with pytest.raises(LinkInvalid):
        redeem(world, older)
    assert redeem(world, newer).workspace == world.workspace


def test_an_invitation_to_another_workspace_stays(world: World) -> None:
    elsewhere = invited_by_mallory(world, DAVE)
    invited(world)
    assert redeem(world, elsewhere).workspace == world.other_workspace


@pytest.mark.parametrize("secret", ["", "wm_lnk_unknown", "\0", "\ud800", "x" * 100_000])
def test_an_unknown_link_is_not_valid(world: World, secret: str) -> None:
    with pytest.raises(LinkInvalid):
        redeem_link(world.deps, secret, password=PASSWORD)


def test_open_invitations_are_listed_newest_first(world: World) -> None:
    redeem(world, invited(world, "erin@example.com"))
    first = invited(world)
    world.clock.move(timedelta(minutes=1))
    second = invited(world, "frank@example.com")
    links = list_invitations(world.deps, world.by_hand(world.alice), world.workspace)
    assert [link.id for link in links] == [second.link.id, first.link.id]


def test_expired_invitations_are_not_listed(world: World) -> None:
    invited(world)
    world.clock.move(INVITATION_VALID)
    assert list_invitations(world.deps, world.by_hand(world.alice), world.workspace) == []


def test_a_withdrawn_invitation_is_useless(world: World) -> None:
    link = invited(world)
    withdraw_invitation(world.deps, world.by_hand(world.alice), world.workspace, link.link.id)
    with pytest.raises(LinkInvalid):
        redeem(world, link)


def test_an_invitation_of_another_workspace_cannot_be_withdrawn(world: World) -> None:
    elsewhere = invited_by_mallory(world, DAVE)
    with pytest.raises(NotFound):
        withdraw_invitation(world.deps, world.by_hand(world.alice), world.workspace, elsewhere.link.id)


@pytest.mark.parametrize("link", ["", "nothing", "\0", "\ud800"])
def test_what_is_no_link_cannot_be_withdrawn(world: World, link: str) -> None:
    with pytest.raises(NotFound):
        withdraw_invitation(world.deps, world.by_hand(world.alice), world.workspace, LinkId(link))


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_only_admins_invite(world: World, who: str) -> None:
    with pytest.raises(Forbidden):
        invite(world.deps, world.by_hand(getattr(world, who)), world.workspace, email=DAVE, role=Role.VIEWER)


def test_a_token_capped_below_contribute_does_not_invite(world: World) -> None:
    capped = world.by_hand(world.alice, max_level=AccessLevel.PERSONAL)
    with pytest.raises(LevelTooLow):
        invite(world.deps, capped, world.workspace, email=DAVE, role=Role.VIEWER)


def test_for_a_stranger_the_workspace_is_not_there(world: World) -> None:
    with pytest.raises(NotFound):
        invite(world.deps, world.by_hand(world.mallory), world.workspace, email=DAVE, role=Role.ADMIN)


def test_a_member_is_not_invited_again(world: World) -> None:
    with pytest.raises(AlreadyMember):
        invited(world, "BOB@example.com")


def test_what_is_no_address_is_not_invited(world: World) -> None:
    with pytest.raises(InvalidRequest, match="e-mail"):
        invited(world, "dave")


def test_an_invitation_made_on_the_machine_works_alike(world: World) -> None:
    link = invite_here(world.deps, world.workspace, email=DAVE, role=Role.VIEWER)
    assert redeem(world, link).workspace == world.workspace


# --- Invitations for somebody who has an account -------------------------------------------------------------


def test_an_existing_account_proves_its_password(world: World) -> None:
    with_password(world, "bob@example.com")
    link = invited_by_mallory(world, "bob@example.com")
    with pytest.raises(SignInRefused):
        redeem(world, link, OTHER_PASSWORD)
    assert redeem(world, link).user == world.bob


def test_an_existing_account_keeps_its_password(world: World) -> None:
    with_password(world, "bob@example.com")
    redeem(world, invited_by_mallory(world, "bob@example.com"))
    assert sign_in(world.deps, email="bob@example.com", password=PASSWORD, address=HERE).user == world.bob


def test_an_invitation_gives_nobody_the_account_of_a_member_without_a_password(world: World) -> None:
    # The admin who makes the link sees it: by it mallory would become bob in the other workspace too.
    link = invited_by_mallory(world, "bob@example.com")
    with pytest.raises(Forbidden, match="reset-password"):
        redeem(world, link)
    with pytest.raises(SignInRefused):
        sign_in(world.deps, email="bob@example.com", password=PASSWORD, address=HERE)


def test_a_deactivated_account_cannot_accept(world: World) -> None:
    with_password(world, "bob@example.com")
    link = invited_by_mallory(world, "bob@example.com")
    deactivate_account_here(world.deps, "bob@example.com")
    with pytest.raises((LinkInvalid, SignInRefused)):
        redeem(world, link)


# --- Password resets ---------------------------------------------------------------------------------------


def test_a_reset_sets_the_password_and_ends_the_sessions(world: World) -> None:
    with_password(world, "bob@example.com")
    session = sign_in(world.deps, email="bob@example.com", password=PASSWORD, address=HERE)
    reset = make_password_reset(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    redeem(world, reset, OTHER_PASSWORD)
    with pytest.raises(NotAuthenticated):
        authenticate_session(world.deps, session.secret)
    with pytest.raises(SignInRefused):
        sign_in(world.deps, email="bob@example.com", password=PASSWORD, address=HERE)
    assert (
        sign_in(world.deps, email="bob@example.com", password=OTHER_PASSWORD, address=HERE).user == world.bob
    )


def test_until_it_is_redeemed_the_old_password_works(world: World) -> None:
    with_password(world, "bob@example.com")
    make_password_reset(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    assert sign_in(world.deps, email="bob@example.com", password=PASSWORD, address=HERE).user == world.bob


@pytest.mark.parametrize(("later", "works"), [(-timedelta(seconds=1), True), (timedelta(0), False)])
def test_a_reset_is_valid_for_an_hour(world: World, later: timedelta, works: bool) -> None:
    link = make_password_reset_here(world.deps, "bob@example.com")
    world.clock.move(PASSWORD_RESET_VALID + later)
    if works:
        assert redeem(world, link).purpose is LinkPurpose.PASSWORD_RESET
    else:
        with pytest.raises(LinkInvalid):
            redeem(world, link)
    assert timedelta(hours=1) == PASSWORD_RESET_VALID


def test_a_newer_reset_replaces_the_older(world: World) -> None:
    older = make_password_reset_here(world.deps, "bob@example.com")
    newer = make_password_reset(world.deps, world.by_hand(world.alice), world.workspace, world.bob)
    with pytest.raises(LinkInvalid):
        redeem(world, older)
    assert redeem(world, newer).user == world.bob


def test_a_reset_used_twice_at_once_sets_one_password(world: World) -> None:
    link = make_password_reset_here(world.deps, "bob@example.com")
    outcomes = at_once(lambda: redeem(world, link), lambda: redeem(world, link, OTHER_PASSWORD))
    assert (len(answers(outcomes)), failures(outcomes)) == (1, [LinkInvalid])


def test_an_admin_makes_no_reset_for_somebody_of_another_workspace_too(world: World) -> None:
    with_password(world, "bob@example.com")
    redeem(world, invited_by_mallory(world, "bob@example.com"))
    with pytest.raises(Forbidden, match="operator"):
        make_password_reset(world.deps, world.by_hand(world.mallory), world.other_workspace, world.bob)


def test_an_admin_makes_no_reset_for_a_stranger(world: World) -> None:
    with pytest.raises(NotFound):
        make_password_reset(world.deps, world.by_hand(world.mallory), world.other_workspace, world.bob)


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_only_admins_make_resets(world: World, who: str) -> None:
    with pytest.raises(Forbidden):
        make_password_reset(world.deps, world.by_hand(getattr(world, who)), world.workspace, world.carol)


def test_a_reset_does_not_activate_an_account(world: World) -> None:
    link = make_password_reset_here(world.deps, "bob@example.com")
    deactivate_account_here(world.deps, "bob@example.com")
    redeem(world, link)
    with world.deps.database.read() as tx:
        account = tx.accounts.get(world.bob)
    assert account is not None
    assert account.status is AccountStatus.DEACTIVATED


def test_of_a_link_only_the_hash_is_kept(world: World) -> None:
    secret = invited(world).secret
    with world.deps.database.read() as tx:
        rows = tx.connection.exec_driver_sql("SELECT * FROM links").all()
    assert rows
    assert not any(secret.encode() in repr(row).encode() for row in rows)

"""The first set-up, once and never again, and accounts on the machine itself."""

import pytest
from tests.conftest import MovableClock, World
from tests.contract.together import answers, at_once, failures

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import AccountStatus, LinkPurpose
from workspace_memory.domain.actor import Channel, Surface
from workspace_memory.domain.errors import (
    AlreadySetUp,
    InvalidRequest,
    LastAdmin,
    LinkInvalid,
    NotAuthenticated,
    NotFound,
)
from workspace_memory.services.accounts import (
    FIRST_WORKSPACE,
    Redeemed,
    deactivate_account_here,
    is_set_up,
    look_at_link,
    make_setup_link,
    redeem_link,
    set_up_here,
)
from workspace_memory.services.authentication import authenticate_token, sign_in, who_am_i
from workspace_memory.services.deps import Deps
from workspace_memory.services.entering import enter_server
from workspace_memory.services.members import change_member, get_member
from workspace_memory.services.tokens import make_token_here
from workspace_memory.storage.database import Database

PASSWORD = "correct horse tea"


@pytest.fixture
def fresh(database: Database) -> Deps:
    """An installation without any account."""
    return Deps(database, clock=MovableClock())


def redeem_as(deps: Deps, secret: str, email: str) -> Redeemed:
    return redeem_link(deps, secret, password=PASSWORD, email=email)


def test_a_fresh_installation_is_not_set_up(fresh: Deps) -> None:
    assert not is_set_up(fresh)


def test_init_makes_owner_workspace_server_and_token(fresh: Deps) -> None:
    made = set_up_here(fresh, email="alice@example.com", workspace_name="Tea shop")
    assert made.token is not None
    actor = authenticate_token(fresh, made.token.secret, channel=Channel.CLIENT)
    entered = enter_server(fresh, made.token.secret, made.server)
    assert (entered.actor, entered.server.id, entered.membership.role) == (actor, made.server, Role.ADMIN)
    assert actor.workspace == made.workspace
    assert is_set_up(fresh)


def test_the_owners_token_reaches_as_far_as_a_token_can(fresh: Deps) -> None:
    made = set_up_here(fresh, email="alice@example.com")
    assert made.token is not None
    assert (made.token.token.max_level, made.token.token.surface) == (AccessLevel.CONTRIBUTE, Surface.ALL)


def test_without_a_name_the_owner_is_called_by_the_address(fresh: Deps) -> None:
    made = set_up_here(fresh, email="alice@example.com")
    assert made.token is not None
    actor = authenticate_token(fresh, made.token.secret, channel=Channel.PERSON)
    assert who_am_i(fresh, actor).account.name == "alice"


def test_init_a_second_time_is_refused(fresh: Deps) -> None:
    set_up_here(fresh, email="alice@example.com")
    with pytest.raises(AlreadySetUp):
        set_up_here(fresh, email="mallory@example.com")


def test_no_setup_link_is_made_once_there_is_an_account(fresh: Deps) -> None:
    set_up_here(fresh, email="alice@example.com")
    with pytest.raises(AlreadySetUp):
        make_setup_link(fresh)


def test_the_setup_link_makes_an_owner_who_can_sign_in(fresh: Deps) -> None:
    made = redeem_as(fresh, make_setup_link(fresh).secret, "alice@example.com")
    signed_in = sign_in(fresh, email="ALICE@example.com", password=PASSWORD, address="192.0.2.1")
    assert (made.purpose, signed_in.user) == (LinkPurpose.SETUP, made.user)
    assert made.server is not None


def test_the_setup_link_names_the_workspace_by_default(fresh: Deps) -> None:
    made = redeem_as(fresh, make_setup_link(fresh).secret, "alice@example.com")
    with fresh.database.read() as tx:
        workspace = None if made.workspace is None else tx.workspaces.get(made.workspace)
    assert workspace is not None
    assert workspace.name == FIRST_WORKSPACE


def test_a_newer_setup_link_replaces_the_older_one(fresh: Deps) -> None:
    older, newer = make_setup_link(fresh), make_setup_link(fresh)
    with pytest.raises(LinkInvalid):
        redeem_as(fresh, older.secret, "alice@example.com")
    assert look_at_link(fresh, newer.secret).purpose is LinkPurpose.SETUP


def test_init_makes_the_setup_link_useless(fresh: Deps) -> None:
    link = make_setup_link(fresh)
    set_up_here(fresh, email="alice@example.com")
    with pytest.raises((LinkInvalid, AlreadySetUp)):
        redeem_as(fresh, link.secret, "mallory@example.com")


@pytest.mark.parametrize(
    ("email", "password", "field"),
    [("no address", PASSWORD, "email"), ("", PASSWORD, "email"), ("alice@example.com", "short", "password")],
)
def test_a_refused_setup_leaves_the_link_usable(fresh: Deps, email: str, password: str, field: str) -> None:
    link = make_setup_link(fresh)
    with pytest.raises(InvalidRequest) as refused:
        redeem_link(fresh, link.secret, password=password, email=email)
    assert refused.value.field == field
    assert redeem_as(fresh, link.secret, "alice@example.com").workspace is not None


def test_of_two_who_run_init_at_once_one_owns_the_installation(fresh: Deps) -> None:
    outcomes = at_once(
        *(
            lambda e=email: set_up_here(fresh, email=e)
            for email in ("alice@example.com", "mallory@example.com")
        )
    )
    assert (len(answers(outcomes)), failures(outcomes)) == (1, [AlreadySetUp])
    with fresh.database.read() as tx:
        assert (tx.accounts.count(), len(tx.workspaces.all())) == (1, 1)


def test_a_setup_link_beside_init_makes_one_owner(fresh: Deps) -> None:
    link = make_setup_link(fresh)
    at_once(
        lambda: str(set_up_here(fresh, email="alice@example.com").user),
        lambda: str(redeem_as(fresh, link.secret, "mallory@example.com").user),
    )
    with fresh.database.read() as tx:
        assert tx.accounts.count() == 1


def test_a_setup_link_used_twice_at_once_makes_one_owner(fresh: Deps) -> None:
    link = make_setup_link(fresh)
    outcomes = at_once(
        *(
            lambda e=email: redeem_as(fresh, link.secret, e)
            for email in ("alice@example.com", "mallory@example.com")
        )
    )
    assert len(answers(outcomes)) == 1
    assert set(failures(outcomes)) <= {LinkInvalid, AlreadySetUp}


def test_a_deactivated_account_has_no_way_in(world: World) -> None:
    token = make_token_here(
        world.deps, world.workspace, world.bob, name="Test client", max_level=AccessLevel.CONTRIBUTE
    )
    deactivate_account_here(world.deps, "bob@example.com")
    for channel in Channel:
        with pytest.raises(NotAuthenticated):
            authenticate_token(world.deps, token.secret, channel=channel)


def test_an_account_that_is_activated_again_has_its_tokens_back(world: World) -> None:
    token = make_token_here(
        world.deps, world.workspace, world.bob, name="Test client", max_level=AccessLevel.CONTRIBUTE
    )
    deactivate_account_here(world.deps, "bob@example.com")
    account = deactivate_account_here(world.deps, "BOB@example.com", active=True)
    assert account.status is AccountStatus.ACTIVE
    assert authenticate_token(world.deps, token.secret, channel=Channel.CLIENT).user == world.bob


def test_the_account_of_the_last_active_admin_cannot_be_deactivated(world: World) -> None:
    with pytest.raises(LastAdmin):
        deactivate_account_here(world.deps, "alice@example.com")
    assert get_member(world.deps, world.by_hand(world.alice), world.workspace, world.alice)


def test_an_admin_whose_account_is_deactivated_is_none_to_count_on(world: World) -> None:
    change_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob, role=Role.ADMIN)
    deactivate_account_here(world.deps, "bob@example.com")
    with pytest.raises(LastAdmin):
        change_member(
            world.deps,
            world.by_hand(world.alice),
            world.workspace,
            world.alice,
            status=MemberStatus.DEACTIVATED,
        )


@pytest.mark.parametrize("email", ["nobody@example.com", "", "a\0b@example.com", "\ud800@example.com"])
def test_an_unknown_account_is_not_found(world: World, email: str) -> None:
    with pytest.raises(NotFound):
        deactivate_account_here(world.deps, email)

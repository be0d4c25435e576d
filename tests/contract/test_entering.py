"""Coming in at an MCP server: by one statement the same that proving the token and asking for the server give."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.actor import Channel, Surface
from workspace_memory.domain.errors import NotAuthenticated, NotFound
from workspace_memory.domain.ids import ServerId, UserId
from workspace_memory.services.accounts import deactivate_account_here
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.entering import Entered, enter_server
from workspace_memory.services.members import change_member, remove_member
from workspace_memory.services.servers import change_server, get_server
from workspace_memory.services.tokens import MadeToken, make_token, make_token_here, revoke_token

CONTRIBUTE, READ = AccessLevel.CONTRIBUTE, AccessLevel.READ


def a_token(world: World, user: UserId, *, max_level: AccessLevel = CONTRIBUTE) -> MadeToken:
    return make_token_here(world.deps, world.workspace, user, name="Laptop", max_level=max_level)


def enter(world: World, made: MadeToken, server: ServerId | None = None) -> Entered:
    return enter_server(world.deps, made.secret, server or world.server)


@pytest.mark.requirement("items:level:is-the-one-in-the-servers-workspace")
def test_a_server_gives_the_level_of_the_caller_in_its_workspace(world: World) -> None:
    made = a_token(world, world.bob)
    for level in (READ, AccessLevel.PERSONAL):
        world.set_level(world.bob, level)
        entered = enter(world, made)
        assert (entered.server.workspace, entered.membership.level) == (world.workspace, level)


def test_the_level_is_the_workspaces_where_the_member_has_none(world: World) -> None:
    world.set_level(world.bob, AccessLevel.INHERIT)
    world.configure(default_access=READ)
    assert enter(world, a_token(world, world.bob)).membership.level is READ


def test_a_tokens_cap_counts_there(world: World) -> None:
    world.set_level(world.bob, CONTRIBUTE)
    assert enter(world, a_token(world, world.bob, max_level=READ)).membership.level is READ


def test_who_comes_in_is_who_the_token_proves(world: World) -> None:
    made = make_token_here(
        world.deps, world.workspace, world.bob, name="Laptop", max_level=READ, surface=Surface.MCP
    )
    actor = authenticate_token(world.deps, made.secret, channel=Channel.CLIENT)
    assert enter(world, made).actor == actor
    assert actor.source == "Laptop"


def test_the_server_is_as_it_is_stored(world: World) -> None:
    alice = world.by_hand(world.alice)
    change_server(world.deps, alice, world.workspace, world.server, name="Tea", chatgpt_tools=True)
    stored = get_server(world.deps, alice, world.workspace, world.server)
    assert enter(world, a_token(world, world.bob)).server == stored


def test_the_use_of_the_token_is_noted(world: World) -> None:
    made = a_token(world, world.bob)
    enter(world, made)
    assert world.deps.last_used.get(world.workspace, made.token.id) == world.clock.now()


@pytest.mark.requirement("items:mcp:no-tools-for-a-deactivated-member")
def test_a_deactivated_member_has_no_level_there(world: World) -> None:
    made = a_token(world, world.bob)
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    membership = enter(world, made).membership
    assert (membership.status, membership.level) == (MemberStatus.DEACTIVATED, AccessLevel.NONE)


@pytest.mark.requirement("items:mcp:no-tools-without-a-member-identity")
@pytest.mark.parametrize("server", ["", "nothing", "\0", "\ud800", "0190a0b0-aaaa-7000-8000-00000000abcd"])
def test_a_server_that_is_not_of_the_tokens_workspace_is_not_found(world: World, server: str) -> None:
    made = a_token(world, world.bob)
    for asked in (ServerId(server), world.other_server):
        with pytest.raises(NotFound) as refused:
            enter_server(world.deps, made.secret, asked)
        assert str(refused.value) == "There is no such MCP server."


@pytest.mark.requirement("items:unit:access-of-a-non-member")
def test_a_token_of_another_workspace_finds_no_server_there(world: World) -> None:
    made = make_token(
        world.deps, world.by_hand(world.mallory), world.other_workspace, name="Laptop", max_level=READ
    )
    with pytest.raises(NotFound):
        enter_server(world.deps, made.secret, world.server)


def expire(world: World, _made: MadeToken) -> None:
    world.clock.move(timedelta(days=2))


def revoke(world: World, made: MadeToken) -> None:
    revoke_token(world.deps, world.by_hand(world.bob), world.workspace, made.token.id)


def deactivate(world: World, _made: MadeToken) -> None:
    deactivate_account_here(world.deps, "bob@example.com")


def remove(world: World, _made: MadeToken) -> None:
    remove_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob)


@pytest.mark.parametrize("end", [expire, revoke, deactivate, remove])
def test_a_token_that_has_ended_lets_nobody_in(world: World, end: Callable[[World, MadeToken], None]) -> None:
    made = make_token_here(
        world.deps,
        world.workspace,
        world.bob,
        name="Laptop",
        max_level=READ,
        expires_at=world.clock.now() + timedelta(days=1),
    )
    assert enter(world, made).actor.token == made.token.id
    end(world, made)
    for server in (world.server, world.other_server):
        with pytest.raises(NotAuthenticated):
            enter_server(world.deps, made.secret, server)


@pytest.mark.parametrize("secret", ["", "wm_pat_unknown", "\ud800"])
def test_an_unknown_secret_lets_nobody_in(world: World, secret: str) -> None:
    with pytest.raises(NotAuthenticated):
        enter_server(world.deps, secret, world.server)

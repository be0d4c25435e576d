"""MCP servers: an address of one workspace, with an id that stays."""

from dataclasses import replace

import pytest
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.ids import ServerId
from workspace_memory.services.members import change_member
from workspace_memory.services.servers import (
    add_server,
    change_server,
    delete_server,
    get_server,
    list_servers,
    resolve_server,
)


@pytest.mark.requirement("items:level:is-the-one-in-the-servers-workspace")
def test_a_server_gives_the_level_of_the_caller_in_its_workspace(world: World) -> None:
    world.set_level(world.bob, AccessLevel.READ)
    server, membership = resolve_server(world.deps, world.client(world.bob), world.server)
    assert (server.workspace, membership.level) == (world.workspace, AccessLevel.READ)


def test_a_tokens_cap_counts_there(world: World) -> None:
    actor = world.client(world.bob, max_level=AccessLevel.READ)
    assert resolve_server(world.deps, actor, world.server)[1].level is AccessLevel.READ


@pytest.mark.requirement("items:mcp:no-tools-for-a-deactivated-member")
def test_a_deactivated_member_has_no_level_there(world: World) -> None:
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    _, membership = resolve_server(world.deps, world.client(world.bob), world.server)
    assert (membership.status, membership.level) == (MemberStatus.DEACTIVATED, AccessLevel.NONE)


@pytest.mark.requirement("items:mcp:no-tools-without-a-member-identity")
@pytest.mark.parametrize("server", ["", "nothing", "\0", "\ud800", "0190a0b0-aaaa-7000-8000-00000000abcd"])
def test_a_server_that_is_not_of_the_tokens_workspace_is_not_found(world: World, server: str) -> None:
    for asked in (ServerId(server), world.other_server):
        with pytest.raises(NotFound) as refused:
            resolve_server(world.deps, world.client(world.bob), asked)
        assert str(refused.value) == "There is no such MCP server."


@pytest.mark.requirement("items:unit:access-of-a-non-member")
def test_who_is_no_member_has_no_access_there(world: World) -> None:
    stranger = replace(world.client(world.mallory), workspace=world.workspace)
    with pytest.raises(NotFound):
        resolve_server(world.deps, stranger, world.server)


def test_a_session_has_no_server(world: World) -> None:
    with pytest.raises(NotFound):
        resolve_server(world.deps, world.by_hand(world.alice), world.server)


def test_an_admin_adds_changes_and_deletes_servers(world: World) -> None:
    alice = world.by_hand(world.alice)
    made = add_server(world.deps, alice, world.workspace, name="Kitchen")
    changed = change_server(world.deps, alice, world.workspace, made.id, name="Bar", chatgpt_tools=True)
    assert (changed.id, changed.name, changed.chatgpt_tools) == (made.id, "Bar", True)
    delete_server(world.deps, alice, world.workspace, made.id)
    assert [server.id for server in list_servers(world.deps, alice, world.workspace)] == [world.server]


def test_the_switch_for_chatgpt_is_off_at_first(world: World) -> None:
    assert not get_server(world.deps, world.by_hand(world.carol), world.workspace, world.server).chatgpt_tools


def test_a_change_leaves_the_rest(world: World) -> None:
    alice = world.by_hand(world.alice)
    change_server(world.deps, alice, world.workspace, world.server, chatgpt_tools=True)
    assert change_server(world.deps, alice, world.workspace, world.server, name="Bar").chatgpt_tools


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_only_admins_handle_servers(world: World, who: str) -> None:
    actor = world.by_hand(getattr(world, who))
    with pytest.raises(Forbidden):
        add_server(world.deps, actor, world.workspace, name="Kitchen")
    with pytest.raises(Forbidden):
        change_server(world.deps, actor, world.workspace, world.server, name="Kitchen")
    with pytest.raises(Forbidden):
        delete_server(world.deps, actor, world.workspace, world.server)


def test_a_capped_token_handles_no_servers(world: World) -> None:
    with pytest.raises(LevelTooLow):
        add_server(
            world.deps,
            world.by_hand(world.alice, max_level=AccessLevel.PERSONAL),
            world.workspace,
            name="Bar",
        )


def test_a_server_of_another_workspace_is_missing(world: World) -> None:
    alice = world.by_hand(world.alice)
    for act in (get_server, delete_server):
        with pytest.raises(NotFound):
            act(world.deps, alice, world.workspace, world.other_server)
    with pytest.raises(NotFound):
        change_server(world.deps, alice, world.workspace, world.other_server, name="Mine")


def test_a_nameless_server_is_refused(world: World) -> None:
    with pytest.raises(InvalidRequest, match="name"):
        add_server(world.deps, world.by_hand(world.alice), world.workspace, name=" ")

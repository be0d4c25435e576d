"""MCP servers: an address of one workspace, with an id that stays."""

import pytest
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.services.servers import (
    add_server,
    change_server,
    delete_server,
    get_server,
    list_servers,
)


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

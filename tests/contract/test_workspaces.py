"""Workspaces: who makes, sees, renames and deletes them."""

import pytest
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.services.members import change_member
from workspace_memory.services.servers import list_servers
from workspace_memory.services.workspaces import (
    delete_workspace,
    get_workspace,
    list_workspaces,
    make_workspace,
    rename_workspace,
)


def test_a_session_reaches_all_workspaces_of_its_user(world: World) -> None:
    alice = world.by_hand(world.alice)
    made = make_workspace(world.deps, alice, name="Second shop")
    assert [w.name for w in list_workspaces(world.deps, alice)] == ["Tea shop", "Second shop"]
    assert [server.id for server in list_servers(world.deps, alice, made.workspace.id)] == [made.server]


def test_a_token_reaches_its_own_workspace_alone(world: World) -> None:
    made = make_workspace(world.deps, world.by_hand(world.alice), name="Second shop")
    token = world.client(world.alice)
    assert [w.id for w in list_workspaces(world.deps, token)] == [world.workspace]
    with pytest.raises(NotFound):
        get_workspace(world.deps, token, made.workspace.id)


def test_a_token_makes_no_workspace(world: World) -> None:
    with pytest.raises(Forbidden):
        make_workspace(world.deps, world.client(world.alice), name="Second shop")


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_only_an_admin_of_some_workspace_makes_another(world: World, who: str) -> None:
    with pytest.raises(Forbidden):
        make_workspace(world.deps, world.by_hand(getattr(world, who)), name="Second shop")


def test_a_deactivated_admin_makes_none(world: World) -> None:
    alice = world.by_hand(world.alice)
    change_member(
        world.deps, alice, world.workspace, world.bob, role=Role.ADMIN, status=MemberStatus.DEACTIVATED
    )
    with pytest.raises(Forbidden):
        make_workspace(world.deps, world.by_hand(world.bob), name="Second shop")


def test_an_admin_renames_it(world: World) -> None:
    assert (
        rename_workspace(world.deps, world.by_hand(world.alice), world.workspace, name=" Café ").name
        == "Café"
    )


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "two\nlines", "a\0"])
def test_what_cannot_be_a_name_is_refused(world: World, name: str) -> None:
    with pytest.raises(InvalidRequest, match="name"):
        rename_workspace(world.deps, world.by_hand(world.alice), world.workspace, name=name)


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_only_admins_rename_and_delete(world: World, who: str) -> None:
    actor = world.by_hand(getattr(world, who))
    with pytest.raises(Forbidden):
        rename_workspace(world.deps, actor, world.workspace, name="Rivals")
    with pytest.raises(Forbidden):
        delete_workspace(world.deps, actor, world.workspace, confirm_name="Tea shop")


def test_a_capped_token_neither_renames_nor_deletes(world: World) -> None:
    capped = world.by_hand(world.alice, max_level=AccessLevel.PERSONAL)
    with pytest.raises(LevelTooLow):
        rename_workspace(world.deps, capped, world.workspace, name="Rivals")
    with pytest.raises(LevelTooLow):
        delete_workspace(world.deps, capped, world.workspace, confirm_name="Tea shop")


@pytest.mark.parametrize("name", ["", "tea shop", "Tea shop ", "Rivals"])
def test_deleting_needs_the_name_repeated(world: World, name: str) -> None:
    with pytest.raises(InvalidRequest, match="confirm_name"):
        delete_workspace(world.deps, world.by_hand(world.alice), world.workspace, confirm_name=name)
    assert get_workspace(world.deps, world.by_hand(world.carol), world.workspace).name == "Tea shop"


def test_a_deleted_workspace_is_there_for_nobody(world: World) -> None:
    delete_workspace(world.deps, world.by_hand(world.alice), world.workspace, confirm_name="Tea shop")
    for user in (world.alice, world.bob, world.carol):
        with pytest.raises(NotFound):
            get_workspace(world.deps, world.by_hand(user), world.workspace)
    assert list_workspaces(world.deps, world.by_hand(world.alice)) == []


@pytest.mark.parametrize("workspace", ["", "nothing", "\0", "\ud800"])
def test_what_is_no_workspace_is_not_found(world: World, workspace: str) -> None:
    with pytest.raises(NotFound):
        get_workspace(world.deps, world.by_hand(world.alice), WorkspaceId(workspace))
    with pytest.raises(NotFound):
        rename_workspace(world.deps, world.by_hand(world.alice), WorkspaceId(workspace), name="Rivals")


def test_another_workspace_looks_like_a_missing_one(world: World) -> None:
    alice = world.by_hand(world.alice)
    with pytest.raises(NotFound) as foreign:
        get_workspace(world.deps, alice, world.other_workspace)
    with pytest.raises(NotFound) as missing:
        get_workspace(world.deps, alice, WorkspaceId(world.deps.new_id()))
    assert str(foreign.value) == str(missing.value)

"""The Python client against the real service: every call once."""

from datetime import timedelta

import pytest
from tests.e2e.rest_calls import PASSWORD, Rest

from workspace_memory.client import NewItem, WorkspaceMemory
from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import LinkPurpose
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.errors import Forbidden, LinkInvalid, NotAuthenticated, NotFound, VersionMismatch
from workspace_memory.domain.item import Kind, Scope


def test_items_go_round_trip(rest: Rest) -> None:
    cast = rest.live.world
    with WorkspaceMemory(rest.live.url, rest.live.token(cast.bob)) as memory:
        saved = memory.save_item("likes green tea", kind=Kind.PREFERENCE, tags=["drinks"])
        assert (saved.outcome, saved.item.author and saved.item.author.id) == ("saved", cast.bob)
        assert memory.save_item("likes green tea").outcome == "already_saved"
        assert [found.id for found in memory.search_items("tea")] == [saved.item.id]
        edited = memory.edit_item(saved.item.id, shown=saved.item.version, content="likes white tea")
        assert memory.get_item(saved.item.id) == edited
        with pytest.raises(VersionMismatch):
            memory.edit_item(saved.item.id, shown=saved.item.version, content="likes milk")
        replaced = memory.save_item("likes black tea", replaces=saved.item.id)
        assert (replaced.outcome, replaced.item.version) == ("replaced", 3)
        assert [revision.version for revision in memory.item_history(saved.item.id)] == [3, 2, 1]
        assert memory.memory_status().counts.personal == 1
        memory.delete_item(saved.item.id, shown=3)
        with pytest.raises(NotFound):
            memory.get_item(saved.item.id)


def test_many_items_are_added_and_listed_over_pages(rest: Rest) -> None:
    with WorkspaceMemory(rest.live.url, rest.live.token(rest.live.world.bob)) as memory:
        lines = memory.add_items([NewItem(f"office {n}", scope=Scope.ORGANIZATION) for n in range(120)])
        assert {line.outcome for line in lines} == {"saved"}
        assert {item.id for item in memory.list_items()} == {line.id for line in lines}
        assert len(list(memory.list_items(query="office", scope=Scope.ORGANIZATION))) == 120
        assert list(memory.list_items(scope=Scope.PERSONAL)) == []


def test_an_administrator_looks_after_the_workspace(rest: Rest) -> None:
    cast = rest.live.world
    with WorkspaceMemory(rest.live.url, rest.live.token(cast.alice)) as memory:
        assert [member.name for member in memory.list_members()] == ["alice", "bob", "carol"]
        changed = memory.change_member(cast.bob, memory_access=AccessLevel.CONTRIBUTE)
        assert memory.get_member(cast.bob) == changed
        assert memory.change_member(cast.carol, status=MemberStatus.DEACTIVATED).status == "deactivated"
        assert memory.remove_member(cast.carol).personal_items == 0
        server = memory.add_server("Laptop")
        assert memory.get_server(server.id) == server
        assert memory.change_server(server.id, chatgpt_tools=True).chatgpt_tools
        assert [each.name for each in memory.list_servers()] == ["Memory", "Laptop"]
        memory.delete_server(server.id)
        token = memory.make_token(
            "short",
            max_level=AccessLevel.READ,
            surface=Surface.MCP,
            expires_at=cast.clock.now() + timedelta(days=1),
        )
        assert token.token in memory.list_tokens()
        memory.revoke_token(token.token.id)
        assert memory.list_tokens(cast.bob) == ()
        assert memory.get_workspace() == memory.list_workspaces()[0]
        assert memory.rename_workspace("Coffee shop").name == "Coffee shop"
        with pytest.raises(Forbidden):
            memory.make_workspace("Second shop")
        memory.delete_workspace(confirm_name="Coffee shop")
        with pytest.raises(NotAuthenticated):
            memory.me()


def test_a_person_is_invited_signs_in_and_out(rest: Rest) -> None:
    with WorkspaceMemory(rest.live.url, rest.live.token(rest.live.world.alice)) as memory:
        made = memory.invite("dora@example.com", Role.EDITOR)
        [shown] = memory.list_invitations()
        assert (shown.id, shown.role) == (made.id, Role.EDITOR)
        other = memory.invite("eve@example.com", Role.VIEWER)
        memory.withdraw_invitation(other.id)
        reset = memory.make_password_reset(rest.live.world.bob)
    with WorkspaceMemory(rest.live.url) as memory:
        assert memory.look_at_link(reset.url).purpose is LinkPurpose.PASSWORD_RESET
        with pytest.raises(LinkInvalid):
            memory.look_at_link(other.url)
        redeemed = memory.redeem_link(made.url, password=PASSWORD, name="Dora")
        assert redeemed.server_url == rest.live.mcp_url
        memory.sign_in("dora@example.com", PASSWORD)
        assert memory.me().workspaces[0].id == redeemed.workspace_id
        memory.save_item("dora likes cocoa")
        memory.sign_out()
        with pytest.raises(NotAuthenticated):
            memory.me()

"""The Python client against the real service: every call once."""

from datetime import date, timedelta

import pytest
from tests.e2e.governing import proposal
from tests.e2e.rest_calls import PASSWORD, Rest

from workspace_memory.client import Decision, NewItem, WorkspaceMemory
from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import LinkPurpose
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import (
    Forbidden,
    LicenceInvalid,
    LinkInvalid,
    NotAuthenticated,
    NotFound,
    NotPending,
    VersionMismatch,
)
from workspace_memory.domain.item import Kind, Scope, WriteMode


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
        assert memory.get_member(cast.bob).memory_access == changed.memory_access == "contribute"
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


def test_an_administrator_reviews_what_clients_proposed(rest: Rest) -> None:
    cast = rest.live.world
    first, second, third = (proposal(cast, text).id for text in ("one stamp", "two cups", "three pots"))
    with WorkspaceMemory(rest.live.url, rest.live.token(cast.alice)) as memory:
        assert [entry.item.id for entry in memory.list_review(scope=Scope.ORGANIZATION)] == [
            first,
            second,
            third,
        ]
        assert memory.review_entry(first).content_shown == "one stamp"
        assert memory.approve_item(first, shown=1).status == "active"
        with pytest.raises(NotPending) as again:
            memory.approve_item(first, shown=1)
        assert again.value.item_status == "active"
        assert memory.reject_item(second, shown=1, reason="no cups").reason == "no cups"
        assert [each.code for each in memory.approve_items([Decision(third, 2)])] == ["version_mismatch"]
        assert [each.done for each in memory.reject_items([Decision(third, 1)], reason="no pots")] == [True]
        dated = memory.edit_item(first, shown=1, review_by=date(2026, 11, 3))
        cast.clock.move(timedelta(days=2))
        assert [item.id for item in memory.items_to_confirm()] == [first]
        assert [item.to_be_confirmed for item in memory.list_items()] == [True]
        confirmed = memory.confirm_item(first, shown=dated.version, review_by=date(2027, 1, 1))
        assert confirmed.review_by == date(2027, 1, 1)


def test_an_administrator_governs_levels_settings_audit_and_clients(rest: Rest) -> None:
    cast = rest.live.world
    with WorkspaceMemory(rest.live.url, rest.live.token(cast.alice)) as memory:
        assert memory.set_access({cast.bob: AccessLevel.READ}).changed == 1
        assert memory.change_memory_settings(write_mode=WriteMode.AUTO) == memory.memory_settings()
        head = memory.audit_head()
        [event] = memory.list_audit(action=AuditAction.MEMORY_ACCESS_CHANGED, subject=cast.bob)
        assert event.facts["level_to"] == "read"
        assert memory.erase_personal(cast.carol).personal_items == 0
        assert memory.verify_audit(head).whole
        [token] = [each.token for each in memory.list_clients() if each.user_id == cast.alice]
        memory.save_item("alice likes oolong")
        since = cast.clock.now() - timedelta(hours=1)
        assert memory.remove_from_client(token.id, since=since).dry_run
        assert memory.remove_from_client(token.id, since=since, dry_run=False).personal_removed == 1
        assert memory.memory_status().licensed
        assert memory.licence_state().memory
        with pytest.raises(LicenceInvalid):
            memory.store_licence("not a key")
        with pytest.raises(NotFound):
            memory.remove_licence()


def test_a_person_deletes_the_own_account(rest: Rest) -> None:
    rest.give_password("carol@example.com")
    with WorkspaceMemory(rest.live.url) as memory:
        memory.sign_in("carol@example.com", PASSWORD)
        memory.save_item("carol likes cocoa")
        assert memory.delete_account(password=PASSWORD).personal_items == 1
        with pytest.raises(NotAuthenticated):
            memory.me()

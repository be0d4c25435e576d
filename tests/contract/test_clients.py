"""What one AI client wrote since a day is taken back; personal memory is neither shown nor counted before."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conftest import World, a_draft
from tests.contract.test_erasure import SECRET, traces

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound
from workspace_memory.domain.ids import TokenId
from workspace_memory.domain.item import MemoryItem, Scope, WriteMode
from workspace_memory.services import clients
from workspace_memory.services.audit import AuditQuery, list_audit_here
from workspace_memory.services.clients import Removal, list_clients, remove_from_client
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import Change, edit_item, get_item, item_history
from workspace_memory.services.reviewing import Decision, approve_item
from workspace_memory.services.saving import save_item
from workspace_memory.services.tokens import make_token

COMPANY = Scope.ORGANIZATION


class Client:
    """Carol's AI client with a token of its own."""

    def __init__(self, world: World) -> None:
        world.set_level(world.carol, AccessLevel.CONTRIBUTE)
        made = make_token(
            world.deps,
            world.by_hand(world.carol),
            world.workspace,
            name="Laptop",
            max_level=AccessLevel.CONTRIBUTE,
        )
        self.world = world
        self.token = made.token.id
        self.actor = replace(world.client(world.carol), token=self.token)
        world.clock.move(timedelta(days=1))
        self.since = world.clock.now()

    def save(
        self, text: str, scope: Scope = Scope.PERSONAL, *, replaces: MemoryItem | None = None
    ) -> MemoryItem:
        target = None if replaces is None else replaces.id
        draft = a_draft(text, scope=scope)
        return save_item(self.world.deps, self.actor, self.world.workspace, draft, replaces=target).item

    def remove(self, actor: Actor, *, dry_run: bool = False) -> Removal:
        world = self.world
        return remove_from_client(
            world.deps, actor, world.workspace, self.token, since=self.since, dry_run=dry_run
        )


@pytest.fixture
def client(world: World) -> Client:
    return Client(world)


def personal(world: World) -> Sequence[str]:
    query = Query(scope=Scope.PERSONAL)
    found = find_items(world.deps, world.by_hand(world.carol), world.workspace, query).found
    return [each.item.content for each in found]


def counts(removal: Removal) -> tuple[int, int, int | None, int | None]:
    return (
        removal.company_removed,
        removal.company_put_back,
        removal.personal_removed,
        removal.personal_put_back,
    )


# --- What is undone ------------------------------------------------------------------------------------------------


def test_what_it_saved_is_gone_pending_active_and_personal(world: World, client: Client) -> None:
    client.save("pending", COMPANY)
    approved = client.save("approved", COMPANY)
    approve_item(
        world.deps, world.by_hand(world.bob), world.workspace, Decision(approved.id, approved.version)
    )
    client.save(f"{SECRET} personal")
    removal = client.remove(world.by_hand(world.alice))
    assert counts(removal) == (2, 0, 1, 0)
    assert personal(world) == []
    assert traces(world) == set()


def test_what_it_did_not_save_or_saved_before_stays(world: World, client: Client) -> None:
    world.clock.move(timedelta(days=-1))
    client.save("before")
    world.clock.move(timedelta(days=1))
    world.save(world.client(world.carol), "by another client")
    world.save(world.by_hand(world.carol), "by hand")
    client.save("since")
    assert counts(client.remove(world.by_hand(world.alice))) == (0, 0, 1, 0)
    assert sorted(personal(world)) == ["before", "by another client", "by hand"]


def test_what_it_changed_has_its_earlier_text_as_a_new_version(world: World, client: Client) -> None:
    item = world.save(world.by_hand(world.carol), "likes tea").item
    client.save("likes coffee", replaces=item)
    client.save("likes cola", replaces=item)
    assert counts(client.remove(world.by_hand(world.alice))) == (0, 0, 0, 1)
    carol = world.by_hand(world.carol)
    now = get_item(world.deps, carol, world.workspace, item.id)
    assert (now.content, now.version) == ("likes tea", 4)
    texts = [one.content for one in item_history(world.deps, carol, world.workspace, item.id)]
    assert texts == ["likes tea", "likes cola", "likes coffee", "likes tea"]
    assert find_items(world.deps, carol, world.workspace, Query("coffee")).found == []


def test_a_changed_company_item_is_put_back(world: World, client: Client) -> None:
    world.configure(write_mode=WriteMode.AUTO)
    item = world.company_item("closes at six").item
    client.save("closes at noon", COMPANY, replaces=item)
    assert counts(client.remove(world.by_hand(world.alice))) == (0, 1, 0, 0)
    now = get_item(world.deps, world.by_hand(world.bob), world.workspace, item.id)
    assert now.content == "closes at six"


def test_an_approved_change_of_it_is_put_back(world: World, client: Client) -> None:
    item = world.company_item("closes at six").item
    proposal = client.save("closes at noon", COMPANY, replaces=item)
    approve_item(
        world.deps, world.by_hand(world.bob), world.workspace, Decision(proposal.id, proposal.version)
    )
    assert counts(client.remove(world.by_hand(world.alice))) == (0, 1, 0, 0)


def test_a_text_that_somebody_wrote_anew_since_is_theirs(world: World, client: Client) -> None:
    world.configure(write_mode=WriteMode.AUTO)
    item = world.company_item("closes at six").item
    changed = client.save("closes at noon", COMPANY, replaces=item)
    bob = world.by_hand(world.bob)
    edit_item(world.deps, bob, world.workspace, item.id, Change("closes at five"), shown=changed.version)
    assert counts(client.remove(world.by_hand(world.alice))) == (0, 0, 0, 0)
    assert get_item(world.deps, bob, world.workspace, item.id).content == "closes at five"


def test_doing_it_again_finds_nothing(world: World, client: Client) -> None:
    item = world.save(world.by_hand(world.carol), "likes tea").item
    client.save("likes coffee", replaces=item)
    client.save("new")
    client.remove(world.by_hand(world.alice))
    assert counts(client.remove(world.by_hand(world.alice))) == (0, 0, 0, 0)


def test_too_much_at_once_is_done_in_steps(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "REMOVED_AT_ONCE_MAX", 2)
    for number in range(3):
        client.save(f"text {number}")
    alice = world.by_hand(world.alice)
    first, second = client.remove(alice), client.remove(alice)
    assert (first.personal_removed, first.more) == (2, True)
    assert (second.personal_removed, second.more) == (1, False)


# --- Who, and what is told -------------------------------------------------------------------------------------------


def test_a_dry_run_changes_nothing_and_counts_no_personal_memory_of_others(
    world: World, client: Client
) -> None:
    client.save("pending", COMPANY)
    client.save("personal")
    assert counts(client.remove(world.by_hand(world.alice), dry_run=True)) == (1, 0, None, None)
    assert counts(client.remove(world.by_hand(world.carol), dry_run=True)) == (1, 0, 1, 0)
    assert personal(world) == ["personal"]


def test_a_member_undoes_own_personal_items_and_proposals_alone(world: World, client: Client) -> None:
    approved = client.save("approved", COMPANY)
    approve_item(
        world.deps, world.by_hand(world.bob), world.workspace, Decision(approved.id, approved.version)
    )
    client.save("pending", COMPANY)
    client.save("personal")
    assert counts(client.remove(world.by_hand(world.carol))) == (1, 0, 1, 0)
    assert (
        get_item(world.deps, world.by_hand(world.carol), world.workspace, approved.id).content == "approved"
    )


def test_nobody_else_does(world: World, client: Client) -> None:
    client.save("personal")
    refusals = [
        (world.by_hand(world.bob), NotFound),
        (world.by_hand(world.mallory), NotFound),
        (client.actor, Forbidden),
        (world.by_hand(world.alice, max_level=AccessLevel.PERSONAL), LevelTooLow),
    ]
    for actor, refusal in refusals:
        for dry_run in (True, False):
            with pytest.raises(refusal):
                client.remove(actor, dry_run=dry_run)
    assert personal(world) == ["personal"]


def test_a_token_that_is_not_there_is_missing(world: World, client: Client) -> None:
    alice = world.by_hand(world.alice)
    with pytest.raises(NotFound):
        remove_from_client(world.deps, alice, world.workspace, TokenId("x"), since=client.since)


def test_it_is_in_the_log_as_counts(world: World, client: Client) -> None:
    client.save("pending", COMPANY)
    client.save("personal")
    client.remove(world.by_hand(world.alice))
    query = AuditQuery(action=AuditAction.CLIENT_ITEMS_REMOVED)
    [event] = list_audit_here(world.deps, world.workspace, query).events
    assert (event.actor, event.subject, event.facts["token"]) == (world.alice, world.carol, client.token)
    assert (event.facts["company_removed"], event.facts["personal_removed"]) == (1, 1)


def test_an_admin_sees_each_members_clients(world: World, client: Client) -> None:
    client.save("pending", COMPANY)
    client.save("personal")
    [seen] = list_clients(world.deps, world.by_hand(world.alice), world.workspace)
    assert (seen.user, seen.user_name, seen.token.name) == (world.carol, "carol", "Laptop")
    # Personal ones are not counted, for a count is something that only their owner knows.
    assert seen.company_items == 1


@pytest.mark.parametrize("who", ["bob", "carol"])
def test_nobody_else_sees_them(world: World, client: Client, who: str) -> None:
    with pytest.raises(Forbidden):
        list_clients(world.deps, world.by_hand(getattr(world, who)), world.workspace)

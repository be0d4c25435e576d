"""Review: who sees what waits, what they are shown, and decisions against the version that was shown."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from tests.conftest import World, a_draft
from tests.contract.together import answers, at_once

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import (
    DomainError,
    Forbidden,
    InvalidRequest,
    NotFound,
    NotPending,
    SecretRefused,
    VersionMismatch,
)
from workspace_memory.domain.ids import ItemId, ItemVersion, UserId
from workspace_memory.domain.item import MemoryItem, Scope, Status, is_due
from workspace_memory.services.audit import AuditQuery, list_audit
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import Change, delete_item, edit_item, get_item, item_history
from workspace_memory.services.members import change_member
from workspace_memory.services.memory_status import memory_status
from workspace_memory.services.reviewing import (
    Decision,
    approve_item,
    approve_items,
    confirm_item,
    items_to_confirm,
    reject_item,
    reject_items,
    review_entry,
    review_queue,
)
from workspace_memory.services.saving import Outcome, save_item
from workspace_memory.storage.tables import memory_items

COMPANY = Scope.ORGANIZATION
SECRET = "the deploy key is ghp_" + "x7Kd9Qm2Rt5Wv8Yb3Nc6Pf1Hj4Ls0Za2Qw9E"


@pytest.fixture
def team(world: World) -> World:
    """Carol's AI client may contribute."""
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    return world


def proposed(world: World, content: str = "The office closes at six", **changes: object) -> MemoryItem:
    world.clock.move(timedelta(seconds=1))
    return world.save(world.client(world.carol), content, scope=COMPANY, **changes).item


def a_change_of(world: World, target: MemoryItem, content: str) -> MemoryItem:
    draft = a_draft(content, scope=COMPANY)
    return save_item(world.deps, world.client(world.carol), world.workspace, draft, replaces=target.id).item


def shown(item: MemoryItem) -> Decision:
    return Decision(item.id, item.version)


def approve(world: World, decision: Decision, who: str = "bob", channel: str = "by_hand") -> MemoryItem:
    actor = getattr(world, channel)(getattr(world, who))
    return approve_item(world.deps, actor, world.workspace, decision)


def queue(world: World, who: str = "bob", **query: Any) -> list[MemoryItem]:
    actor = world.by_hand(getattr(world, who))
    return [entry.item for entry in review_queue(world.deps, actor, world.workspace, **query).entries]


def found(world: World, text: str) -> list[ItemId]:
    return [
        f.item.id
        for f in find_items(world.deps, world.client(world.carol), world.workspace, Query(text)).found
    ]


# --- What waits, and for whom ----------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_curators_see_what_waits_oldest_first(team: World, who: str) -> None:
    items = [proposed(team, f"fact number {number}") for number in range(3)]
    assert [item.id for item in queue(team, who)] == [item.id for item in items]


def test_the_queue_goes_on_where_a_page_ended(team: World) -> None:
    items = [proposed(team, f"fact number {number}") for number in range(5)]
    seen: list[ItemId] = []
    cursor: str | None = None
    for _ in range(3):
        page = review_queue(team.deps, team.by_hand(team.bob), team.workspace, cursor=cursor, limit=2)
        seen += [entry.item.id for entry in page.entries]
        cursor = page.next_cursor
    assert (seen, cursor) == ([item.id for item in items], None)


def test_a_viewer_who_asks_for_company_proposals_is_refused(team: World) -> None:
    proposed(team)
    with pytest.raises(Forbidden):
        review_queue(team.deps, team.by_hand(team.carol), team.workspace, scope=COMPANY)
    assert queue(team, "carol") == []


def test_an_ai_client_has_no_queue(team: World) -> None:
    proposed(team)
    with pytest.raises(Forbidden):
        review_queue(team.deps, team.client(team.bob), team.workspace)


def test_who_which_client_and_when_are_shown(team: World) -> None:
    proposed(team)
    [item] = queue(team)
    assert (item.author, item.author_name, item.source) == (team.carol, "carol", "Test client")
    assert item.created_at == team.clock.now()


@pytest.mark.requirement("field:case-22:governance")
def test_hidden_characters_are_made_visible(team: World) -> None:
    proposed(team, "pay\u200b to pal", tags=("a\u00adb",))
    [entry] = review_queue(team.deps, team.by_hand(team.bob), team.workspace).entries
    assert (entry.shown, entry.shown_tags) == ("pay⟦U+200B⟧ to pal", ("a⟦U+00AD⟧b",))
    assert [(one.position, one.code) for one in entry.hidden] == [(3, "U+200B")]
    assert entry.item.content == "pay\u200b to pal"


def test_similar_active_items_are_named(team: World) -> None:
    near = team.company_item("The office in Bolzano closes at six").item
    proposed(team, "The office in Bolzano closes at seven")
    [entry] = review_queue(team.deps, team.by_hand(team.bob), team.workspace).entries
    assert [item.id for item in entry.similar] == [near.id]


def test_a_proposed_change_shows_what_it_would_change(team: World) -> None:
    target = team.company_item("closes at six").item
    proposal = a_change_of(team, target, "closes at seven")
    entry = review_entry(team.deps, team.by_hand(team.bob), team.workspace, proposal.id)
    assert entry.replaced is not None
    assert (entry.replaced.content, entry.replaced_meanwhile) == ("closes at six", False)
    assert entry.item.replaces_version == target.version


# --- Approving ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("items:model:approver-is-recorded")
@pytest.mark.parametrize("who", ["alice", "bob"])
def test_an_approved_item_is_active_found_and_names_who_approved(team: World, who: str) -> None:
    item = proposed(team)
    assert found(team, "office") == []
    approved = approve(team, shown(item), who)
    assert (approved.status, approved.approver_name) == (Status.ACTIVE, who)
    assert found(team, "office") == [item.id]


@pytest.mark.parametrize(
    ("who", "channel", "refusal"),
    [
        ("carol", "by_hand", Forbidden),
        ("carol", "client", Forbidden),
        ("alice", "client", Forbidden),
        ("bob", "client", Forbidden),
        ("mallory", "by_hand", NotFound),
    ],
)
def test_nobody_else_decides(team: World, who: str, channel: str, refusal: type[DomainError]) -> None:
    item = proposed(team)
    with pytest.raises(refusal):
        approve(team, shown(item), who, channel)
    with pytest.raises(refusal):
        reject_item(team.deps, getattr(team, channel)(getattr(team, who)), team.workspace, shown(item))
    assert [one.status for one in queue(team)] == [Status.PENDING]


def test_another_version_than_the_one_shown_is_not_approved(team: World) -> None:
    item = proposed(team)
    bob = team.by_hand(team.bob)
    edit_item(team.deps, bob, team.workspace, item.id, Change("closes at noon"), shown=item.version)
    with pytest.raises(VersionMismatch):
        approve(team, shown(item))
    with pytest.raises(VersionMismatch):
        reject_item(team.deps, bob, team.workspace, shown(item))


def test_approving_twice_says_what_the_item_is(team: World) -> None:
    item = proposed(team)
    approve(team, shown(item))
    with pytest.raises(NotPending, match="active"):
        approve(team, shown(item))


def test_a_rejected_item_is_not_approved(team: World) -> None:
    item = proposed(team)
    reject_item(team.deps, team.by_hand(team.bob), team.workspace, shown(item))
    with pytest.raises(NotPending, match="rejected"):
        approve(team, shown(item))


@pytest.mark.parametrize("item", ["deleted", "no id"])
def test_what_is_not_there_is_not_approved(team: World, item: str) -> None:
    gone = proposed(team)
    delete_item(team.deps, team.by_hand(team.bob), team.workspace, gone.id)
    wanted = gone.id if item == "deleted" else ItemId(item)
    with pytest.raises(NotFound):
        approve(team, Decision(wanted, ItemVersion(1)))


def test_a_text_that_the_rules_refuse_today_is_not_approved(team: World) -> None:
    item = proposed(team)
    with team.deps.database.begin() as tx:
        tx.connection.execute(update(memory_items).values(content=SECRET))
    with pytest.raises(SecretRefused):
        approve(team, shown(item))


def test_an_edited_proposal_stays_pending_and_is_approved_as_edited(team: World) -> None:
    item = proposed(team)
    bob = team.by_hand(team.bob)
    edited = edit_item(team.deps, bob, team.workspace, item.id, Change("closes at noon"), shown=item.version)
    assert (edited.status, edited.version) == (Status.PENDING, 2)
    approve(team, shown(edited))
    assert found(team, "noon") == [item.id]


# --- Proposed changes ----------------------------------------------------------------------------------------


@pytest.mark.requirement("field:case-08")
def test_an_approved_change_leaves_one_item_with_history(team: World) -> None:
    target = team.company_item("The office closes at six").item
    proposal = a_change_of(team, target, "The office closes at seven")
    changed = approve(team, shown(proposal))
    assert (changed.id, changed.version, changed.content) == (target.id, 2, "The office closes at seven")
    assert queue(team) == []
    assert found(team, "office") == [target.id]
    history = item_history(team.deps, team.by_hand(team.bob), team.workspace, target.id)
    assert [(one.content, one.changed_by_name) for one in history] == [
        ("The office closes at seven", "carol"),
        ("The office closes at six", "bob"),
    ]


def test_a_change_of_an_item_that_changed_meanwhile_is_not_carried_out(team: World) -> None:
    target = team.company_item("closes at six").item
    proposal = a_change_of(team, target, "closes at seven")
    bob = team.by_hand(team.bob)
    edit_item(team.deps, bob, team.workspace, target.id, Change("closes at five"), shown=target.version)
    with pytest.raises(VersionMismatch):
        approve(team, shown(proposal))
    assert get_item(team.deps, bob, team.workspace, target.id).content == "closes at five"


def test_whoever_was_shown_the_newer_version_carries_it_out(team: World) -> None:
    target = team.company_item("closes at six").item
    proposal = a_change_of(team, target, "closes at seven")
    bob = team.by_hand(team.bob)
    edit_item(team.deps, bob, team.workspace, target.id, Change("closes at five"), shown=target.version)
    entry = review_entry(team.deps, bob, team.workspace, proposal.id)
    assert entry.replaced_meanwhile
    assert entry.replaced is not None
    decision = Decision(proposal.id, proposal.version, entry.replaced.version)
    assert approve(team, decision).content == "closes at seven"


def test_a_change_of_a_deleted_item_is_not_carried_out(team: World) -> None:
    target = team.company_item("closes at six").item
    proposal = a_change_of(team, target, "closes at seven")
    delete_item(team.deps, team.by_hand(team.bob), team.workspace, target.id)
    with pytest.raises(NotFound, match="deleted"):
        approve(team, shown(proposal))
    reject_item(team.deps, team.by_hand(team.bob), team.workspace, shown(proposal))


# --- Rejecting and withdrawing ---------------------------------------------------------------------------------


def test_the_author_sees_the_rejected_one_with_the_reason(team: World) -> None:
    item = proposed(team)
    reject_item(team.deps, team.by_hand(team.bob), team.workspace, shown(item), reason=" is wrong ")
    seen = get_item(team.deps, team.by_hand(team.carol), team.workspace, item.id)
    assert (seen.status, seen.reason) == (Status.REJECTED, "is wrong")
    again = team.save(team.client(team.carol), item.content, scope=COMPANY)
    assert again.outcome is Outcome.REJECTED_BEFORE


def test_another_viewer_does_not_see_it(team: World) -> None:
    item = proposed(team)
    reject_item(team.deps, team.by_hand(team.bob), team.workspace, shown(item), reason="is wrong")
    change_member(team.deps, team.by_hand(team.alice), team.workspace, team.bob, role=Role.VIEWER)
    with pytest.raises(NotFound):
        get_item(team.deps, team.by_hand(team.bob), team.workspace, item.id)


@pytest.mark.parametrize("reason", ["r" * 501, "\0", SECRET])
def test_a_reason_is_checked_like_content(team: World, reason: str) -> None:
    item = proposed(team)
    with pytest.raises((InvalidRequest, SecretRefused)):
        reject_item(team.deps, team.by_hand(team.bob), team.workspace, shown(item), reason=reason)
    assert [one.id for one in queue(team)] == [item.id]


def test_500_characters_are_reason_enough(team: World) -> None:
    item = proposed(team)
    reason = "r " * 249 + "rr"
    rejected = reject_item(team.deps, team.by_hand(team.bob), team.workspace, shown(item), reason=reason)
    assert rejected.reason == reason


def test_the_author_withdraws_an_own_pending_one(team: World) -> None:
    item = proposed(team)
    delete_item(team.deps, team.by_hand(team.carol), team.workspace, item.id)
    assert queue(team) == []


# --- Many at once --------------------------------------------------------------------------------------------------


def test_of_many_each_is_decided_and_says_what_became_of_it(team: World) -> None:
    one, two, three = (proposed(team, f"fact number {number}") for number in range(3))
    approve(team, shown(two))
    decisions = [shown(one), shown(two), Decision(three.id, ItemVersion(7))]
    decided = approve_items(team.deps, team.by_hand(team.bob), team.workspace, decisions)
    assert [each.code for each in decided] == [None, "not_pending", "version_mismatch"]
    assert [item.id for item in queue(team)] == [three.id]


def test_many_are_rejected_with_one_reason(team: World) -> None:
    items = [proposed(team, f"fact number {number}") for number in range(3)]
    bob = team.by_hand(team.bob)
    decided = reject_items(team.deps, bob, team.workspace, list(map(shown, items)), reason="not ours")
    assert [each.code for each in decided] == [None] * 3
    assert get_item(team.deps, bob, team.workspace, items[2].id).reason == "not ours"


def test_a_viewer_decides_about_none_of_many(team: World) -> None:
    item = proposed(team)
    decided = approve_items(team.deps, team.by_hand(team.carol), team.workspace, [shown(item)])
    assert [each.code for each in decided] == ["forbidden"]


@pytest.mark.parametrize("count", [501, 2])
def test_too_many_or_the_same_twice_are_refused(team: World, count: int) -> None:
    decisions = [shown(proposed(team))] * count
    with pytest.raises(InvalidRequest):
        approve_items(team.deps, team.by_hand(team.bob), team.workspace, decisions)


# --- What is written down ----------------------------------------------------------------------------------------


def test_decisions_are_in_the_log_without_a_text(team: World) -> None:
    one, two = proposed(team, "fact number one"), proposed(team, "fact number two")
    approve(team, shown(one))
    reject_item(team.deps, team.by_hand(team.bob), team.workspace, shown(two), reason="is wrong")
    page = list_audit(team.deps, team.by_hand(team.alice), team.workspace, AuditQuery(limit=2))
    assert [(e.action, e.actor, e.subject, dict(e.facts)) for e in page.events] == [
        (AuditAction.ITEM_REJECTED, team.bob, team.carol, {"item": two.id, "version": 1}),
        (AuditAction.ITEM_APPROVED, team.bob, team.carol, {"item": one.id, "version": 1}),
    ]


# --- The date of review --------------------------------------------------------------------------------------------


def due_item(world: World, who: str = "bob", scope: Scope = COMPANY) -> MemoryItem:
    actor = world.by_hand(getattr(world, who))
    return world.save(actor, f"{who} says so", scope=scope, review_by=date(2026, 11, 1)).item


def test_what_is_due_stays_found_and_is_listed(team: World) -> None:
    item = due_item(team)
    assert is_due(item, team.clock.now().date())
    assert found(team, "says") == [item.id]
    listed = items_to_confirm(team.deps, team.by_hand(team.alice), team.workspace)
    assert [one.id for one in listed] == [item.id]


def test_a_viewer_is_asked_about_own_items_alone(team: World) -> None:
    due_item(team)
    own = due_item(team, "carol", Scope.PERSONAL)
    due_item(team, "alice", Scope.PERSONAL)
    listed = items_to_confirm(team.deps, team.by_hand(team.carol), team.workspace)
    assert [one.id for one in listed] == [own.id]


def test_a_later_date_is_not_due(team: World) -> None:
    team.save(team.by_hand(team.bob), scope=COMPANY, review_by=date(2026, 11, 3))
    assert items_to_confirm(team.deps, team.by_hand(team.bob), team.workspace) == []


@pytest.mark.parametrize("again", [None, date(2027, 5, 1)])
def test_a_confirmed_item_is_asked_about_later_or_never(team: World, again: date | None) -> None:
    item = due_item(team)
    bob = team.by_hand(team.bob)
    confirmed = confirm_item(team.deps, bob, team.workspace, item.id, shown=item.version, review_by=again)
    assert (confirmed.review_by, confirmed.version) == (again, item.version)
    assert items_to_confirm(team.deps, bob, team.workspace) == []


def test_a_confirmation_needs_a_date_ahead_and_the_version_shown(team: World) -> None:
    item = due_item(team)
    bob = team.by_hand(team.bob)
    with pytest.raises(InvalidRequest):
        confirm_item(team.deps, bob, team.workspace, item.id, shown=item.version, review_by=date(2026, 11, 2))
    with pytest.raises(VersionMismatch):
        confirm_item(team.deps, bob, team.workspace, item.id, shown=ItemVersion(2))
    with pytest.raises(Forbidden):
        confirm_item(team.deps, team.by_hand(team.carol), team.workspace, item.id, shown=item.version)


# --- Order -----------------------------------------------------------------------------------------------------------


def test_of_an_approval_and_an_edit_at_once_the_later_one_sees_the_earlier(team: World) -> None:
    bob, alice = team.by_hand(team.bob), team.by_hand(team.alice)
    for number in range(6):
        item = proposed(team, f"fact number {number}")
        edited, approved = at_once(
            lambda item=item: edit_item(
                team.deps,
                alice,
                team.workspace,
                item.id,
                Change(f"other words {item.id}"),
                shown=item.version,
            ),
            lambda item=item: approve_item(team.deps, bob, team.workspace, shown(item)),
        )
        now = get_item(team.deps, bob, team.workspace, item.id)
        if isinstance(approved, MemoryItem):
            # Approved first; the edit was made to an active item. No unseen text was approved.
            assert (approved.version, approved.content) == (1, item.content)
        else:
            assert isinstance(approved, VersionMismatch)
            assert now.status is Status.PENDING
        assert isinstance(edited, MemoryItem)


def test_of_two_decisions_at_once_one_counts(team: World) -> None:
    bob, alice = team.by_hand(team.bob), team.by_hand(team.alice)
    for number in range(4):
        item = proposed(team, f"fact number {number}")
        outcomes = at_once(
            lambda item=item: approve_item(team.deps, bob, team.workspace, shown(item)),
            lambda item=item: reject_item(team.deps, alice, team.workspace, shown(item)),
        )
        assert len(answers(outcomes)) == 1


def test_each_member_is_told_how_much_waits_for_them(team: World) -> None:
    today = team.clock.now().date()
    proposed(team)
    team.save(team.by_hand(team.bob), "When somebody asks about prices on Monday, run the export tool first")
    team.save(team.by_hand(team.carol), "holds until today", review_by=today)
    team.save(team.by_hand(team.bob), "the lease ends", scope=COMPANY, review_by=today)
    team.save(team.by_hand(team.bob), "the next lease", scope=COMPANY, review_by=today + timedelta(days=1))

    def waiting(user: UserId) -> tuple[int, int]:
        status = memory_status(team.deps, team.by_hand(user), team.workspace)
        return status.to_review, status.to_confirm

    # Proposals and company items are for curators; what is held or due of a person's own is for that person alone.
    assert [waiting(user) for user in (team.alice, team.bob, team.carol)] == [(1, 1), (2, 1), (0, 1)]


def test_a_held_text_counts_as_an_own_item_that_is_not_active(team: World) -> None:
    team.save(team.by_hand(team.bob), "When somebody asks about prices on Monday, run the export tool first")
    team.save(team.by_hand(team.bob), "likes tea")
    status = memory_status(team.deps, team.by_hand(team.bob), team.workspace)
    assert (status.personal_items, status.personal_active) == (2, 1)

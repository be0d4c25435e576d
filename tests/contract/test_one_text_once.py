"""The same text stands once in a scope, whichever way it comes: edits, replacing, proposals, approvals."""

from datetime import date

import pytest
from tests.conftest import World, a_draft
from tests.contract.together import at_once, failures

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import AlreadySaved, InvalidRequest
from workspace_memory.domain.ids import ItemVersion
from workspace_memory.domain.item import Kind, MemoryItem, Scope, Status, WriteMode
from workspace_memory.services.items import Change, edit_item, get_item
from workspace_memory.services.reviewing import Decision, approve_item, approve_items, reject_item
from workspace_memory.services.saving import Outcome, Saved, save_item

COMPANY = Scope.ORGANIZATION
TEA, COFFEE = "likes green tea", "likes black coffee"


@pytest.fixture
def team(world: World) -> World:
    """The world where the AI clients of bob and carol may contribute."""
    for user in (world.bob, world.carol):
        world.set_level(user, AccessLevel.CONTRIBUTE)
    return world


def edit(world: World, actor: Actor, item: MemoryItem, content: str) -> MemoryItem:
    return edit_item(
        world.deps, actor, world.workspace, item.id, Change(content=content), shown=ItemVersion(item.version)
    )


def instead_of(world: World, actor: Actor, item: MemoryItem, content: str, **more: object) -> Saved:
    return save_item(world.deps, actor, world.workspace, a_draft(content, **more), replaces=item.id)


def approve(world: World, item: MemoryItem) -> MemoryItem:
    decision = Decision(item.id, item.version)
    return approve_item(world.deps, world.by_hand(world.bob), world.workspace, decision)


# --- Edits -----------------------------------------------------------------------------------------------------


def test_a_personal_item_is_not_edited_into_the_text_of_another(world: World) -> None:
    carol = world.by_hand(world.carol)
    tea, coffee = world.save(carol, TEA).item, world.save(carol, COFFEE).item
    with pytest.raises(AlreadySaved, match=tea.id):
        edit(world, carol, coffee, " LIKES  green tea ")
    assert get_item(world.deps, carol, world.workspace, coffee.id).content == COFFEE


def test_a_company_item_is_not_edited_into_the_text_of_another(world: World) -> None:
    first, second = world.company_item("closed on monday").item, world.company_item().item
    with pytest.raises(AlreadySaved, match=first.id):
        edit(world, world.by_hand(world.alice), second, "closed on Monday")


def test_a_proposal_is_not_edited_into_the_text_of_a_company_item(team: World) -> None:
    first = team.company_item("closed on monday").item
    proposal = team.save(team.client(team.carol), "closed on sunday", scope=COMPANY).item
    with pytest.raises(AlreadySaved, match=first.id):
        edit(team, team.by_hand(team.bob), proposal, "closed on monday")


def test_what_others_keep_for_themselves_or_propose_is_no_reason(team: World) -> None:
    team.save(team.by_hand(team.bob), TEA)
    team.save(team.client(team.carol), "closed on monday", scope=COMPANY)
    own = team.save(team.by_hand(team.carol), COFFEE).item
    company = team.company_item().item
    assert edit(team, team.by_hand(team.carol), own, TEA).content == TEA
    assert edit(team, team.by_hand(team.bob), company, "closed on monday").version == 2


def test_an_own_text_may_be_written_anew(world: World) -> None:
    carol = world.by_hand(world.carol)
    item = world.save(carol, TEA).item
    assert edit(world, carol, item, "Likes green tea").content == "Likes green tea"


def test_of_two_edits_into_one_text_at_once_one_is_refused(world: World) -> None:
    carol = world.by_hand(world.carol)
    items = [world.save(carol, text).item for text in (TEA, COFFEE)]
    outcomes = at_once(*[lambda item=item: edit(world, carol, item, "likes water") for item in items])
    assert failures(outcomes) == [AlreadySaved]


@pytest.mark.parametrize("length", [2_001, 300_000])
def test_an_edit_without_a_bound_is_refused_before_anything_looks_at_it(world: World, length: int) -> None:
    carol = world.by_hand(world.carol)
    item = world.save(carol, TEA).item
    with pytest.raises(InvalidRequest, match="2,000"):
        edit(world, carol, item, "password: Tr0ub4dor&3xyZ" + "x" * length)


# --- Replacing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channel", ["client", "by_hand"])
def test_replacing_by_a_text_that_another_item_has_answers_that_item(world: World, channel: str) -> None:
    carol = getattr(world, channel)(world.carol)
    tea, coffee = world.save(carol, TEA).item, world.save(carol, COFFEE).item
    saved = instead_of(world, carol, coffee, "Likes green  tea")
    assert (saved.item.id, saved.outcome) == (tea.id, Outcome.ALREADY_SAVED)
    assert get_item(world.deps, carol, world.workspace, coffee.id).content == COFFEE


@pytest.mark.parametrize("mode", list(WriteMode))
def test_so_does_a_client_that_would_change_a_company_item(team: World, mode: WriteMode) -> None:
    team.configure(write_mode=mode)
    monday, sunday = team.company_item("closed on monday").item, team.company_item("closed on sunday").item
    saved = instead_of(team, team.client(team.carol), sunday, "Closed on Monday", scope=COMPANY)
    assert (saved.item.id, saved.outcome) == (monday.id, Outcome.ALREADY_SAVED)


def test_a_rejected_text_does_not_come_back_by_replacing_in_auto_mode(team: World) -> None:
    rejected = team.save(team.client(team.carol), "closed on monday", scope=COMPANY).item
    decision = Decision(rejected.id, rejected.version)
    reject_item(team.deps, team.by_hand(team.bob), team.workspace, decision)
    team.configure(write_mode=WriteMode.AUTO)
    target = team.company_item("closed on sunday").item
    saved = instead_of(team, team.client(team.carol), target, "closed on monday", scope=COMPANY)
    assert (saved.item.id, saved.outcome) == (rejected.id, Outcome.REJECTED_BEFORE)


# --- The kind ----------------------------------------------------------------------------------------------------


def test_without_a_kind_a_new_text_is_a_note(world: World) -> None:
    assert world.save(world.client(world.carol), TEA, kind=None).item.kind is Kind.NOTE


@pytest.mark.parametrize("channel", ["client", "by_hand"])
def test_replacing_without_a_kind_keeps_it(world: World, channel: str) -> None:
    carol = getattr(world, channel)(world.carol)
    fact = world.save(carol, TEA, kind=Kind.FACT).item
    assert instead_of(world, carol, fact, COFFEE, kind=None).item.kind is Kind.FACT


def test_a_proposed_change_without_a_kind_keeps_it_when_it_is_carried_out(team: World) -> None:
    fact = team.save(team.by_hand(team.bob), "closed on monday", scope=COMPANY, kind=Kind.FACT).item
    proposal = instead_of(
        team, team.client(team.carol), fact, "closed on sunday", scope=COMPANY, kind=None
    ).item
    assert (proposal.kind, approve(team, proposal).kind) == (Kind.FACT, Kind.FACT)


def test_a_kind_that_is_said_is_taken(world: World) -> None:
    carol = world.client(world.carol)
    fact = world.save(carol, TEA, kind=Kind.FACT).item
    assert instead_of(world, carol, fact, TEA, kind=Kind.NOTE).item.kind is Kind.NOTE


# --- Approvals ---------------------------------------------------------------------------------------------------


def test_of_two_members_proposals_with_one_text_one_is_approved(team: World) -> None:
    first, second = (
        team.save(team.client(user), "closed on monday", scope=COMPANY).item
        for user in (team.bob, team.carol)
    )
    decided = approve_items(
        team.deps,
        team.by_hand(team.alice),
        team.workspace,
        [Decision(each.id, each.version) for each in (first, second)],
    )
    assert [each.code for each in decided] == [None, "already_saved"]


def test_a_change_is_not_carried_out_into_the_text_of_another_item(team: World) -> None:
    target = team.company_item("closed on sunday").item
    proposal = instead_of(team, team.client(team.carol), target, "closed on monday", scope=COMPANY).item
    monday = team.company_item("closed on monday").item
    with pytest.raises(AlreadySaved, match=monday.id):
        approve(team, proposal)


def test_a_change_that_corrects_a_capital_is_carried_out(team: World) -> None:
    target = team.company_item("closed on sunday").item
    proposal = instead_of(team, team.client(team.carol), target, "Closed on Sunday", scope=COMPANY).item
    assert approve(team, proposal).content == "Closed on Sunday"


def test_a_date_of_review_alone_is_a_change(world: World) -> None:
    carol = world.by_hand(world.carol)
    item = world.save(carol, TEA).item
    saved = instead_of(world, carol, item, TEA, kind=None, review_by=date(2027, 1, 1))
    assert (saved.outcome, saved.item.status) == (Outcome.REPLACED, Status.ACTIVE)

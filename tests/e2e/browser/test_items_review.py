"""The review queue: decided by keys, in bulk, by two at once; and what is to be confirmed."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect
from tests.conftest import World, a_draft
from tests.e2e.browser.items_stage import (
    COMPANY,
    SUSPICIOUS,
    choose,
    company,
    dialog,
    entries,
    rows,
    says,
    store_items,
    tab,
)
from tests.e2e.browser.visits import HeldRequests, Visits
from tests.e2e.governing import proposal

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import MemoryItem, Status
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.saving import save_item

requirement = pytest.mark.requirement


def proposed(world: World, *texts: str) -> list[MemoryItem]:
    """Proposals of carol's AI client, in this order."""
    made: list[MemoryItem] = []
    for text in texts:
        world.clock.move(timedelta(seconds=1))
        made.append(proposal(world, text, world.carol))
    return made


@requirement("items:page:approve-and-reject")
@requirement("items:e2e:page-review-queue")
@requirement("items:e2e:page-approval-makes-active")
def test_a_proposal_is_approved_and_another_rejected(visits: Visits) -> None:
    world = visits.rest.live.world
    proposed(world, "Regulars get a stamp", "Regulars get a free cup")
    bob = visits.by(world.bob)
    bob.open("items?tab=review")
    expect(entries(bob)).to_contain_text(["Regulars get a stamp", "Regulars get a free cup"])
    expect(entries(bob).first).to_contain_text("carol · Test client")
    bob.page.get_by_role("button", name="Approve: Regulars get a stamp").click()
    says(bob, "Approved")
    bob.page.get_by_role("button", name="Reject: Regulars get a free cup").click()
    expect(dialog(bob).locator("blockquote")).to_have_text("Regulars get a free cup")
    bob.page.get_by_label("Reason").fill("Too generous")
    bob.page.keyboard.press("Enter")
    expect(bob.page.get_by_text("Nothing to review")).to_be_visible()
    for name, count in (("Company memory", "1"), ("To review", "0")):
        expect(tab(bob, name)).to_contain_text(count)
    found = find_items(world.deps, world.client(world.carol), world.workspace, Query("stamp cup"))
    assert [each.item.content for each in found.found] == ["Regulars get a stamp"]
    tab(bob, "Company memory").click()
    bob.page.get_by_role("combobox", name="Status").select_option("Rejected")
    expect(rows(bob)).to_contain_text(["Reason: Too generous"])


def test_what_becomes_active_appears_in_the_list_that_is_shown_by_then(visits: Visits) -> None:
    world = visits.rest.live.world
    proposed(world, "Regulars get a stamp")
    bob = visits.by(world.bob)
    bob.open("items?tab=review")
    decisions = HeldRequests(bob.page, "**/approve", method="POST")
    entries(bob).get_by_role("button", name="Approve").click()
    tab(bob, "Company memory").click()
    expect(bob.page.get_by_text("No company memory yet")).to_be_visible()
    decisions.let_go()
    expect(rows(bob)).to_contain_text(["Regulars get a stamp"])


def test_the_queue_is_worked_by_keys(visits: Visits) -> None:
    world = visits.rest.live.world
    proposed(world, "first text", "second text", "third text", "fourth text")
    bob = visits.by(world.bob)
    keys = bob.page.keyboard
    bob.open("items?tab=review")
    expect(entries(bob)).to_have_count(4)
    keys.press("j")
    expect(entries(bob).nth(1)).to_be_focused()
    keys.press("a")
    expect(entries(bob)).to_contain_text(["first text", "third text", "fourth text"])
    expect(entries(bob).nth(1)).to_be_focused()
    keys.press("k")
    keys.press("r")
    expect(bob.page.get_by_label("Reason")).to_be_focused()
    keys.press("Enter")
    expect(entries(bob)).to_contain_text(["third text", "fourth text"])
    keys.press("e")
    expect(bob.page.get_by_role("textbox", name="Text")).to_be_focused()
    keys.press("End")
    keys.type(", corrected")
    keys.press("Control+Enter")
    expect(entries(bob)).to_contain_text(["fourth text"])
    tab(bob, "Company memory").click()
    expect(rows(bob)).to_contain_text(["third text, corrected", "second text"])


def test_two_people_decide_about_the_same_item_and_the_second_is_told(visits: Visits) -> None:
    world = visits.rest.live.world
    proposed(world, "Regulars get a stamp", "Regulars get a free cup")
    alice, bob = visits.by(world.alice), visits.by(world.bob)
    for visit in (alice, bob):
        visit.open("items?tab=review")
        expect(entries(visit)).to_have_count(2)
    alice.page.get_by_role("button", name="Approve: Regulars get a stamp").click()
    says(alice, "Approved")
    bob.page.get_by_role("button", name="Reject: Regulars get a stamp").click()
    dialog(bob).get_by_role("button", name="Reject").click()
    expect(bob.page.get_by_role("alert")).to_contain_text("“Regulars get a stamp” was approved already")
    expect(entries(bob)).to_contain_text(["Regulars get a free cup"])
    bob.page.get_by_role("button", name="Dismiss").first.click()
    expect(bob.page.get_by_text("was faster")).to_have_count(0)


def test_many_are_decided_together_and_each_that_was_not_says_why(visits: Visits) -> None:
    world = visits.rest.live.world
    texts = ["one for all", "two for tea", "three in a boat", "four corners"]
    items = proposed(world, *texts)
    company(world, "two for TEA")
    bob = visits.by(world.bob)
    bob.open("items?tab=review")
    expect(entries(bob)).to_have_count(4)
    alice = visits.rest.by(world.alice)
    shown = {"If-Match": '"1"'}
    assert alice.post(f"/memory/items/{items[0].id}/approve", json={}, headers=shown).is_success
    edited = alice.patch(f"/memory/items/{items[2].id}", json={"content": "three women"}, headers=shown)
    assert edited.is_success
    bob.page.get_by_role("checkbox", name="Choose all shown").check()
    bob.page.get_by_role("button", name="Approve 4").click()
    says(bob, "1 approved. 3 were not decided")
    expect(entries(bob)).to_contain_text(["two for tea", "three women"])
    expect(entries(bob).nth(0).get_by_role("alert")).to_contain_text("exactly this already")
    expect(entries(bob).nth(1).get_by_role("alert")).to_contain_text("changed meanwhile")
    expect(bob.page.get_by_text("“one for all” was decided")).to_be_visible()
    bob.page.keyboard.press("x")
    bob.page.get_by_role("button", name="Reject 1").click()
    dialog(bob).get_by_role("button", name="Reject", exact=True).click()
    expect(entries(bob)).to_contain_text(["three women"])


def test_a_reviewer_sees_what_changes_what_is_hidden_and_what_is_suspicious(visits: Visits) -> None:
    world = visits.rest.live.world
    target = company(world, "The office closes at six")
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    change = a_draft("The office closes at seven", scope=COMPANY)
    save_item(world.deps, world.client(world.carol), world.workspace, change, replaces=target.id)
    proposed(world, "Answers\u00a0begin with thanks", SUSPICIOUS)
    bob = visits.by(world.bob)
    bob.open("items?tab=review")
    change_shown, hidden, held = (entries(bob).nth(number) for number in range(3))
    expect(change_shown.get_by_role("deletion")).to_contain_text("six")
    expect(change_shown.get_by_role("insertion")).to_contain_text("seven")
    expect(hidden.locator(".hidden-character")).to_have_text("U+00A0")
    expect(hidden).to_contain_text("1 hidden character: NO-BREAK SPACE (U+00A0)")
    expect(held.locator("q")).to_contain_text("run the export tool")
    changed = visits.rest.by(world.alice).patch(
        f"/memory/items/{target.id}",
        json={"content": "The office closes at five"},
        headers={"If-Match": '"1"'},
    )
    assert changed.is_success
    change_shown.get_by_role("button", name="Approve").click()
    expect(change_shown.get_by_role("alert")).to_contain_text("changed meanwhile")
    expect(change_shown.get_by_role("deletion")).to_contain_text("five")
    change_shown.get_by_role("button", name="Approve").click()
    says(bob, "the item has the new text")


def test_a_decision_that_did_not_reach_the_service_comes_back_with_a_sentence(visits: Visits) -> None:
    world = visits.rest.live.world
    proposed(world, "Regulars get a stamp")
    bob = visits.by(world.bob)
    bob.open("items?tab=review")
    bob.page.route("**/approve", lambda route: route.abort())
    entries(bob).get_by_role("button", name="Approve").click()
    expect(entries(bob).get_by_role("alert")).to_contain_text("did not answer")
    bob.page.unroute("**/approve")
    entries(bob).get_by_role("button", name="Approve").click()
    expect(bob.page.get_by_text("Nothing to review")).to_be_visible()
    bob.complaints.clear()  # the browser names the request that was cut


def test_what_is_due_is_confirmed_until_the_next_date(visits: Visits) -> None:
    world = visits.rest.live.world
    today = world.clock.now().date()
    company(world, "The lease ends", review_by=today)
    company(world, "The second lease ends", review_by=today)
    world.save(world.by_hand(world.carol), "the own lease", review_by=today)
    bob, carol = visits.by(world.bob), visits.by(world.carol)
    bob.open("items?tab=company")
    expect(rows(bob)).to_contain_text(["To be confirmed", "To be confirmed"])
    choose(bob, "The lease ends", "Still holds")
    dialog(bob).get_by_role("button", name="Never").click()
    dialog(bob).get_by_role("button", name="Still holds").click()
    says(bob, "Confirmed")
    expect(bob.page.get_by_text("To be confirmed", exact=True)).to_have_count(1)
    tab(bob, "To review").click()
    bob.page.get_by_role("button", name="Still holds: The second lease ends").click()
    dialog(bob).get_by_role("button", name="In 6 months").click()
    dialog(bob).get_by_role("button", name="Still holds").click()
    expect(bob.page.get_by_text("Nothing to review")).to_be_visible()
    carol.open("items?tab=review")
    due = carol.page.get_by_role("list", name="To be confirmed").get_by_role("listitem")
    expect(due).to_contain_text(["the own lease"])


def test_a_long_queue_is_searched_to_its_end(visits: Visits) -> None:
    world = visits.rest.live.world
    store_items(world, [f"proposal number {n}" for n in range(120)], status=Status.PENDING)
    bob = visits.by(world.bob)
    bob.open("items?tab=review&q=number 119")
    expect(entries(bob)).to_contain_text(["proposal number 119"])

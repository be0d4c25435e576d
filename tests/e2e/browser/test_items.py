"""The page of memory items: its tabs, the search, adding, editing, deleting, by keys and against others."""

import re

import pytest
from playwright.sync_api import Route, expect
from tests.e2e.browser.items_stage import (
    SECRET,
    SUSPICIOUS,
    choose,
    company,
    dialog,
    rows,
    says,
    store_items,
    tab,
)
from tests.e2e.browser.visits import Visits
from tests.e2e.governing import proposal

from workspace_memory.domain.item import Kind

requirement = pytest.mark.requirement


@requirement("items:page:memory-page-in-the-navigation")
@requirement("items:page:three-tabs")
def test_the_navigation_leads_to_three_tabs_with_their_counts(visits: Visits) -> None:
    world = visits.rest.live.world
    company(world, "The office closes at six")
    world.save(world.by_hand(world.alice), "likes tea")
    world.save(world.by_hand(world.alice), SUSPICIOUS)
    alice = visits.by(world.alice)
    alice.go("/")
    expect(alice.page.get_by_role("heading", level=1)).to_be_visible()
    alice.page.get_by_role("link", name="Memory items").click()
    expect(alice.page.get_by_role("heading", name="Memory items")).to_be_focused()
    for name, count in (("My memory", 1), ("Company memory", 1), ("To review", 1)):
        expect(tab(alice, name)).to_contain_text(str(count))
    expect(rows(alice)).to_contain_text(["likes tea"])
    tab(alice, "My memory").press("ArrowRight")
    expect(rows(alice)).to_contain_text(["The office closes at six"])
    tab(alice, "Company memory").press("ArrowRight")
    expect(alice.page.get_by_role("listitem").filter(has_text="run the export tool")).to_contain_text(
        "Looks suspicious"
    )
    expect(alice.page).to_have_url(re.compile("tab=review"))


@requirement("items:page:search")
def test_a_search_answers_while_one_types_and_stands_in_the_address(visits: Visits) -> None:
    world = visits.rest.live.world
    for text, tags in (("Green tea in the morning", ("drinks",)), ("Black tea", ()), ("The lease ends", ())):
        company(world, text, tags=tags)
    company(world, "A fact about tea", kind=Kind.FACT)
    carol = visits.by(world.carol)
    carol.open("items?tab=company")
    expect(rows(carol)).to_have_count(4)
    carol.page.keyboard.press("/")
    carol.page.keyboard.type("green")
    expect(rows(carol)).to_have_count(1)
    expect(carol.page.locator("mark")).to_have_text("Green")
    expect(carol.page).to_have_url(re.compile("tab=company&q=green"))
    carol.page.reload()
    expect(rows(carol)).to_contain_text(["Green tea in the morning"])
    carol.page.get_by_role("button", name="#drinks").click()
    carol.page.get_by_role("searchbox").press("Escape")
    expect(carol.page).not_to_have_url(re.compile("q="))
    expect(rows(carol)).to_have_count(1)
    carol.page.get_by_role("button", name="Only items with the tag drinks").click()
    carol.page.get_by_role("combobox", name="Kind").select_option("Fact")
    expect(rows(carol)).to_contain_text(["A fact about tea"])
    carol.page.get_by_role("searchbox").fill("lease")
    expect(carol.page.get_by_text("Nothing matches in Company memory")).to_be_visible()
    carol.page.get_by_role("button", name="Show everything again").click()
    expect(rows(carol)).to_have_count(4)


def test_a_search_says_which_tab_it_looked_through_and_goes_on_in_the_other(visits: Visits) -> None:
    world = visits.rest.live.world
    company(world, "Green tea in the morning")
    alice = visits.by(world.alice)
    page = alice.page
    alice.open("items?q=tea")
    expect(page.get_by_placeholder("Search my memory")).to_have_value("tea")
    expect(page.get_by_text("Nothing matches in My memory")).to_be_visible()
    assert alice.axe() == []
    page.get_by_role("button", name="Search in Company memory").click()
    expect(page.get_by_placeholder("Search company memory")).to_have_value("tea")
    expect(rows(alice)).to_contain_text(["Green tea in the morning"])
    expect(page.get_by_text("Only Company memory was searched.")).to_be_visible()
    page.get_by_role("button", name="Search in My memory").click()
    expect(page).to_have_url(re.compile(r"/items\?q=tea$"))


def test_an_item_that_went_to_the_other_tab_is_said_to_be_there_and_shown(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = visits.by(world.alice)
    page = alice.page
    alice.open("items")
    page.get_by_role("button", name="Add item").click()
    dialog(alice).get_by_role("button", name="Save", exact=True).click()
    expect(dialog(alice).get_by_role("alert")).to_have_text("Write what should be remembered.")
    expect(page.get_by_label("Text", exact=True)).to_be_focused()
    page.get_by_label("Text", exact=True).fill("The office closes at six")
    page.get_by_role("radio", name="Company").check()
    dialog(alice).get_by_role("button", name="Save", exact=True).click()
    says(alice, "Saved in Company memory")
    expect(rows(alice)).to_have_count(0)
    page.get_by_role("button", name="Show", exact=True).click()
    expect(rows(alice)).to_contain_text(["The office closes at six"])


def test_the_details_name_who_saved_it_with_what_and_who_changed_it_last(visits: Visits) -> None:
    world = visits.rest.live.world
    world.save(world.client(world.alice), "Prefers green tea")
    alice = visits.by(world.alice)
    page = alice.page
    alice.open("items")
    choose(alice, "Prefers green tea", "Edit")
    page.get_by_label("Text", exact=True).fill("Prefers white tea")
    dialog(alice).get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Prefers white tea", exact=True).click()
    facts = dialog(alice).locator("dl")
    expect(facts.locator("dt")).to_have_text(["Saved by", "Last changed by"])
    expect(facts.locator("dd").first).to_have_text(re.compile("^alice · Test client · "))
    expect(facts.locator("dd").last).to_have_text(re.compile("^alice · (?!Test client)"))


@requirement("items:page:add-edit-delete")
def test_an_item_is_added_edited_and_deleted(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = visits.by(world.alice)
    page = alice.page
    alice.open("items")
    page.get_by_role("button", name="Add the first item").click()
    page.get_by_label("Text", exact=True).fill("Prefers green tea")
    page.get_by_role("radio", name="Preference").check()
    page.get_by_label("Tags").press_sequentially("drinks,morning")
    page.get_by_label("Ask again on").fill("2030-01-31")
    expect(page.get_by_text("17 of 2,000 characters")).to_be_visible()
    dialog(alice).get_by_role("button", name="Save").click()
    expect(rows(alice)).to_have_count(1)
    expect(rows(alice)).to_contain_text(["#drinks"])
    expect(tab(alice, "My memory")).to_contain_text("1")

    choose(alice, "Prefers green tea", "Edit")
    page.get_by_label("Text", exact=True).fill("Prefers white tea")
    page.get_by_label("Ask again on").fill("")
    dialog(alice).get_by_role("button", name="Save").click()
    expect(rows(alice)).to_contain_text(["Prefers white tea"])
    page.get_by_role("button", name="Prefers white tea", exact=True).click()
    expect(dialog(alice).get_by_role("deletion")).to_contain_text("green")
    expect(dialog(alice).get_by_role("insertion")).to_contain_text("white")
    expect(dialog(alice).get_by_text("Version 2")).to_be_visible()
    expect(dialog(alice).get_by_text("2030")).to_have_count(0)

    dialog(alice).get_by_role("button", name="Delete").click()
    expect(dialog(alice)).to_contain_text("cannot be brought back")
    expect(dialog(alice).get_by_role("button", name="Cancel")).to_be_focused()
    dialog(alice).get_by_role("button", name="Delete").click()
    says(alice, "Deleted")
    expect(page.get_by_text("Nothing in your memory yet")).to_be_visible()


def test_a_refused_text_is_explained_at_the_field_and_nothing_is_lost(visits: Visits) -> None:
    world = visits.rest.live.world
    company(world, "The office closes at six in the evening")
    alice = visits.by(world.alice)
    page = alice.page
    text = page.get_by_role("textbox", name="Text")
    save = dialog(alice).get_by_role("button", name="Save", exact=True)
    alice.open("items?tab=company")
    page.get_by_role("button", name="Add item").click()
    text.fill(SECRET)
    save.click()
    expect(dialog(alice).get_by_role("alert")).to_contain_text("password, token or key")
    expect(text).to_have_attribute("aria-invalid", "true")
    expect(text).to_have_value(SECRET)
    text.fill("x" * 2001)
    expect(dialog(alice).get_by_role("alert")).to_contain_text("At most 2,000")
    text.fill("the office closes at SIX in the evening")
    save.click()
    expect(dialog(alice).get_by_role("alert")).to_contain_text("exactly this already")
    # What closed by itself is still there; what is cancelled is not.
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add item").click()
    expect(text).to_have_value("the office closes at SIX in the evening")
    text.fill("The office closes at seven in the evening")
    dialog(alice).get_by_role("button", name="Replace it with this text").click()
    says(alice, "Replaced")
    expect(rows(alice)).to_contain_text(["closes at seven"])


def test_a_change_by_somebody_else_is_shown_and_decided_about(visits: Visits) -> None:
    world = visits.rest.live.world
    company(world, "The office closes at six")
    alice, bob = visits.by(world.alice), visits.by(world.bob)
    for visit in (alice, bob):
        visit.open("items?tab=company")
        choose(visit, "The office closes at six", "Edit")
    text = "The office closes at {}"
    for visit, hour in ((alice, "seven"), (bob, "eight")):
        visit.page.get_by_label("Text", exact=True).fill(text.format(hour))
    save = [dialog(each).get_by_role("button", name="Save", exact=True) for each in (alice, bob)]
    save[0].click()
    expect(rows(alice)).to_contain_text(["seven"])
    save[1].click()
    expect(dialog(bob).get_by_role("alert")).to_contain_text("Somebody else changed this item")
    expect(dialog(bob).get_by_role("deletion")).to_contain_text("seven")
    expect(dialog(bob).get_by_role("insertion")).to_contain_text("eight")
    expect(save[1]).to_be_disabled()
    dialog(bob).get_by_role("button", name="Keep mine and go on").click()
    save[1].click()
    expect(rows(bob)).to_contain_text(["eight"])


def test_what_was_changed_meanwhile_is_not_deleted_and_comes_back(visits: Visits) -> None:
    world = visits.rest.live.world
    item = company(world, "The office closes at six")
    alice = visits.by(world.alice)
    alice.open("items?tab=company")
    choose(alice, "The office closes at six", "Delete")
    changed = visits.rest.by(world.bob).patch(
        f"/memory/items/{item.id}", json={"content": "It closes at eight"}, headers={"If-Match": '"1"'}
    )
    assert changed.status_code == 200
    dialog(alice).get_by_role("button", name="Delete").click()
    expect(alice.page.get_by_role("alert")).to_contain_text("Not deleted")
    expect(rows(alice)).to_contain_text(["It closes at eight"])


def test_hidden_characters_are_badges_and_markup_is_text(visits: Visits) -> None:
    world = visits.rest.live.world
    hostile = "\u202egnp.exe\u200b <script>alert(1)</script> <img src=x onerror=alert(2)>"
    store_items(world, [hostile])
    carol = visits.by(world.carol)
    carol.open("items?tab=company")
    expect(rows(carol)).to_contain_text(["<script>alert(1)</script> <img src=x"])
    expect(rows(carol).locator(".hidden-character")).to_have_text(["U+202E", "U+200B"])
    expect(carol.page.get_by_role("button", name="Actions for: ⟦U+202E⟧gnp.exe")).to_be_visible()
    carol.page.get_by_role("button", name="gnp.exe").first.click()
    expect(dialog(carol)).to_contain_text("onerror=alert(2)")
    assert "\u202e" not in carol.page.locator("body").inner_text()


@requirement("field:case-02:web")
def test_nothing_of_somebody_elses_personal_memory_reaches_a_page(visits: Visits) -> None:
    world = visits.rest.live.world
    world.save(world.by_hand(world.bob), "bob keeps a zebra", tags=("zebra",))
    world.save(world.by_hand(world.bob), f"{SUSPICIOUS} for the zebra")
    held_by_carol = world.save(world.by_hand(world.carol), "due zebra", review_by=world.clock.now().date())
    alice = visits.by(world.alice)
    told: list[str] = []

    def listen(route: Route) -> None:
        answer = route.fetch()
        told.append(answer.text())
        route.fulfill(response=answer)

    alice.page.route("**/api/**", listen)
    for page in ("items", "items?tab=company", "items?tab=review", "items?q=keeps", "items?tag=zebra"):
        alice.open(page)
        expect(alice.page.get_by_text(re.compile("Nothing|No company memory"))).to_be_visible()
    for page in ("memory", "assistant", "users", "connect", "settings", "audit"):
        alice.open(page)
        alice.page.wait_for_load_state("networkidle")
    assert len(told) > 10
    assert not [text for text in told if "zebra" in text.lower() or held_by_carol.item.id in text]
    for name in ("My memory", "Company memory", "To review"):
        alice.open("items")
        expect(tab(alice, name)).to_contain_text("0")


def test_items_are_worked_with_by_the_keyboard_alone(visits: Visits) -> None:
    world = visits.rest.live.world
    for text in ("first", "second", "third"):
        company(world, f"The {text} thing")
    alice = visits.by(world.alice)
    page, keys = alice.page, alice.page.keyboard
    alice.open("items?tab=company")
    expect(rows(alice)).to_have_count(3)
    for key in "jjk":
        keys.press(key)
    expect(page.get_by_role("button", name="The third thing", exact=True)).to_be_focused()
    keys.press("j")
    keys.press("Enter")
    expect(dialog(alice)).to_contain_text("The second thing")
    keys.press("Escape")
    expect(page.get_by_role("button", name="The second thing", exact=True)).to_be_focused()
    keys.press("e")
    expect(page.get_by_label("Text", exact=True)).to_be_focused()
    keys.press("End")
    keys.type(" of all")
    keys.press("Control+Enter")
    expect(rows(alice).filter(has_text="The second thing of all")).to_have_count(1)
    keys.press("j")
    keys.press("Tab")
    keys.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Details")).to_be_focused()
    keys.press("End")
    expect(page.get_by_role("menuitem", name="Delete")).to_be_focused()
    keys.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.get_by_role("button", name="Actions for: The first thing")).to_be_focused()
    keys.press("Control+k")
    keys.type("add item")
    keys.press("Enter")
    expect(dialog(alice)).to_contain_text("Add an item")


def test_who_proposed_something_sees_what_became_of_it_and_may_withdraw_it(visits: Visits) -> None:
    world = visits.rest.live.world
    proposal(world, "Close at noon on Fridays", world.carol)
    refused = proposal(world, "Close at noon every day", world.carol)
    answered = visits.rest.by(world.alice).post(
        f"/memory/items/{refused.id}/reject", json={"reason": "Too often"}, headers={"If-Match": '"1"'}
    )
    assert answered.status_code == 200
    carol = visits.by(world.carol)
    carol.open("items?tab=company")
    expect(carol.page.get_by_text("No company memory yet")).to_be_visible()
    carol.page.get_by_role("combobox", name="Status").select_option("Rejected")
    expect(rows(carol)).to_contain_text(["Reason: Too often"])
    carol.page.get_by_role("combobox", name="Status").select_option("Waiting for review")
    expect(rows(carol)).to_contain_text(["Close at noon on Fridays"])
    choose(carol, "Close at noon on Fridays", "Withdraw")
    dialog(carol).get_by_role("button", name="Withdraw").click()
    says(carol, "Deleted")
    expect(rows(carol)).to_have_count(0)


def test_a_list_that_cannot_be_read_says_so_and_is_tried_again(visits: Visits) -> None:
    world = visits.rest.live.world
    company(world, "The office closes at six")
    alice = visits.by(world.alice)
    busy = {"status": 503, "code": "busy", "title": "Busy", "detail": "", "retry_after": 1}
    alice.page.route("**/memory/items?**", lambda route: route.fulfill(status=503, json=busy))
    alice.open("items?tab=company")
    expect(alice.page.get_by_role("alert")).to_contain_text("busy")
    alice.page.unroute("**/memory/items?**")
    alice.page.get_by_role("button", name="Try again").click()
    expect(rows(alice)).to_contain_text(["The office closes at six"])

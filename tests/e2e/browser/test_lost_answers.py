"""Answers that do not arrive: the page looks again, and says only what it knows."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.e2e.browser.gate import PASSPHRASE, Gate
from tests.e2e.browser.items_stage import choose, company, dialog, rows, says
from tests.e2e.browser.memory_team import memory_team
from tests.e2e.browser.visits import HeldRequests, Visit, Visits

# What stands in the page with more in it than it shows, also within the editor, by its classes.
CUT_OFF = """() => {
    const all = (root) => [...root.querySelectorAll('*')].flatMap((each) =>
        [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
    return all(document.querySelector('main'))
        .filter((each) => each.clientHeight > 1 && each.scrollHeight > each.clientHeight + 8
            && getComputedStyle(each).overflowY !== 'visible')
        .map((each) => each.className);
}"""


def lose(page: Page, pattern: str, method: str, *, blind: bool = False) -> Callable[[], None]:
    """Carry out the next request, and break its answer off; `blind`: break off what is looked for, too.

    What is given back lets answers through again.
    """
    lost = False

    def carried(route: Route) -> None:
        nonlocal lost
        if route.request.method == method and not lost:
            lost = True
            route.fetch()
            route.abort()
        elif lost and blind:
            route.abort()
        else:
            route.continue_()

    page.route(pattern, carried)

    def mend() -> None:
        page.unroute(pattern)

    return mend


def forgive(visit: Visit) -> None:
    """Forget what the browser wrote about answers that were broken off on purpose."""
    visit.complaints[:] = [each for each in visit.complaints if "net::ERR_FAILED" not in each]


def test_an_item_whose_deletion_was_not_answered_is_gone(visits: Visits) -> None:
    world = visits.rest.live.world
    company(world, "The office closes at six")
    alice = visits.by(world.alice)
    alice.open("items?tab=company")
    lose(alice.page, "**/memory/items/*", "DELETE")
    choose(alice, "The office closes at six", "Delete")
    dialog(alice).get_by_role("button", name="Delete").click()
    says(alice, "Deleted")
    expect(rows(alice)).to_have_count(0)
    expect(alice.page.get_by_text("Not deleted")).to_have_count(0)
    forgive(alice)


def test_what_cannot_be_found_out_about_a_deletion_is_said(visits: Visits) -> None:
    world = visits.rest.live.world
    company(world, "The office closes at six")
    alice = visits.by(world.alice)
    alice.open("items?tab=company")
    lose(alice.page, "**/memory/items/*", "DELETE", blind=True)
    choose(alice, "The office closes at six", "Delete")
    dialog(alice).get_by_role("button", name="Delete").click()
    expect(alice.page.get_by_role("alert")).to_contain_text("could not be found out whether")
    forgive(alice)


@pytest.mark.parametrize("blind", [False, True])
def test_an_edit_that_was_not_answered_is_ones_own(visits: Visits, blind: bool) -> None:
    world = visits.rest.live.world
    company(world, "The office closes at six")
    alice = visits.by(world.alice)
    alice.open("items?tab=company")
    mend = lose(alice.page, "**/memory/items/*", "PATCH", blind=blind)
    choose(alice, "The office closes at six", "Edit")
    dialog(alice).get_by_label("Text").fill("The office closes at seven")
    dialog(alice).get_by_role("button", name="Save").click()
    if blind:
        expect(dialog(alice).get_by_role("alert")).to_contain_text("not certain whether")
        mend()
        dialog(alice).get_by_role("button", name="Save").click()
    says(alice, "Saved")
    expect(rows(alice)).to_contain_text(["The office closes at seven"])
    expect(alice.page.get_by_text("Somebody else changed")).to_have_count(0)
    forgive(alice)


def test_an_import_that_was_not_answered_is_counted_anew(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = visits.by(world.alice)
    alice.open("items")
    alice.page.get_by_role("button", name="More actions").click()
    alice.page.get_by_role("menuitem", name="Import items").click()
    text = "".join(f"- Fact number {number}\n" for number in range(3))
    file: Any = {"name": "AGENTS.md", "mimeType": "text/plain", "buffer": text.encode()}
    alice.page.get_by_label("File to import").set_input_files(file)
    importing = dialog(alice).get_by_role("button", name="Import 3 items")
    expect(importing).to_be_enabled()
    lose(alice.page, "**/memory/import", "POST")
    importing.click()
    expect(dialog(alice).get_by_role("alert")).to_contain_text("what was taken so far is kept")
    expect(dialog(alice)).to_contain_text(re.compile(r"There already ?3"))
    expect(dialog(alice).get_by_text("before anything was imported")).to_have_count(0)
    expect(rows(alice)).to_have_count(3)
    forgive(alice)


def test_a_recovery_key_that_was_never_shown_stays_owed(visits: Visits) -> None:
    visit = visits.by(visits.rest.live.world.alice)
    visit.open("memory")
    alice = Gate(visit)
    mend = lose(visit.page, "**/me/keys", "PUT")
    alice.choose(PASSPHRASE, action="Make my keys")
    alice.title("Unlock the Memory document")
    mend()
    alice.unlock()
    alice.says("Your recovery key was never said to be kept")
    visit.open("items")
    visit.go("/account")
    alice.press("Unlock")
    alice.unlock()
    alice.says("Your recovery key was never said to be kept")
    assert not visit.axe()
    alice.press("Make a new recovery key")
    visit.page.get_by_role("dialog").locator("input[type=password]").fill(PASSPHRASE)
    alice.press("Make a new one")
    alice.title("Keep your recovery key")
    # Still not kept: it is said again after a reload.
    visit.page.reload()
    alice.says("never said to be kept")
    alice.press("Unlock")
    alice.unlock()
    alice.press("Make a new recovery key")
    visit.page.get_by_role("dialog").locator("input[type=password]").fill(PASSPHRASE)
    alice.press("Make a new one")
    alice.keep()
    expect(visit.page.get_by_text("never said to be kept")).to_have_count(0)
    forgive(visit)


def test_the_page_says_that_it_loads_while_nobody_answers_who_this_is(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    held = HeldRequests(alice.page, "**/api/v1/me")
    alice.open("items")
    expect(alice.page.get_by_text("Loading…")).to_be_visible()
    held.let_go()
    expect(alice.page.get_by_role("heading", name="Memory items")).to_be_visible()


def test_a_long_document_is_printed_whole(visits: Visits, tmp_path: Path) -> None:
    with memory_team(visits, tmp_path, text="".join(f"- Line {n} of many\n" for n in range(150))) as team:
        bob = team.opens(visits.rest.live.world.bob)
        bob.holds("Line 0 of many")
        bob.lacks("Line 149 of many")
        bob.visit.page.emulate_media(media="print")
        bob.holds("Line 149 of many")
        assert bob.visit.page.evaluate(CUT_OFF) == []
        expect(bob.visit.page.get_by_role("navigation")).to_have_count(0)

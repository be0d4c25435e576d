"""How the page of items looks: to axe, at each width, in the longest language, and with twenty thousand items."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect
from tests.conftest import World
from tests.e2e.browser.items_stage import SUSPICIOUS, company, dialog, rows, store_items
from tests.e2e.browser.visits import DESK, PHONE, WIDTHS, Visits
from tests.e2e.governing import proposal

from workspace_memory.domain.item import WORKSPACE_ITEMS_MAX, Kind

ROWS_MAX = 300
SCROLLED_TO = 400
_LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 3


def fill(world: World) -> None:
    """A little of everything, with texts that are hard to fit."""
    company(world, _LONG, kind=Kind.PREFERENCE, tags=("x" * 50, "style"))
    company(world, "The lease ends", review_by=world.clock.now().date())
    world.save(world.by_hand(world.alice), "likes tea", kind=Kind.FACT, tags=("drinks",))
    for text in (
        "Regulars get a stamp",
        f"{SUSPICIOUS} {_LONG}",
        "Answers\u00a0begin with thanks",
        "The lease",
    ):
        world.clock.move(timedelta(seconds=1))
        proposal(world, text, world.carol)


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_axe_finds_nothing(visits: Visits, size: tuple[int, int], scheme: str) -> None:
    world = visits.rest.live.world
    fill(world)
    alice = visits.by(world.alice, size=size, scheme=scheme, touch=size == PHONE)
    alice.open("items?tab=review")
    alice.page.get_by_role("checkbox", name="Choose all shown").check()
    assert alice.axe() == []
    alice.open("items?tab=company")
    alice.page.get_by_role("button", name="Actions for: The lease ends").click()
    assert alice.axe() == []
    alice.page.get_by_role("menuitem", name="Details").click()
    expect(dialog(alice).get_by_text("Version 1")).to_be_visible()
    alice.page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    assert alice.axe() == []
    dialog(alice).get_by_role("button", name="Edit").click()
    expect(alice.page.get_by_role("textbox", name="Text")).to_be_visible()
    assert alice.axe() == []


def test_nothing_is_wider_than_the_window_also_in_german(visits: Visits) -> None:
    world = visits.rest.live.world
    fill(world)
    alice = visits.by(world.alice, language="de-DE")
    for name in ("mine", "company", "review"):
        alice.open(f"items?tab={name}")
        expect(
            alice.page.get_by_role("tabpanel").locator("[role=row], [role=listitem]").first
        ).to_be_visible()
        for width in WIDTHS:
            alice.page.set_viewport_size({"width": width, "height": 800})
            assert alice.overflow() <= 0, (name, width)
    alice.page.set_viewport_size({"width": WIDTHS[0], "height": 700})
    alice.open("items?tab=company")
    for action in ("importieren", "exportieren", "Einstellungen"):
        alice.page.get_by_role("button", name="Weitere Aktionen").click()
        alice.page.get_by_role("menuitem", name=action).click()
        expect(dialog(alice)).to_be_visible()
        wider = dialog(alice).evaluate("element => element.scrollWidth - element.clientWidth")
        assert (alice.overflow(), wider) <= (0, 0), action
        alice.page.keyboard.press("Escape")


def test_of_twenty_thousand_items_a_few_rows_stand_in_the_page(visits: Visits) -> None:
    world = visits.rest.live.world
    store_items(world, [f"Text number {n} of very many" for n in range(WORKSPACE_ITEMS_MAX)])
    bob = visits.by(world.bob)
    bob.open("items?tab=company")
    table = bob.page.get_by_role("table", name="Company memory")
    expect(table).to_have_attribute("aria-rowcount", str(WORKSPACE_ITEMS_MAX + 1))
    most = last = 0
    bob.page.mouse.move(700, 500)
    while last < SCROLLED_TO:
        bob.page.mouse.wheel(0, 2000)
        most = max(most, rows(bob).count())
        last = int(rows(bob).last.get_attribute("aria-rowindex") or 0)
    assert 20 < most <= ROWS_MAX
    # What left comes back, in its place.
    # The wheel goes on turning for a moment after its last step.
    bob.page.wait_for_function(
        "scrollTo(0, 0) ?? new Promise(done => setTimeout(() => done(scrollY === 0), 200))"
    )
    expect(bob.page.get_by_text(f"Text number {WORKSPACE_ITEMS_MAX - 1} of")).to_be_in_viewport()

"""The frame around every page: navigation, palette, shortcuts, languages, theme, and what stands where no page is."""

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.e2e.browser.visits import PHONE, WIDTHS, Visit, Visits
from tests.e2e.rest_calls import NOBODY

PAGES = ("Memory items", "Assistant", "Users", "Connect a client", "Settings", "Audit log", "Memory")


def _alice(visits: Visits, page: str = "items", **browser: Any) -> Visit:
    alice = visits.by(visits.rest.live.world.alice, **browser)
    alice.open(page)
    expect(alice.page.get_by_role("heading", level=1)).to_be_visible()
    return alice


def test_the_navigation_leads_to_every_page_and_reading_goes_on_at_its_heading(visits: Visits) -> None:
    alice = _alice(visits, "memory")
    for name in PAGES:
        link = alice.page.get_by_role("link", name=name, exact=True)
        link.click()
        expect(link).to_have_attribute("aria-current", "page")
        expect(alice.page.get_by_role("heading", level=1)).to_be_focused()
    alice.page.go_back()
    expect(alice.page.get_by_role("link", name="Audit log")).to_have_attribute("aria-current", "page")


def test_the_audit_log_is_offered_to_admins_alone(visits: Visits) -> None:
    bob = visits.by(visits.rest.live.world.bob)
    bob.open("items")
    expect(bob.page.get_by_role("link", name="Settings")).to_be_visible()
    expect(bob.page.get_by_role("link", name="Audit log")).to_have_count(0)


def test_who_is_not_signed_in_is_asked_to(visits: Visits) -> None:
    nobody = visits.by()
    nobody.go("/account")
    expect(nobody.page).to_have_url(f"{nobody.url}/sign-in?to=%2Faccount")


def test_the_palette_goes_everywhere_by_a_few_letters(visits: Visits) -> None:
    alice = _alice(visits)
    keyboard = alice.page.keyboard
    keyboard.press("Control+k")
    palette = alice.page.get_by_role("dialog", name="Commands")
    keyboard.type("tea & co")
    expect(palette.get_by_role("option")).to_have_text("Search memory items for “tea & co”")
    keyboard.press("Enter")
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/items?tab=company&q=tea+%26+co")
    expect(alice.page.get_by_role("searchbox")).to_have_value("tea & co")
    keyboard.press("Control+k")
    keyboard.type("audit")
    assert alice.axe() == []
    keyboard.press("Enter")
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/audit")
    expect(palette).to_be_hidden()
    keyboard.press("Control+k")
    keyboard.press("Escape")
    expect(palette).to_be_hidden()


def test_single_keys_work_outside_fields_and_can_be_switched_off(visits: Visits) -> None:
    alice = _alice(visits, "users")
    keyboard = alice.page.keyboard
    keyboard.press("g")
    keyboard.press("i")
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/items")
    keyboard.press("Control+k")
    keyboard.type("g")
    keyboard.type("m")
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/items")
    keyboard.press("Escape")
    expect(alice.page.get_by_role("dialog", name="Commands")).to_be_hidden()
    keyboard.press("?")
    help_ = alice.page.get_by_role("dialog", name="Keyboard shortcuts")
    help_.get_by_label("Single keys such as j and a are shortcuts").uncheck()
    keyboard.press("Escape")
    expect(help_).to_be_hidden()
    alice.page.reload()
    expect(alice.page.get_by_role("heading", level=1)).to_be_visible()
    keyboard.press("g")
    keyboard.press("m")
    keyboard.press("?")
    expect(help_).to_be_hidden()
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/items")


def test_the_frame_speaks_the_language_that_is_chosen(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice, language="de-DE")
    alice.open("users")
    expect(alice.page.get_by_role("link", name="Client verbinden")).to_be_visible()
    alice.page.get_by_role("combobox", name="Sprache").select_option("ja")
    expect(alice.page.get_by_role("link", name="クライアントを接続")).to_be_visible()
    expect(alice.page.locator("html")).to_have_attribute("lang", "ja")
    alice.page.reload()
    expect(alice.page.get_by_role("link", name="クライアントを接続")).to_be_visible()


def test_light_and_dark_are_chosen_and_stay(visits: Visits) -> None:
    alice = _alice(visits)
    alice.page.get_by_role("button", name="Switch between light and dark").click()
    alice.page.reload()
    expect(alice.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_skip_link_leads_past_the_navigation(visits: Visits) -> None:
    alice = _alice(visits)
    alice.page.keyboard.press("Tab")
    expect(alice.page.get_by_role("link", name="Skip to content")).to_be_focused()
    alice.page.keyboard.press("Enter")
    expect(alice.page.locator("#main")).to_be_focused()


def test_on_a_phone_the_navigation_is_a_drawer(visits: Visits) -> None:
    alice = _alice(visits, size=PHONE, touch=True)
    expect(alice.page.get_by_role("link", name="Users")).to_be_hidden()
    alice.page.get_by_role("button", name="Menu").click()
    assert alice.axe() == []
    alice.page.keyboard.press("Escape")
    expect(alice.page.get_by_role("button", name="Menu")).to_be_focused()
    alice.page.get_by_role("button", name="Menu").click()
    alice.page.get_by_role("link", name="Users").click()
    expect(alice.page.get_by_role("link", name="Users")).to_be_hidden()


def test_an_address_without_a_page_leads_on(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    for path in ("/nowhere", f"/w/{alice.workspace}/nowhere", f"/w/{NOBODY}/items", "/w/no-id/items"):
        alice.go(path)
        expect(alice.page.get_by_role("heading", name="There is no such page")).to_be_visible()
    alice.page.get_by_role("button", name="To the start").click()
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/memory")


def test_a_service_that_does_not_answer_is_said_and_asked_again(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    alice.page.route("**/api/v1/me", lambda route: route.abort())
    alice.open("users")
    expect(alice.page.get_by_role("heading", name="The service does not answer")).to_be_visible()
    alice.page.unroute("**/api/v1/me")
    alice.page.get_by_role("button", name="Try again").click()
    expect(alice.page.get_by_role("link", name="Users")).to_have_attribute("aria-current", "page")
    # Chromium's line about the request that was cut off.
    alice.complaints.clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_of_the_frame_stands_over_the_edge(visits: Visits, width: int) -> None:
    alice = _alice(visits, "users", size=(width, 800), language="de")
    assert alice.overflow() <= 0

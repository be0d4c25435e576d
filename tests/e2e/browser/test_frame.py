"""The frame around every page: navigation, palette, shortcuts, languages, theme."""

from playwright.sync_api import expect
from tests.e2e.browser.visits import Visits


def test_the_navigation_leads_to_every_page(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    alice.go("/")
    for name in ("Memory items", "Assistant", "Users", "Connect a client", "Settings", "Audit log"):
        alice.page.get_by_role("link", name=name).click()
        expect(alice.page.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")


def test_who_is_not_signed_in_is_asked_to_and_comes_back(visits: Visits) -> None:
    nobody = visits.by()
    nobody.go("/account")
    expect(nobody.page).to_have_url(f"{nobody.url}/sign-in?to=%2Faccount")


def test_the_frame_speaks_the_language_that_is_chosen(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice, language="de-DE")
    alice.go("/")
    expect(alice.page.get_by_role("link", name="Client verbinden")).to_be_visible()
    alice.page.get_by_role("combobox", name="Sprache").select_option("ja")
    expect(alice.page.get_by_role("link", name="クライアントを接続")).to_be_visible()
    alice.page.reload()
    expect(alice.page.get_by_role("link", name="クライアントを接続")).to_be_visible()

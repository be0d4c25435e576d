"""Coming in: signing in, the first set-up, invitations, another password by a link."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.conftest import World
from tests.e2e.browser.visits import PHONE, WIDTHS, Visit, Visits
from tests.e2e.conftest import serving
from tests.e2e.rest_calls import PASSWORD, Rest

from workspace_memory.crypto.key_sessions import RamKeyStore
from workspace_memory.domain.access import Role
from workspace_memory.services.accounts import (
    invite,
    make_password_reset_here,
    make_setup_link,
)
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import open_sqlite

NEW_PASSWORD = "a new and longer password"


@pytest.fixture
def untouched(browser: Browser, world: World, migrated_file: Path, tmp_path: Path) -> Iterator[Visits]:
    """Visits of a service that nobody has set up yet."""
    shutil.copyfile(migrated_file, tmp_path / "untouched.db")
    database = open_sqlite(tmp_path / "untouched.db")
    deps = Deps(database, clock=world.clock, key_store=RamKeyStore(world.clock.now))
    with serving(replace(world, deps=deps)) as live:
        rest = Rest(live)
        opened = Visits(browser, rest)
        yield opened
        said = opened.close()
        rest.close()
    database.close()
    assert not said, said


def never_in_an_address(visit: Visit, *secrets: str) -> None:
    """None of these stands in the address of a request, or in the address bar."""
    addresses = [request.url.partition("#")[0] for request in visit.sent] + [visit.page.url]
    assert not [address for address in addresses if any(secret in address for secret in secrets)]


def sign_in(visit: Visit, email: str, password: str) -> None:
    visit.page.get_by_label("E-mail address").fill(email)
    visit.page.get_by_label("Password", exact=True).fill(password)
    visit.page.get_by_label("Password", exact=True).press("Enter")


def test_signing_in_leads_back_to_where_one_came_from(visits: Visits) -> None:
    visits.rest.give_password("alice@example.com")
    alice = visits.by()
    alice.open("items")
    expect(alice.page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert not alice.axe()
    sign_in(alice, "alice@example.com", "not the password")
    expect(alice.page.get_by_text("E-mail address or password is wrong.")).to_be_visible()
    sign_in(alice, "alice@example.com", PASSWORD)
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/items")
    never_in_an_address(alice, PASSWORD, "not%20the", "not+the")


def test_a_foreign_address_to_come_back_to_is_ignored(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    alice.go("/sign-in?to=//mallory.example.com/account")
    expect(alice.page).to_have_url(f"{alice.url}/w/{alice.workspace}/memory")


def test_after_many_failures_the_page_says_how_long_to_wait(visits: Visits) -> None:
    visits.rest.give_password("alice@example.com")
    nobody = visits.rest.nobody()
    for _ in range(8):
        nobody.post("/sign-in", json={"email": "alice@example.com", "password": "wrong password"})
    alice = visits.by()
    alice.go("/sign-in")
    sign_in(alice, "alice@example.com", PASSWORD)
    expect(alice.page.get_by_text("Too many attempts. The next one is possible in")).to_be_visible()
    expect(alice.page.get_by_role("button", name="Sign in")).to_be_disabled()


def test_the_first_setup_signs_in_and_shows_how_to_connect_a_client(untouched: Visits) -> None:
    made = make_setup_link(untouched.rest.live.world.deps)
    dora = untouched.by()
    dora.go(f"/accept#{made.secret}")
    page = dora.page
    expect(page.get_by_role("heading", name="Welcome to Workspace Memory")).to_be_visible()
    assert page.url == f"{dora.url}/accept"
    assert not dora.axe()
    page.get_by_label("E-mail address").fill("dora@example.com")
    page.get_by_label("Your name").fill("Dora")
    page.get_by_label("Name of the workspace").fill("Book shop")
    page.get_by_label("New password").fill("short")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("At least 12 characters, please.")).to_be_visible()
    page.get_by_label("New password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("link", name="Connect a client")).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("complementary")).to_contain_text("Book shop")
    never_in_an_address(dora, made.secret, NEW_PASSWORD)
    page.go_back()
    assert made.secret not in page.url
    again = untouched.by()
    again.go(f"/accept#{made.secret}")
    expect(again.page.get_by_role("heading", name="This link does not work")).to_be_visible()


def test_an_invitation_makes_an_account_and_leads_to_the_items(visits: Visits) -> None:
    world = visits.rest.live.world
    made = invite(
        world.deps, world.by_hand(world.alice), world.workspace, email="dora@example.com", role=Role.VIEWER
    )
    dora = visits.by()
    dora.go(f"/accept#{made.secret}")
    page = dora.page
    expect(page.get_by_role("heading", name="Join Tea shop")).to_be_visible()
    page.get_by_label("Your name").fill("Dora")
    page.get_by_label("New password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page).to_have_url(f"{dora.url}/w/{world.workspace}/items")
    expect(page.get_by_text("Dora").first).to_be_visible()
    never_in_an_address(dora, made.secret, NEW_PASSWORD)


def test_whoever_has_an_account_joins_with_its_password(visits: Visits) -> None:
    world = visits.rest.live.world
    email = "mallory@example.com"
    visits.rest.give_password(email)
    made = invite(world.deps, world.by_hand(world.alice), world.workspace, email=email, role=Role.VIEWER)
    # In a browser in which somebody else is signed in.
    visit = visits.by(world.carol)
    visit.go(f"/accept#{made.secret}")
    page = visit.page
    expect(page.get_by_text("You are signed in as carol@example.com")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_count(0)
    page.get_by_label("Password", exact=True).fill("not the password")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("This is not the password of mallory@example.com.")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page).to_have_url(f"{visit.url}/w/{world.workspace}/items")
    expect(page.get_by_text("mallory").first).to_be_visible()


def test_a_link_gives_a_new_password(visits: Visits) -> None:
    world = visits.rest.live.world
    made = make_password_reset_here(world.deps, "bob@example.com")
    bob = visits.by(size=PHONE, scheme="dark", language="de-DE")
    bob.go(f"/accept#{made.secret}")
    page = bob.page
    expect(page.get_by_role("heading", name="Ein neues Passwort")).to_be_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        assert bob.overflow() <= 0, width
    assert not bob.axe()
    page.get_by_label("Neues Passwort").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Dieses Passwort verwenden").click()
    expect(page).to_have_url(f"{bob.url}/w/{world.workspace}/memory")
    never_in_an_address(bob, made.secret, NEW_PASSWORD)


def test_a_link_that_was_reloaded_has_to_be_opened_again(visits: Visits) -> None:
    made = make_password_reset_here(visits.rest.live.world.deps, "bob@example.com")
    bob = visits.by()
    bob.go(f"/accept#{made.secret}")
    expect(bob.page.get_by_role("heading", name="A new password")).to_be_visible()
    bob.page.reload()
    expect(bob.page.get_by_role("heading", name="Open the link once more")).to_be_visible()
    bob.go(f"/accept#{made.secret}")
    expect(bob.page.get_by_role("heading", name="A new password")).to_be_visible()

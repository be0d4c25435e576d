"""The settings: name and servers, memory, AI and skills, key sessions, the licence, and the end of the workspace."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.conftest import World
from tests.e2e.browser.looks import assert_looks_right
from tests.e2e.browser.visits import HeldRequests, Visit, Visits
from tests.e2e.conftest import Live, serving
from tests.e2e.governing import licence_key, licensed_world
from tests.e2e.rest_calls import Rest, body_of, listed

from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.keys import Keyholder
from workspace_memory.client.known_keys import KnownKeys
from workspace_memory.domain.access import Role
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.licence import Licensing
from workspace_memory.services.ai_consents import change_ai_consent, get_ai_consent
from workspace_memory.services.licences import IssuerKeys
from workspace_memory.services.members import change_member

PASSPHRASE = "a long walk along the river"


def open_as(visits: Visits, user: UserId) -> Visit:
    visit = visits.by(user)
    visit.open("settings")
    expect(visit.page.get_by_role("switch", name="Trust the skills of this workspace")).to_be_visible()
    return visit


def switch_ai(page: Page) -> None:
    page.get_by_role("switch", name="AI may work with the memory document").click()


def with_key(live: Live, user: UserId) -> None:
    """Own keys behind PASSPHRASE, and the key of the workspace."""
    with WorkspaceMemory(live.url, live.token(user)) as memory:
        holder = Keyholder(memory, KnownKeys(None, server=memory.url))
        holder.set_up_keys(PASSPHRASE)
        holder.start_workspace_key()


def test_name_and_servers_are_changed(visits: Visits) -> None:
    world = visits.rest.live.world
    page = open_as(visits, world.alice).page
    page.get_by_role("textbox", name="Name of the workspace").fill("Coffee shop")
    page.get_by_role("region", name="General").get_by_role("button", name="Save").click()
    expect(page.get_by_role("complementary").get_by_text("Coffee shop")).to_be_visible()

    servers = page.get_by_role("list", name="MCP servers").get_by_role("listitem")
    page.get_by_role("button", name="Add a server").click()
    page.get_by_role("textbox", name="Name of the server").fill("Laptop")
    page.keyboard.press("Enter")
    expect(servers).to_have_count(2)
    laptop = servers.filter(has_text="Laptop")
    address = laptop.get_by_role("code").inner_text()
    laptop.get_by_role("switch", name="Tools for ChatGPT at Laptop").click()
    expect(laptop.get_by_role("switch")).to_be_checked()
    laptop.get_by_role("button", name="Rename Laptop").click()
    page.get_by_role("textbox", name="Name of the server").fill("Desk")
    page.keyboard.press("Enter")
    desk = servers.filter(has_text="Desk")
    expect(desk.get_by_role("code")).to_have_text(address)
    desk.get_by_role("button", name="Delete Desk").click()
    dialog = page.get_by_role("dialog", name="Delete the MCP server Desk?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Delete").click()
    expect(servers).to_have_count(1)
    assert [each["name"] for each in listed(visits.rest.by(world.alice).get("/servers"), "servers")] == [
        "Memory"
    ]


def test_two_admins_change_different_settings_and_undo_nothing_of_each_other(visits: Visits) -> None:
    world = visits.rest.live.world
    change_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob, role=Role.ADMIN)
    alice, bob = open_as(visits, world.alice).page, open_as(visits, world.bob).page
    bob.get_by_role("radio", name="Active at once").click()
    expect(bob.get_by_text("is found by all clients at once")).to_be_visible()
    alice.get_by_role("combobox", name="Default level of AI clients").select_option("read")
    expect(alice.get_by_role("radio", name="Active at once")).to_be_checked()
    limit = alice.get_by_role("textbox", name="Tokens of the Assistant per day")
    limit.fill("-1")
    alice.get_by_role("region", name="Memory", exact=True).get_by_role("button", name="Save").click()
    expect(alice.get_by_text("A whole number from 0 on, please.")).to_be_visible()
    limit.fill("5000")
    expect(alice.get_by_text("5,000 a day.")).to_be_visible()
    limit.press("Enter")
    expect(alice.get_by_text("Saved.")).not_to_have_count(0)
    expect(limit).to_have_value("5000")
    assert body_of(visits.rest.by(world.alice).get("/memory/settings")) == {
        "default_access": "read",
        "write_mode": "auto",
        "assistant_tokens_per_day": 5000,
    }


def test_a_switch_of_ai_that_another_admin_was_before_is_not_overridden(visits: Visits) -> None:
    world = visits.rest.live.world
    page = open_as(visits, world.alice).page
    expect(page.get_by_text("no memory is given to a model")).to_be_visible()
    by_hand = world.by_hand(world.alice)
    for enabled in (True, False):
        seen = get_ai_consent(world.deps, by_hand, world.workspace)
        change_ai_consent(world.deps, by_hand, world.workspace, enabled=enabled, expected=seen.revision)
    switch_ai(page)
    expect(page.get_by_role("alert")).to_contain_text("AI is off now. Nothing of yours was changed")
    expect(page.get_by_role("switch", name="AI may work")).not_to_be_checked()
    switch_ai(page)
    expect(page.get_by_role("switch", name="AI may work")).to_be_checked()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("switch", name="Trust the skills of this workspace").click()
    expect(page.get_by_text("The Assistant follows them as instructions.")).to_be_visible()
    consent = get_ai_consent(world.deps, by_hand, world.workspace)
    assert (consent.enabled, consent.skills_trusted) == (True, True)


def test_others_see_what_holds_and_change_nothing(visits: Visits) -> None:
    world = visits.rest.live.world
    for user in (world.bob, world.carol):
        page = open_as(visits, user).page
        expect(page.get_by_role("region", name="Only admins change these settings")).to_be_visible()
        assert {box.is_disabled() for box in page.get_by_role("switch").all()} == {True}
        for name in ("Save", "Add a server", "Delete the workspace …", "Delete Memory"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        expect(page.get_by_role("region", name="Memory", exact=True)).to_contain_text("Personal")


def test_a_key_session_for_a_program_is_opened_shown_once_and_revoked(visits: Visits) -> None:
    live = visits.rest.live
    with_key(live, live.world.alice)
    page = open_as(visits, live.world.alice).page
    sessions = page.get_by_role("region", name="Key sessions")
    expect(sessions).to_contain_text("The server cannot read documents for you.")
    sessions.get_by_role("button", name="Open one for a program").click()
    dialog = page.get_by_role("dialog", name="Open one for a program")
    dialog.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    page.keyboard.press("Enter")
    dialog.get_by_role("textbox", name="Name, by which you know it again").fill("My agent")
    page.keyboard.press("Enter")
    token = dialog.get_by_role("group", name="Token of the key session").locator("pre").inner_text()
    reads = visits.rest.by(live.world.alice)
    reads.headers["X-Key-Session"] = token
    url = f"{live.url}/api/v1/automation/workspaces/{live.world.workspace}/documents"
    assert reads.get(url).status_code == 200
    dialog.get_by_role("button", name="Done").click()
    assert token not in page.content()
    row = sessions.get_by_role("listitem")
    expect(row).to_contain_text("My agent a program")
    row.get_by_role("button", name="Revoke My agent").click()
    expect(sessions).to_contain_text("No key session is open.")
    assert body_of(reads.get(url))["code"] == "key_session_required"
    expect(page.get_by_role("region", name="Who holds the key")).to_be_visible()


def test_the_part_of_an_address_stays_in_view_while_those_above_are_read(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    readings = [HeldRequests(alice.page, f"**/{each}") for each in ("servers", "key-sessions", "assistant")]
    alice.page.goto(f"{alice.url}/w/{alice.workspace}/settings#keys")
    heading = alice.page.get_by_role("heading", name="Who holds the key")
    expect(heading).to_be_in_viewport()
    for each in readings:
        each.let_go()
    expect(alice.page.get_by_text("No key session is open")).to_be_attached()
    expect(heading).to_be_in_viewport()


def test_the_workspace_is_deleted_by_its_typed_name(visits: Visits) -> None:
    world = visits.rest.live.world
    page = open_as(visits, world.alice).page
    page.get_by_role("button", name="Delete the workspace …").click()
    dialog = page.get_by_role("dialog", name="Delete Tea shop for good?")
    delete = dialog.get_by_role("button", name="Delete the workspace")
    dialog.get_by_role("textbox").fill("tea shop")
    expect(delete).to_be_disabled()
    dialog.get_by_role("textbox").fill("Tea shop")
    delete.click()
    expect(page.get_by_role("heading", name="You are in no workspace")).to_be_visible()
    expect(page).not_to_have_url(re.compile(world.workspace))


def test_it_looks_right_in_every_width_and_in_german(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = open_as(visits, world.alice)
    expect(alice.page.get_by_role("region", name="Licence")).to_have_count(0)
    assert_looks_right(alice)
    german = visits.by(world.alice, language="de-DE", size=(320, 700))
    german.open("settings")
    expect(german.page.get_by_role("heading", name="Arbeitsbereich löschen")).to_be_visible()
    assert german.overflow() <= 0


@pytest.fixture
def licensed(world: World, browser: Browser) -> Iterator[tuple[Visits, IssuerKeys]]:
    """Pages of a service where memory needs a licence."""
    asked, keys = licensed_world(world, Licensing.SELF_HOSTED)
    with serving(asked) as live:
        rest = Rest(live)
        visits = Visits(browser, rest)
        try:
            yield visits, keys
        finally:
            said = visits.close()
            rest.close()
        assert not said, said


def test_a_licence_is_stored_and_deleted_where_one_is_needed(licensed: tuple[Visits, IssuerKeys]) -> None:
    visits, keys = licensed
    world = visits.rest.live.world
    page = open_as(visits, world.alice).page
    part = page.get_by_role("region", name="Licence", exact=True)
    expect(part).to_contain_text("Stored items are kept")
    part.get_by_role("textbox", name="Licence key").fill("not a key")
    part.get_by_role("button", name="Store the key").click()
    expect(part.get_by_role("alert")).to_have_text("This is no valid licence key for this workspace.")
    part.get_by_role("textbox").fill(licence_key(world, keys))
    part.get_by_role("button", name="Store the key").click()
    expect(part).to_contain_text("Memory is on")
    part.get_by_role("button", name="Delete the key").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete the key").click()
    expect(part).to_contain_text("Memory is off")
    assert body_of(visits.rest.by(world.alice).get("/licence"))["licence"] is None

"""Connecting a client: its configuration with the key in it, its first call as it comes, and the own keys."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

import pytest
from playwright.sync_api import Page, expect
from tests.e2e import mcp_client
from tests.e2e.browser.looks import assert_looks_right
from tests.e2e.browser.visits import Visits
from tests.e2e.rest_calls import body_of

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.client_configuration import CLIENTS, PROGRAMS, Http

T = TypeVar("T")


def aside(work: Callable[[], T]) -> T:
    """Do it in a thread of its own: the browser's driver has this one's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def make_key(page: Page, client: str, name: str = "") -> str:
    """Choose a client, make its key, and give the configuration that is shown."""
    page.get_by_role("tab", name=client, exact=True).click()
    if name:
        page.get_by_role("textbox", name="Name of the key").fill(name)
    page.get_by_role("button", name="Make the key").click()
    called = (name or "My client") if client == "Another client" else client
    shown = page.get_by_role("group", name=f"Configuration for {called}")
    expect(shown).to_be_visible()
    return shown.locator("pre").inner_text()


@pytest.fixture
def page(visits: Visits) -> Page:
    """Bob's page."""
    bob = visits.by(visits.rest.live.world.bob)
    bob.open("connect")
    expect(bob.page.get_by_role("tablist")).to_be_visible()
    return bob.page


def test_a_client_is_connected_and_its_first_call_appears(visits: Visits, page: Page) -> None:
    configuration = make_key(page, "Cursor", "Cursor at home")
    entry = cast("dict[str, Any]", json.loads(configuration))["mcpServers"]["memory"]
    expect(page.get_by_text("The key in it is shown this once.")).to_be_visible()
    expect(page.get_by_text("Waiting for the first call of Cursor")).to_be_visible()
    token = entry["headers"]["Authorization"].removeprefix("Bearer ")
    saved = aside(
        lambda: mcp_client.call(entry["url"], token, "memory_save", {"content": "We release on Thursdays"})
    )
    assert not saved.is_error
    expect(page.get_by_text("Connected: Cursor has called")).to_be_visible()
    keys = page.get_by_role("list", name="Client keys")
    expect(keys.get_by_role("listitem").filter(has_text="Cursor at home")).to_contain_text("last used")

    # Shown once: not after a look at another page, and in nothing that the page has sent.
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Connect a client").click()
    expect(page.get_by_role("list", name="Client keys")).to_contain_text("Cursor at home")
    assert token not in page.content()
    assert not [body for visit in visits.opened for body in visit.bodies() if token in body]


def test_every_client_is_given_what_the_command_prints(visits: Visits, page: Page) -> None:
    live = visits.rest.live
    titles = [*(each.title for each in CLIENTS.values()), *(each.title for each in PROGRAMS.values())]
    assert page.get_by_role("tab").all_inner_texts() == titles
    for client in CLIENTS.values():
        if client.http is None:
            page.get_by_role("tab", name=client.title, exact=True).click()
            expect(page.get_by_role("group", name="Command")).to_contain_text(
                "workspace-memory connect claude-desktop --stdio"
            )
            continue
        printed = client.http(Http(live.mcp_url, "TOKEN")).text
        shown = make_key(page, client.title)
        head, tail = printed.split("TOKEN")
        assert (shown.startswith(head), shown.endswith(tail)) == (True, True), client.title
        assert shown[len(head) :].startswith("wm_pat_")


def test_a_client_without_a_tab_goes_by_the_name_of_its_key(visits: Visits, page: Page) -> None:
    make_key(page, "Another client", "Editor at home")
    expect(page.get_by_text("Waiting for the first call of Editor at home")).to_be_visible()
    expect(page.get_by_role("region", name="Connect Editor at home")).to_be_visible()
    expect(page.get_by_text("works on this machine alone")).to_contain_text(visits.rest.live.url)
    page.get_by_text("Documents and the Assistant").click()
    shown = page.get_by_role("group", name="Configuration for the documents").locator("pre").inner_text()
    [documents] = json.loads(shown)["mcpServers"].values()
    assert documents["url"] == f"{visits.rest.live.url}/mcp"
    assert documents["headers"]["X-Key-Session"] == "${MEMORY_KEY_SESSION}"


def test_a_program_gets_a_key_for_rest_and_an_ai_client_one_for_mcp_alone(visits: Visits, page: Page) -> None:
    url = visits.rest.live.api_url
    shell = make_key(page, "curl")
    token = shell.split('TOKEN="')[1].split('"')[0]
    assert (
        visits.rest.client(url, {"Authorization": f"Bearer {token}"}).get("/memory/items").status_code == 200
    )
    expect(page.get_by_text("Connected: curl has called")).to_be_visible()
    page.get_by_role("tab", name="Codex").click()
    page.get_by_role("combobox", name="Highest level").select_option("read")
    line = make_key(page, "Codex")
    expect(page.get_by_text("What do you find in the workspace memory")).to_be_visible()
    token = line.split("Bearer ")[1].split('"')[0]
    refused = visits.rest.client(url, {"Authorization": f"Bearer {token}"}).get("/memory/items")
    assert (refused.status_code, body_of(refused)["code"]) == (403, "token_for_mcp_only")
    assert aside(lambda: mcp_client.tool_names(visits.rest.live.mcp_url, token)) == ["memory_search"]


def test_a_revoked_key_works_no_more(visits: Visits, page: Page) -> None:
    configuration = make_key(page, "Windsurf")
    token = configuration.split("Bearer ")[1].split('"')[0]
    keys = page.get_by_role("list", name="Client keys")
    keys.get_by_role("button", name="Disconnect Windsurf").click()
    keys.get_by_role("button", name="Disconnect", exact=True).click()
    expect(page.get_by_role("button", name="Show 1 that has ended")).to_be_visible()
    assert mcp_client.RawHttp(visits.rest.live.mcp_url, token).call("memory_search", {}).status == 401


def test_it_copies_where_the_browser_gives_no_clipboard(visits: Visits) -> None:
    bob = visits.by(visits.rest.live.world.bob)
    # As over plain http beyond the own machine.
    bob.context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    bob.open("connect")
    configuration = make_key(bob.page, "Gemini CLI")
    bob.page.evaluate("addEventListener('copy', () => { window.copied = String(getSelection()); }, true)")
    button = bob.page.get_by_role("button", name="Copy", exact=True)
    button.click()
    expect(bob.page.get_by_role("button", name="Copied")).to_be_focused()
    assert bob.page.evaluate("window.copied") == configuration


def test_a_member_without_a_level_is_told_that_nothing_would_work(visits: Visits) -> None:
    world = visits.rest.live.world
    world.set_level(world.carol, AccessLevel.NONE)
    carol = visits.by(world.carol)
    carol.open("connect")
    expect(carol.page.get_by_text("Your level is “None”")).to_be_visible()


def test_a_key_starts_at_the_own_level_which_an_admin_can_raise(visits: Visits) -> None:
    carol = visits.by(visits.rest.live.world.carol)
    carol.open("connect")
    level = carol.page.get_by_role("combobox", name="Highest level")
    expect(level).to_have_value("personal")
    expect(
        carol.page.get_by_text("An admin can raise your level:").get_by_role("link", name="Users")
    ).to_be_visible()


def test_the_keyboard_alone_makes_a_key(page: Page) -> None:
    page.get_by_role("tab", name="Claude Code").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Cursor")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Name of the key")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Configuration for Cursor")).to_be_visible()


def test_it_looks_right_in_every_width_and_in_german(visits: Visits, page: Page) -> None:
    bob = visits.opened[0]
    make_key(page, "VS Code")
    page.get_by_text("Documents and the Assistant").click()
    assert_looks_right(bob)
    german = visits.by(visits.rest.live.world.bob, language="de-DE", size=(320, 700))
    german.open("connect")
    german.page.get_by_role("button", name="Schlüssel erstellen").click()
    expect(german.page.get_by_text("Warten auf den ersten Aufruf von Claude Code")).to_be_visible()
    assert german.overflow() <= 0

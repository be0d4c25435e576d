"""Around the items: import and export, the settings of memory, and a workspace without a licence."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Route, expect
from tests.conftest import World
from tests.e2e.browser.items_stage import COMPANY, SECRET, company, dialog, rows, says, tab
from tests.e2e.browser.visits import Visit, Visits
from tests.e2e.conftest import serving
from tests.e2e.governing import licensed_world
from tests.e2e.rest_calls import Rest

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.item import WriteMode
from workspace_memory.services.members import change_member
from workspace_memory.services.settings import get_settings

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload

requirement = pytest.mark.requirement


def open_from_menu(visit: Visit, name: str) -> None:
    """Choose from the menu beside the heading."""
    visit.page.get_by_role("button", name="More actions").click()
    visit.page.get_by_role("menuitem", name=name).click()


def a_file(name: str, text: str) -> "FilePayload":
    """A file to choose."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def test_an_export_is_kept_as_a_file_and_gives_its_items_back(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    item = company(world, "The office closes at six")
    alice = visits.by(world.alice)
    alice.open("items?tab=company")
    open_from_menu(alice, "Export items")
    alice.page.get_by_role("radio", name="Company memory").check()
    with alice.page.expect_download() as download:
        dialog(alice).get_by_role("button", name="Export").click()
    says(alice, "1 item exported")
    assert download.value.suggested_filename == "company-memory.jsonl"
    kept = tmp_path / "company-memory.jsonl"
    download.value.save_as(kept)
    assert "The office closes at six" in kept.read_text()

    assert visits.rest.by(world.alice).delete(f"/memory/items/{item.id}").is_success
    open_from_menu(alice, "Import items")
    alice.page.get_by_label("File to import").set_input_files(kept)
    expect(dialog(alice)).to_contain_text("given back as they were")
    dialog(alice).get_by_role("button", name="Import 1 item").click()
    expect(dialog(alice)).to_contain_text(re.compile(r"Imported\. ?Imported ?1"))
    dialog(alice).get_by_role("button", name="Close").click()
    expect(rows(alice)).to_contain_text(["The office closes at six"])


def test_a_list_of_lines_is_imported_after_its_format_was_named(visits: Visits) -> None:
    bob = visits.by(visits.rest.live.world.bob)
    bob.open("items")
    open_from_menu(bob, "Import items")
    bob.page.get_by_label("File to import").set_input_files(a_file("list.txt", "Likes tea\nLives in Rome\n"))
    expect(dialog(bob).get_by_role("alert")).to_contain_text("The file does not tell its format.")
    bob.page.get_by_role("combobox", name="Format").select_option("ChatGPT, or a list of lines")
    dialog(bob).get_by_role("button", name="Import 2 items").click()
    expect(dialog(bob)).to_contain_text(re.compile(r"Imported\. ?Imported ?2"))
    expect(dialog(bob).get_by_role("combobox", name="Format")).to_have_count(0)


def test_a_large_file_is_tried_first_then_taken_in_parts_and_can_be_stopped(visits: Visits) -> None:
    world = visits.rest.live.world
    bob = visits.by(world.bob)
    bob.open("items")
    open_from_menu(bob, "Import items")
    bullets = [f"- colleague {n} prefers tea of sort {n}" for n in range(620)]
    file = "\n".join(["# Tea", *bullets, f"- {SECRET}", bullets[-1], ""])
    bob.page.get_by_label("File to import").set_input_files(a_file("AGENTS.md", file))
    expect(dialog(bob)).to_contain_text(re.compile(r"New ?620"))
    expect(dialog(bob)).to_contain_text(re.compile(r"Left out on purpose ?1"))
    expect(dialog(bob).get_by_role("listitem")).to_contain_text(["AGENTS.md, line 622"])
    bob.page.get_by_role("radio", name="Company memory").check()
    expect(dialog(bob)).to_contain_text("wait for review")
    bob.page.get_by_role("radio", name="My memory").check()
    expect(dialog(bob)).to_contain_text("which only you see")
    under_way: list[Route] = []
    bob.page.route("**/memory/import", lambda route: under_way.append(route))  # noqa: PLW0108  as in visits.py
    dialog(bob).get_by_role("button", name="Import 620 items").click()
    expect(dialog(bob).get_by_role("progressbar")).to_be_visible()
    dialog(bob).get_by_role("button", name="Cancel").first.click()
    under_way[0].continue_()
    expect(dialog(bob)).to_contain_text("goes on where it stopped")
    bob.page.unroute("**/memory/import")
    dialog(bob).get_by_role("button", name="Close").click()
    expect(tab(bob, "My memory")).not_to_contain_text("620")

    open_from_menu(bob, "Import items")
    bob.page.get_by_label("File to import").set_input_files(a_file("AGENTS.md", file))
    dialog(bob).get_by_role("button", name=re.compile(r"Import \d+ items")).click()
    expect(dialog(bob)).to_contain_text("Imported.")
    dialog(bob).get_by_role("button", name="Close").click()
    expect(tab(bob, "My memory")).to_contain_text("620")
    expect(rows(bob).first).to_contain_text("#Tea")


@requirement("items:page:workspace-settings")
@requirement("items:e2e:page-settings")
def test_an_admin_changes_the_settings_and_nobody_else_does(visits: Visits) -> None:
    world = visits.rest.live.world
    alice, bob = visits.by(world.alice), visits.by(world.bob)
    bob.open("items")
    expect(bob.page.get_by_role("button", name="More actions")).to_be_visible()
    expect(bob.page.get_by_role("button", name="Memory settings")).to_have_count(0)
    alice.open("items")
    alice.page.get_by_role("button", name="Memory settings").click()
    expect(alice.page.get_by_role("radio", name="Personal memory")).to_be_checked()
    alice.page.get_by_role("radio", name="Contribute").check()
    alice.page.get_by_role("radio", name="Active at once").check()
    dialog(alice).get_by_role("button", name="Save").click()
    says(alice, "Settings saved")
    now = get_settings(world.deps, world.by_hand(world.alice), world.workspace)
    assert (now.default_access, now.write_mode) == (AccessLevel.CONTRIBUTE, WriteMode.AUTO)
    assert world.save(world.client(world.carol), "known at once", scope=COMPANY).item.status == "active"

    # Somebody else took the role away while the settings stood open.
    alice.page.get_by_role("button", name="Memory settings").click()
    expect(alice.page.get_by_role("radio", name="Active at once")).to_be_checked()
    change_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob, role=Role.ADMIN)
    change_member(world.deps, world.by_hand(world.bob), world.workspace, world.alice, role=Role.VIEWER)
    alice.page.get_by_role("radio", name="Nothing").check()
    dialog(alice).get_by_role("button", name="Save").click()
    expect(dialog(alice).get_by_role("alert")).to_contain_text("not allowed")
    alice.page.keyboard.press("Escape")
    expect(alice.page.get_by_role("button", name="Memory settings")).to_have_count(0)


@pytest.fixture
def unlicensed(browser: Browser, world: World) -> Iterator[Visits]:
    """A service that asks for licences, and has none."""
    cast, _ = licensed_world(world)
    with serving(cast) as live:
        rest = Rest(live)
        opened = Visits(browser, rest)
        try:
            yield opened
        finally:
            said = opened.close()
            rest.close()
    assert not said, said


@requirement("items:page:notice-without-a-licence")
def test_without_a_licence_one_notice_stands_there_and_what_works_is_reachable(unlicensed: Visits) -> None:
    world = unlicensed.rest.live.world
    alice, carol = unlicensed.by(world.alice), unlicensed.by(world.carol)
    alice.open("items?tab=company&q=tea")
    notice = alice.page.get_by_role("main")
    expect(notice).to_contain_text("Memory needs a licence here")
    expect(notice).to_contain_text("Everything that is stored is kept")
    expect(alice.page.get_by_role("tab")).to_have_count(0)
    assert not [address for address in alice.bodies() if "/memory/items" in address]
    alice.page.get_by_role("button", name="Memory settings").click()
    alice.page.get_by_role("radio", name="Read").check()
    dialog(alice).get_by_role("button", name="Save").click()
    says(alice, "Settings saved")
    notice.get_by_role("button", name="Users").click()
    expect(alice.page).to_have_url(re.compile("/users$"))
    carol.open("items")
    expect(carol.page.get_by_role("main")).to_contain_text("An admin of this workspace can store")
    with carol.page.expect_download():
        carol.page.get_by_role("button", name="Export").click()
        dialog(carol).get_by_role("button", name="Export").click()

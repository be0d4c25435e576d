"""Drafts on the Memory page that meet something else: a Clear, a file, a lost right, a step back taken twice."""

from functools import partial

import pytest
from playwright.sync_api import FilePayload, expect
from tests.e2e.browser.memory_team import MemoryPage, MemoryTeam
from tests.e2e.browser.test_memory_saving import DRAFT_KEPT
from tests.e2e.browser.visits import HeldRequests

from workspace_memory.domain.access import Role
from workspace_memory.services.members import change_member

requirement = pytest.mark.requirement


@requirement("document:frame:second-frame-cannot-refill")
def test_a_draft_from_before_a_clear_stays_one_however_often_its_page_is_left(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    page.on("dialog", lambda dialog: dialog.accept())
    alice.types("- from before")
    page.evaluate(DRAFT_KEPT)
    page.reload()
    team.stage.clear()
    alice.unlock()
    for leave in (page.reload, partial(alice.press, "Lock the Memory document")):
        alice.says("begun on revision 1")
        alice.press("Go on with it")
        alice.says("You cleared the memory in another window")
        alice.types("!")
        leave()
        alice.unlock()
    alice.says("begun on revision 1")
    alice.press("Go on with it")
    alice.says("You cleared the memory in another window")
    alice.editor.press("Control+s")
    expect(page.get_by_role("heading", name="Your draft and the newer text")).to_be_visible()
    assert (team.stage.text(), team.stage.version()) == ("", 2)


def test_a_file_takes_the_place_of_a_draft_only_after_that_was_settled(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    file = FilePayload(name="notes.md", mimeType="text/markdown", buffer=b"- from a file\n")
    chooser = page.locator("input[type=file]")
    dialog = page.get_by_role("dialog", name="You have an unsaved draft")
    alice.types("- mine")
    chooser.set_input_files(file)
    expect(dialog).to_contain_text("before the file takes its place")
    dialog.get_by_role("button", name="Cancel").click()
    alice.holds("mine")
    alice.lacks("from a file")
    chooser.set_input_files(file)
    dialog.get_by_role("button", name="Save").click()
    alice.holds("from a file")
    assert "mine" in (team.stage.text() or "")
    alice.press("Save")
    alice.stands("Revision 3, up to date")
    assert team.stage.text() == "- from a file\n"


def test_a_double_click_on_discard_goes_one_page_back(team: MemoryTeam, alice: MemoryPage) -> None:
    page = alice.visit.page
    items = page.get_by_role("link", name="Memory items")
    page.get_by_role("link", name="Assistant").click()
    items.click()
    page.get_by_role("link", name="Memory", exact=True).click()
    alice.types("- never")
    page.go_back()
    page.get_by_role("dialog").get_by_role("button", name="Discard").evaluate(
        "button => { button.click(); button.click(); }"
    )
    expect(items).to_have_attribute("aria-current", "page")
    page.wait_for_timeout(300)  # a second step would be taken by then
    expect(items).to_have_attribute("aria-current", "page")


def test_who_became_a_viewer_meanwhile_is_told_and_may_copy_or_discard_the_draft(team: MemoryTeam) -> None:
    world = team.stage.world
    bob = team.opens(world.bob)
    page = bob.visit.page
    save, copy = (page.get_by_role("button", name=name) for name in ("Save", "Copy my text"))
    bob.types("- mine")
    change_member(world.deps, world.by_hand(world.alice), world.workspace, world.bob, role=Role.VIEWER)
    bob.press("Save")
    bob.says("You can no longer save this draft")
    bob.says("an admin has changed your role")
    expect(save).to_have_count(0)
    bob.visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert str(page.evaluate("navigator.clipboard.readText()")).endswith("- mine")
    page.get_by_role("link", name="Memory items").click()
    dialog = page.get_by_role("dialog", name="You have an unsaved draft")
    expect(dialog.get_by_role("button", name="Copy my text")).to_be_visible()
    expect(dialog.get_by_role("button", name="Save")).to_have_count(0)
    assert bob.visit.axe() == []
    dialog.get_by_role("button", name="Cancel").click()
    bob.press("Lock the Memory document")
    bob.unlock()
    bob.says("You have a draft that was not saved")
    expect(page.get_by_role("button", name="Go on with it")).to_have_count(0)
    expect(copy).to_be_visible()
    bob.press("Discard")
    expect(page.get_by_text("You have a draft that was not saved")).to_be_hidden()
    assert team.stage.version() == 1


def test_an_undo_that_meets_a_draft_says_why_nothing_was_changed(team: MemoryTeam, alice: MemoryPage) -> None:
    alice.saves("- second", 2)
    readings = HeldRequests(alice.visit.page, "**/memory/document/versions/1")
    with alice.visit.page.expect_request("**/memory/document/versions/1"):
        alice.menu("Undo")
    alice.types("- mine")
    readings.let_go()
    alice.says("You began to write before the older text was read")
    alice.holds("mine")
    assert team.stage.version() == 2

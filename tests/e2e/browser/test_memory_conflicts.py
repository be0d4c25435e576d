"""Two people at the Memory page: conflicts that wait for a decision, and Clear, which nothing from before outlives."""

import threading

import pytest
from playwright.sync_api import Page, Route, expect
from tests.contract.memory_stage import add
from tests.e2e.browser.memory_team import MemoryPage, MemoryTeam

from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode

requirement = pytest.mark.requirement


def test_a_conflict_stays_until_it_is_decided_and_shows_both_texts(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    bob = team.opens(team.stage.world.bob)
    alice.types("- of alice")
    bob.saves("- of bob", 2)
    alice.press("Save")
    alice.says("bob saved a newer version")
    alice.says("Revision 2 was saved while you were editing, ")
    alice.editor.press("Control+s")
    expect(page.get_by_role("heading", name="Your draft and the newer text")).to_be_visible()
    expect(page.get_by_role("textbox", name="Revision 2")).to_contain_text("of bob")
    expect(page.get_by_role("textbox", name="Your draft")).to_contain_text("of alice")
    assert team.stage.version() == 2
    alice.press("Back to my draft")
    alice.press("Use the newer text")
    alice.holds("of bob")
    alice.lacks("of alice")
    alice.press("Bring my draft back")
    alice.holds("of alice")
    bob.saves("- of bob again", 3)
    alice.press("Save")
    alice.press("Compare")
    alice.press("Replace it with mine")
    alice.stands("Revision 4, up to date")
    assert (team.stage.text() or "").endswith("- of alice")


def test_both_texts_are_put_together_as_a_draft_that_nothing_saves_by_itself(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    alice.types("- of alice")
    team.stage.save("# Team\n\n- We ship on Thursday\n- of bob\n")
    alice.press("Save")
    alice.press("Compare")
    expect(page.get_by_role("button", name="Replace it with mine")).to_be_visible()
    assert alice.visit.axe() == []
    alice.press("Put both together")
    alice.says("Your draft holds both texts now")
    alice.stands("Unsaved draft")
    assert team.stage.version() == 2
    alice.press("Save")
    alice.stands("Revision 3, up to date")
    assert team.stage.text() == "# Team\n\n- We ship on Thursday\n- of bob\n- of alice"


def test_what_somebody_else_saves_is_told_and_replaces_nothing(team: MemoryTeam, alice: MemoryPage) -> None:
    page = alice.visit.page
    alice.types("- of alice")
    team.stage.save("- of bob\n")
    page.wait_for_timeout(1000)  # the page looks at most once a second
    page.evaluate("dispatchEvent(new Event('focus'))")
    alice.says("Revision 2 was saved by bob")
    alice.holds("of alice")
    alice.press("Show")
    alice.says("bob saved a newer version")
    alice.holds("of alice")


def looks_again(page: Page) -> None:
    """Come back to the page, which looks at most once a second."""
    page.wait_for_timeout(1000)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_clear_by_somebody_else_is_named_and_nothing_of_it_comes_back_by_itself(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    alice.types("- of alice")
    team.stage.clear(team.stage.world.bob)
    looks_again(page)
    alice.says("bob cleared the memory")
    alice.says("The newest is revision 2 now. Your draft is untouched.")
    alice.holds("of alice")
    alice.stands("Unsaved draft")
    alice.press("Save")
    conflict = page.get_by_role("alert").filter(has_text="bob cleared the memory")
    expect(conflict).to_contain_text("Revision 2 is empty")
    alice.press("Compare")
    alice.says("Revision 2 (empty)")
    expect(page.get_by_role("textbox", name="Revision 2")).to_contain_text("(empty)")
    alice.says("leaves only the lines that you wrote yourself")
    assert alice.visit.axe() == []
    expect(page.locator(".comparison .primary")).to_have_text("Put both together")
    alice.press("Put both together")
    alice.says("Your draft holds only what you wrote yourself now")
    expect(alice.editor).to_have_text("- of alice")
    alice.stands("Unsaved draft")
    assert team.stage.text() == ""
    alice.press("Save")
    alice.stands("Revision 3, up to date")
    assert team.stage.text() == "- of alice"


def test_what_was_restored_deleted_captured_or_cleared_in_between_is_named(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    stage = team.stage
    alice.types("- of alice")
    stage.save("- of bob\n")
    stage.undo(Version(1), stage.world.bob)
    looks_again(alice.visit.page)
    alice.says("bob restored an older revision")
    alice.press("Save")
    expect(alice.visit.page.get_by_role("alert")).to_contain_text("bob restored an older revision")
    alice.press("Put both together")
    alice.holds("of alice")
    stage.set_mode(Mode.AUTO)
    stage.capture(stage.shown(stage.world.bob), add("Marta owns Berlin"))
    alice.press("Save")
    alice.says("The Assistant changed the memory, for bob")
    alice.press("Put both together")
    alice.holds("Marta owns Berlin")
    alice.holds("of alice")
    stage.clear(stage.world.bob)
    stage.save("- after it\n")
    alice.press("Save")
    alice.says("bob saved a newer version")
    alice.says("The memory was cleared in between.")
    alice.press("Put both together")
    expect(alice.editor).to_have_text("- after it- of alice")


def test_others_are_looked_for_now_and_then_while_a_draft_waits(team: MemoryTeam) -> None:
    stage = team.stage
    alice = team.opens(stage.world.alice, clock=True)
    page = alice.visit.page
    alice.types("- of alice")
    stage.save("- of bob\n")
    page.clock.fast_forward(30_000)
    alice.says("Revision 2 was saved by bob")
    alice.holds("of alice")
    alice.stands("Unsaved draft")


def test_a_page_that_is_left_in_a_conflict_says_what_has_to_be_decided_first(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    alice.types("- of alice")
    team.stage.save("- of bob\n")
    alice.press("Save")
    alice.says("bob saved a newer version")
    page.get_by_role("link", name="Users", exact=True).click()
    settle = page.get_by_role("dialog", name="You have an unsaved draft")
    expect(settle).to_contain_text("It cannot be saved yet, because there is a newer revision")
    expect(settle.get_by_role("button", name="Save")).to_have_count(0)
    settle.get_by_role("button", name="Decide first").click()
    expect(settle).to_be_hidden()
    conflict = page.get_by_role("alert").filter(has_text="bob saved a newer version")
    expect(conflict).to_be_in_viewport()
    expect(page.locator(":focus").get_by_role("alert")).to_contain_text("bob saved a newer version")
    alice.holds("of alice")
    # A conflict that only the Save in the dialog finds is shown as well.
    alice.press("Use the newer text")
    alice.press("Bring my draft back")
    team.stage.save("- of bob again\n")
    page.get_by_role("link", name="Users", exact=True).click()
    settle.get_by_role("button", name="Save").click()
    expect(page.locator(":focus").get_by_role("alert")).to_contain_text("bob saved a newer version")
    expect(conflict).to_be_in_viewport()


@requirement("document:frame:lost-clear-keeps-the-newer-text")
@requirement("document:frame:lost-clear-asks-again")
def test_a_clear_that_lost_shows_the_newer_text_and_clears_only_when_asked_again(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    alice.menu("Clear memory…")
    team.stage.save("- of bob\n")
    alice.press("Clear memory")
    lost = page.get_by_role("dialog", name="Nothing was cleared")
    expect(lost).to_contain_text("of bob")
    alice.holds("of bob")
    assert team.stage.text() == "- of bob\n"
    lost.get_by_role("button", name="Cancel").click()
    assert team.stage.version() == 2
    alice.menu("Clear memory…")
    team.stage.save("- of bob again\n")
    alice.press("Clear memory")
    lost.get_by_role("button", name="Clear revision 3").click()
    alice.says("The memory is empty now, as revision 4.")
    assert (team.stage.text(), team.stage.policy().clear_generation) == ("", 1)


@requirement("document:frame:clear-settles-the-draft")
@requirement("document:frame:clear-waits-for-a-running-save")
@requirement("document:frame:clear-states-its-boundary")
def test_a_clear_settles_the_draft_and_waits_for_a_save_and_can_be_undone(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    held = threading.Event()
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "PUT" and not held.is_set():
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/memory/document", hold)
    alice.types("- mine")
    alice.press("Save")
    alice.stands("Saving…")
    alice.types(" and more")
    alice.menu("Clear memory…")
    expect(page.get_by_role("dialog", name="Saving…")).to_be_visible()
    held.set()
    waiting[0].continue_()
    settle = page.get_by_role("dialog", name="You have an unsaved draft")
    settle.get_by_role("button", name="Cancel").click()
    alice.holds("and more")
    alice.menu("Clear memory…")
    settle.get_by_role("button", name="Discard").click()
    clear = page.get_by_role("dialog", name="Clear this memory?")
    expect(clear.get_by_role("button", name="Cancel")).to_be_focused()
    expect(clear).to_contain_text("Conversations are not deleted")
    expect(clear).to_contain_text("the Assistant can still see what was said before")
    expect(clear).to_contain_text("Older revisions stay in Changes")
    clear.get_by_role("button", name="Clear memory").click()
    alice.says("The memory is empty now, as revision 3.")
    alice.press("Undo")
    alice.says("Revision 4 has the text of revision 2.")
    assert (team.stage.text() or "").endswith("- mine")
    assert team.stage.policy().clear_generation == 1


@requirement("document:frame:second-frame-cannot-refill")
def test_a_draft_in_another_tab_cannot_fill_the_document_after_a_clear(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    other = MemoryPage(
        type(alice.visit)(
            alice.visit.context, alice.visit.context.new_page(), alice.visit.url, alice.visit.workspace
        )
    )
    other.visit.open("memory")
    other.unlock()
    other.types("- from before")
    alice.menu("Clear memory…")
    alice.press("Clear memory")
    alice.says("The memory is empty now")
    other.press("Save")
    other.says("You cleared the memory in another window")
    assert (team.stage.text(), team.stage.version()) == ("", 2)


def test_the_document_is_deleted_and_the_next_save_brings_it_back(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    alice.menu("Delete the document…")
    expect(alice.visit.page.get_by_role("dialog")).to_contain_text("The history is not erased")
    alice.press("Delete the document")
    alice.says("The document was deleted, as revision 2.")
    assert team.stage.text() is None
    alice.saves("- new", 3)
    assert team.stage.text() == "- new"

"""Changes, suggestions and the mode on the Memory page."""

import pytest
from playwright.sync_api import Route, expect
from tests.contract.memory_stage import add
from tests.e2e.browser.memory_team import MemoryTeam
from tests.e2e.browser.visits import PHONE

from workspace_memory.domain.edits import Edit, EditOp
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode

requirement = pytest.mark.requirement


@requirement("document:frame:changes-from-versions")
def test_changes_are_opened_here_and_any_revision_is_restored(team: MemoryTeam) -> None:
    stage, world = team.stage, team.stage.world
    stage.set_mode(Mode.AUTO)
    stage.capture(stage.shown(world.bob), add("Marta owns Berlin"))
    stage.save("# Team\n\n- We ship on Friday\n", world.alice)
    stage.clear(world.alice)
    stage.undo(Version(2), world.alice)
    alice = team.opens(world.alice, "memory?tab=changes&revision=3")
    page = alice.visit.page
    revisions = page.get_by_role("list", name="Revisions").get_by_role("button")
    expect(revisions).to_have_count(5)
    expect(revisions.nth(0)).to_contain_text("Current")
    expect(revisions.nth(0)).to_contain_text("Restored")
    expect(revisions.nth(1)).to_contain_text("Cleared")
    expect(revisions.nth(3)).to_contain_text("Assistant, for bob")
    expect(revisions.nth(3)).to_contain_text("Auto")
    alice.says("Revision 2 → 3")
    expect(page.get_by_role("textbox", name="Before: revision 2")).to_contain_text("Thursday")
    expect(page.get_by_role("textbox", name="After: revision 3")).to_contain_text("Friday")
    expect(page.locator(".cm-changedText").first).to_be_visible()
    revisions.nth(4).click()
    alice.says("Revision 1, the first one")
    expect(page).to_have_url(f"{alice.visit.url}/w/{alice.visit.workspace}/memory?tab=changes&revision=1")
    alice.press("Restore revision 1")
    alice.says("Revision 6 has the text of revision 1.")
    assert stage.text() == stage.text(Version(1))
    assert not [sent for sent in alice.visit.bodies() if "Friday" in sent]


def test_on_a_phone_the_history_is_one_field_and_the_difference_inline(team: MemoryTeam) -> None:
    team.stage.save("# Team\n\n- We ship on Friday\n")
    alice = team.opens(team.stage.world.alice, size=PHONE, touch=True)
    page = alice.visit.page
    page.get_by_role("tab", name="Changes").click()
    expect(page.get_by_role("combobox", name="Revision")).to_contain_text("2 · bob")
    expect(page.locator(".cm-deletedChunk")).to_contain_text("Thursday")
    page.get_by_role("combobox", name="Revision").select_option("1")
    alice.says("Revision 1, the first one")


def test_a_revision_that_does_not_open_is_told_and_leaves_the_others(team: MemoryTeam) -> None:
    stage = team.stage
    stage.save("# Team\n\n- We ship on Friday\n")
    stage.save("# Team\n\n- We ship on Monday\n")
    alice = team.opens(stage.world.alice)
    alice.visit.page.route("**/versions/2", changes_the_text)
    alice.visit.page.get_by_role("tab", name="Changes").click()
    alice.says("Revision 2 could not be decrypted: it is not what was sealed.")
    alice.says("We ship on Monday")
    alice.visit.page.get_by_role("list", name="Revisions").get_by_role("button").nth(2).click()
    alice.says("We ship on Thursday")
    alice.visit.page.get_by_role("tab", name="Write").click()
    alice.saves("- and on", 4)


def changes_the_text(route: Route) -> None:
    told = route.fetch().json()
    told["ciphertext"] = "A" * len(told["ciphertext"])
    route.fulfill(json=told)


def test_a_suggestion_is_shown_by_its_lines_applied_dismissed_and_retired(team: MemoryTeam) -> None:
    stage, world = team.stage, team.stage.world
    stage.capture(stage.shown(world.alice), add("Marta owns Berlin", "Team"))
    replaced = Edit(EditOp.REPLACE, text="We ship on Friday", target="We ship on Thursday")
    stage.capture(stage.shown(world.alice), replaced)
    alice = team.opens(world.alice)
    page = alice.visit.page
    suggestions = page.get_by_role("region", name="Suggestions of the Assistant").get_by_role("listitem")
    change = suggestions.filter(has_text="suggests changing a line")
    expect(change.get_by_role("deletion")).to_contain_text("We ship on Thursday")
    expect(change.get_by_role("insertion")).to_contain_text("We ship on Friday")
    addition = suggestions.filter(has_text="suggests a line under “Team”")
    addition.get_by_role("button", name="Show it to all").click()
    expect(addition).to_contain_text("Shown to all")
    addition.get_by_role("button", name="Apply").click()
    alice.says("The suggestion is in the text now, as revision 2.")
    alice.holds("Marta owns Berlin")
    stage.save("# Team\n\n- We ship on Sunday\n")
    page.reload()
    alice.unlock()
    expect(change).to_contain_text("It applies no more")
    expect(change.get_by_role("button", name="Apply")).to_be_hidden()
    change.get_by_role("button", name="Dismiss").click()
    expect(suggestions).to_have_count(0)
    # Signing in at the page gave her another password, which ended the key session from before.
    stage.open_session(world.alice)
    stage.capture(stage.shown(world.alice), add("Too late"))
    stage.clear(world.bob)
    page.reload()
    alice.unlock()
    alice.says("1 suggestion is from before a Clear and can no longer be applied.")
    alice.press("Put away")
    expect(page.get_by_text("from before a Clear")).to_be_hidden()


def test_a_suggestion_shows_the_lines_as_they_will_stand(team: MemoryTeam) -> None:
    stage, world = team.stage, team.stage.world
    stage.save("# Team\n")
    stage.capture(stage.shown(world.alice), add("we ship on Friday"))
    alice = team.opens(world.alice)
    page = alice.visit.page
    suggestions = page.get_by_role("region", name="Suggestions of the Assistant").get_by_role("listitem")
    coming = suggestions.get_by_role("insertion")
    expect(coming).to_have_text(["Added:+ blank line", "Added:+ - we ship on Friday"])
    suggestions.get_by_role("button", name="Apply").click()
    alice.says("The suggestion is in the text now, as revision 3.")
    assert stage.text() == "# Team\n\n- we ship on Friday\n"


def test_the_mode_is_set_by_any_member_and_a_conflict_asks_again(team: MemoryTeam) -> None:
    stage, world = team.stage, team.stage.world
    stage.set_ai(enabled=False)
    carol = team.opens(world.carol)
    page = carol.visit.page
    carol.says("Workspace AI is off")
    expect(page.get_by_role("link", name="See Settings")).to_be_visible()
    expect(page.get_by_role("radio", name="Read only")).to_be_checked()
    stage.set_mode(Mode.OFF)
    page.get_by_role("radio", name="Auto").click(force=True)
    carol.says("Somebody has set it to “Off” in the meantime.")
    expect(page.get_by_role("radio", name="Off")).to_be_checked()
    assert stage.policy().mode is Mode.OFF
    carol.press("Set to Auto")
    expect(page.get_by_role("radio", name="Auto")).to_be_checked()
    assert stage.policy().mode is Mode.AUTO
    # A viewer reads, and is told why there is nothing to save.
    carol.says("You can read this memory. Admins and editors can change it.")
    expect(carol.editor).to_have_attribute("aria-readonly", "true")
    expect(page.get_by_role("button", name="Save")).to_be_hidden()


def test_what_the_assistant_sees_is_shown_word_for_word(team: MemoryTeam) -> None:
    stage = team.stage
    alice = team.opens(stage.world.alice)
    page = alice.visit.page
    given = stage.recall(stage.admit(stage.world.alice)).block or ""
    code = given.split("code ")[1][:16]
    alice.types("- draft")
    alice.menu("What the Assistant sees")
    alice.says("Your draft is not part of it")
    shown = page.get_by_label("Text given to the Assistant").text_content() or ""
    assert shown.replace("·" * 16, code) == given
    alice.press("Close")
    page.get_by_role("radio", name="Off").click(force=True)
    alice.says("The Assistant does not see this memory.")
    alice.menu("What the Assistant sees")
    alice.says("Nothing. The mode is Off.")

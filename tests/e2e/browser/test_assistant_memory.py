"""The memory below an answer: what was remembered, what is suggested, why nothing was given, what a message states."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect
from tests.conftest import World
from tests.e2e.assistant_wire.provider_server import Call, Say, call
from tests.e2e.browser.assistant_desk import Desk, assistant_desk
from tests.e2e.browser.visits import HeldRequests

from workspace_memory.domain.ids import ConsentRevision
from workspace_memory.domain.policy import Mode
from workspace_memory.services.accounts import add_workspace
from workspace_memory.services.ai_consents import change_ai_consent

requirement = pytest.mark.requirement


@pytest.fixture
def desk(browser: Browser, world: World, tmp_path: Path) -> Iterator[Desk]:
    with assistant_desk(browser, world, tmp_path) as opened:
        yield opened


def remember(text: str) -> Call:
    return call("remember_in_memory", changes=[{"op": "add", "text": text, "target": "", "heading": ""}])


def broken_save(route: Route) -> None:
    """Let no Save through."""
    if route.request.method == "PUT":
        route.abort()
    else:
        route.continue_()


@requirement("document:frame:remembered-only-when-committed")
def test_remembered_is_said_of_a_committed_change_alone_with_a_look_and_a_way_back(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    desk.provider.script[:] = [Say("Remembered! Everything is remembered.")]
    chat.say("Remember that tea is green")
    expect(chat.turn.get_by_text("Remembered", exact=True)).to_have_count(0)

    desk.provider.script[:] = [remember("Tea is green"), Say("Done.")]
    chat.say("Really remember it")
    expect(chat.turn.get_by_text("Remembered", exact=True)).to_be_visible()
    chat.answers("as revision 2")
    assert "- Tea is green" in (desk.stage.text() or "")
    view = chat.turn.get_by_role("link", name="View").first
    assert (view.get_attribute("href") or "").endswith("/memory?tab=changes&revision=2")
    chat.answers("Memory revisions")

    chat.press("Undo")
    chat.answers("Undone, as revision 3.")
    assert desk.stage.text() == desk.stage.text(version=type(desk.stage.version())(1))
    chat.say("And now?")
    assert chat.states() == [None, None, "saved;version=3"]
    assert "Tea is green" not in "".join(chat.visit.bodies())

    desk.provider.script[:] = [remember("Tea is black"), Say("Done.")]
    chat.say("Remember that it is black")
    desk.stage.save("# Team\n\n- Tea is white\n")
    chat.press("Undo")
    chat.says("The memory has changed since")
    expect(chat.page.get_by_role("button", name="Cancel")).to_be_focused()
    chat.press("Bring back revision 3")
    chat.answers("Undone, as revision 6.")


def test_a_suggestion_is_shown_line_by_line_and_applied_dismissed_or_retired(desk: Desk) -> None:
    desk.stage.set_mode(Mode.READ_ONLY)
    chat = desk.opens(desk.world.bob)
    for text in ("Tea is green", "Tea is black", "Tea is white"):
        desk.provider.script[:] = [remember(text), Say("I have suggested it.")]
        chat.say(f"Remember: {text}")
        chat.answers("The memory is read only for the Assistant.")
        expect(chat.turn.get_by_text("Remembered", exact=True)).to_have_count(0)
    suggestions = chat.page.get_by_role("region", name="The Assistant suggests a change of the memory")
    expect(suggestions).to_have_count(3)
    first, second, third = suggestions.all()
    expect(first.get_by_text("Tea is green")).to_be_visible()
    first.get_by_role("button", name="Apply").click()
    expect(first.get_by_role("link", name="Applied, as revision 2")).to_be_visible()
    assert (desk.stage.text() or "").endswith("- Tea is green\n")
    second.get_by_role("button", name="Dismiss").click()
    expect(second.get_by_text("Dismissed")).to_be_visible()

    desk.stage.clear()
    chat.page.reload()
    expect(third.get_by_text("Retired: the memory was cleared since it was made.")).to_be_visible()
    expect(first.get_by_role("link", name="Applied, as revision 2")).to_be_visible()
    expect(suggestions.get_by_role("button", name="Apply")).to_have_count(0)


def test_why_the_memory_was_not_provided_is_said_in_words(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    desk.stage.save("x" * 8193)
    chat.say("One")
    chat.answers("Memory not provided because it is longer than 8,192 bytes.")
    desk.stage.delete()
    chat.say("Two")
    chat.answers("Memory not provided because it is deleted.")
    desk.stage.save("back")
    desk.stage.set_mode(Mode.OFF)
    chat.say("Three")
    chat.answers("Memory is off")
    chat.lacks("not provided")


@requirement("document:frame:send-waits-for-a-running-save")
@requirement("document:frame:send-states-the-memory-state")
@requirement("document:frame:a-draft-is-never-reported")
def test_a_message_waits_for_a_running_save_no_longer_than_five_seconds_and_says_what_is_true(
    desk: Desk,
) -> None:
    chat = desk.opens(desk.world.bob)
    memory, assistant = (
        chat.page.get_by_role("link", name=name, exact=True) for name in ("Memory", "Assistant")
    )
    # A draft is no memory, not even after a Save of it that failed.
    memory.click()
    chat.page.route("**/memory/document", broken_save)
    editor = chat.page.get_by_role("textbox", name="Memory text")
    editor.press("Control+End")
    editor.press_sequentially("- Tea is green")
    with chat.page.expect_event("requestfailed"):
        chat.press("Save")
    chat.page.unroute("**/memory/document")
    assistant.click()
    chat.press("Discard")
    chat.say("One")
    assert chat.states() == [None]
    chat.forgive("net::ERR_FAILED")

    memory.click()
    editor.press("Control+End")
    editor.press_sequentially("- Tea is green")
    chat.press("Save")
    chat.says("Revision 2, up to date")
    assistant.click()
    desk.stage.set_mode(Mode.READ_ONLY)
    desk.provider.script[:] = [remember("Tea is black"), Say("Suggested.")]
    chat.say("Two")
    assert chat.states()[1:] == ["saved;version=2"]

    saves = HeldRequests(chat.page, "**/apply", method="POST")
    chat.press("Apply")
    desk.provider.script[:] = [remember("Tea is white"), Say("Suggested.")]
    chat.write("Three")
    chat.says("Waiting for the Save…")
    assert len(chat.states()) == 2
    saves.let_go()
    chat.answers("Memory revision 3")
    assert chat.states()[2:] == ["saved;version=3"]

    chat.page.clock.install()
    expect(chat.page.get_by_role("button", name="Apply")).to_be_enabled()
    chat.press("Apply")
    chat.write("Four")
    chat.says("Waiting for the Save…")
    chat.page.clock.fast_forward(5000)
    chat.answers("Memory not provided because a change of yours was still being saved.")
    assert chat.states()[3:] == ["pending"]
    saves.let_go()
    chat.says("Applied, as revision 4")


def test_a_message_that_still_waits_for_a_save_comes_back_into_its_composer(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    memory, items, assistant = (
        chat.page.get_by_role("link", name=name, exact=True)
        for name in ("Memory", "Memory items", "Assistant")
    )
    memory.click()
    editor = chat.page.get_by_role("textbox", name="Memory text")
    editor.press("Control+End")
    editor.press_sequentially("- Tea is green")
    saves = HeldRequests(chat.page, "**/memory/document", method="PUT")
    chat.press("Save")
    chat.press("Lock the Memory document")
    assistant.click()
    chat.unlock()
    chat.open_session()
    chat.write("When do we ship?")
    chat.says("Waiting for the Save…")
    items.click()
    expect(chat.page.get_by_role("heading", name="Memory items")).to_be_visible()
    assistant.click()
    expect(chat.message).to_have_value("When do we ship?")
    assert chat.states() == []
    saves.let_go()
    desk.provider.script[:] = [Say("On Thursday.")]
    chat.message.press("Enter")
    chat.answers("On Thursday.")
    assert len(chat.states()) == 1
    expect(chat.message).to_have_value("")


@requirement("document:frame:tracks-its-own-saves")
def test_what_was_saved_in_one_workspace_is_not_said_in_another(desk: Desk) -> None:
    world = desk.world
    with world.deps.database.begin() as tx:
        second, _ = add_workspace(world.deps, tx, name="Coffee shop", admin=world.bob)
    change_ai_consent(world.deps, world.by_hand(world.bob), second, enabled=True, expected=ConsentRevision(0))
    chat = desk.opens(world.bob)
    memory, assistant = (
        chat.page.get_by_role("link", name=name, exact=True) for name in ("Memory", "Assistant")
    )
    memory.click()
    editor = chat.page.get_by_role("textbox", name="Memory text")
    editor.press("Control+End")
    editor.press_sequentially("- Tea is green")
    chat.press("Save")
    chat.says("Revision 2, up to date")
    assistant.click()
    desk.provider.script[:] = [Say("Here."), Say("There."), Say("Here again.")]
    chat.say("One")
    workspaces = chat.page.get_by_role("combobox", name="Switch workspace")
    workspaces.select_option("Coffee shop")
    chat.press("Make the key")
    chat.open_session()
    chat.say("Two")
    workspaces.select_option("Tea shop")
    chat.say("Three")
    assert chat.states() == ["saved;version=2", None, "saved;version=2"]

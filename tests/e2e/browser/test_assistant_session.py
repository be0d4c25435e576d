"""What has to be so before a chat: an open key session, AI turned on, tokens left; and what a viewer may do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.conftest import World
from tests.e2e.assistant_wire.provider_server import Say, call
from tests.e2e.browser.assistant_desk import ChatPage, Desk, assistant_desk

from workspace_memory.domain.ids import KeySessionId
from workspace_memory.services.key_sessions import list_key_sessions
from workspace_memory.services.settings import change_settings


@pytest.fixture
def desk(browser: Browser, world: World, tmp_path: Path) -> Iterator[Desk]:
    with assistant_desk(browser, world, tmp_path, world.bob, world.carol) as opened:
        yield opened


def own_sessions(desk: Desk) -> list[KeySessionId]:
    """The ids of bob's open key sessions."""
    found = list_key_sessions(desk.world.deps, desk.stage.actor(desk.world.bob), desk.world.workspace)
    return [each.session.id for each in found]


def test_a_key_session_is_explained_opened_ended_and_opened_anew_where_it_ended_by_itself(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob, session=False)
    chat.says("The server can read your memory and this chat only while this session is open.")
    expect(chat.message).to_have_count(0)
    chat.open_session()
    chat.says("Session open until")
    [session] = own_sessions(desk)

    # The server forgets the key, as after a restart: the same message goes out once more, in a new session.
    desk.world.deps.key_store.drop(session)
    chat.say("Hello")
    chat.answers("Done.")
    first, second = chat.keys()
    assert first == second
    assert len(desk.provider.recorded) == 1

    with chat.page.expect_response(lambda answer: "/conversations?" in answer.url):
        chat.press("End session")
    chat.says("Session ended. The server has forgotten the key.")
    assert [each for each in own_sessions(desk) if each != session] == []
    chat.answers("Done.")
    expect(chat.page.get_by_role("heading", name="Hello", level=2)).to_be_visible()
    expect(chat.page.get_by_text("Title sealed")).to_have_count(0)
    chat.page.reload()
    chat.says("Title sealed")
    chat.unlock()
    chat.open_session()
    chat.answers("Done.")


def visits_memory(chat: ChatPage) -> None:
    """Go to the Memory page, in which the keys are still open."""
    chat.page.get_by_role("link", name="Memory", exact=True).click()
    expect(chat.page.get_by_role("textbox", name="Memory text")).to_be_visible()


def test_locking_ends_the_session_of_this_browser_and_says_so(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    [here] = own_sessions(desk)
    desk.stage.open_session(desk.world.bob)
    [other] = [each for each in own_sessions(desk) if each != here]
    visits_memory(chat)
    chat.press("Lock the Memory document")
    chat.says("Locked. The Assistant’s session in this browser was ended too.")
    # What another browser or program has is its own.
    assert own_sessions(desk) == [other]
    chat.page.get_by_role("link", name="Assistant", exact=True).click()
    expect(chat.page.locator("input[type=password]")).to_be_visible()
    expect(chat.message).to_have_count(0)
    assert desk.provider.recorded == []


def test_locking_without_a_session_says_nothing_of_one(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob, session=False)
    visits_memory(chat)
    chat.press("Lock the Memory document")
    expect(chat.page.locator("input[type=password]")).to_be_visible()
    chat.page.wait_for_load_state("networkidle")
    expect(chat.page.get_by_text("session in this browser")).to_have_count(0)


def test_a_session_that_a_lock_could_not_end_is_said_until_it_is_ended(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    visits_memory(chat)
    chat.visit.context.set_offline(True)
    chat.press("Lock the Memory document")
    chat.says("Locked, but the Assistant’s session in this browser is still open until")
    assert len(own_sessions(desk)) == 1
    chat.press("End it now")
    expect(chat.page.get_by_role("button", name="End it now")).to_be_enabled()
    chat.says("Locked, but the Assistant’s session in this browser is still open until")
    chat.visit.context.set_offline(False)
    chat.says("Locked. The Assistant’s session in this browser was ended too.")
    expect(chat.page.get_by_text("is still open until")).to_have_count(0)
    assert own_sessions(desk) == []
    chat.forgive("net::ERR_INTERNET_DISCONNECTED")


def test_ai_that_is_off_and_tokens_that_are_used_up_are_said_before_and_a_refused_text_is_kept(
    desk: Desk,
) -> None:
    admin = desk.opens(desk.world.alice)
    desk.stage.set_ai(False)
    admin.write("Is anybody there?")
    admin.says("The message was not sent")
    admin.says("AI is off in this workspace")
    expect(admin.message).to_have_value("Is anybody there?")
    expect(admin.page.get_by_role("button", name="Send", exact=True)).to_be_disabled()
    admin.says("No conversations yet")
    expect(admin.page.get_by_role("link", name="Turn it on in Settings")).to_be_visible()

    desk.stage.set_ai(True)
    admin_by_hand = desk.stage.actor(desk.world.alice)
    change_settings(desk.world.deps, admin_by_hand, desk.world.workspace, assistant_tokens_per_day=1)
    desk.provider.script[:] = [Say("Once.")]
    admin.page.reload()
    admin.say("Hello")
    admin.says("The tokens of today are used up")
    admin.write("And again")
    admin.says("The message was not sent")
    assert len(desk.provider.recorded) == 1


def test_a_viewer_chats_and_shows_a_suggestion_to_those_who_may_apply_it(desk: Desk) -> None:
    viewer = desk.opens(desk.world.carol)
    viewer.says("You are a viewer")
    changes = [{"op": "add", "text": "Tea is green", "target": "", "heading": ""}]
    desk.provider.script[:] = [call("remember_in_memory", changes=changes), Say("Suggested.")]
    viewer.say("Remember that")
    viewer.answers("Tea is green")
    expect(viewer.page.get_by_role("button", name="Apply")).to_have_count(0)
    viewer.press("Show it to the others")
    viewer.says("The others can see it on the Memory page.")

"""A chat with the Assistant: asked, answered while one looks on, and everything that can come in between."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.conftest import World
from tests.e2e.assistant_calls import chat_of
from tests.e2e.assistant_wire.provider_server import Fail, Pause, Say, call
from tests.e2e.browser.assistant_desk import Desk, assistant_desk
from tests.e2e.browser.cut_line import line_to

requirement = pytest.mark.requirement

HOSTILE = (
    "# Plan\n\n<script>alert(1)</script> <img src=x onerror=alert(2)> "
    "[our bank](https://bank.example@evil.example/pay) [run](javascript:alert(3)) "
    "![pixel](https://evil.example/pixel.png)\n\n| a | b |\n|---|---|\n| 1 | `code` |\n\n"
    "```sh\nmake ship\n```\n\n- one\n- two"
)


@pytest.fixture
def desk(browser: Browser, world: World, tmp_path: Path) -> Iterator[Desk]:
    with assistant_desk(browser, world, tmp_path) as opened:
        yield opened


@requirement("document:frame:answer-names-its-revision")
@requirement("document:frame:receipt-opens-the-revision")
def test_an_answer_comes_word_by_word_and_its_receipt_opens_the_revision_that_it_was_given(
    desk: Desk,
) -> None:
    chat = desk.opens(desk.world.bob)
    pause = Pause("We ship on Thursday as ever .")
    desk.provider.script[:] = [pause]
    chat.write("When do we ship?")
    chat.answers("We ship on")
    chat.lacks("as ever")
    expect(chat.message).to_be_focused()
    expect(chat.message).to_have_value("")
    pause.go_on.set()
    chat.answers("as ever .")
    expect(
        chat.page.get_by_role("status").filter(has_text="The Assistant has answered: We ship")
    ).to_be_attached()
    expect(chat.page.get_by_role("heading", name="When do we ship?")).to_be_visible()
    chat.answers("10 tokens in, 5 out")

    desk.stage.save("# Team\n\n- We ship on Friday\n")
    chat.say("And now?")
    expect(chat.turn.get_by_role("link", name="Memory revision 2")).to_be_visible()
    chat.page.get_by_role("link", name="Memory revision 1").click()
    expect(chat.page).to_have_url(re.compile(r"/memory\?tab=changes&revision=1$"))
    expect(chat.page.get_by_text("We ship on Thursday").first).to_be_visible()
    assert not [body for body in chat.visit.bodies() if "Thursday" in body]


def test_a_turn_goes_on_without_its_page_and_is_heard_further(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    pause = Pause("The first half and the second half .")
    desk.provider.script[:] = [pause]
    chat.write("Tell me")
    chat.answers("The first half")
    # Another page, a reload, and back.
    chat.page.get_by_role("link", name="Settings").click()
    expect(chat.message).to_have_count(0)
    chat.page.go_back()
    chat.answers("The first half")
    chat.page.reload()
    chat.answers("The first half")
    pause.go_on.set()
    chat.answers("the second half .")
    assert len(chat.keys()) == 1
    assert len(desk.provider.recorded) == 1


def test_a_lost_connection_is_taken_up_behind_the_last_word(desk: Desk) -> None:
    with line_to(desk.visits.rest.live.url) as line:
        chat = desk.opens(desk.world.bob, url=line.url)
        pause = Pause("One two three four five six .")
        desk.provider.script[:] = [pause]
        chat.write("Count")
        chat.answers("One two three")
        line.cut()
        expect(chat.turn.get_by_text("The connection was lost. Trying again…")).to_be_visible()
        pause.go_on.set()
        line.mend()
        chat.answers("One two three four five six .")
    chat.forgive("net::ERR_")
    first, *others = chat.keys()
    assert others
    assert set(others) == {first}
    assert len(desk.provider.recorded) == 1


def test_a_turn_is_stopped_and_a_failed_one_is_asked_again(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    pause = Pause("An answer that nobody wants to read any more .")
    desk.provider.script[:] = [pause]
    chat.write("Tell me everything")
    chat.answers("An answer that")
    chat.press("Stop")
    chat.answers("Stopped. What was said so far stays.")
    chat.lacks("any more")
    expect(chat.message).to_be_focused()
    pause.go_on.set()

    desk.provider.script[:] = [Fail(401), Say("Here I am.")]
    chat.say("Are you there?")
    chat.answers("The model provider refuses the key of this server.")
    chat.press("Ask again")
    chat.answers("Here I am.")


def test_hostile_markdown_of_an_answer_is_shown_and_does_nothing(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    desk.provider.script[:] = [Say(HOSTILE)]
    chat.say("Show me")
    turn = chat.turn
    expect(turn.get_by_role("heading", name="Plan")).to_be_visible()
    expect(turn.get_by_text("<script>alert(1)</script> <img src=x onerror=alert(2)>")).to_be_visible()
    expect(turn.locator("script, img, iframe")).to_have_count(0)
    links = turn.get_by_role("link").filter(has_not_text="Memory revision")
    assert [link.get_attribute("href") for link in links.all()] == [
        "https://evil.example/pay",
        "https://evil.example/pixel.png",
    ]
    assert links.first.get_attribute("rel") == "noopener noreferrer nofollow"
    expect(turn.get_by_text("(evil.example)").first).to_be_visible()
    expect(turn.get_by_role("cell", name="code")).to_be_visible()
    chat.visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    turn.get_by_role("button", name="Copy the code").click()
    assert chat.page.evaluate("navigator.clipboard.readText()") == "make ship"
    assert not [each.url for each in chat.visit.sent if "evil.example" in each.url]


def test_tools_are_quiet_lines_and_their_texts_are_listed_as_sources(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    desk.provider.script[:] = [
        call("memory_search", query="green tea"),
        call("list_documents"),
        Say("Nothing."),
    ]
    chat.say("Find tea")
    first = chat.turn.get_by_role("group").first
    expect(first).to_contain_text("Used 2 tools")
    first.locator("summary").click()
    expect(first).to_contain_text("green tea")
    expect(first).to_contain_text("Listed the notes")


def test_conversations_are_found_again_renamed_and_deleted_and_read_upwards(desk: Desk) -> None:
    earlier = chat_of(desk.visits.rest, desk.stage, desk.world.bob)
    for number in range(1, 22):
        earlier.say(f"Question {number}")
    chat = desk.opens(desk.world.bob)
    chat.page.get_by_role("link", name="Question 1").click()
    turns = chat.page.get_by_role("article")
    expect(turns).to_have_count(20)
    expect(turns.last).to_be_in_viewport()
    chat.page.get_by_role("button", name="Earlier messages").scroll_into_view_if_needed()
    expect(turns).to_have_count(21)
    expect(turns.first.get_by_role("link", name="Memory revision 1")).to_be_attached()
    chat.press("Jump to the latest")
    expect(turns.last).to_be_in_viewport()

    # A menu closes when the page scrolls, so that the way up comes first.
    chat.page.get_by_role("heading", name="Question 1").scroll_into_view_if_needed()
    expect(chat.page.get_by_role("button", name="Jump to the latest")).to_be_visible()
    chat.press("Rename or delete this conversation")
    chat.page.get_by_role("menuitem", name="Rename").click()
    chat.page.get_by_role("textbox", name="Title").fill("All questions")
    chat.page.get_by_role("textbox", name="Title").press("Enter")
    expect(chat.page.get_by_role("heading", name="All questions")).to_be_visible()
    chat.press("Rename or delete this conversation")
    chat.page.get_by_role("menuitem", name="Delete…").click()
    expect(chat.page.get_by_role("button", name="Cancel")).to_be_focused()
    chat.says("What it wrote into the Memory document stays there")
    chat.press("Delete the conversation")
    chat.says("What would you like to know?")
    chat.says("No conversations yet")
    assert not [each for each in chat.visit.sent if "All questions" in each.url]

"""How the Assistant's page looks: for who cannot see it, on every width, in the longest language, and by keys alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.conftest import World
from tests.e2e.assistant_wire.provider_server import Pause, Say, call
from tests.e2e.browser.assistant_desk import Desk, assistant_desk
from tests.e2e.browser.visits import PHONE, WIDTHS

from workspace_memory.domain.policy import Mode

LONG = (
    "## Release plan\n\nWe ship on **Thursday**, see [the long plan of it](https://plans.example/a/very/long/path).\n\n"
    "1. Freeze `main`\n2. Ask *Marta*\n\n| Step | Who | When |\n|---|---|--:|\n| Freeze | Paul | 09:00 |\n\n"
    "```sh\nmake release VERSION=1.2.3 AND_A_VERY_LONG_VARIABLE_NAME=that-does-not-wrap-anywhere-at-all\n```"
)


@pytest.fixture
def desk(browser: Browser, world: World, tmp_path: Path) -> Iterator[Desk]:
    with assistant_desk(browser, world, tmp_path, mode=Mode.READ_ONLY) as opened:
        yield opened


def fill(desk: Desk) -> None:
    """What the model will answer to the next message: tools, a suggestion, and everything Markdown has."""
    changes = [{"op": "add", "text": "Release day is Thursday", "target": "", "heading": "Team"}]
    desk.provider.script[:] = [
        call("memory_search", query="release"),
        call("remember_in_memory", changes=changes),
        Say(LONG),
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(desk: Desk, scheme: str) -> None:
    chat = desk.opens(desk.world.bob, scheme=scheme, session=False)
    chat.says("Open a session")
    assert chat.visit.axe() == []
    chat.open_session()
    chat.says("What would you like to know?")
    assert chat.visit.axe() == []
    fill(desk)
    chat.say("When is the next release, and who does what?")
    chat.says("Release day is Thursday")
    chat.turn.locator("summary").first.click()
    assert chat.visit.axe() == []
    pause = Pause("It is coming word by word .")
    desk.provider.script[:] = [pause]
    chat.write("Go on")
    chat.answers("It is coming")
    assert chat.visit.axe() == []
    pause.go_on.set()
    chat.answers("word by word .")


def test_it_fits_every_width_in_german_and_a_phone_has_its_conversations_behind_a_button(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob, size=PHONE, language="de-DE", session=False)
    chat.page.get_by_role("button", name="Sitzung öffnen").click()
    written = chat.page.get_by_role("textbox", name="Nachricht")
    fill(desk)
    written.fill("Wann ist die nächste Version?")
    written.press("Enter")
    expect(chat.page.get_by_role("button", name="Übernehmen")).to_be_visible()
    for width in WIDTHS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert chat.visit.overflow() <= 0, width
    chat.page.set_viewport_size({"width": 320, "height": 700})
    chat.page.get_by_role("button", name="Gespräche").click()
    assert chat.visit.overflow() <= 0
    dialog = chat.page.get_by_role("dialog", name="Gespräche")
    dialog.get_by_role("link", name="Neues Gespräch").click()
    expect(dialog).to_have_count(0)
    expect(chat.page.get_by_role("heading", name="Was möchten Sie wissen?")).to_be_visible()


def test_a_message_is_written_sent_stopped_and_its_suggestion_applied_by_keys_alone(desk: Desk) -> None:
    chat = desk.opens(desk.world.bob)
    keys = chat.page.keyboard
    chat.message.focus()
    keys.type("First line")
    keys.press("Shift+Enter")
    keys.type("second line")
    expect(chat.message).to_have_value("First line\nsecond line")
    # The Enter that ends a conversion of Japanese input is no Enter.
    chat.message.evaluate(
        "box => box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true}))"
    )
    assert chat.keys() == []
    pause = Pause("Never read to its very end by anybody .")
    desk.provider.script[:] = [pause]
    keys.press("Enter")
    chat.answers("Never read")
    keys.press("Tab")
    expect(chat.page.get_by_role("button", name="Stop", exact=True)).to_be_focused()
    keys.press("Enter")
    chat.answers("Stopped.")
    pause.go_on.set()
    expect(chat.message).to_be_focused()
    fill(desk)
    keys.type("Now suggest")
    keys.press("Enter")
    apply = chat.page.get_by_role("button", name="Apply")
    expect(apply).to_be_enabled()
    for _ in range(12):
        keys.press("Shift+Tab")
        if apply.evaluate("button => button === document.activeElement"):
            break
    keys.press("Enter")
    chat.says("Applied, as revision 2")

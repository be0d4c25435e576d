"""The editor of the Memory page: any language, nothing hidden, numbers for the size, and every screen."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.contract.memory_stage import add
from tests.e2e.browser.memory_team import MemoryPage, MemoryTeam
from tests.e2e.browser.visits import DESK, WIDTHS

requirement = pytest.mark.requirement

RECALL_BYTES_MAX = 8192
# Two bytes each, so that the border lies within a character.
TOO_LONG = "é" * (RECALL_BYTES_MAX // 2) + "x"


def pastes(page: MemoryPage, text: str) -> None:
    """Put a text into the editor at once, as from the clipboard."""
    page.editor.press("Control+a")
    page.visit.page.keyboard.insert_text(text)


@requirement("field:case-14:web")
@requirement("document:frame:explains-oversized")
def test_a_text_over_the_bound_is_kept_and_explained(team: MemoryTeam) -> None:
    alice = team.opens(team.stage.world.alice)
    pastes(alice, "x" * int(RECALL_BYTES_MAX * 0.85 + 1))
    alice.says("Almost full: 1,228 bytes left")
    pastes(alice, TOO_LONG)
    alice.says("8,193 of 8,192 bytes")
    alice.says("The Assistant is not given this text until it is shorter by 1 byte. It is kept whole.")
    alice.press("Save")
    alice.stands("Revision 2, up to date")
    assert team.stage.text() == TOO_LONG
    alice.menu("What the Assistant sees")
    alice.says("A note that the memory is too long")
    alice.press("Close")
    pastes(alice, "x" * (192 * 1024 + 1))
    alice.says("Too long to be saved, by 1 byte: at most 196,608 bytes are kept.")
    expect(alice.visit.page.get_by_role("button", name="Save", exact=True)).to_be_disabled()


def test_right_to_left_and_japanese_are_written_as_they_are_read(team: MemoryTeam) -> None:
    alice = team.opens(team.stage.world.alice)
    page = alice.visit.page
    devtools = alice.visit.context.new_cdp_session(page)

    def tells(method: str, **facts: object) -> None:
        devtools.send(method, facts)  # pyright: ignore[reportUnknownMemberType]  untyped in Playwright

    def composes(*steps: str) -> None:
        """As an input method does it: what is composed is replaced until it is confirmed."""
        for composed in steps:
            marked = {"selectionStart": len(composed), "selectionEnd": len(composed)}
            tells("Input.imeSetComposition", text=composed, **marked)

    alice.editor.press("Control+a")
    composes("お", "おち", "おちゃ")
    expect(alice.editor).to_have_text("おちゃ")
    tells("Input.insertText", text="お茶")
    expect(alice.editor).to_have_text("お茶")
    pastes(alice, "- tea\n- שלום עולם\n")
    lines = alice.editor.locator(".cm-line")
    direction = "element => getComputedStyle(element).direction"
    expect(lines.nth(1)).to_contain_text("שלום")
    assert [lines.nth(at).evaluate(direction) for at in (0, 1)] == ["ltr", "rtl"]
    alice.editor.press("Control+End")
    composes("と", "とう", "とうきょう")
    expect(alice.editor).to_contain_text("とうきょう")
    tells("Input.insertText", text="東京")
    expect(alice.editor).not_to_contain_text("とうきょう")
    alice.editor.press("Control+s")
    alice.stands("Revision 2, up to date")
    assert team.stage.text() == "- tea\n- שלום עולם\n東京"


def test_hidden_characters_are_badges_lists_go_on_and_line_ends_stay(team: MemoryTeam) -> None:
    team.stage.save("- pay\u202eevil\r\n- 👨\u200d👩\u200d👧\r\n")
    alice = team.opens(team.stage.world.alice)
    badge = alice.editor.get_by_role("img", name="Hidden character U+202E")
    expect(badge).to_have_count(1)
    expect(alice.editor.get_by_role("img")).to_have_count(1)
    alice.editor.press("Control+End")
    alice.editor.press("Backspace")
    alice.editor.press("Enter")
    alice.editor.press_sequentially("tea")
    alice.editor.press("Enter")
    alice.editor.press("Enter")
    alice.editor.press("Control+s")
    alice.stands("Revision 3, up to date")
    assert team.stage.text() == "- pay\u202eevil\r\n- 👨\u200d👩\u200d👧\r\n- tea\r\n"


def test_a_list_mark_that_is_typed_after_enter_is_there_once(team: MemoryTeam) -> None:
    alice = team.opens(team.stage.world.alice)
    pastes(alice, "- one")
    for text in ("- two", "* three", "1. four", "2. five", "six"):
        alice.editor.press("Enter")
        alice.editor.press_sequentially(text)
    alice.editor.press("Enter")
    alice.editor.press("Enter")
    alice.editor.press_sequentially("end")
    alice.editor.press("Control+s")
    alice.stands("Revision 2, up to date")
    assert team.stage.text() == "- one\n- two\n* three\n1. four\n2. five\n3. six\nend"


def test_a_file_comes_into_the_draft_and_the_text_goes_out(team: MemoryTeam, tmp_path: Path) -> None:
    alice = team.opens(team.stage.world.alice)
    page = alice.visit.page
    file = tmp_path / "notes.md"
    file.write_text("# Imported\n")
    alice.press("More about this memory")
    with page.expect_file_chooser() as chosen:
        page.get_by_role("menuitem", name="Import a file…").click()
    chosen.value.set_files(file)
    alice.holds("# Imported")
    alice.stands("Unsaved draft")
    file.write_bytes(b"\xff\xfe")
    alice.press("More about this memory")
    with page.expect_file_chooser() as chosen:
        page.get_by_role("menuitem", name="Import a file…").click()
    chosen.value.set_files(file)
    alice.says("notes.md is not a text in UTF-8.")
    alice.holds("# Imported")
    with page.expect_download() as downloaded:
        alice.menu("Download as Markdown")
    assert downloaded.value.path().read_text() == "# Imported\n"
    assert team.stage.version() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_accessible_and_fits_every_screen(team: MemoryTeam, scheme: str) -> None:
    stage = team.stage
    alice_id = stage.world.alice
    stage.capture(stage.shown(alice_id), add("Marta owns Berlin " + "and Lyon " * 20, "Team"))
    stage.save("# Team\n\n- We ship on Friday\n")
    german = scheme == "dark"
    alice = team.opens(alice_id, scheme=scheme, language="de-DE" if german else "en-GB")
    page = alice.visit.page

    def fits(view: str) -> None:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": DESK[1]})
            assert alice.visit.overflow() <= 0, (view, width)
        assert alice.visit.axe() == [], view

    editor = page.get_by_role("textbox", name="Text des Gedächtnisses" if german else "Memory text")
    expect(editor).to_be_visible()
    fits("write")
    editor.press("Control+f")
    fits("search")
    editor.press("Control+End")
    editor.press_sequentially("- mine")
    stage.save("- of bob\n")
    editor.press("Control+s")
    expect(page.get_by_role("alert")).to_be_visible()
    fits("conflict")
    page.get_by_role("button", name="Vergleichen" if german else "Compare").click()
    expect(page.locator(".cm-changedLine, .cm-insertedLine").first).to_be_visible()
    fits("compare")
    page.get_by_role("button", name="Den neueren Text nehmen" if german else "Use the newer text").click()
    page.get_by_role("tab").nth(1).click()
    expect(page.locator(".cm-changedLine").first).to_be_visible()
    fits("changes")
    page.get_by_role(
        "button", name="Mehr zu diesem Gedächtnis" if german else "More about this memory"
    ).click()
    page.get_by_role("menuitem", name="Gedächtnis leeren" if german else "Clear memory").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    fits("clear")


def test_the_keyboard_alone_writes_saves_and_looks_at_changes(team: MemoryTeam) -> None:
    alice = team.opens(team.stage.world.alice)
    page = alice.visit.page
    alice.editor.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("- tea")
    page.keyboard.press("Control+s")
    alice.stands("Revision 2, up to date")
    page.get_by_role("tab", name="Write").focus()
    page.keyboard.press("ArrowRight")
    alice.says("Revision 1 → 2")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="More about this memory")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()

"""A browser whose storage is silent, full or gone: nothing waits for it, no acknowledged write is called a failure."""

import pytest
from playwright.sync_api import expect
from tests.e2e.browser.memory_team import PASSPHRASE, MemoryPage, MemoryTeam

SILENT_DRAFTS = """
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (name, version) {
  return name.includes('drafts') ? new EventTarget() : open.call(this, name, version);
};
"""
SILENT = "IDBFactory.prototype.open = () => new EventTarget();"
NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });"
FULL = """() => {
  IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
}"""
THROWS = "() => { IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); }; }"
UNREMEMBERED = "It was written, but this browser could not remember it"


def test_saving_leaving_and_discarding_wait_for_no_storage_that_is_silent(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    page.add_init_script(SILENT_DRAFTS)
    page.reload()
    alice.unlock()
    alice.types("- mine")
    alice.says("This browser could not keep a copy of your draft")
    alice.press("Save")
    alice.stands("Revision 2, up to date")
    alice.types("- never")
    page.get_by_role("link", name="Memory items").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(page.get_by_role("link", name="Memory items")).to_have_attribute("aria-current", "page")
    assert (team.stage.text() or "").endswith("- mine")


def test_known_keys_in_a_silent_storage_count_as_missing(alice: MemoryPage) -> None:
    alice.visit.page.add_init_script(SILENT)
    alice.visit.page.reload()
    alice.says("This browser does not remember keys")


def test_a_browser_without_locks_between_its_pages_opens_the_document(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    page.add_init_script(NO_LOCKS)
    page.reload()
    page.locator("input[type=password]").fill(PASSPHRASE)
    page.locator("input[type=password]").press("Enter")
    alice.saves("- mine", 2)
    assert (team.stage.text() or "").endswith("- mine")


@pytest.mark.parametrize("storage", [FULL, THROWS], ids=["full", "throws"])
def test_what_the_browser_cannot_remember_is_said_once_and_makes_no_write_a_failure(
    team: MemoryTeam, alice: MemoryPage, storage: str
) -> None:
    page = alice.visit.page
    alice.stands("Revision 1, up to date")
    page.evaluate(storage)
    alice.saves("- mine", 2)
    alice.says(UNREMEMBERED)
    alice.press("Dismiss")
    expect(page.get_by_text("Not saved")).to_be_hidden()
    alice.menu("Clear memory…")
    alice.press("Clear memory")
    alice.says("The memory is empty now, as revision 3.")
    alice.menu("Delete the document…")
    alice.press("Delete the document")
    alice.says("The document was deleted, as revision 4.")
    expect(page.get_by_text(UNREMEMBERED)).to_be_hidden()
    assert (team.stage.text(), team.stage.version()) == (None, 4)

"""Saving on the Memory page: one request, an honest answer, and a draft that is never lost."""

from functools import partial

import pytest
from playwright.sync_api import Route, expect
from tests.e2e.browser.memory_team import MemoryPage, MemoryTeam

requirement = pytest.mark.requirement

DOCUMENT = "**/memory/document"
# All that a browser keeps of this origin, as text.
KEPT = """async () => {
  const kept = [JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage})];
  for (const {name} of await indexedDB.databases()) {
    const opening = indexedDB.open(name);
    await new Promise((done) => (opening.onsuccess = done));
    const database = opening.result;
    for (const store of database.objectStoreNames) {
      const asking = database.transaction(store).objectStore(store).getAll();
      await new Promise((done) => (asking.onsuccess = done));
      const plain = (value) =>
        value instanceof Uint8Array ? new TextDecoder('latin1').decode(value)
        : value instanceof Map ? [...value].map((each) => each.map(plain).join()).join()
        : value && typeof value === 'object' ? Object.values(value).map(plain).join() : String(value);
      kept.push(...asking.result.map(plain));
    }
    database.close();
  }
  return kept.join('\\n');
}"""


# Until a draft lies in the browser; a page waits a moment after each key.
DRAFT_KEPT = """async () => {
  for (let tries = 0; tries < 200; tries += 1) {
    const names = (await indexedDB.databases()).map((each) => each.name);
    if (names.includes('workspace-memory-drafts')) {
      const opening = indexedDB.open('workspace-memory-drafts');
      await new Promise((done) => (opening.onsuccess = done));
      const asking = opening.result.transaction('drafts').objectStore('drafts').count();
      await new Promise((done) => (asking.onsuccess = done));
      opening.result.close();
      if (asking.result > 0) return;
    }
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error('the draft is not kept');
}"""


def writes(page: MemoryPage) -> list[str | None]:
    """The base versions of the writes that the page has sent."""
    return [each.headers.get("x-base-version") for each in page.visit.sent if each.method == "PUT"]


@requirement("document:frame:a-page-of-its-own")
def test_the_document_is_edited_and_saved_on_its_page(team: MemoryTeam, alice: MemoryPage) -> None:
    alice.holds("We ship on Thursday")
    alice.types("- The code word is birch")
    alice.stands("Unsaved draft")
    alice.editor.press("Control+s")
    alice.stands("Revision 2, up to date")
    assert team.stage.text() == "# Team\n\n- We ship on Thursday\n- The code word is birch"
    assert writes(alice) == ["1"]
    assert not [sent for sent in alice.visit.bodies() if "birch" in sent or "Thursday" in sent]
    assert "birch" not in alice.visit.page.evaluate(KEPT)


@requirement("document:frame:failure-keeps-the-draft")
@requirement("document:frame:nothing-stays-queued")
def test_a_save_that_failed_keeps_the_draft_and_is_not_sent_again_by_itself(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page, context = alice.visit.page, alice.visit.context
    alice.types("- mine")
    context.set_offline(True)
    alice.press("Save")
    alice.says("It is not known whether your text was saved")
    context.set_offline(False)
    alice.press("Look again")
    alice.says("your text is not there")
    for status, code, words in (
        (507, "storage_full", "The disk of the server is full"),
        (503, "busy", "The service is busy"),
        (409, "epoch_conflict", "The workspace key was renewed meanwhile"),
    ):
        refusal: dict[str, object] = {"code": code, "status": status, "detail": "", "current": 1}
        page.route(DOCUMENT, partial(refused, problem=refusal))
        alice.press("Save again")
        alice.says(words)
        alice.holds("mine")
        page.unroute(DOCUMENT)
    sent = len(writes(alice))
    assert sent == 4
    # Whatever was meant to go out later would go out with the next look at the service.
    with page.expect_response("**/versions?limit=1"):
        page.clock.install()
        page.evaluate("dispatchEvent(new Event('focus'))")
    assert len(writes(alice)) == sent
    assert team.stage.version() == 1
    alice.press("Save again")
    alice.stands("Revision 2, up to date")
    assert "mine" in (team.stage.text() or "")
    alice.loses_requests()


def refused(route: Route, *, problem: dict[str, object]) -> None:
    if route.request.method != "PUT":
        route.continue_()
        return
    route.fulfill(status=int(str(problem["status"])), json=problem)


def test_an_answer_that_was_lost_is_looked_for(team: MemoryTeam, alice: MemoryPage) -> None:
    def lose_the_answer(route: Route) -> None:
        if route.request.method == "PUT":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    alice.visit.page.route(DOCUMENT, lose_the_answer)
    alice.types("- mine")
    alice.press("Save")
    alice.says("The answer was lost on the way, but the service has your text as revision 2.")
    alice.stands("Revision 2, up to date")
    assert len(writes(alice)) == 1
    assert "mine" in (team.stage.text() or "")
    alice.loses_requests()


def test_leaving_asks_to_save_discard_or_stay(team: MemoryTeam, alice: MemoryPage) -> None:
    page = alice.visit.page
    dialog = page.get_by_role("dialog", name="You have an unsaved draft")
    items = page.get_by_role("link", name="Memory items")
    alice.types("- mine")
    items.click()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    alice.holds("mine")
    items.click()
    dialog.get_by_role("button", name="Save").click()
    expect(items).to_have_attribute("aria-current", "page")
    assert "mine" in (team.stage.text() or "")
    page.get_by_role("link", name="Memory", exact=True).click()
    alice.types("- never")
    page.go_back()
    dialog.get_by_role("button", name="Discard").click()
    expect(items).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Memory", exact=True).click()
    alice.holds("mine")
    alice.lacks("never")
    expect(page.get_by_text("You have a draft that was not saved")).to_be_hidden()


def test_a_draft_survives_reload_and_lock_and_is_kept_encrypted(team: MemoryTeam, alice: MemoryPage) -> None:
    page = alice.visit.page
    page.on("dialog", lambda dialog: dialog.accept())
    alice.types("- the code word is birch")
    expect(page.get_by_role("status").filter(has_text="Unsaved draft")).to_be_visible()
    page.evaluate(DRAFT_KEPT)
    assert "birch" not in page.evaluate(KEPT)
    page.reload()
    alice.unlock()
    alice.says("You have a draft that was not saved")
    alice.lacks("birch")
    alice.press("Compare")
    alice.says("the code word is birch")
    alice.press("Go on with it")
    alice.holds("the code word is birch")
    alice.press("Lock the Memory document")
    expect(alice.editor).to_be_hidden()
    assert "birch" not in page.content()
    alice.unlock()
    alice.press("Go on with it")
    alice.press("Save")
    alice.stands("Revision 2, up to date")
    assert "birch" in (team.stage.text() or "")
    page.reload()
    alice.unlock()
    alice.holds("birch")
    expect(page.get_by_text("You have a draft that was not saved")).to_be_hidden()
    assert not [sent for sent in alice.visit.bodies() if "birch" in sent]


def test_what_looks_like_a_secret_is_saved_only_when_the_person_says_so(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    warning = alice.visit.page.get_by_role("dialog", name="This looks like a password, token or key")
    alice.types("- password: xK9#mPq2vL7z")
    alice.press("Save")
    expect(warning).to_contain_text("Line 4 holds what looks like one")
    expect(warning.get_by_role("button", name="Back to the text")).to_be_focused()
    alice.visit.page.keyboard.press("Enter")
    alice.stands("Unsaved draft")
    assert team.stage.version() == 1
    alice.press("Save")
    warning.get_by_role("button", name="Save it all the same").click()
    alice.stands("Revision 2, up to date")
    alice.saves("\ntea", 3)

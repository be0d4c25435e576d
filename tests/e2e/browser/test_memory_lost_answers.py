"""Clear and Delete on the Memory page whose answers are lost: looked for until it is known and told as the own ones."""

import pytest
from playwright.sync_api import Route, expect
from tests.e2e.browser.memory_team import MemoryPage, MemoryTeam

DOCUMENT = "**/memory/document"
VERSIONS = "**/memory/document/versions*"


def lost(route: Route) -> None:
    """The service does it, and its answer does not come."""
    if route.request.method in {"PUT", "DELETE"}:
        route.fetch()
        route.abort()
    else:
        route.continue_()


def from_a_proxy(route: Route) -> None:
    """The service does it, and something before it answers with an error page."""
    if route.request.method == "DELETE":
        route.fetch()
        route.fulfill(status=502, body="<html>Bad Gateway</html>")
    else:
        route.continue_()


@pytest.mark.parametrize("answer", [lost, from_a_proxy])
def test_a_deletion_whose_answer_was_lost_is_told_as_the_own_one(
    team: MemoryTeam, alice: MemoryPage, answer: object
) -> None:
    alice.visit.page.route(DOCUMENT, answer)  # pyright: ignore[reportArgumentType]  parametrize has no type for it
    alice.menu("Delete the document…")
    alice.press("Delete the document")
    alice.says("The document was deleted, as revision 2.")
    alice.visit.page.unroute(DOCUMENT)
    alice.saves("- new", 3)
    assert team.stage.text() == "- new"
    alice.loses_requests()


def test_a_clear_of_a_service_that_went_away_is_looked_for_and_told_as_the_own_one(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    page = alice.visit.page
    page.route(DOCUMENT, lost)
    page.route(VERSIONS, lambda route: route.abort())
    alice.menu("Clear memory…")
    alice.press("Clear memory")
    dialog = page.get_by_role("dialog", name="It is not known whether the memory was cleared")
    expect(dialog).to_contain_text("This page keeps looking")
    dialog.get_by_role("button", name="Look again").click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    alice.says("It is not known whether the memory was cleared")
    alice.stands("Perhaps no longer the newest text")
    page.unroute(VERSIONS)
    alice.says("The memory is empty now, as revision 2.")
    alice.stands("Revision 2, up to date")
    alice.lacks("Thursday")
    expect(page.get_by_text("in another window")).to_be_hidden()
    assert (team.stage.text(), team.stage.version()) == ("", 2)
    alice.loses_requests()


def test_the_dialog_of_such_a_clear_closes_when_it_is_known(team: MemoryTeam, alice: MemoryPage) -> None:
    page = alice.visit.page
    page.route(DOCUMENT, lost)
    page.route(VERSIONS, lambda route: route.abort())
    alice.menu("Clear memory…")
    alice.press("Clear memory")
    dialog = page.get_by_role("dialog", name="It is not known whether the memory was cleared")
    expect(dialog).to_be_visible()
    assert alice.visit.axe() == []
    page.unroute(VERSIONS)
    expect(dialog).to_be_hidden()
    alice.says("The memory is empty now, as revision 2.")
    assert team.stage.version() == 2
    alice.loses_requests()

"""Pages that are behind: somebody else at the same browser, slow reads, answers that break off, parts that are gone."""

import os

import pytest
from playwright.sync_api import Route, expect
from tests.e2e.browser.memory_team import MemoryPage, MemoryTeam
from tests.e2e.browser.visits import HeldRequests, Visits

from workspace_memory.domain.document import SealedText
from workspace_memory.domain.ids import Epoch
from workspace_memory.services.documents import save_document

DOCUMENT = "**/memory/document"
NO_STORAGE = """
Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });
"""


def test_a_page_never_writes_under_the_session_of_somebody_else(team: MemoryTeam, alice: MemoryPage) -> None:
    alice.types("- private to alice")
    team.visits.sign_in(alice.visit, team.stage.world.bob)
    version = team.stage.version()
    alice.editor.press("Control+s")
    expect(alice.visit.page).to_have_url(
        f"{alice.visit.url}/sign-in?to=%2Fw%2F{alice.visit.workspace}%2Fmemory"
    )
    assert team.stage.version() == version


def test_an_undo_that_is_read_slowly_does_not_overwrite_what_came_between(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    alice.saves("- second", 2)
    readings = HeldRequests(alice.visit.page, "**/memory/document/versions/1")
    with alice.visit.page.expect_request("**/memory/document/versions/1"):
        alice.menu("Undo")
    team.stage.save("# Team\n- bob was here\n")
    readings.let_go()
    alice.says("revision 3 was saved first")
    assert team.stage.text() == "# Team\n- bob was here\n"


def test_an_answer_that_breaks_off_is_looked_up_and_not_called_a_failure(
    team: MemoryTeam, alice: MemoryPage
) -> None:
    def broken(route: Route) -> None:
        if route.request.method == "PUT":
            route.fulfill(response=route.fetch(), body="<html>")
        else:
            route.continue_()

    alice.visit.page.route(DOCUMENT, broken)
    alice.saves("- second", 2)
    assert team.stage.version() == 2


def test_a_version_that_cannot_be_opened_can_be_deleted_and_an_older_one_restored(
    team: MemoryTeam,
) -> None:
    stage = team.stage
    world = stage.world
    actor, broken = stage.actor(world.bob), SealedText(Epoch(1), os.urandom(60))
    save_document(world.deps, actor, world.workspace, base=stage.version(), sealed=broken)
    team.holder(world.alice)
    visit = team.visits.by(world.alice)
    visit.open("memory")
    page = visit.page
    page.locator("input[type=password]").fill("a long walk along the river")
    page.locator("input[type=password]").press("Enter")
    expect(page.get_by_text("The memory could not be decrypted")).to_be_visible()
    page.get_by_role("button", name="Delete the broken version").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete the broken version").click()
    MemoryPage(visit).saves("- begun anew", 4)


def test_a_sign_out_that_failed_does_not_look_like_one(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    alice.open("users")
    alice.page.route("**/api/v1/sign-out", lambda route: route.abort())
    alice.page.get_by_role("button", name="Sign out").click()
    expect(alice.page.get_by_text("You are still signed in.")).to_be_visible()
    expect(alice.page.get_by_role("heading", name="Users")).to_be_visible()
    alice.page.unroute("**/api/v1/sign-out")
    alice.page.get_by_role("button", name="Try again").click()
    expect(alice.page.get_by_role("button", name="Sign in")).to_be_visible()
    alice.complaints.clear()


def test_a_browser_that_keeps_nothing_shows_the_pages_all_the_same(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    alice.context.add_init_script(NO_STORAGE)
    alice.go("/")
    alice.open("items")
    expect(alice.page.get_by_role("heading", name="Memory items")).to_be_visible()


def test_a_part_that_is_gone_from_the_service_is_said_with_the_way_out(
    alice: MemoryPage,
) -> None:
    alice.visit.page.route("**/assets/*.js", lambda route: route.abort())
    alice.menu("Clear memory")
    expect(alice.visit.page.get_by_text("There is a newer version of this page")).to_be_visible()
    expect(alice.visit.page.get_by_role("button", name="Reload")).to_be_visible()
    alice.visit.complaints.clear()


@pytest.mark.parametrize("path", ["/accept#%", "/accept#wm_lnk_%E0%A4%A"])
def test_a_mangled_link_leaves_the_address_bar_and_is_explained(visits: Visits, path: str) -> None:
    nobody = visits.by()
    nobody.go(path)
    expect(nobody.page.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(nobody.page).to_have_url(f"{nobody.url}/accept")


def test_each_page_has_a_title_of_its_own(visits: Visits) -> None:
    alice = visits.by(visits.rest.live.world.alice)
    alice.open("users")
    expect(alice.page).to_have_title("Users · Tea shop · Workspace Memory")
    alice.open("constructor")
    expect(alice.page.get_by_role("heading", name="There is no such page")).to_be_visible()

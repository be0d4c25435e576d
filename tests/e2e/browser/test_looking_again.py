"""What others do is seen without a reload: now and then, and when a person comes back to the page."""

from playwright.sync_api import expect
from tests.e2e.browser.items_stage import entries, rows, tab
from tests.e2e.browser.visits import Visit, Visits

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import Scope
from workspace_memory.services.members import remove_member

EVERY_MS = 20_000


def watching(visits: Visits, page: str) -> Visit:
    """alice in front of a page, whose clock the test moves."""
    alice = visits.by(visits.rest.live.world.alice)
    alice.page.clock.install()
    alice.open(page)
    return alice


def test_a_proposal_that_arrives_is_counted_and_listed(visits: Visits) -> None:
    world = visits.rest.live.world
    world.configure(default_access=AccessLevel.CONTRIBUTE)
    alice = watching(visits, "items?tab=review")
    expect(tab(alice, "To review")).to_contain_text("0")
    world.save(world.client(world.bob), "The office closes at six", scope=Scope.ORGANIZATION)
    alice.page.clock.fast_forward(EVERY_MS)
    expect(entries(alice)).to_have_count(1)
    expect(tab(alice, "To review")).to_contain_text("1")
    expect(alice.page.get_by_role("link", name="Memory items")).to_contain_text("1 to review")
    # What was chosen is not taken away from under somebody's hands.
    entries(alice).get_by_role("checkbox").check()
    world.save(world.client(world.bob), "The office opens at nine", scope=Scope.ORGANIZATION)
    alice.page.clock.fast_forward(EVERY_MS)
    alice.page.get_by_role("button", name="Show it as it is now").click()
    expect(entries(alice)).to_have_count(2)


def test_an_item_that_an_ai_client_saves_appears_in_the_list(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = watching(visits, "items")
    expect(tab(alice, "My memory")).to_contain_text("0")
    world.save(world.client(world.alice), "Prefers green tea")
    alice.page.clock.fast_forward(EVERY_MS)
    expect(rows(alice)).to_have_count(1)
    expect(tab(alice, "My memory")).to_contain_text("1")


def test_a_member_who_leaves_disappears_from_the_users(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = watching(visits, "users")
    expect(alice.page.get_by_text("3 members")).to_be_visible()
    remove_member(world.deps, world.by_hand(world.bob), world.workspace, world.bob)
    alice.page.clock.fast_forward(EVERY_MS)
    expect(alice.page.get_by_text("2 members")).to_be_visible()

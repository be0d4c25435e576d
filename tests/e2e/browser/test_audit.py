"""The audit log: told in words, filtered, read on, checked against a kept head, saved; for admins alone."""

import json
from pathlib import Path

from playwright.sync_api import expect
from sqlalchemy import text
from tests.conftest import World
from tests.e2e.browser.looks import assert_looks_right
from tests.e2e.browser.visits import Visit, Visits
from tests.e2e.rest_calls import listed, save

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import Scope
from workspace_memory.services.servers import change_server


def open_log(visits: Visits, language: str = "en-GB") -> Visit:
    alice = visits.by(visits.rest.live.world.alice, language=language)
    alice.open("audit")
    expect(alice.page.get_by_role("list")).not_to_have_count(0)
    return alice


def tamper(world: World) -> None:
    """As somebody who holds the database."""
    with world.deps.database.begin() as tx:
        tx.connection.execute(text("DROP TRIGGER audit_events_update"))
        tx.connection.execute(text("UPDATE audit_events SET action = 'MEMORY_ERASED' WHERE number = 2"))


def test_events_are_told_in_words_with_ids_on_demand_and_filtered(visits: Visits) -> None:
    world = visits.rest.live.world
    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    item = save(visits.rest.by(world.bob), "The office closes at six", scope=Scope.ORGANIZATION.value)
    assert visits.rest.by(world.alice).delete(f"/memory/items/{item['id']}").status_code == 204
    page = open_log(visits).page
    events = page.get_by_role("list", name="Events")
    newest = events.get_by_role("listitem").filter(has_text="Company item deleted")
    expect(newest).to_contain_text("Status: active")
    level = events.get_by_role("listitem").filter(has_text="Memory level changed")
    expect(level).to_contain_text("Level: Inherit → Contribute")
    expect(level).to_contain_text("bob")
    expect(level.get_by_text("MEMORY_ACCESS_CHANGED")).to_be_hidden()
    level.get_by_text("Memory level changed").click()
    expect(level.get_by_text("MEMORY_ACCESS_CHANGED")).to_be_visible()
    expect(level.get_by_text(world.bob)).to_be_visible()
    assert "closes at six" not in page.content()

    page.get_by_role("combobox", name="What happened").select_option(label="Memory level changed")
    expect(events.get_by_role("listitem")).to_have_count(1)
    page.get_by_role("combobox", name="About whom").select_option(label="carol (carol@example.com)")
    expect(page.get_by_text("No event matches")).to_be_visible()
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("combobox", name="By whom").select_option(label="alice (alice@example.com)")
    expect(events.get_by_role("listitem").filter(has_text="on the server’s machine")).to_have_count(0)
    page.get_by_role("textbox", name="From").fill("2026-11-03")
    expect(page.get_by_text("No event matches")).to_be_visible()
    page.get_by_role("textbox", name="From").fill("2026-11-02")
    page.get_by_role("textbox", name="To").fill("2026-11-02")
    expect(events.get_by_role("listitem").filter(has_text="Memory level changed")).to_have_count(1)


def test_it_is_read_on_page_by_page_and_saved_as_it_is_shown(visits: Visits, tmp_path: Path) -> None:
    world = visits.rest.live.world
    for turn in range(60):
        change_server(
            world.deps, world.by_hand(world.alice), world.workspace, world.server, name=f"Desk {turn}"
        )
    page = open_log(visits).page
    events = page.get_by_role("list", name="Events").get_by_role("listitem")
    expect(events).to_have_count(50)
    page.get_by_role("button", name="Load more").click()
    expect(page.get_by_role("button", name="Load more")).to_be_hidden()
    assert events.count() > 60
    with page.expect_download() as download:
        page.get_by_role("button", name="Save what is shown").click()
    download.value.save_as(tmp_path / "log.jsonl")
    saved = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [each["number"] for each in saved] == list(range(len(saved), 0, -1))
    assert saved[:50] == listed(visits.rest.by(world.alice).get("/audit", params={"limit": 51}), "events")[1:]


def test_the_chain_is_checked_and_a_kept_head_finds_what_was_cut_off(visits: Visits) -> None:
    world = visits.rest.live.world
    alice = open_log(visits)
    page = alice.page
    page.get_by_role("button", name="Show the head").click()
    head = page.get_by_role("group", name="Head, to be kept elsewhere").locator("pre").inner_text()
    kept = page.get_by_role("textbox", name="A head that you kept (optional)")
    kept.fill('{"number": 1}')
    page.get_by_role("button", name="Check the chain").click()
    expect(page.get_by_text("This is no head of the log of this workspace.")).to_be_visible()
    kept.fill(head)
    page.get_by_role("button", name="Check the chain").click()
    expect(page.get_by_text(f"It contains event {json.loads(head)['number']}")).to_be_visible()
    assert_looks_right(alice, widths=(320,))
    tamper(world)
    page.get_by_role("button", name="Check the chain").click()
    expect(page.get_by_role("alert")).to_contain_text("The chain is broken at event 2")


def test_editors_and_viewers_are_told_that_it_is_for_admins(visits: Visits) -> None:
    world = visits.rest.live.world
    for user in (world.bob, world.carol):
        visit = visits.by(user)
        visit.open("audit")
        expect(visit.page.get_by_text("The audit log is for admins")).to_be_visible()
        assert not [sent.url for sent in visit.sent if "/audit" in sent.url.partition("/api/")[2]]


def test_it_looks_right_in_every_width_and_in_german(visits: Visits) -> None:
    alice = open_log(visits)
    alice.page.get_by_role("list", name="Events").get_by_role("listitem").first.click()
    assert_looks_right(alice)
    german = open_log(visits, "de-DE")
    german.page.set_viewport_size({"width": 320, "height": 700})
    events = german.page.get_by_role("list", name="Ereignisse")
    expect(events.get_by_text("Arbeitsbereich angelegt")).to_be_visible()
    assert german.overflow() <= 0

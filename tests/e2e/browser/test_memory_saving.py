"""Saving on the Memory page: one request, an honest answer, and a draft that is never lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.e2e.browser.memory_team import MemoryTeam, memory_team
from tests.e2e.browser.visits import Visits

requirement = pytest.mark.requirement


@pytest.fixture
def team(visits: Visits, tmp_path: Path) -> Iterator[MemoryTeam]:
    world = visits.rest.live.world
    with memory_team(visits, tmp_path, world.alice, world.bob) as gathered:
        yield gathered


@requirement("document:frame:a-page-of-its-own")
def test_the_document_is_edited_and_saved_on_its_page(team: MemoryTeam) -> None:
    alice = team.opens(team.stage.world.alice)
    alice.holds("We ship on Thursday")
    alice.types("- Answer in French")
    alice.stands("Unsaved draft")
    alice.editor.press("Control+s")
    alice.stands("Revision 2, up to date")
    assert team.stage.text() == "# Team\n\n- We ship on Thursday\n- Answer in French"
    writes = [each for each in alice.visit.sent if each.method == "PUT"]
    assert [each.headers["x-base-version"] for each in writes] == ["1"]
    assert not [body for body in alice.visit.bodies() if "French" in body or "Thursday" in body]
    expect(alice.visit.page).to_have_url(f"{alice.visit.url}/w/{alice.visit.workspace}/memory")

"""The web application in a real Chromium, over a service with SQLite: a page does not depend on the store."""

import shutil
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tests.e2e.browser.memory_team import MemoryPage, MemoryTeam, memory_team
from tests.e2e.browser.visits import Visits
from tests.e2e.rest_calls import Rest

from workspace_memory.storage.database import Database, open_sqlite

ROOT = Path(__file__).parents[3]
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Without a screen, as any user, and without what a browser asks the network for by itself.
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 30_000


def chromium() -> str:
    """The system's Chromium."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.fail("Chromium is missing, which the tests of the web application need: apt install chromium")
    return found


@pytest.fixture(scope="session", autouse=True)
def _built() -> None:
    """The tests are of the sources as they are now, not of an older build."""
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build  # noqa: PLC0415  a file of the checkout, not of a package
    finally:
        sys.path.remove(str(ROOT))
    if hatch_build.is_needed():
        pytest.fail("The web application is not built from these sources: ./run setup builds it")


@pytest.fixture(scope="session")
def browser() -> Generator[Browser]:
    """One Chromium for all tests of this process; each test has contexts of its own."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=_FLAGS)
        try:
            yield launched
        finally:
            launched.close()


@pytest.fixture
def database(migrated_file: Path, tmp_path: Path) -> Iterator[Database]:
    """SQLite only."""
    shutil.copyfile(migrated_file, tmp_path / "memory.db")
    opened = open_sqlite(tmp_path / "memory.db")
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture
def visits(browser: Browser, rest: Rest) -> Iterator[Visits]:
    """Pages of the cast. A test fails when any of them wrote an error or a warning to its console."""
    opened = Visits(browser, rest)
    try:
        yield opened
    finally:
        said = opened.close()
    assert not said, said


@pytest.fixture
def team(visits: Visits, tmp_path: Path) -> Iterator[MemoryTeam]:
    """Members of the cast's workspace who share its key, and the text that bob has saved."""
    with memory_team(visits, tmp_path) as gathered:
        yield gathered


@pytest.fixture
def alice(team: MemoryTeam) -> MemoryPage:
    """The Memory page in front of alice, unlocked."""
    return team.opens(team.stage.world.alice)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A bound that is not met by waiting: one that strikes in the middle of a call leaves the browser unusable."""
    for item in items:
        if item.path.parent == Path(__file__).parent and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(400))

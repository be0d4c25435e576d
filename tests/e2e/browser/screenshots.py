"""Pictures of every page, light and dark, on a desk and on a phone: made by hand, to be looked at.

    ./run test tests/e2e/browser/screenshots.py        # into build/screenshots

`--shots-language=de` makes them in another language. Nothing is asserted but that the pages come.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.conftest import World
from tests.e2e.assistant_wire.provider_server import Say, call
from tests.e2e.browser.assistant_desk import Desk, assistant_desk
from tests.e2e.browser.items_stage import SUSPICIOUS, company
from tests.e2e.browser.remembered_work import PASSPHRASE
from tests.e2e.browser.visits import DESK, PHONE, Visit

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import Kind, Scope
from workspace_memory.domain.policy import Mode

FOLDER = Path(__file__).parents[3] / "build/screenshots"
PAGES = (
    "memory",
    "memory?tab=changes",
    "items",
    "items?tab=company",
    "items?tab=review",
    "assistant",
    "users",
    "connect",
    "settings",
    "audit",
)
ITEMS = (
    ("Stammkunde Meyer & Söhne wants invoices by post, not by e-mail.", Kind.FACT, ("billing", "customers")),
    (
        "Quote Italian tables with decimal commas and the currency after the amount.",
        Kind.PREFERENCE,
        ("style",),
    ),
    (
        "The staging cluster is rebuilt every Sunday night. Anything not in Git is gone on Monday.",
        Kind.NOTE,
        ("ops",),
    ),
    ("東京オフィスの休業日は年末年始（12月29日〜1月3日）です。", Kind.FACT, ("tokyo", "holidays")),
)
PROPOSED = (
    "The new partner discount is 12 % from January.",
    "Deploy freeze from 18 December until 7 January.",
)
SIZES = {"desk": DESK, "phone": PHONE}


@pytest.fixture
def desk(browser: Browser, world: World, tmp_path: Path) -> Iterator[Desk]:
    """A workspace as it may look after some weeks, seen at the browser's own time."""
    world.clock.time = datetime.now(UTC)
    with assistant_desk(browser, world, tmp_path, world.alice, world.bob, mode=Mode.READ_ONLY) as desk:
        fill(desk)
        yield desk


def fill(desk: Desk) -> None:
    """Items of every kind, some that wait, and a second version of the document."""
    world = desk.world
    world.configure(default_access=AccessLevel.CONTRIBUTE)
    for content, kind, tags in ITEMS:
        company(world, content, kind=kind, tags=tags)
    world.save(world.by_hand(world.alice), "Prefers tests before the implementation", kind=Kind.PREFERENCE)
    for content in (*PROPOSED, SUSPICIOUS):
        world.save(world.client(world.bob), content, scope=Scope.ORGANIZATION)
    text = desk.stage.text() or ""
    desk.stage.save(f"{text}\n## People\n- Support is reached at extension 12\n")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.timeout(300)
def test_pictures(desk: Desk, scheme: str, size: str, request: pytest.FixtureRequest) -> None:
    language = request.config.getoption("--shots-language")
    FOLDER.mkdir(parents=True, exist_ok=True)
    touch = size == "phone"
    chat = desk.opens(desk.world.alice, scheme=scheme, size=SIZES[size], touch=touch)
    desk.provider.script[:] = [
        call(
            "remember_in_memory",
            changes=[{"op": "add", "text": "Deliveries go out at noon", "target": "", "heading": ""}],
        ),
        Say("Suggested: deliveries go out at **noon**."),
    ]
    chat.say("Remember that deliveries go out at noon")
    visit = chat.visit
    visit.page.evaluate("language => localStorage.setItem('workspace-memory-language', language)", language)
    conversation = visit.page.url.partition(f"/w/{visit.workspace}/")[2]
    for page in PAGES:
        visit.open(conversation if page == "assistant" else page)
        unlock(visit)
        visit.page.wait_for_load_state("networkidle")
        if page == "memory":
            # The editor comes after the keys are open, when the network has been idle already.
            expect(visit.page.locator(".cm-content")).to_contain_text("Team")
        name = page.replace("?tab=", "-")
        visit.page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png")
    visit.go("/account")
    visit.page.wait_for_load_state("networkidle")
    visit.page.screenshot(path=FOLDER / f"account-{size}-{scheme}.png", full_page=True)
    visit.page.context.clear_cookies()
    visit.go("/")
    expect(visit.page.locator("input[type=password]")).to_be_visible()
    visit.page.screenshot(path=FOLDER / f"sign-in-{size}-{scheme}.png")


def unlock(visit: Visit) -> None:
    """Give the passphrase where it is asked for: a page that was loaded anew has forgotten it."""
    heading = visit.page.get_by_role("heading", level=1)
    expect(heading).to_be_visible()
    visit.page.wait_for_load_state("networkidle")
    asked = visit.page.locator("main input[type=password]")
    if asked.count() == 1:
        asked.fill(PASSPHRASE)
        asked.press("Enter")
        expect(asked).to_have_count(0)

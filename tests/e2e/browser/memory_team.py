"""Members in front of the Memory page, with keys: `team.opens(bob)` is bob's page with the document open.

Keys are made by the Python client, and opened on the page with the passphrase as a person does it. `stage` writes,
captures and suggests beside the browsers, with the same key.
"""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, expect
from tests.contract.memory_stage import Stage
from tests.e2e.browser.remembered_work import PASSPHRASE, remember_passphrase
from tests.e2e.browser.visits import DESK, Visit, Visits

from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.keys import Keyholder
from workspace_memory.client.known_keys import KnownKeys
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.policy import Mode

TEXT = "# Team\n\n- We ship on Thursday\n"


@dataclass
class MemoryTeam:
    """The members who hold the key of the cast's workspace."""

    visits: Visits
    folder: Path
    stack: ExitStack
    holders: dict[UserId, Keyholder] = field(default_factory=dict[UserId, Keyholder])
    _stage: Stage | None = None

    @property
    def stage(self) -> Stage:
        """The workspace, with the key that the members have."""
        assert self._stage is not None
        return self._stage

    def holder(self, user: UserId) -> Keyholder:
        """The user's keys, made when they are first asked for; alice starts the key, and passes it on."""
        if user not in self.holders:
            live = self.visits.rest.live
            memory = self.stack.enter_context(WorkspaceMemory(live.url, live.token(user)))
            known = KnownKeys(self.folder / f"{user}.json", server=memory.url)
            self.holders[user] = Keyholder(memory, known)
            self.holders[user].set_up_keys(PASSPHRASE)
            if user == live.world.alice:
                self._stage = Stage(live.world, self.holders[user].start_workspace_key())
            else:
                self.holder(live.world.alice).grant(user, lambda _: True)
        return self.holders[user]

    def opens(
        self,
        user: UserId,
        page: str = "memory",
        *,
        size: tuple[int, int] = DESK,
        scheme: str = "light",
        language: str = "en-GB",
        touch: bool = False,
        clock: bool = False,
    ) -> "MemoryPage":
        """The Memory page in a browser of the user's own, unlocked; with `clock`, its time can be moved."""
        self.holder(user)
        visit = self.visits.by(user, size=size, scheme=scheme, language=language, touch=touch)
        remember_passphrase(visit.context)
        shown = MemoryPage(visit)
        if clock:
            visit.page.clock.install()
        visit.open(page)
        shown.unlock()
        return shown


@dataclass
class MemoryPage:
    """What a person does on the page, by what stands there in English."""

    visit: Visit

    def unlock(self) -> None:
        """Give the passphrase."""
        page = self.visit.page
        page.locator("input[type=password]").fill(PASSPHRASE)
        page.locator("input[type=password]").press("Enter")
        expect(page.get_by_role("tab").first).to_be_visible()

    @property
    def editor(self) -> Locator:
        """The text."""
        return self.visit.page.get_by_role("textbox", name="Memory text")

    def types(self, text: str) -> None:
        """Type at the end of the text."""
        self.editor.press("Control+End")
        self.editor.press_sequentially(text)

    def press(self, name: str) -> None:
        """Press a button by its name."""
        self.visit.page.get_by_role("button", name=name, exact=True).click()

    def menu(self, name: str) -> None:
        """Choose from the menu behind the three dots."""
        self.press("More about this memory")
        self.visit.page.get_by_role("menuitem", name=name).click()

    def saves(self, text: str, version: int) -> None:
        """Type, and press Save until it is acknowledged."""
        self.types(text)
        self.press("Save")
        self.stands(f"Revision {version}, up to date")

    def stands(self, state: str) -> None:
        """How the text stands, beside the Save button."""
        expect(self.visit.page.get_by_role("status").filter(has_text=state).first).to_be_visible()

    def says(self, text: str) -> None:
        """Somewhere on the page this is written."""
        expect(self.visit.page.get_by_text(text).first).to_be_visible()

    def holds(self, text: str) -> None:
        """The editor has this among its text."""
        expect(self.editor).to_contain_text(text)

    def loses_requests(self) -> None:
        """Forget what the browser wrote about requests that a test has broken off."""
        lost = "error: Failed to load resource: net::"
        self.visit.complaints[:] = [each for each in self.visit.complaints if not each.startswith(lost)]

    def lacks(self, text: str) -> None:
        """The editor has no such text."""
        expect(self.editor).not_to_contain_text(text)


@contextmanager
def memory_team(
    visits: Visits, folder: Path, *, text: str | None = TEXT, mode: Mode = Mode.READ_ONLY
) -> Generator[MemoryTeam]:
    """Members of the cast's workspace, with AI on, and a text that bob has saved."""
    with ExitStack() as stack:
        team = MemoryTeam(visits, folder, stack)
        team.holder(visits.rest.live.world.alice)
        team.stage.set_ai(enabled=True)
        if team.stage.policy().mode is not mode:
            team.stage.set_mode(mode)
        if text is not None:
            team.stage.save(text)
        yield team

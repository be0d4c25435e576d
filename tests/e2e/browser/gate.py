"""What a person does before the encrypted pages open, by what stands there in English.

Keys that a test is not about are made by the Python client, which costs less than the browser.
"""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, expect
from tests.e2e.browser.visits import Visit
from tests.e2e.conftest import Live

from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.keys import Keyholder
from workspace_memory.client.known_keys import KnownKeys
from workspace_memory.domain.ids import UserId

PASSPHRASE = "a long walk along the river"
ANOTHER_PASSPHRASE = "another walk, along the sea"


@dataclass
class Gate:
    """The Memory page of one person, before it opens."""

    visit: Visit

    def press(self, name: str) -> None:
        """Press a button by its name."""
        self.visit.page.get_by_role("button", name=name, exact=True).click()

    def title(self, text: str) -> None:
        """This is the one thing to do."""
        expect(self.visit.page.get_by_role("heading", name=text)).to_be_visible()

    def is_open(self) -> None:
        """The page is open: it can be locked."""
        expect(self.visit.page.get_by_role("button", name="Lock the Memory document")).to_be_visible()

    def says(self, text: str) -> None:
        """Somewhere on the page this is written."""
        expect(self.visit.page.get_by_text(text).first).to_be_visible()

    def field(self, label: str) -> Locator:
        """An input by its label."""
        return self.visit.page.get_by_label(label, exact=True)

    def choose(self, passphrase: str, *, action: str, label: str = "Passphrase") -> None:
        """Type a passphrase twice."""
        self.field(label).fill(passphrase)
        self.field("The same once more").fill(passphrase)
        self.press(action)

    def keep(self) -> str:
        """The recovery key that is shown; then it is said to be kept."""
        self.title("Keep your recovery key")
        written = self.visit.page.get_by_role("group", name="Recovery key").inner_text()
        self.press("I have kept it")
        return " ".join(written.split())

    def unlock(self, passphrase: str = PASSPHRASE) -> None:
        """Open the keys with the keyboard alone."""
        self.field("Passphrase").fill(passphrase)
        self.field("Passphrase").press("Enter")

    def fingerprint(self, name: str) -> str:
        """A fingerprint that is shown under a name."""
        return " ".join(self.visit.page.get_by_role("group", name=name).inner_text().split())


@contextmanager
def keyholders(live: Live, folder: Path, *users: UserId) -> Generator[dict[UserId, Keyholder]]:
    """Members with keys and PASSPHRASE; the first starts the key of the workspace and passes it on to the others."""
    with ExitStack() as stack:
        holders: dict[UserId, Keyholder] = {}
        for user in users:
            memory = stack.enter_context(WorkspaceMemory(live.url, live.token(user)))
            holders[user] = Keyholder(memory, KnownKeys(folder / f"{user}.json", server=memory.url))
            holders[user].set_up_keys(PASSPHRASE)
        first, *others = users
        holders[first].start_workspace_key()
        for user in others:
            holders[first].grant(user, lambda _: True)
        yield holders

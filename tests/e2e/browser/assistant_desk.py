"""People in front of the Assistant's page, and the model that answers them: a real server that plays a script.

chat = desk.opens(desk.world.bob)
desk.provider.script[:] = [Say("On Thursday.")]
chat.say("When do we ship?")
chat.answers("On Thursday.")
"""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect
from tests.conftest import World
from tests.contract.memory_stage import Stage
from tests.e2e.assistant_calls import provided
from tests.e2e.assistant_wire.provider_server import Provider, playing
from tests.e2e.browser.memory_team import memory_team
from tests.e2e.browser.remembered_work import PASSPHRASE, remember_passphrase
from tests.e2e.browser.visits import DESK, Visit, Visits
from tests.e2e.conftest import serving
from tests.e2e.rest_calls import Rest

from workspace_memory.domain.ids import UserId
from workspace_memory.domain.policy import Mode


@dataclass
class ChatPage:
    """What a person does on the page, by what stands there in English."""

    visit: Visit

    @property
    def page(self) -> Page:
        return self.visit.page

    @property
    def message(self) -> Locator:
        """Where a message is written."""
        return self.page.get_by_role("textbox", name="Message")

    @property
    def turn(self) -> Locator:
        """The newest turn."""
        return self.page.get_by_role("article").last

    def unlock(self) -> None:
        """Give the passphrase."""
        secret = self.page.locator("input[type=password]")
        secret.fill(PASSPHRASE)
        secret.press("Enter")

    def open_session(self) -> None:
        """Open a key session for this browser."""
        self.press("Open a session")
        expect(self.message).to_be_visible()

    def press(self, name: str) -> None:
        """Press a button by its name."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def write(self, text: str) -> None:
        """Write a message and send it by Enter."""
        self.message.fill(text)
        self.message.press("Enter")

    def say(self, text: str) -> None:
        """Send a message, and wait for the end of its turn."""
        self.write(text)
        expect(self.page.get_by_role("button", name="Send", exact=True)).to_be_visible()
        expect(self.turn).to_contain_text(text)

    def answers(self, text: str) -> None:
        """The newest turn says this."""
        expect(self.turn).to_contain_text(text)

    def lacks(self, text: str | re.Pattern[str]) -> None:
        """The newest turn does not say this."""
        expect(self.turn).not_to_contain_text(text)

    def says(self, text: str) -> None:
        """Somewhere on the page this is written."""
        expect(self.page.get_by_text(text).first).to_be_visible()

    def forgive(self, complaint: str) -> None:
        """Forget what the browser wrote because the test had broken something."""
        self.visit.complaints[:] = [each for each in self.visit.complaints if complaint not in each]

    def states(self) -> list[str | None]:
        """X-Memory-State of each message that was sent."""
        return [
            each.headers.get("x-memory-state")
            for each in self.visit.sent
            if each.method == "POST" and each.url.endswith("/messages")
        ]

    def keys(self) -> list[str]:
        """The idempotency key of each message that was sent."""
        return [
            each.headers["idempotency-key"]
            for each in self.visit.sent
            if each.method == "POST" and each.url.endswith("/messages")
        ]


@dataclass
class Desk:
    """The workspace with its members' keys, and the provider."""

    world: World
    stage: Stage
    provider: Provider
    visits: Visits

    def opens(
        self,
        user: UserId,
        *,
        session: bool = True,
        size: tuple[int, int] = DESK,
        scheme: str = "light",
        language: str = "en-GB",
        touch: bool = False,
        url: str | None = None,
    ) -> ChatPage:
        """The page in a browser of the user's own, unlocked, with a key session unless it is not asked for."""
        chat = ChatPage(self.visits.by(user, size=size, scheme=scheme, language=language, touch=touch))
        chat.visit.url = url or chat.visit.url
        remember_passphrase(chat.visit.context)
        chat.visit.open("assistant")
        chat.unlock()
        if session:
            chat.open_session()
        return chat


@cache
def load_assistant() -> None:
    """Load the framework and the provider's client before somebody waits for an answer."""
    import_module("workspace_memory.assistant.runner")
    import_module("pydantic_ai.models.openai")


@contextmanager
def assistant_desk(
    browser: Browser, world: World, folder: Path, *members: UserId, mode: Mode = Mode.AUTO
) -> Generator[Desk]:
    """A service whose model plays a script, and members who hold the key: bob, unless others are named.

    Fails for what a console complained of.
    """
    load_assistant()
    with playing() as provider, serving(world, settings=provided(provider)) as live:
        rest = Rest(live)
        visits = Visits(browser, rest)
        with memory_team(visits, folder, mode=mode) as team:
            for member in members or (world.bob,):
                team.holder(member)
            yield Desk(world, team.stage, provider, visits)
            said = visits.close()
        rest.close()
    assert not said, said

"""People in front of a real Chromium: a context each, signed in, watched for everything a browser complains about."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route
from tests.e2e.rest_calls import PASSWORD, Rest

from workspace_memory.domain.ids import UserId

AXE = Path(__file__).parents[3] / "frontend/node_modules/axe-core/axe.min.js"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
DESK = (1360, 860)
PHONE = (390, 844)
WIDTHS = (320, 390, 768, 1360)

# Not the page's own: Chromium writes such a line for each request that the service refuses.
_REFUSED_REQUEST = "Failed to load resource: the server responded with a status of"

TRIES = 300
TRY_MILLISECONDS = 100


@dataclass
class Visit:
    """One person's page. `complaints` are the console's errors and warnings; `sent` every request of the page."""

    context: BrowserContext
    page: Page
    url: str
    workspace: str
    complaints: list[str] = field(default_factory=list[str])
    sent: list[Request] = field(default_factory=list[Request])

    def go(self, path: str) -> None:
        """Open an address of the service and wait until the page is there."""
        self.page.goto(self.url + path)

    def open(self, page: str) -> None:
        """Open a page of the workspace by its name in the address."""
        self.go(f"/w/{self.workspace}/{page}")

    def bodies(self) -> list[str]:
        """What the page has sent so far: bodies, and the addresses with their queries."""
        return [(request.post_data or "") + request.url for request in self.sent]

    def axe(self) -> list[tuple[str, list[object], str]]:
        """What axe-core finds against WCAG 2.2 AA on the page as it stands."""
        self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", WCAG)
        return [
            (each["id"], [node["target"] for node in each["nodes"]][:4], each["nodes"][0]["failureSummary"])
            for each in cast("list[dict[str, Any]]", found["violations"])
        ]

    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        root = "document.documentElement"
        return int(self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))


@dataclass
class Visits:
    """Opens pages; `complaints` of all of them are looked at when a test ends."""

    browser: Browser
    rest: Rest
    opened: list[Visit] = field(default_factory=list[Visit])

    def by(
        self,
        user: UserId | None = None,
        *,
        size: tuple[int, int] = DESK,
        scheme: str = "light",
        language: str = "en-GB",
        touch: bool = False,
    ) -> Visit:
        """A page in a browser of its own, signed in as the user, if one is named."""
        live = self.rest.live
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            locale=language,
            has_touch=touch,
            is_mobile=touch,
            timezone_id="Europe/Berlin",
        )
        context.set_default_timeout(30_000)
        workspace = live.world.other_workspace if user == live.world.mallory else live.world.workspace
        visit = Visit(context, context.new_page(), live.url, workspace)
        self.opened.append(visit)
        visit.page.on("console", lambda message: _listen(visit, message))
        visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        visit.page.on("request", lambda request: visit.sent.append(request))  # noqa: PLW0108  a bound method of a list takes no attribute
        if user is not None:
            self.sign_in(visit, user)
        return visit

    def sign_in(self, visit: Visit, user: UserId) -> None:
        """Give the browser the session of a user, without the sign-in page."""
        email = f"{self.rest.live.world.people[user]}@example.com"
        self.rest.give_password(email)
        answered = visit.context.request.post(
            f"{visit.url}/api/v1/sign-in",
            data={"email": email, "password": PASSWORD},
            headers={"Sec-Fetch-Site": "same-origin"},
        )
        assert answered.ok, answered.text()

    def close(self) -> list[str]:
        """Close all; what their consoles said."""
        said = [line for visit in self.opened for line in visit.complaints]
        for visit in self.opened:
            # A handler that is still at work would fail with its page, and the failure would meet another test.
            visit.page.unroute_all(behavior="ignoreErrors")
            visit.context.unroute_all(behavior="ignoreErrors")
            visit.context.close()
        return said


def _listen(visit: Visit, message: ConsoleMessage) -> None:
    if message.type in {"error", "warning"} and not message.text.startswith(_REFUSED_REQUEST):
        visit.complaints.append(f"{message.type}: {message.text}")


class HeldRequests:
    """The requests of a page to some addresses that do not go on until they are let go."""

    def __init__(self, page: Page, pattern: str, *, method: str = "GET") -> None:
        self._page = page
        self._method = method
        self._waiting: list[Route] = []
        page.route(pattern, self._hold)

    def _hold(self, route: Route) -> None:
        if route.request.method == self._method:
            self._waiting.append(route)
        else:
            route.continue_()

    def let_go(self) -> None:
        """Let the oldest one go on, once it has come."""
        for _ in range(TRIES):
            if self._waiting:
                return self._waiting.pop(0).continue_()
            # Routes are told of while the browser is waited for.
            self._page.wait_for_timeout(TRY_MILLISECONDS)
        raise AssertionError(f"no {self._method} came that could be let go")

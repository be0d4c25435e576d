"""The page of memory items with 20,000 of them, in a real Chromium: rows in the page, tasks while scrolling, search.

    benchmarks/browser_items.py [--items NUMBER] [--searches NUMBER] [--json]

A fresh service with SQLite is filled with made-up company items. Then an admin scrolls through the first two thousand
and searches. Printed are the most rows that stood in the page, the longest task of the page's thread while scrolling
(a browser tells tasks from 50 ms on), the processor time of the costliest one, which a busy machine does not lengthen,
and the time from the last key of a search to the painted answer.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from _curator import add_company_items
from _progress import say
from _servers import ServerFailed, end_on_signals, product
from _tenants import Tenant, make_tenants, opened
from _texts import QueryKind, Writer, queries
from workspace_memory.services.accounts import make_password_reset_here, redeem_link

_ITEMS = 20_000
_SEARCHES = 40
_SCROLLED_TO = 2_000
_EMAIL, _PASSWORD = "alice@example.com", "made for one benchmark run"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_ROW = '[role="row"][tabindex]'
# What the page says of itself: long tasks, and when something in the list was last painted anew.
_WATCH = """
window.tasks = [];
new PerformanceObserver(list => tasks.push(...list.getEntries().map(each => each.duration)))
  .observe({type: 'longtask', buffered: true});
window.keyAt = 0;
window.paintedAt = 0;
addEventListener('keydown', event => { keyAt = event.timeStamp; paintedAt = 0; }, true);
new MutationObserver(changes => {
  if (changes.some(change => change.target.nodeType === 3 || change.target.closest?.('#items-panel')))
    requestAnimationFrame(() => { const channel = new MessageChannel();
      channel.port1.onmessage = () => { paintedAt = performance.now(); };
      channel.port2.postMessage(0); });
}).observe(document, {subtree: true, childList: true, characterData: true});
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured; times in milliseconds. A longest task of 0 is below 50."""

    items: int
    rows_max: int
    longest_task_ms: float
    costliest_task_ms: float
    search_median_ms: float
    search_p95_ms: float
    search_max_ms: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    end_on_signals()
    try:
        with tempfile.TemporaryDirectory(prefix="wm-browser-") as place:
            figures = measure(Path(place) / "data", options.items, options.searches)
    except ServerFailed as error:
        print(f"browser_items: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(asdict(figures)))
        return 0
    print(f"{figures.items:,} items: at most {figures.rows_max} rows in the page")
    print(
        f"longest task while scrolling: {figures.longest_task_ms or '< 50'} ms; "
        f"the costliest used {figures.costliest_task_ms:.0f} ms of the processor"
    )
    print(
        f"search, last key to painted answer: median {figures.search_median_ms:.0f} ms, "
        f"95 % {figures.search_p95_ms:.0f} ms, longest {figures.search_max_ms:.0f} ms"
    )
    return 0


def measure(folder: Path, items: int, searches: int) -> Figures:
    """Fill a service and look at it. Raises: ServerFailed, and what the browser raises."""
    [tenant] = make_tenants(folder, ["Benchmark"])
    with opened(folder, "") as deps:
        redeem_link(deps, make_password_reset_here(deps, _EMAIL).secret, password=_PASSWORD)
    texts = Writer().texts(items)
    with product(folder) as server:
        say(f"adding {items:,} items")
        add_company_items(server.url, tenant, texts)
        with _signed_in(server.url) as context:
            page = _opened(context, server.url, tenant)
            say("scrolling")
            with _traced(page) as costs:
                rows_max, longest = _scroll(page, min(_SCROLLED_TO, items))
            say("searching")
            rare = queries(texts, QueryKind.RARE, searches // 2)
            frequent = queries(texts, QueryKind.FREQUENT, searches - searches // 2)
            times = sorted(_search(page, query) for query in [*rare, *frequent])
    return Figures(
        items,
        rows_max,
        longest,
        max(costs),
        statistics.median(times),
        times[int(len(times) * 0.95) - 1],
        times[-1],
    )


@contextmanager
def _signed_in(url: str) -> Generator[BrowserContext]:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=_FLAGS)
        context = browser.new_context(viewport={"width": 1360, "height": 860})
        answered = context.request.post(
            f"{url}/api/v1/sign-in",
            data={"email": _EMAIL, "password": _PASSWORD},
            headers={"Sec-Fetch-Site": "same-origin"},
        )
        if not answered.ok:
            raise ServerFailed(f"the sign-in was answered {answered.status}")
        yield context
        browser.close()


def _opened(context: BrowserContext, url: str, tenant: Tenant) -> Page:
    page = context.new_page()
    page.add_init_script(_WATCH)
    page.goto(f"{url}/w/{tenant.workspace}/items?tab=company")
    page.locator(_ROW).first.wait_for()
    return page


@contextmanager
def _traced(page: Page) -> Generator[list[float]]:
    """The processor time of each task of the page's thread, in milliseconds; the list is filled at the end."""
    browser = page.context.browser
    if browser is None:
        raise ServerFailed("the browser is gone")
    costs: list[float] = []
    browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
    yield costs
    events = json.loads(browser.stop_tracing())["traceEvents"]
    # Each renderer has such a thread; the page's is the busiest.
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    costs += [
        event["tdur"] / 1_000 for event in events if "tdur" in event and (event["pid"], event["tid"]) in mains
    ]


def _scroll(page: Page, to: int) -> tuple[int, float]:
    """The most rows that stood in the page and the longest task, down to a row and back."""
    page.wait_for_timeout(500)
    page.evaluate("tasks.length = 0")
    page.mouse.move(700, 500)
    rows_max = last = 0
    while last < to:
        page.mouse.wheel(0, 1200)
        rows = page.locator(_ROW)
        rows_max = max(rows_max, rows.count())
        last = int(rows.last.get_attribute("aria-rowindex") or 0)
    for _ in range(20):
        page.mouse.wheel(0, -3000)
        rows_max = max(rows_max, page.locator(_ROW).count())
    page.wait_for_timeout(200)
    return rows_max, float(page.evaluate("Math.max(0, ...tasks)"))


def _search(page: Page, query: str) -> float:
    """From the last key to the painted answer, in milliseconds."""
    page.get_by_role("searchbox").fill(query[:-1])
    page.wait_for_timeout(600)
    page.keyboard.press(query[-1])
    page.wait_for_timeout(1_000)
    return float(page.evaluate("paintedAt - keyAt"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=_ITEMS, help="how many items there are")
    parser.add_argument("--searches", type=int, default=_SEARCHES, help="how many searches are timed")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

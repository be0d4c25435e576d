"""What the service answers for the web application: files, headers, addresses, and what is none of its own."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
import uvicorn
from tests.e2e.in_thread import free_listener
from tests.e2e.rest_calls import Rest, refusal

from workspace_memory.pages import CONTENT_POLICY, Pages
from workspace_memory.settings import Settings

PLACES = ("/", "/sign-in", "/w/019d2f6e-8c1a-7b42-9d3e-5f60718293a4/memory", "/accept")
PAGE = "<!doctype html><title>Workspace Memory</title>"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """What a build leaves, in small, with a file beside it that is none of its business."""
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "assets" / "index-abc.js").write_text("export const word = 1;\n" * 200)
    (tmp_path / "secret.txt").write_text("not of the application")
    return folder


@contextmanager
def answering(pages: Pages) -> Generator[httpx2.Client]:
    """The pages alone on a port."""
    listener, port = free_listener()
    server = uvicorn.Server(uvicorn.Config(cast("Any", pages), log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def test_every_address_of_the_application_is_its_one_page(built: Path) -> None:
    with answering(Pages(Settings(), built=built)) as client:
        for place in PLACES:
            answered = client.get(place)
            assert (answered.status_code, answered.text) == (200, PAGE), place
            assert answered.headers["content-security-policy"] == CONTENT_POLICY
            assert answered.headers["cache-control"] == "no-cache"
            assert answered.headers["x-content-type-options"] == "nosniff"
            assert answered.headers["cross-origin-opener-policy"] == "same-origin"
            assert "strict-transport-security" not in answered.headers


def test_a_built_file_is_kept_by_browsers_and_travels_compressed(built: Path) -> None:
    with answering(Pages(Settings(), built=built)) as client:
        answered = client.get("/assets/index-abc.js", headers={"Accept-Encoding": "gzip"})
        assert answered.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answered.headers["content-encoding"] == "gzip"
        assert answered.headers["content-type"].startswith("text/javascript")
        assert answered.text == "export const word = 1;\n" * 200


@pytest.mark.parametrize(
    "path", ["/assets/index-gone.js", "/favicon.ico", "/assets/../../secret.txt", "/assets"]
)
def test_a_file_that_is_missing_is_not_the_page(built: Path, path: str) -> None:
    """A page that was left open asks for a chunk of the version before: it must see that it is gone."""
    with answering(Pages(Settings(), built=built)) as client:
        answered = client.get(path)
        assert answered.status_code == 404 or answered.text == PAGE
        assert "not of the application" not in answered.text
        if "." in path:
            assert answered.status_code == 404


@pytest.mark.parametrize(
    "path", ["/%00", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%ff", "/" + "a" * 5000, "//x"]
)
def test_hostile_addresses_get_the_page_or_nothing(built: Path, path: str) -> None:
    with answering(Pages(Settings(), built=built)) as client:
        answered = client.get(path)
        assert answered.status_code in {200, 404}
        assert answered.text in {PAGE, "Not found.\n"}


def test_pages_are_only_read(built: Path) -> None:
    with answering(Pages(Settings(), built=built)) as client:
        assert client.head("/").status_code == 200
        refused = client.post("/", json={})
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_behind_tls_browsers_are_told_to_stay_there(built: Path) -> None:
    with answering(Pages(Settings(public_url="https://memory.example.com"), built=built)) as client:
        assert client.get("/").headers["strict-transport-security"] == "max-age=63072000"


def test_without_a_build_a_plain_page_says_how_to_make_one(tmp_path: Path) -> None:
    with answering(Pages(Settings(), built=tmp_path)) as client:
        answered = client.get("/")
        assert answered.status_code == 503
        assert "./run setup" in answered.text


def test_what_belongs_to_the_interface_is_never_the_page(rest: Rest) -> None:
    client = rest.client(rest.live.url)
    for path in ("/api", "/api/", "/api/v1", "/api/v2/me", "/api/v1/no/such/route"):
        assert refusal(client.get(path)) == (404, "not_found"), path
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/mcp/none").headers["content-type"] != "text/html; charset=utf-8"

"""What holds for every answer: headers, problem documents, routes and methods that there are not."""

import logging

import pytest
from tests.e2e.rest_calls import NOBODY, Rest, body_of, refusal

from workspace_memory.domain.errors import Busy, StorageFull
from workspace_memory.services import health

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
}


def test_every_answer_carries_the_security_headers(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    answers = [
        bob.get("/memory/items"),
        bob.get(f"/memory/items/{NOBODY}"),
        bob.post("/memory/items", content=b"{", headers={"Content-Type": "application/json"}),
        bob.post("/memory/items", content=b"x" * 500_000),
        bob.put("/memory/items"),
        bob.get(f"{rest.live.url}/api/nowhere"),
        bob.get(f"{rest.live.url}/healthz"),
        bob.get(f"{rest.live.url}/api/v1/openapi.json"),
        rest.nobody().get("/me"),
    ]
    for answered in answers:
        for name, value in HEADERS.items():
            assert answered.headers[name] == value, (answered.url, name)
        assert answered.headers["content-security-policy"].startswith("default-src 'none'")


def test_unknown_routes_and_methods_are_problems_too(rest: Rest) -> None:
    client = rest.client(rest.live.url)
    for path in ("/api", "/api/nowhere", "/api/v1/nowhere", "/api/v1/me/", "/api/docs", "/api/v1/%00"):
        assert refusal(client.get(path)) == (404, "not_found"), path
    refused = client.put("/api/v1/me")
    assert refusal(refused) == (405, "method_not_allowed")
    assert refused.headers["Allow"] == "GET"


def test_a_problem_has_the_members_of_the_standard(rest: Rest) -> None:
    problem = body_of(rest.nobody().get("/me"))
    assert problem == {
        "type": "urn:workspace-memory:error:not_authenticated",
        "title": "Not signed in",
        "status": 401,
        "detail": "Sign in, or send a valid access token as 'Authorization: Bearer …'. "
        "Tokens can expire or be revoked.",
        "code": "not_authenticated",
    }


def test_the_service_is_alive_and_ready(rest: Rest) -> None:
    client = rest.client(rest.live.url)
    for path in ("/healthz", "/readyz"):
        assert (client.get(path).status_code, body_of(client.get(path))) == (200, {"status": "ok"})


def test_a_busy_database_is_503_with_retry_after(rest: Rest, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(self: object) -> None:
        raise Busy

    monkeypatch.setattr(type(rest.live.world.deps.database), "begin", busy)
    refused = rest.client(rest.live.url).get("/readyz")
    assert refusal(refused) == (503, "busy")
    assert refused.headers["Retry-After"] == "2"


def test_a_full_disk_is_507_and_says_that_nothing_was_written(
    rest: Rest, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = rest.by(rest.live.world.bob)

    def full(self: object) -> None:
        raise StorageFull

    monkeypatch.setattr(type(rest.live.world.deps.database), "begin", full)
    refused = bob.post("/memory/items", json={"content": "x"})
    assert refusal(refused) == (507, "storage_full")
    assert "Nothing was written" in str(body_of(refused)["detail"])


def test_an_unexpected_fault_says_and_logs_nothing_of_the_content(
    rest: Rest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bob = rest.by(rest.live.world.bob)

    def broken(self: object) -> None:
        raise RuntimeError("a row with green tea in it")

    monkeypatch.setattr(type(rest.live.world.deps.database), "begin", broken)
    with caplog.at_level(logging.DEBUG):
        refused = bob.post("/memory/items", json={"content": "green tea"})
    assert refusal(refused) == (500, "internal_error")
    assert "green tea" not in refused.text
    assert "RuntimeError at " in caplog.text
    assert "green tea" not in caplog.text


def test_the_readiness_check_leaves_nothing_behind(rest: Rest) -> None:
    health.check_ready(rest.live.world.deps)
    with rest.live.world.deps.database.read() as tx:
        assert tx.accounts.instance_value("readiness") is None

"""Licences over REST: without one memory is closed and kept, with one it is open, and foreign keys are refused."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import cast as typed

import httpx2
import pytest
from tests.conftest import World
from tests.e2e.conftest import serving
from tests.e2e.governing import licence_key, licensed_world
from tests.e2e.rest_calls import Rest, body_of, listed, refusal, save

from workspace_memory.domain.licence import Licensing, Plan
from workspace_memory.services.licences import IssuerKeys, make_issuer_keys

Started = tuple[Rest, World, IssuerKeys]


@pytest.fixture
def started(world: World, request: pytest.FixtureRequest) -> Iterator[Started]:
    """A server where licences are asked for, self-hosted unless the test says otherwise."""
    mode = typed("Licensing", getattr(request, "param", Licensing.SELF_HOSTED))
    cast, keys = licensed_world(world, mode)
    with serving(cast) as live:
        clients = Rest(live)
        yield clients, cast, keys
        clients.close()


def put(client: httpx2.Client, key: str) -> httpx2.Response:
    return client.put("/licence", json={"licence_key": key})


def item_routes(client: httpx2.Client, item: object = "x") -> list[httpx2.Response]:
    """Every route about items."""
    path, shown = f"/memory/items/{item}", {"If-Match": '"1"'}
    return [
        client.get("/memory/items"),
        client.get("/memory/items", params={"query": "tea"}),
        client.post("/memory/items", json={"content": "x"}),
        client.post("/memory/items/bulk", json={"items": [{"content": "x"}]}),
        client.post("/memory/import", json={"file": "- x", "format": "agents"}),
        client.get(path),
        client.get(f"{path}/history"),
        client.get(f"{path}/review"),
        client.patch(path, json={"content": "x"}, headers=shown),
        client.delete(path),
        *(client.post(f"{path}/{what}", json={}, headers=shown) for what in ("approve", "reject", "confirm")),
        client.get("/memory/review"),
        client.get("/memory/to-confirm"),
        client.post("/memory/review/approve", json={"items": []}),
        client.post("/memory/review/reject", json={"items": []}),
    ]


@pytest.mark.requirement("items:api:status")
@pytest.mark.requirement("items:e2e:status-says-unlicensed")
@pytest.mark.requirement("items:e2e:item-routes-need-the-edition")
@pytest.mark.requirement("items:licence:routes-answer-edition-required")
@pytest.mark.requirement("items:unit:access-without-a-licence")
def test_without_a_licence_the_item_routes_are_closed_and_the_status_says_so(started: Started) -> None:
    rest, cast, _ = started
    for user in (cast.alice, cast.bob, cast.carol):
        client = rest.by(user)
        status = body_of(client.get("/memory/status"))
        assert (status["licensed"], status["level"]) == (False, "none")
        for refused in item_routes(client):
            assert refusal(refused) == (403, "edition_required"), refused.url


@pytest.mark.requirement("items:licence:items-are-kept")
@pytest.mark.requirement("items:licence:cached-for-60-seconds")
def test_what_was_saved_is_there_again_with_the_next_licence(started: Started) -> None:
    rest, cast, keys = started
    alice = rest.by(cast.alice)
    assert refusal(alice.get("/memory/items")) == (403, "edition_required")
    assert body_of(put(alice, licence_key(cast, keys, days=1)))["memory"] is True
    item = save(alice, "alice likes oolong")
    # The answer of a moment ago stands for a minute, the licence's end notwithstanding.
    cast.clock.move(timedelta(days=1, seconds=-30))
    assert alice.get("/memory/items").status_code == 200
    cast.clock.move(timedelta(seconds=59))
    assert alice.get("/memory/items").status_code == 200
    cast.clock.move(timedelta(seconds=1))
    assert refusal(alice.get("/memory/items")) == (403, "edition_required")
    put(alice, licence_key(cast, keys))
    assert [each["id"] for each in listed(alice.get("/memory/items"))] == [item["id"]]
    assert body_of(alice.delete("/licence"))["memory"] is False
    assert refusal(alice.get("/memory/items")) == (403, "edition_required")
    assert refusal(alice.delete("/licence")) == (404, "not_found")


@pytest.mark.requirement("items:licence:other-plans-do-not-include-memory")
@pytest.mark.requirement("items:licence:active-unexpired-enterprise")
def test_another_plan_is_kept_and_does_not_include_memory(started: Started) -> None:
    rest, cast, keys = started
    alice = rest.by(cast.alice)
    for plan in (Plan.BUSINESS, Plan.TEAM, Plan.TRIAL, Plan.TRANSITION):
        stored = body_of(put(alice, licence_key(cast, keys, plan=plan)))
        assert (stored["memory"], typed("dict[str, object]", stored["licence"])["plan"]) == (False, plan)
        assert refusal(alice.get("/memory/items")) == (403, "edition_required")
    assert body_of(put(alice, licence_key(cast, keys)))["memory"] is True


Forge = Callable[[World, IssuerKeys], str]
BAD_KEYS: dict[str, tuple[Forge, str]] = {
    "expired": (lambda cast, keys: licence_key(cast, keys, days=-1, from_days=-9), "expired on 2026-11-01"),
    "from the future": (lambda cast, keys: licence_key(cast, keys, from_days=2), "clock"),
    "another workspace's": (
        lambda cast, keys: licence_key(cast, keys, cast.other_workspace),
        "another workspace",
    ),
    "another issuer's": (lambda cast, _: licence_key(cast, make_issuer_keys()), "not signed"),
    "tampered": (lambda cast, keys: tampered(licence_key(cast, keys)), "not signed"),
    "no key": (lambda _, __: "enterprise, please", "not signed"),
}


def tampered(key: str) -> str:
    """The key with one character of its payload changed."""
    mark, payload, signature = key.split(".")
    return f"{mark}.{payload[:20]}{'A' if payload[20] != 'A' else 'B'}{payload[21:]}.{signature}"


@pytest.mark.parametrize("kind", BAD_KEYS)
def test_a_key_that_is_not_for_here_is_refused_and_never_repeated(started: Started, kind: str) -> None:
    rest, cast, keys = started
    alice = rest.by(cast.alice)
    forge, reason = BAD_KEYS[kind]
    key = forge(cast, keys)
    refused = put(alice, key)
    assert refusal(refused) == (400, "licence_invalid")
    assert reason in str(body_of(refused)["reason"]).replace("was not signed", "not signed")
    assert key not in refused.text
    assert body_of(alice.get("/licence")) == {"licensing": "self_hosted", "memory": False, "licence": None}
    assert refusal(alice.get("/memory/items")) == (403, "edition_required")


@pytest.mark.requirement("items:licence:self-hosted-reads-either-key")
def test_self_hosted_an_instance_key_is_taken(started: Started) -> None:
    rest, cast, keys = started
    assert body_of(put(rest.by(cast.alice), licence_key(cast, keys, "instance")))["memory"] is True


@pytest.mark.requirement("items:licence:cloud-reads-the-workspace-key")
@pytest.mark.parametrize("started", [Licensing.CLOUD], indirect=True)
def test_in_the_cloud_only_the_workspaces_own_key_is_taken(started: Started) -> None:
    rest, cast, keys = started
    alice = rest.by(cast.alice)
    assert refusal(put(alice, licence_key(cast, keys, "instance"))) == (400, "licence_invalid")
    assert body_of(put(alice, licence_key(cast, keys)))["memory"] is True


def test_a_clock_that_is_set_back_opens_nothing(started: Started) -> None:
    rest, cast, keys = started
    alice = rest.by(cast.alice)
    assert body_of(put(alice, licence_key(cast, keys)))["memory"] is True
    cast.clock.move(timedelta(days=-2))
    assert refusal(rest.by(cast.alice).get("/memory/items")) == (403, "edition_required")


def test_erasing_leaving_and_the_audit_log_need_no_licence(started: Started) -> None:
    rest, cast, _ = started
    alice = rest.by(cast.alice)
    assert alice.delete(f"/memory/members/{cast.carol}/personal").status_code == 200
    assert alice.get("/audit").status_code == 200
    assert alice.get("/memory/settings").status_code == 200
    assert rest.by(cast.carol).delete(f"/members/{cast.carol}").status_code == 200


def test_to_somebody_of_another_workspace_it_does_not_exist_licensed_or_not(started: Started) -> None:
    rest, cast, _ = started
    for answered in item_routes(rest.by(cast.mallory)):
        assert refusal(answered) == (404, "not_found")


def test_with_licensing_off_everything_is_on(rest: Rest) -> None:
    alice = rest.by(rest.live.world.alice)
    assert body_of(alice.get("/memory/status"))["licensed"] is True
    assert body_of(alice.get("/licence")) == {"licensing": "off", "memory": True, "licence": None}

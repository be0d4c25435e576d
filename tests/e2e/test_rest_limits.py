"""Limits over REST, exact also when many requests come at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.e2e.rest_calls import Rest, body_of, refusal, save

from workspace_memory.domain.item import draft
from workspace_memory.services.saving import add_items


def fill_personal(rest: Rest, count: int) -> None:
    """Give bob as many personal items."""
    cast = rest.live.world
    drafts = [draft(f"number {n}") for n in range(count)]
    for start in range(0, count, 500):
        add_items(cast.deps, cast.by_hand(cast.bob), cast.workspace, drafts[start : start + 500])


@pytest.mark.requirement("items:limit:1000-personal-items-per-member")
@pytest.mark.requirement("items:unit:save-keeps-the-limits")
def test_40_parallel_saves_at_990_items_leave_exactly_1000(rest: Rest) -> None:
    fill_personal(rest, 990)
    bob = rest.by(rest.live.world.bob)
    # A bulk save that would go over the limit saves nothing, so that there are still ten to come.
    over = bob.post("/memory/items/bulk", json={"items": [{"content": f"bulk {n}"} for n in range(11)]})
    assert refusal(over) == (409, "quota_exceeded")

    def post(number: int) -> tuple[int, str]:
        answered = bob.post("/memory/items", json={"content": f"parallel {number}"})
        return answered.status_code, "" if answered.status_code == 201 else refusal(answered)[1]

    with ThreadPoolExecutor(40) as threads:
        outcomes = sorted(threads.map(post, range(40)))
    assert outcomes == [(201, "")] * 10 + [(409, "quota_exceeded")] * 30
    assert body_of(bob.get("/memory/status"))["counts"] == {
        "personal": 1_000,
        "personal_active": 1_000,
        "company_active": 0,
        "company_pending": 0,
        "to_review": 0,
        "to_confirm": 0,
    }
    full = bob.post("/memory/items", json={"content": "one more"})
    assert body_of(full)["limit"] == 1_000
    assert "Retrying is useless" in str(body_of(full)["detail"])
    assert "retry-after" not in full.headers
    in_bulk = bob.post("/memory/items/bulk", json={"items": [{"content": "one more"}]})
    assert refusal(in_bulk) == (409, "quota_exceeded")


@pytest.mark.requirement("items:model:content-up-to-2000-characters")
def test_2000_characters_are_kept_whole_and_2001_refused(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    whole = "é€" * 1_000
    assert save(bob, whole)["content"] == whole
    refused = bob.post("/memory/items", json={"content": whole + "x"})
    assert refusal(refused) == (400, "invalid_request")
    assert "2,000" in str(body_of(refused)["detail"])


@pytest.mark.requirement("items:limit:10-tags-per-item")
def test_11_tags_are_refused_and_doubles_do_not_count(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    tags = [f"tag {n}" for n in range(10)]
    assert save(bob, "ten tags", tags=[*tags, " TAG 1 "])["tags"] == tags
    refused = bob.post("/memory/items", json={"content": "x", "tags": [*tags, "tag 10"]})
    assert refusal(refused) == (400, "invalid_request")
    assert body_of(refused)["field"] == "tags"


def test_20_parallel_saves_of_two_clients_make_40_rows(rest: Rest) -> None:
    clients = [rest.by(rest.live.world.bob), rest.by(rest.live.world.bob)]

    def post(number: int) -> int:
        return clients[number % 2].post("/memory/items", json={"content": f"save {number}"}).status_code

    with ThreadPoolExecutor(40) as threads:
        assert set(threads.map(post, range(40))) == {201}
    assert body_of(clients[0].get("/memory/status"))["counts"] == {
        "personal": 40,
        "personal_active": 40,
        "company_active": 0,
        "company_pending": 0,
        "to_review": 0,
        "to_confirm": 0,
    }

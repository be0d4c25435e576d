"""What is somebody else's does not exist: status, body and headers are those of a random id."""

import httpx2
import pytest
from tests.e2e.rest_calls import NOBODY, Rest, body_of, listed, refusal, save

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import Scope

CHANGE: dict[str, object] = {"content": "taken over"}
ROUTES: dict[str, tuple[str, str, dict[str, object] | None, dict[str, str]]] = {
    "get": ("GET", "/memory/items/{}", None, {}),
    "history": ("GET", "/memory/items/{}/history", None, {}),
    "edit the shown version": ("PATCH", "/memory/items/{}", CHANGE, {"If-Match": '"1"'}),
    "edit another version": ("PATCH", "/memory/items/{}", CHANGE, {"If-Match": '"7"'}),
    "delete": ("DELETE", "/memory/items/{}", None, {}),
    "delete another version": ("DELETE", "/memory/items/{}", None, {"If-Match": '"7"'}),
    "replace": ("POST", "/memory/items", CHANGE, {}),
}


def ask(client: httpx2.Client, route: str, item: object) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers, without the date."""
    method, path, body, headers = ROUTES[route]
    if route == "replace":
        body = {**CHANGE, "replaces": item}
    answered = client.request(method, path.format(item), json=body, headers=headers)
    kept = {name: value for name, value in answered.headers.items() if name != "date"}
    return answered.status_code, answered.content, kept


@pytest.mark.requirement("items:privacy:answers-like-a-missing-item")
@pytest.mark.requirement("items:privacy:only-the-owner-reads")
@pytest.mark.requirement("items:privacy:only-the-owner-edits")
@pytest.mark.requirement("items:privacy:only-the-owner-deletes")
@pytest.mark.requirement("items:unit:foreign-personal-item-not-found-by-an-admin")
@pytest.mark.requirement("field:case-02:items")
def test_a_foreign_personal_item_answers_like_a_random_id(rest: Rest) -> None:
    cast = rest.live.world
    owner = rest.by(cast.bob)
    foreign = save(owner, "bob likes green tea")["id"]
    for other in (cast.alice, cast.carol):
        client = rest.by(other)
        for route in ROUTES:
            missing = ask(client, route, NOBODY)
            assert missing[0] == 404
            assert ask(client, route, foreign) == missing, (cast.people[other], route)
    assert body_of(owner.get(f"/memory/items/{foreign}"))["version"] == 1


@pytest.mark.requirement("items:unit:arguments-stay-in-the-servers-workspace")
def test_another_workspaces_company_item_answers_like_a_random_id(rest: Rest) -> None:
    cast = rest.live.world
    foreign = cast.company_item().item.id
    rivals = rest.by(cast.mallory)
    rivals.base_url = f"{rest.live.url}/api/v1/workspaces/{cast.other_workspace}"
    for route in ROUTES:
        assert ask(rivals, route, foreign) == ask(rivals, route, NOBODY), route


def test_another_workspace_answers_like_a_missing_one(rest: Rest) -> None:
    cast = rest.live.world
    save(rest.by(cast.bob))
    client = rest.by(cast.mallory)
    for path in ("", "/members", "/servers", "/tokens", "/invitations", "/memory/status", "/memory/items"):
        base = f"{rest.live.url}/api/v1/workspaces"
        real = client.get(f"{base}/{cast.workspace}{path}")
        missing = client.get(f"{base}/{NOBODY}{path}")
        assert refusal(real) == (404, "not_found"), path
        assert real.content == missing.content, path


@pytest.mark.requirement("items:e2e:admins-list-shows-own-items-only")
def test_an_admins_lists_searches_and_counts_show_own_items_only(rest: Rest) -> None:
    cast = rest.live.world
    save(rest.by(cast.bob), "bob likes green tea", tags=["tea"])
    alice = rest.by(cast.alice)
    own = save(alice, "alice likes oolong tea", tags=["tea"])
    for params in ({}, {"query": "tea"}, {"tag": "tea"}, {"scope": "personal"}):
        assert [item["id"] for item in listed(alice.get("/memory/items", params=params))] == [own["id"]]
    assert body_of(alice.get("/memory/status"))["counts"] == {
        "personal": 1,
        "personal_active": 1,
        "company_active": 0,
        "company_pending": 0,
        "to_review": 0,
        "to_confirm": 0,
    }


@pytest.mark.requirement("items:privacy:personal-memory-for-its-owner-alone")
def test_the_same_text_as_somebody_elses_is_a_new_item(rest: Rest) -> None:
    cast = rest.live.world
    first = save(rest.by(cast.bob), "likes green tea")
    second = save(rest.by(cast.alice), "likes green tea")
    assert first["id"] != second["id"]


@pytest.mark.requirement("items:e2e:admin-cannot-edit-the-members-item")
@pytest.mark.requirement("items:e2e:admin-cannot-delete-the-members-item")
@pytest.mark.requirement("items:e2e:the-member-still-sees-it")
def test_an_admin_neither_edits_nor_deletes_a_members_item(rest: Rest) -> None:
    cast = rest.live.world
    carol, alice = rest.by(cast.carol), rest.by(cast.alice)
    path = f"/memory/items/{save(carol, 'carol likes cocoa')['id']}"
    assert refusal(alice.patch(path, json=CHANGE, headers={"If-Match": '"1"'})) == (404, "not_found")
    assert refusal(alice.delete(path)) == (404, "not_found")
    assert body_of(carol.get(path))["content"] == "carol likes cocoa"


def test_a_pending_proposal_is_missing_for_a_viewer_who_did_not_make_it(rest: Rest) -> None:
    cast = rest.live.world
    cast.set_level(cast.bob, AccessLevel.CONTRIBUTE)
    pending = cast.save(cast.client(cast.bob), "a proposal", scope=Scope.ORGANIZATION).item.id
    carol = rest.by(cast.carol)
    for route in ROUTES:
        assert ask(carol, route, pending) == ask(carol, route, NOBODY), route

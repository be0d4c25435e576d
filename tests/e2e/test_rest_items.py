"""Memory items over REST: saved, found, changed, deleted, as each role may."""

import pytest
from tests.conftest import World
from tests.e2e.rest_calls import NOBODY, Rest, body_of, inner, listed, refusal, save

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import Scope


def contents(items: list[dict[str, object]]) -> list[object]:
    return [item["content"] for item in items]


@pytest.fixture
def cast(rest: Rest) -> World:
    return rest.live.world


@pytest.mark.requirement("items:api:create")
def test_a_member_adds_an_item(rest: Rest, cast: World) -> None:
    item = save(rest.by(cast.bob), "likes green tea", kind="preference", tags=[" Drinks", "drinks"])
    assert (item["content"], item["kind"], item["tags"]) == ("likes green tea", "preference", ["Drinks"])
    assert (item["scope"], item["status"], item["version"]) == ("personal", "active", 1)
    assert item["author"] == {"id": cast.bob, "name": "bob"}


@pytest.mark.requirement("items:model:source-comes-from-the-credential")
def test_the_source_is_the_tokens_name_and_no_argument(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    assert save(bob)["source"] == "Test client"
    refused = bob.post("/memory/items", json={"content": "x", "source": "Claude"})
    assert refusal(refused) == (400, "invalid_request")
    assert body_of(refused)["field"] == "source"


@pytest.mark.requirement("items:api:list")
def test_a_list_shows_the_own_items_and_active_company_memory(rest: Rest, cast: World) -> None:
    cast.company_item("The office closes at six")
    save(rest.by(cast.alice), "alice likes oolong")
    bob = rest.by(cast.bob)
    save(bob, "bob likes green tea")
    assert contents(listed(bob.get("/memory/items"))) == ["bob likes green tea", "The office closes at six"]


def test_a_query_ranks_and_a_list_without_one_is_newest_first(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    for content in ("green tea", "the green door of the green house", "tea and green tea with a green lid"):
        save(bob, content)
    assert contents(listed(bob.get("/memory/items", params={"query": "lid tea"})))[0] == (
        "tea and green tea with a green lid"
    )
    newest = contents(listed(bob.get("/memory/items")))
    assert newest[0] == "tea and green tea with a green lid"
    assert newest[-1] == "green tea"


def test_filters_narrow_a_list(rest: Rest, cast: World) -> None:
    cast.company_item("company fact")
    bob = rest.by(cast.bob)
    save(bob, "own fact", kind="fact", tags=["Käse"])
    save(bob, "own note")

    def found(**params: str) -> list[object]:
        return contents(listed(bob.get("/memory/items", params=params)))

    assert found(scope="organization") == ["company fact"]
    assert found(kind="fact") == ["own fact"]
    assert found(tag="käse") == ["own fact"]
    assert found(scope="personal", kind="note") == ["own note"]
    assert found(query="fact", scope="personal") == ["own fact"]


@pytest.mark.parametrize("query", ["", "tea"])
def test_pages_follow_each_other_without_gap_or_repetition(rest: Rest, cast: World, query: str) -> None:
    bob = rest.by(cast.bob)
    for number in range(7):
        save(bob, f"tea number {number}")
    seen: list[object] = []
    params: dict[str, str | int] = {"query": query, "limit": 3}
    pages = 0
    while params.get("cursor") != "None":
        page = bob.get("/memory/items", params=params)
        seen += contents(listed(page))
        params["cursor"] = str(body_of(page)["next_cursor"])
        pages += 1
    assert sorted(map(str, seen)) == [f"tea number {number}" for number in range(7)]
    assert pages == 3


def test_a_broken_cursor_is_refused(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    for cursor in ("nonsense", "W10", "W1tdXQ==", "é", "a" * 500, "a" * 501, "\0"):
        refused = bob.get("/memory/items", params={"cursor": cursor})
        assert refusal(refused) == (400, "invalid_request")
        assert body_of(refused)["field"] == "cursor"


def test_another_querys_cursor_is_refused(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    save(bob, "one tea")
    save(bob, "two teas")
    cursor = body_of(bob.get("/memory/items", params={"limit": 1}))["next_cursor"]
    refused = bob.get("/memory/items", params={"limit": 1, "query": "tea", "cursor": str(cursor)})
    assert refusal(refused) == (400, "invalid_request")


def test_the_same_text_is_answered_with_the_item_that_exists(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    first = save(bob, "likes green tea")
    again = bob.post("/memory/items", json={"content": "Likes  GREEN tea"})
    assert (again.status_code, body_of(again)["outcome"]) == (200, "already_saved")
    assert inner(again)["id"] == first["id"]


@pytest.mark.requirement("field:case-08")
def test_similar_items_are_named_and_not_merged(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    first = save(bob, "bob likes green tea in the morning")
    answered = bob.post("/memory/items", json={"content": "bob likes green tea in the evening"})
    assert answered.status_code == 201
    similar = body_of(answered)["similar"]
    assert isinstance(similar, list)
    assert [item["id"] for item in similar] == [first["id"]]  # pyright: ignore[reportUnknownVariableType]


def test_replaces_makes_a_new_version_of_the_item(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    old = save(bob, "likes green tea")
    answered = bob.post("/memory/items", json={"content": "likes white tea", "replaces": old["id"]})
    assert (answered.status_code, answered.headers["ETag"]) == (200, '"2"')
    assert inner(answered)["id"] == old["id"]


def test_the_same_idempotency_key_changes_nothing_again(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    request = {"content": "likes green tea"}
    first = bob.post("/memory/items", json=request, headers={"Idempotency-Key": "k1"})
    bob.delete(f"/memory/items/{save(bob, 'another')['id']}")
    again = bob.post("/memory/items", json=request, headers={"Idempotency-Key": "k1"})
    assert inner(again)["id"] == inner(first)["id"]
    assert again.status_code == first.status_code == 201
    other = bob.post("/memory/items", json={"content": "other"}, headers={"Idempotency-Key": "k1"})
    assert refusal(other) == (422, "idempotency_key_reused")
    assert len(listed(bob.get("/memory/items"))) == 1


@pytest.mark.requirement("items:api:edit")
def test_an_item_is_edited_against_the_version_that_was_shown(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    path = f"/memory/items/{save(bob, 'likes green tea', tags=['a'])['id']}"
    shown = bob.get(path).headers["ETag"]
    edited = bob.patch(path, json={"content": "likes white tea"}, headers={"If-Match": shown})
    assert (edited.status_code, edited.headers["ETag"]) == (200, '"2"')
    assert (body_of(edited)["content"], body_of(edited)["tags"]) == ("likes white tea", ["a"])
    stale = bob.patch(path, json={"content": "likes milk"}, headers={"If-Match": shown})
    assert refusal(stale) == (412, "version_mismatch")
    assert body_of(stale)["current"] == 2
    assert body_of(bob.get(path))["content"] == "likes white tea"


def test_an_edit_without_a_version_says_how(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    path = f"/memory/items/{save(bob)['id']}"
    for if_match in (None, "1", '"0"', 'W/"1"', '"1", "2"', "*", '"x"'):
        headers = {} if if_match is None else {"If-Match": if_match}
        refused = bob.patch(path, json={"content": "x"}, headers=headers)
        assert refusal(refused) == (400, "invalid_request"), if_match
        assert body_of(refused)["field"] == "If-Match"
        assert "ETag" in str(body_of(refused)["detail"])


def test_an_edit_that_sets_nothing_is_refused(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    path = f"/memory/items/{save(bob)['id']}"
    assert refusal(bob.patch(path, json={}, headers={"If-Match": '"1"'})) == (400, "invalid_request")


@pytest.mark.requirement("items:api:delete")
def test_an_item_is_deleted_and_then_missing(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    path = f"/memory/items/{save(bob)['id']}"
    assert refusal(bob.delete(path, headers={"If-Match": '"2"'})) == (412, "version_mismatch")
    assert bob.delete(path, headers={"If-Match": '"1"'}).status_code == 204
    for answered in (bob.get(path), bob.delete(path), bob.get(f"{path}/history")):
        assert refusal(answered) == (404, "not_found")
    assert listed(bob.get("/memory/items", params={"query": "tea"})) == []


@pytest.mark.requirement("items:search:index-changes-with-the-item")
def test_an_edit_shows_in_the_next_search(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    path = f"/memory/items/{save(bob, 'likes green tea')['id']}"
    bob.patch(path, json={"content": "likes espresso"}, headers={"If-Match": '"1"'})
    assert listed(bob.get("/memory/items", params={"query": "tea"})) == []
    assert len(listed(bob.get("/memory/items", params={"query": "espresso"}))) == 1


def test_the_history_has_every_version_newest_first(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    path = f"/memory/items/{save(bob, 'likes green tea')['id']}"
    bob.patch(path, json={"content": "likes white tea"}, headers={"If-Match": '"1"'})
    history = listed(bob.get(f"{path}/history"), "revisions")
    assert [(line["version"], line["content"], line["changed_by"]) for line in history] == [
        (2, "likes white tea", "bob"),
        (1, "likes green tea", "bob"),
    ]


@pytest.mark.requirement("items:unit:save-by-a-curator")
def test_a_curators_company_item_is_active_at_once(rest: Rest, cast: World) -> None:
    for curator in (cast.alice, cast.bob):
        item = save(rest.by(curator), f"closes at six says {curator}", scope="organization")
        assert (item["status"], item["scope"]) == ("active", "organization")
        assert item["approver"] == item["author"]


@pytest.mark.requirement("items:e2e:viewer-may-not-add-company-items")
def test_a_viewer_may_not_add_company_items(rest: Rest, cast: World) -> None:
    carol = rest.by(cast.carol)
    refused = carol.post("/memory/items", json={"content": "x", "scope": "organization"})
    assert refusal(refused) == (403, "forbidden")
    in_bulk = carol.post("/memory/items/bulk", json={"items": [{"content": "x", "scope": "organization"}]})
    assert refusal(in_bulk) == (403, "forbidden")
    assert listed(rest.by(cast.alice).get("/memory/items")) == []


@pytest.mark.requirement("items:e2e:viewer-sees-active-company-items")
def test_a_viewer_sees_active_company_items(rest: Rest, cast: World) -> None:
    cast.company_item("The office closes at six")
    cast.set_level(cast.bob, AccessLevel.CONTRIBUTE)
    cast.save(cast.client(cast.bob), "a pending proposal", scope=Scope.ORGANIZATION)
    carol = rest.by(cast.carol)
    assert contents(listed(carol.get("/memory/items"))) == ["The office closes at six"]


@pytest.mark.requirement("items:e2e:viewer-saves-a-personal-item")
def test_a_viewer_saves_a_personal_item(rest: Rest, cast: World) -> None:
    carol = rest.by(cast.carol)
    save(carol, "carol likes cocoa")
    assert contents(listed(carol.get("/memory/items"))) == ["carol likes cocoa"]


@pytest.mark.requirement("items:unit:curators-only-for-company-items")
def test_only_curators_change_company_items(rest: Rest, cast: World) -> None:
    path = f"/memory/items/{cast.company_item().item.id}"
    carol = rest.by(cast.carol)
    edit = {"json": {"content": "closes at seven"}, "headers": {"If-Match": '"1"'}}
    assert refusal(carol.patch(path, **edit)) == (403, "forbidden")  # pyright: ignore[reportArgumentType]
    assert refusal(carol.delete(path)) == (403, "forbidden")
    alice = rest.by(cast.alice)
    assert alice.patch(path, **edit).status_code == 200  # pyright: ignore[reportArgumentType]
    assert alice.delete(path).status_code == 204


def test_what_waits_for_review_is_listed_for_curators_only(rest: Rest, cast: World) -> None:
    carol, bob = rest.by(cast.carol), rest.by(cast.bob)
    for status in ("pending", "rejected"):
        params = {"status": status, "scope": "organization"}
        assert refusal(carol.get("/memory/items", params=params)) == (403, "forbidden")
        assert listed(bob.get("/memory/items", params=params)) == []


def test_bulk_saves_in_order_and_names_what_exists(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    old = save(bob, "one")
    answered = bob.post(
        "/memory/items/bulk", json={"items": [{"content": c} for c in ("two", "one", "three")]}
    )
    lines = listed(answered)
    assert [line["outcome"] for line in lines] == ["saved", "already_saved", "saved"]
    assert lines[1]["id"] == old["id"]
    assert set(contents(listed(bob.get("/memory/items")))) == {"one", "two", "three"}


def test_bulk_saves_all_or_none_and_names_the_bad_one(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    refused = bob.post("/memory/items/bulk", json={"items": [{"content": "fine"}, {"content": " "}]})
    assert refusal(refused) == (400, "invalid_request")
    assert body_of(refused)["field"] == "items.1.content"
    too_many = bob.post("/memory/items/bulk", json={"items": [{"content": str(n)} for n in range(501)]})
    assert refusal(too_many) == (400, "invalid_request")
    assert listed(bob.get("/memory/items")) == []


def test_an_id_that_names_nothing_is_not_found(rest: Rest, cast: World) -> None:
    bob = rest.by(cast.bob)
    for item in (NOBODY, "x", "%00", "..%2f..", "0" * 400):
        assert refusal(bob.get(f"/memory/items/{item}")) == (404, "not_found"), item
        assert refusal(bob.delete(f"/memory/items/{item}")) == (404, "not_found"), item


def test_a_token_capped_at_read_finds_and_does_not_save(rest: Rest, cast: World) -> None:
    save(rest.by(cast.bob), "likes green tea")
    capped = rest.by(cast.bob, max_level=AccessLevel.READ)
    assert len(listed(capped.get("/memory/items", params={"query": "tea"}))) == 1
    refused = capped.post("/memory/items", json={"content": "x"})
    assert refusal(refused) == (403, "level_too_low")
    assert body_of(refused)["need"] == "personal"


def test_a_token_capped_at_personal_saves_no_company_item(rest: Rest, cast: World) -> None:
    capped = rest.by(cast.alice, max_level=AccessLevel.PERSONAL)
    save(capped, "alice likes oolong")
    refused = capped.post("/memory/items", json={"content": "x", "scope": "organization"})
    assert refusal(refused) == (403, "level_too_low")


def test_a_token_capped_at_none_reads_nothing(rest: Rest, cast: World) -> None:
    capped = rest.by(cast.bob, max_level=AccessLevel.NONE)
    assert refusal(capped.get("/memory/items")) == (403, "level_too_low")

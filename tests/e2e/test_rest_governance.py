"""Levels, settings, erasing, accounts, audit, clients and rates over REST, as each role may."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import cast as typed

import httpx2
import pytest
from tests.conftest import World
from tests.e2e.conftest import serving
from tests.e2e.governing import proposal
from tests.e2e.rest_calls import NOBODY, PASSWORD, Json, Rest, body_of, listed, refusal, save

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.item import Scope
from workspace_memory.domain.rate import RateLimits
from workspace_memory.services.authentication import authenticate_token

LEVELS = ("inherit", "none", "read", "personal", "contribute")


@pytest.fixture
def cast(rest: Rest) -> World:
    return rest.live.world


def set_access(client: httpx2.Client, *levels: tuple[str, str]) -> httpx2.Response:
    """Set levels by user id."""
    members = [{"user_id": user, "memory_access": level} for user, level in levels]
    return client.put("/memory/members/access", json={"members": members})


def events(client: httpx2.Client, action: str) -> list[Json]:
    """The events of an action, newest first."""
    return listed(client.get("/audit", params={"action": action}), "events")


def level_of(client: httpx2.Client, user: str) -> object:
    return body_of(client.get(f"/members/{user}"))["memory_access"]


@pytest.mark.requirement("items:access:admin-sets-each-members-level")
@pytest.mark.requirement("items:audit:access-changed-one-row-per-member")
@pytest.mark.requirement("items:e2e:audit-access-from-and-to")
def test_an_admin_sets_levels_and_each_change_is_in_the_audit_log(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    changed = set_access(alice, (cast.bob, "contribute"), (cast.carol, "read"), (cast.alice, "inherit"))
    assert [member["memory_access"] for member in listed(changed, "members")] == [
        "contribute",
        "read",
        "inherit",
    ]
    assert body_of(changed)["changed"] == 2
    logged = events(alice, "MEMORY_ACCESS_CHANGED")
    facts = {str(event["subject"]): typed("Json", event["facts"]) for event in logged}
    assert facts.keys() == {cast.bob, cast.carol}
    assert (facts[cast.bob]["level_from"], facts[cast.bob]["level_to"]) == ("inherit", "contribute")
    assert {event["actor"] for event in logged} == {cast.alice}


@pytest.mark.requirement("field:case-24:governance")
def test_a_lowered_level_holds_from_the_next_call_on(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    set_access(alice, (cast.bob, "contribute"))
    status = rest.by(cast.bob)
    assert body_of(status.get("/memory/status"))["level"] == "contribute"
    set_access(alice, (cast.bob, "none"))
    assert body_of(status.get("/memory/status"))["level"] == "none"


@pytest.mark.requirement("items:e2e:viewer-may-not-change-access")
def test_only_an_admin_changes_a_level(rest: Rest, cast: World) -> None:
    for user in (cast.bob, cast.carol):
        client = rest.by(user)
        assert refusal(set_access(client, (cast.carol, "contribute"))) == (403, "forbidden")
        single = client.patch(f"/members/{cast.carol}", json={"memory_access": "contribute"})
        assert refusal(single) == (403, "forbidden")
    assert level_of(rest.by(cast.alice), cast.carol) == "inherit"


@pytest.mark.requirement("items:e2e:invalid-level-is-400")
def test_a_level_that_does_not_exist_is_refused_with_those_that_do(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    for level in ("write", "", "NONE", None):
        answers = [
            set_access(alice, (cast.bob, typed("str", level))),
            alice.patch("/memory/settings", json={"default_access": "write"}),
        ]
        for refused in answers:
            assert refusal(refused) == (400, "invalid_request")
            assert all(each in str(body_of(refused)["reason"]) for each in LEVELS)
    inherit = alice.patch("/memory/settings", json={"default_access": "inherit"})
    assert (refusal(inherit), body_of(inherit)["field"]) == ((400, "invalid_request"), "default_access")


@pytest.mark.requirement("items:api:access-by-admins-up-to-500")
@pytest.mark.requirement("items:unit:access-changes")
def test_levels_change_for_all_named_members_or_for_none(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    too_many = set_access(alice, *[(f"user {n}", "read") for n in range(501)])
    assert (refusal(too_many), body_of(too_many)["field"]) == ((400, "invalid_request"), "members")
    assert "500" in str(body_of(too_many)["reason"])
    assert refusal(set_access(alice, *[(f"user {n}", "read") for n in range(500)])) == (404, "not_found")
    for other in (cast.mallory, NOBODY, "x"):
        refused = set_access(alice, (cast.bob, "read"), (other, "read"))
        assert refusal(refused) == (404, "not_found")
    for twice_or_none in ([(cast.bob, "read"), (cast.bob, "none")], []):
        assert refusal(set_access(alice, *twice_or_none)) == (400, "invalid_request")
    assert level_of(alice, cast.bob) == "inherit"
    assert events(alice, "MEMORY_ACCESS_CHANGED") == []


@pytest.mark.requirement("items:settings:default-access-can-be-set")
def test_members_who_inherit_follow_the_default_access(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    set_access(alice, (cast.carol, "read"))
    changed = alice.patch("/memory/settings", json={"default_access": "contribute"})
    assert body_of(changed) == {
        "default_access": "contribute",
        "write_mode": "approval",
        "assistant_tokens_per_day": 2_000_000,
    }
    assert body_of(rest.by(cast.bob).get("/memory/status"))["level"] == "contribute"
    assert body_of(rest.by(cast.carol).get("/memory/status"))["level"] == "read"


@pytest.mark.requirement("items:settings:admin-sets-whether-approval-is-needed")
@pytest.mark.requirement("items:settings:write-mode-can-be-auto")
@pytest.mark.requirement("items:e2e:auto-mode-is-active-at-once")
@pytest.mark.requirement("items:save:company-item-is-active-under-auto")
def test_under_auto_a_clients_company_item_is_found_at_once(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    alice.patch("/memory/settings", json={"write_mode": "auto"})
    item = proposal(cast)
    [found] = listed(alice.get("/memory/items", params={"query": "stamp"}))
    assert (found["id"], found["status"]) == (item.id, "active")
    alice.patch("/memory/settings", json={"write_mode": "approval"})
    assert proposal(cast, "two stamps for a pot").status == "pending"


@pytest.mark.requirement("items:api:settings-by-admins")
@pytest.mark.requirement("items:audit:settings-changed")
@pytest.mark.requirement("items:e2e:audit-settings-from-and-to")
def test_only_admins_change_settings_and_the_change_is_logged(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    for user in (cast.bob, cast.carol):
        refused = rest.by(user).patch("/memory/settings", json={"write_mode": "auto"})
        assert refusal(refused) == (403, "forbidden")
        assert body_of(rest.by(user).get("/memory/settings"))["write_mode"] == "approval"
    assert events(alice, "MEMORY_SETTINGS_CHANGED") == []
    alice.patch("/memory/settings", json={"write_mode": "auto", "default_access": "read"})
    [event] = events(alice, "MEMORY_SETTINGS_CHANGED")
    facts = typed("Json", event["facts"])
    assert (facts["write_mode_from"], facts["write_mode_to"]) == ("approval", "auto")
    assert (facts["default_access_from"], facts["default_access_to"]) == ("personal", "read")
    assert (facts["assistant_tokens_from"], facts["assistant_tokens_to"]) == (2_000_000, 2_000_000)
    for bad in ({}, {"write_mode": "manual"}, {"write_mode": "auto", "other": 1}):
        assert refusal(alice.patch("/memory/settings", json=bad)) == (400, "invalid_request")


@pytest.mark.requirement("items:erase:without-reading")
@pytest.mark.requirement("items:api:erase-by-admins")
@pytest.mark.requirement("items:e2e:admin-erases-without-reading")
@pytest.mark.requirement("items:e2e:audit-erased")
@pytest.mark.requirement("items:audit:erased")
def test_an_admin_erases_a_members_memory_and_is_told_a_count(rest: Rest, cast: World) -> None:
    alice, carol = rest.by(cast.alice), rest.by(cast.carol)
    save(carol, "carol likes cocoa")
    kept = save(alice, "alice likes oolong")
    erase = f"/memory/members/{cast.carol}/personal"
    assert refusal(rest.by(cast.bob).delete(erase)) == (403, "forbidden")
    for other in (NOBODY, cast.mallory, "x"):
        assert refusal(alice.delete(f"/memory/members/{other}/personal")) == (404, "not_found")
    erased = alice.delete(erase)
    assert (erased.status_code, body_of(erased)["personal_items"]) == (200, 1)
    assert body_of(erased).keys() == {"personal_items", "remains"}
    assert "cocoa" not in erased.text
    assert listed(carol.get("/memory/items")) == []
    assert [item["id"] for item in listed(alice.get("/memory/items"))] == [kept["id"]]
    [event] = events(alice, "MEMORY_ERASED")
    assert (event["subject"], typed("Json", event["facts"])["personal_items"]) == (cast.carol, 1)


@pytest.mark.requirement("items:erase:account-deletion-cascades")
def test_a_person_deletes_the_own_account_with_its_password(rest: Rest, cast: World) -> None:
    save(rest.by(cast.carol), "carol likes cocoa")
    by_token = rest.by(cast.carol)
    own = rest.signed_in("carol@example.com")

    def delete_me(client: httpx2.Client, password: str) -> httpx2.Response:
        return client.request("DELETE", f"{rest.live.url}/api/v1/me", json={"password": password})

    assert refusal(delete_me(by_token, PASSWORD)) == (403, "forbidden")
    assert refusal(delete_me(own, "wrong horse battery staple")) == (401, "sign_in_refused")
    deleted = delete_me(own, PASSWORD)
    assert (deleted.status_code, body_of(deleted)["personal_items"]) == (200, 1)
    assert refusal(by_token.get("/memory/items")) == (401, "not_authenticated")
    assert refusal(own.get("/me")) == (401, "not_authenticated")
    assert refusal(rest.by(cast.alice).get(f"/members/{cast.carol}")) == (404, "not_found")


def test_the_last_admin_cannot_delete_the_own_account(rest: Rest, cast: World) -> None:
    alice = rest.signed_in("alice@example.com")
    refused = alice.request("DELETE", "/me", json={"password": PASSWORD})
    assert refusal(refused) == (409, "last_admin")
    assert alice.get("/me").status_code == 200


def test_the_audit_log_is_filtered_and_continues_with_its_cursor(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    for level in ("read", "none", "personal"):
        set_access(alice, (cast.bob, level))
    cast.clock.move(timedelta(days=1))
    set_access(alice, (cast.carol, "read"))

    def numbers(**params: str) -> list[object]:
        return [event["number"] for event in listed(alice.get("/audit", params=params), "events")]

    assert len(numbers(action="MEMORY_ACCESS_CHANGED", subject=cast.bob)) == 3
    assert len(numbers(action="MEMORY_ACCESS_CHANGED", since="2026-11-03T00:00:00Z")) == 1
    assert len(numbers(action="MEMORY_ACCESS_CHANGED", until="2026-11-03T00:00:00Z")) == 3
    assert numbers(actor=NOBODY) == []
    every = numbers()
    first = alice.get("/audit", params={"limit": 2})
    following = numbers(cursor=str(body_of(first)["next_cursor"]))
    assert [event["number"] for event in listed(first, "events")] + following == every
    for name, bad in (
        ("cursor", "nonsense"),
        ("cursor", "9" * 16),
        ("action", "SOMETHING"),
        ("since", "2026-11-03"),
    ):
        refused = alice.get("/audit", params={name: bad})
        assert (refusal(refused), body_of(refused)["field"]) == ((400, "invalid_request"), name)


def test_the_chain_is_checked_against_an_exported_head(rest: Rest, cast: World) -> None:
    alice = rest.by(cast.alice)
    set_access(alice, (cast.bob, "read"))
    head = body_of(alice.get("/audit/head"))
    set_access(alice, (cast.bob, "none"))
    whole = body_of(alice.get("/audit/verify", params=typed("dict[str, str]", head)))
    assert (whole["whole"], whole["head"]) == (True, body_of(alice.get("/audit/head")))
    forged = body_of(alice.get("/audit/verify", params={"number": str(head["number"]), "hash": "0" * 64}))
    assert (forged["whole"], forged["broken_at"]) == (False, head["number"])
    cut = body_of(alice.get("/audit/verify", params={"number": "999", "hash": "0" * 64}))
    assert cut["whole"] is False
    for bad in (
        {"number": "1"},
        {"hash": "0" * 64},
        {"number": "-1", "hash": "0" * 64},
        {"number": "1", "hash": "x"},
    ):
        assert refusal(alice.get("/audit/verify", params=bad)) == (400, "invalid_request")


def test_the_audit_log_clients_and_licence_are_for_admins(rest: Rest, cast: World) -> None:
    for user in (cast.bob, cast.carol):
        client = rest.by(user)
        for path in ("/audit", "/audit/head", "/audit/verify", "/clients", "/licence"):
            assert refusal(client.get(path)) == (403, "forbidden"), path
        assert refusal(client.put("/licence", json={"licence_key": "x"})) == (403, "forbidden")
        assert refusal(client.delete("/licence")) == (403, "forbidden")
    capped = rest.by(cast.alice, max_level=AccessLevel.PERSONAL)
    assert refusal(capped.get("/audit")) == (403, "level_too_low")


def token_client(rest: Rest, cast: World) -> Actor:
    """An AI client of bob with a token that the workspace knows."""
    cast.set_level(cast.bob, AccessLevel.CONTRIBUTE)
    secret = rest.live.token(cast.bob, name="Stray client")
    return authenticate_token(cast.deps, secret, channel=Channel.CLIENT)


def undo(client: httpx2.Client, token: object, **body: object) -> httpx2.Response:
    return client.request("DELETE", f"/clients/{token}/items", json=body)


def test_what_one_client_saved_is_counted_and_then_removed(rest: Rest, cast: World) -> None:
    alice, actor = rest.by(cast.alice), token_client(rest, cast)
    cast.save(actor, "from before")
    cast.clock.move(timedelta(hours=1))
    since = cast.clock.now().isoformat()
    cast.save(actor, "a stray note")
    cast.save(actor, "a stray proposal", scope=Scope.ORGANIZATION)
    kept = save(rest.by(cast.bob), "bob by another token")
    [seen] = [
        each
        for each in listed(alice.get("/clients"), "clients")
        if typed("Json", each["token"])["name"] == "Stray client"
    ]
    assert (seen["user_id"], seen["user_name"], seen["company_items"]) == (cast.bob, "bob", 1)
    planned = body_of(undo(alice, actor.token, since=since))
    assert (planned["dry_run"], planned["company_removed"], planned["personal_removed"]) == (True, 1, None)
    assert len(listed(alice.get("/memory/review"), "entries")) == 1
    done = undo(alice, actor.token, since=since, dry_run=False)
    assert (body_of(done)["company_removed"], body_of(done)["personal_removed"]) == (1, 1)
    assert "stray" not in done.text
    left = [item["content"] for item in listed(rest.by(cast.bob).get("/memory/items"))]
    assert left == [kept["content"], "from before"]
    assert len(events(alice, "CLIENT_ITEMS_REMOVED")) == 1
    # Cutting it off is revoking its token.
    assert alice.delete(f"/tokens/{actor.token}").status_code == 204


def test_a_members_client_is_nobody_elses_to_undo_but_an_admins(rest: Rest, cast: World) -> None:
    token = token_client(rest, cast).token
    since = "2026-11-02T00:00:00Z"
    for client, wanted in ((rest.by(cast.carol), token), (rest.by(cast.alice), NOBODY)):
        assert refusal(undo(client, wanted, since=since, dry_run=False)) == (404, "not_found")
    assert undo(rest.by(cast.bob), token, since=since).status_code == 200
    for bad in ({}, {"since": "2026-11-02"}, {"since": since, "dry_run": "no"}):
        assert refusal(undo(rest.by(cast.alice), token, **bad)) == (400, "invalid_request")


@pytest.fixture
def limited(world: World) -> Iterator[Rest]:
    """A server that allows three saves and two searches per token and minute."""
    rates = RateLimits(saves=3, searches=2)
    with serving(replace(world, deps=replace(world.deps, rates=rates))) as live:
        clients = Rest(live)
        yield clients
        clients.close()


def test_a_tokens_saves_are_limited_per_minute_and_say_when_to_return(limited: Rest) -> None:
    cast = limited.live.world
    bob = limited.by(cast.bob)
    bulk = {"items": [{"content": f"bulk {n}"} for n in range(10)]}
    assert bob.post("/memory/items/bulk", json=bulk).status_code == 200
    save(bob, "two")
    save(bob, "three")
    cast.clock.move(timedelta(seconds=40))
    refused = bob.post("/memory/items", json={"content": "four"})
    assert refusal(refused) == (429, "rate_limited")
    assert (refused.headers["Retry-After"], body_of(refused)["retry_after"]) == ("20", 20)
    save(limited.by(cast.bob), "four by another token")
    cast.clock.move(timedelta(seconds=20))
    save(bob, "five")


def test_a_tokens_searches_are_limited_and_a_session_is_not(limited: Rest) -> None:
    cast = limited.live.world
    bob = limited.by(cast.bob)
    answers = [bob.get("/memory/items", params={"query": "tea"}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    session = limited.signed_in("bob@example.com")
    path = f"/workspaces/{cast.workspace}/memory/items"
    assert {session.get(path).status_code for _ in range(5)} == {200}

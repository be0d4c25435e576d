"""Keys over HTTP: own keys, workspace keys, key sessions by header and by cookie, and what is malformed."""

import logging
from typing import cast

import httpx2
import pytest
from tests.contract.keyed import Keyed, a_wrapping
from tests.contract.memory_stage import Stage
from tests.e2e.conftest import Live
from tests.e2e.key_calls import (
    b64,
    check_json,
    grant_json,
    keys_json,
    public_json,
    session_request,
    wrapping_json,
)
from tests.e2e.rest_calls import NOBODY, PASSWORD, Json, Rest, body_of, inner, listed, refusal

from workspace_memory.crypto.errors import KeySessionNotHeld
from workspace_memory.crypto.key_wrapping import sign_wrapping
from workspace_memory.crypto.session_sealing import new_session_token, read_session_token
from workspace_memory.crypto.user_keys import new_user_keys
from workspace_memory.crypto.workspace_keys import new_workspace_key, wrap_older
from workspace_memory.domain.ids import KeySessionId, UserId
from workspace_memory.domain.rate import RateLimits
from workspace_memory.services.key_sessions import list_key_sessions


@pytest.fixture
def keyed(live: Live) -> Keyed:
    """Alice and bob hold the workspace key."""
    made = Keyed(live.world)
    made.set_up(live.world.alice, live.world.bob)
    made.start(live.world.alice)
    made.grant(live.world.alice, live.world.bob)
    return made


def anywhere(rest: Rest, user: UserId) -> httpx2.Client:
    """A client with a token whose paths begin below /api/v1."""
    client = rest.by(user)
    client.base_url = f"{rest.live.url}/api/v1"
    return client


def sessions_url(rest: Rest) -> str:
    return f"/workspaces/{rest.live.world.workspace}/key-sessions"


def is_held(keyed: Keyed, session: str, token: str, user: UserId) -> bool:
    world = keyed.world
    try:
        raw = read_session_token(token)
        return (
            world.deps.key_store.borrow(session, token=raw, user=user, workspace=world.workspace) == keyed.key
        )
    except KeySessionNotHeld:
        return False


# --- Own keys ------------------------------------------------------------------------------------------------


def test_own_keys_are_set_up_once_read_and_wrapped_anew(rest: Rest) -> None:
    cast_ = rest.live.world
    client, keys = anywhere(rest, cast_.bob), new_user_keys()
    assert refusal(client.get("/me/keys")) == (404, "not_found")
    first = keys_json(keys)
    made = client.put("/me/keys", json=first)
    assert made.status_code == 201
    found = body_of(client.get("/me/keys"))
    assert found == body_of(made)
    assert {name: found[name] for name in first} == first
    assert (found["version"], found["user_id"]) == (1, cast_.bob)
    assert refusal(client.put("/me/keys", json=keys_json())) == (409, "keys_exist")
    wrapping = a_wrapping(passes=5)
    signature = b64(sign_wrapping(keys, cast_.bob, 1, wrapping))
    change: Json = {"version": 1, "wrapping": wrapping_json(wrapping), "signature": signature}
    changed = body_of(client.patch("/me/keys", json=change))
    assert (changed["version"], changed["wrapping"]) == (2, change["wrapping"])
    assert changed["public_keys"] == public_json(keys)
    stale = client.patch("/me/keys", json=change)
    assert refusal(stale) == (412, "version_mismatch")
    assert body_of(stale)["current"] == 2


def test_public_keys_cannot_be_changed_by_wrapping_anew(rest: Rest) -> None:
    client = anywhere(rest, rest.live.world.bob)
    assert client.put("/me/keys", json=keys_json()).status_code == 201
    before = body_of(client.get("/me/keys"))
    change = {"version": 1, "wrapping": wrapping_json(a_wrapping()), "signature": b64(bytes(64))}
    assert refusal(client.patch("/me/keys", json=change)) == (400, "invalid_request")
    assert refusal(client.patch("/me/keys", json={**change, **keys_json()})) == (400, "invalid_request")
    assert body_of(client.get("/me/keys")) == before


def test_lost_keys_are_replaced_signed_in_and_with_the_password(rest: Rest, keyed: Keyed) -> None:
    signed_in = rest.signed_in("bob@example.com")
    body = {**keys_json(), "password": PASSWORD}
    token = anywhere(rest, keyed.world.bob)
    assert refusal(token.post("/me/keys/replacement", json=body)) == (403, "forbidden")
    wrong = {**body, "password": "not the password of bob"}
    assert refusal(signed_in.post("/me/keys/replacement", json=wrong)) == (401, "sign_in_refused")
    replaced = signed_in.post("/me/keys/replacement", json=body)
    assert (replaced.status_code, body_of(replaced)["public_keys"]) == (200, body["public_keys"])
    assert body_of(rest.by(keyed.world.bob).get("/keys"))["own_grant"] is None


@pytest.mark.parametrize(
    "text",
    ["", "AAAA", "A" * 42, "A" * 44, f"{'A' * 42}B", f"{'A' * 42}=", "é" * 43, f"{'A' * 41}+/", None, 7, []],
)
def test_bytes_have_one_form_and_one_length_and_are_not_repeated(rest: Rest, text: object) -> None:
    body = keys_json()
    public = {**cast("Json", body["public_keys"]), "x25519": text}
    refused = anywhere(rest, rest.live.world.bob).put("/me/keys", json={**body, "public_keys": public})
    assert refusal(refused) == (400, "invalid_request")
    assert body_of(refused)["field"] == "public_keys.x25519"
    assert not isinstance(text, str) or len(text) < 9 or text not in refused.text


# --- Workspace keys ------------------------------------------------------------------------------------------


def test_a_key_is_started_granted_and_followed_by_another_over_http(rest: Rest) -> None:
    cast_ = rest.live.world
    keyed, clients = Keyed(cast_), {user: rest.by(user) for user in (cast_.alice, cast_.bob, cast_.carol)}
    for user in (cast_.alice, cast_.bob):
        keyed.keys[user] = new_user_keys()
        assert anywhere(rest, user).put("/me/keys", json=keys_json(keyed.keys[user])).status_code == 201
    key = new_workspace_key(cast_.workspace)
    start: Json = {
        **check_json(keyed.made_check(cast_.alice, key)),
        "grant": grant_json(keyed.made_grant(cast_.alice, cast_.alice, key)),
    }
    started = clients[cast_.alice].post("/keys", json=start)
    assert (started.status_code, body_of(started)["epoch"]) == (201, 1)
    assert refusal(clients[cast_.alice].post("/keys", json=start)) == (409, "epoch_conflict")
    waiting = body_of(clients[cast_.bob].get("/keys"))
    assert waiting["own_grant"] is None
    assert [
        (each["name"], each["standing"]) for each in listed(clients[cast_.carol].get("/keys"), "members")
    ] == [
        ("alice", "holds"),
        ("bob", "waiting"),
        ("carol", "no_keys"),
    ]
    grant = grant_json(keyed.made_grant(cast_.alice, cast_.bob, key))
    assert clients[cast_.alice].post("/keys/grants", json={"epoch": 1, "grant": grant}).status_code == 201
    own = inner(clients[cast_.bob].get("/keys"), "own_grant")
    assert (own["sealed"], own["granter_id"]) == (grant["sealed"], cast_.alice)
    next_key = new_workspace_key(cast_.workspace, 2)
    rotation: Json = {
        "epoch": 2,
        **check_json(keyed.made_check(cast_.bob, next_key)),
        "older_sealed": b64(wrap_older(next_key, key)),
        "grants": [
            grant_json(keyed.made_grant(cast_.bob, each, next_key)) for each in (cast_.alice, cast_.bob)
        ],
    }
    left_out = {**rotation, "grants": cast("list[Json]", rotation["grants"])[1:]}
    assert refusal(clients[cast_.bob].post("/keys/rotation", json=left_out)) == (409, "key_holders_changed")
    rotated = clients[cast_.bob].post("/keys/rotation", json=rotation)
    assert (rotated.status_code, body_of(rotated)["epoch"]) == (201, 2)
    assert [each["older_sealed"] for each in listed(clients[cast_.alice].get("/keys"), "epochs")] == [
        rotation["older_sealed"],
        None,
    ]


def test_a_lost_key_is_begun_anew_by_a_field_of_its_own_and_not_by_accident(rest: Rest) -> None:
    cast_ = rest.live.world
    keyed, alice = Keyed(cast_), rest.by(cast_.alice)
    keyed.set_up(cast_.alice, cast_.bob)
    keyed.start(cast_.bob)
    key = new_workspace_key(cast_.workspace, 2)
    start: Json = {
        **check_json(keyed.made_check(cast_.alice, key)),
        "grant": grant_json(keyed.made_grant(cast_.alice, cast_.alice, key)),
    }
    assert refusal(alice.post("/keys", json={**start, "lost_epoch": 1})) == (409, "key_still_held")
    assert body_of(alice.get("/keys"))["nobody_holds"] is False
    removed = alice.delete(f"/members/{cast_.bob}")
    assert body_of(removed) == {"personal_items": 0, "key_due": "new_beginning"}
    assert body_of(alice.get("/keys"))["nobody_holds"] is True
    assert refusal(alice.post("/keys", json=start)) == (409, "epoch_conflict")
    begun = alice.post("/keys", json={**start, "lost_epoch": 1})
    assert (begun.status_code, body_of(begun)["epoch"], body_of(begun)["nobody_holds"]) == (201, 2, False)
    assert [each["older_sealed"] for each in listed(alice.get("/keys"), "epochs")] == [None, None]


def test_deactivating_a_holder_answers_that_a_rotation_is_due(rest: Rest, keyed: Keyed) -> None:
    cast_ = rest.live.world
    alice = rest.by(cast_.alice)
    assert body_of(alice.patch(f"/members/{cast_.bob}", json={"role": "viewer"}))["key_due"] == "nothing"
    answered = alice.patch(f"/members/{cast_.bob}", json={"status": "deactivated"})
    assert (body_of(answered)["status"], body_of(answered)["key_due"]) == ("deactivated", "rotation")


def test_a_forged_signature_is_told_as_such(rest: Rest, keyed: Keyed) -> None:
    cast_ = rest.live.world
    keyed.set_up(cast_.carol)
    grant = keyed.made_grant(cast_.alice, cast_.carol, signer=cast_.bob)
    refused = rest.by(cast_.alice).post("/keys/grants", json={"epoch": 1, "grant": grant_json(grant)})
    assert refusal(refused) == (400, "invalid_request")
    assert "not the caller's own" in str(body_of(refused)["reason"])


# --- Key sessions --------------------------------------------------------------------------------------------


def test_an_agent_opens_lists_and_revokes_by_the_header(rest: Rest, keyed: Keyed) -> None:
    bob = keyed.world.bob
    client = rest.by(bob)
    body, token = session_request(keyed.key, bob)
    opened = client.post("/key-sessions", json=body, headers={"X-Key-Session": token})
    assert opened.status_code == 201
    session = body_of(opened)
    assert (session["way"], session["name"], session["epoch"]) == ("header", "laptop", 1)
    assert "set-cookie" not in opened.headers
    assert token not in opened.text
    assert is_held(keyed, str(session["id"]), token, bob)
    assert listed(client.get("/key-sessions"), "key_sessions") == [
        {**session, "held": True, "in_this_browser": False}
    ]
    assert listed(rest.by(keyed.world.alice).get("/key-sessions"), "key_sessions") == []
    assert client.delete(f"/key-sessions/{session['id']}").status_code == 204
    assert not is_held(keyed, str(session["id"]), token, bob)
    assert listed(client.get("/key-sessions"), "key_sessions") == []
    assert client.delete(f"/key-sessions/{session['id']}").status_code == 204


def test_a_session_whose_key_is_gone_says_so_and_admits_no_turn(rest: Rest, keyed: Keyed) -> None:
    Stage(keyed.world, keyed.key).set_ai(True)
    client = rest.by(keyed.world.bob)
    body, token = session_request(keyed.key, keyed.world.bob)
    opened = body_of(client.post("/key-sessions", json=body, headers={"X-Key-Session": token}))
    keyed.world.deps.key_store.drop(str(opened["id"]))
    assert [each["held"] for each in listed(client.get("/key-sessions"), "key_sessions")] == [False]
    talk = body_of(client.post("/conversations"))["id"]
    url = f"{rest.live.url}/api/v1/automation/workspaces/{keyed.world.workspace}/admissions"
    headers = {"X-Key-Session": token, "Idempotency-Key": "turn"}
    refused = client.post(url, json={"conversation_id": talk}, headers=headers)
    assert refusal(refused) == (403, "key_session_required")


def test_no_log_has_a_token_or_a_key(rest: Rest, keyed: Keyed, caplog: pytest.LogCaptureFixture) -> None:
    bob = keyed.world.bob
    client = rest.by(bob)
    body, token = session_request(keyed.key, bob)
    with caplog.at_level(logging.DEBUG):
        for text in (token, f"{token}x", token[:-1]):
            client.post("/key-sessions", json=body, headers={"X-Key-Session": text})
            client.post("/key-sessions", json={**body, "epoch": 9}, headers={"X-Key-Session": text})
            client.delete(f"/key-sessions/{text}")
    assert "/key-sessions" in caplog.text
    ours = "\n".join(each.getMessage() for each in caplog.records if each.name.startswith("workspace_memory"))
    assert ours
    for secret in (token[:-1], str(body["sealed"]), keyed.key.secret.hex()):
        assert secret not in ours


@pytest.mark.parametrize("by", ["token", "session"])
def test_a_key_session_is_revoked_by_its_id_alone(rest: Rest, keyed: Keyed, by: str) -> None:
    bob = keyed.world.bob
    session, _ = keyed.open_session(bob)
    client = anywhere(rest, bob) if by == "token" else rest.signed_in("bob@example.com")
    # A new password ends what was open before.
    session, token = keyed.open_session(bob)
    for other in (anywhere(rest, keyed.world.mallory), anywhere(rest, keyed.world.carol)):
        assert refusal(other.delete(f"/automation/key-sessions/{session.id}")) == (404, "not_found")
    assert refusal(client.delete(f"/automation/key-sessions/{NOBODY}")) == (404, "not_found")
    assert client.delete(f"/automation/key-sessions/{session.id}").status_code == 204
    assert not is_held(keyed, session.id, b64(token), bob)


def test_a_browser_gets_the_token_as_a_cookie(rest: Rest, keyed: Keyed) -> None:
    bob = keyed.world.bob
    browser = rest.signed_in("bob@example.com")
    body, token = session_request(keyed.key, bob)
    opened = browser.post(sessions_url(rest), json=body, headers={"X-Key-Session": token})
    assert (opened.status_code, body_of(opened)["way"]) == (201, "cookie")
    name = f"wm-ks-{body_of(opened)['id']}"
    sent = opened.headers["set-cookie"]
    assert sent.startswith(f"{name}={keyed.world.workspace}.{token};")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= {part.strip() for part in sent.split(";")}
    assert "max-age" not in sent.lower()
    assert "expires" not in sent.lower()
    assert "secure" not in sent.lower()
    assert browser.cookies[name].endswith(token)


def test_a_program_is_given_a_session_in_the_browser_whose_token_becomes_no_cookie(
    rest: Rest, keyed: Keyed
) -> None:
    bob = keyed.world.bob
    browser = rest.signed_in("bob@example.com")
    for way in ("cookie", "header"):
        body, token = session_request(keyed.key, bob)
        opened = browser.post(sessions_url(rest), json={**body, "way": way}, headers={"X-Key-Session": token})
        assert (opened.status_code, body_of(opened)["way"]) == (201, way)
    assert "set-cookie" not in opened.headers
    assert is_held(keyed, str(body_of(opened)["id"]), token, bob)
    shown = listed(browser.get(sessions_url(rest)), "key_sessions")
    assert [(each["way"], each["in_this_browser"]) for each in shown] == [("header", False), ("cookie", True)]
    browser.post("/sign-out", headers={"Content-Type": "application/json"})
    assert is_held(keyed, str(body_of(opened)["id"]), token, bob)


def test_a_token_asks_for_no_cookie(rest: Rest, keyed: Keyed) -> None:
    body, token = session_request(keyed.key, keyed.world.bob)
    sent = rest.by(keyed.world.bob).post(
        "/key-sessions", json={**body, "way": "cookie"}, headers={"X-Key-Session": token}
    )
    assert refusal(sent) == (400, "invalid_request")


def test_another_session_of_the_same_browser_takes_the_place_of_the_cookie(rest: Rest, keyed: Keyed) -> None:
    browser = rest.signed_in("bob@example.com")
    names: list[str] = []
    for _ in range(2):
        body, token = session_request(keyed.key, keyed.world.bob)
        opened = browser.post(sessions_url(rest), json=body, headers={"X-Key-Session": token})
        assert opened.status_code == 201
        names.append(f"wm-ks-{body_of(opened)['id']}")
    assert [name for name in browser.cookies if name.startswith("wm-ks-")] == names[1:]
    here = [each["in_this_browser"] for each in listed(browser.get(sessions_url(rest)), "key_sessions")]
    assert here == [True, False]


def test_revoking_and_signing_out_take_the_cookies_back(rest: Rest, keyed: Keyed) -> None:
    bob = keyed.world.bob
    browser = rest.signed_in("bob@example.com")
    for end in ("revoke", "sign out"):
        body, token = session_request(keyed.key, bob)
        opened = browser.post(sessions_url(rest), json=body, headers={"X-Key-Session": token})
        session = KeySessionId(str(body_of(opened)["id"]))
        assert is_held(keyed, session, token, bob)
        ended = (
            browser.delete(f"{sessions_url(rest)}/{session}")
            if end == "revoke"
            else browser.post("/sign-out", headers={"Content-Type": "application/json"})
        )
        assert ended.status_code == 204
        assert [name for name in browser.cookies if name.startswith("wm-ks-")] == [], end
        assert not is_held(keyed, session, token, bob), end
    assert list_key_sessions(keyed.world.deps, keyed.hand(bob), keyed.world.workspace) == []


def test_a_wrong_key_is_not_proved(rest: Rest, keyed: Keyed) -> None:
    bob = keyed.world.bob
    client = rest.by(bob)
    body, token = session_request(new_workspace_key(keyed.world.workspace), bob)
    headers = {"X-Key-Session": token}
    assert refusal(client.post("/key-sessions", json=body, headers=headers)) == (422, "key_not_proved")
    body, _ = session_request(keyed.key, bob)
    assert refusal(client.post("/key-sessions", json=body, headers=headers)) == (422, "key_not_proved")
    body, token = session_request(keyed.key, keyed.world.alice)
    headers = {"X-Key-Session": token}
    assert refusal(client.post("/key-sessions", json=body, headers=headers)) == (422, "key_not_proved")
    assert refusal(client.post("/key-sessions", json={**body, "epoch": 2}, headers=headers)) == (
        409,
        "epoch_conflict",
    )


@pytest.mark.parametrize(
    "headers",
    [
        [],
        ["not-a-token"],
        [f"{'A' * 42}="],
        ["A" * 44],
        [b64(new_session_token())] * 2,
        [f"{b64(new_session_token())},{b64(new_session_token())}"],
    ],
)
def test_the_header_comes_once_and_is_a_token(rest: Rest, keyed: Keyed, headers: list[str]) -> None:
    body, _ = session_request(keyed.key, keyed.world.bob)
    sent = [("X-Key-Session", each) for each in headers]
    refused = rest.by(keyed.world.bob).post("/key-sessions", json=body, headers=sent)
    assert refusal(refused) == (400, "invalid_request")
    assert body_of(refused)["field"] == "X-Key-Session"
    assert not any(each in refused.text for each in headers)


def test_opened_key_sessions_are_counted_per_token(rest: Rest, keyed: Keyed) -> None:
    world = keyed.world
    object.__setattr__(world.deps, "rates", RateLimits(key_sessions=2))
    client = rest.by(world.bob)
    answered: list[int] = []
    for _ in range(3):
        body, token = session_request(keyed.key, world.bob)
        answered.append(client.post("/key-sessions", json=body, headers={"X-Key-Session": token}).status_code)
    assert answered == [201, 201, 429]


def test_a_removed_members_key_session_is_dead(rest: Rest, keyed: Keyed) -> None:
    bob = keyed.world.bob
    client = rest.by(bob)
    body, token = session_request(keyed.key, bob)
    opened = client.post("/key-sessions", json=body, headers={"X-Key-Session": token})
    assert rest.by(keyed.world.alice).delete(f"/members/{bob}").status_code == 200
    assert not is_held(keyed, str(body_of(opened)["id"]), token, bob)
    assert client.get("/key-sessions").status_code == 401
    assert body_of(rest.by(keyed.world.alice).get("/keys"))["rotation_due"] is True

"""Sign-in, sessions, cookies, one-time links, and how tokens are refused."""

from datetime import UTC, datetime, timedelta

import httpx2
from tests.e2e.rest_calls import NOBODY, PASSWORD, Rest, body_of, listed, refusal, save

from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.actor import Surface
from workspace_memory.services.accounts import deactivate_account_here
from workspace_memory.services.members import change_member
from workspace_memory.services.tokens import make_token_here

NEW_PASSWORD = "a new and longer password"


def sign_in(client: httpx2.Client, email: str, password: str) -> httpx2.Response:
    return client.post("/sign-in", json={"email": email, "password": password})


def secret_of(link: object) -> str:
    return str(link).partition("#")[2]


def test_a_session_reaches_every_workspace_of_its_user(rest: Rest) -> None:
    alice = rest.signed_in("alice@example.com")
    assert body_of(alice.get("/me"))["email"] == "alice@example.com"
    made = alice.post("/workspaces", json={"name": "Second shop"})
    assert made.status_code == 201
    names = [each["name"] for each in listed(alice.get("/workspaces"), "workspaces")]
    assert names == ["Tea shop", "Second shop"]


def test_the_session_cookie_is_for_http_and_this_host_alone(rest: Rest) -> None:
    rest.give_password("alice@example.com")
    cookie = sign_in(rest.nobody(), "alice@example.com", PASSWORD).headers["Set-Cookie"]
    assert cookie.startswith("wm_session=wm_ses_")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


def test_sign_out_ends_the_session(rest: Rest) -> None:
    alice = rest.signed_in("alice@example.com")
    cookie = alice.cookies["wm_session"]
    assert alice.post("/sign-out").status_code == 204
    assert "wm_session" not in alice.cookies
    again = rest.nobody()
    again.cookies.set("wm_session", cookie, domain="127.0.0.1")
    assert refusal(again.get("/me")) == (401, "not_authenticated")
    assert rest.nobody().post("/sign-out").status_code == 204


def test_sessions_are_listed_and_ended_from_another_browser(rest: Rest) -> None:
    here = rest.signed_in("alice@example.com")
    there = rest.nobody()
    sign_in(there, "alice@example.com", PASSWORD)
    sessions = listed(here.get("/me/sessions"), "sessions")
    assert [each["present"] for each in sessions].count(True) == 1
    [other] = [each["id"] for each in sessions if not each["present"]]
    assert here.delete(f"/me/sessions/{other}").status_code == 204
    assert refusal(there.get("/me")) == (401, "not_authenticated")
    assert refusal(here.delete(f"/me/sessions/{other}")) == (404, "not_found")


def test_the_own_password_is_changed_with_the_present_one(rest: Rest) -> None:
    here = rest.signed_in("alice@example.com")
    there = rest.nobody()
    sign_in(there, "alice@example.com", PASSWORD)
    wrong = {"password": "wrong horse battery staple", "new_password": NEW_PASSWORD}
    assert refusal(here.post("/me/password", json=wrong)) == (401, "sign_in_refused")
    changed = here.post("/me/password", json={"password": PASSWORD, "new_password": NEW_PASSWORD})
    assert changed.status_code == 204
    assert here.get("/me").status_code == 200
    assert refusal(there.get("/me")) == (401, "not_authenticated")
    assert sign_in(rest.nobody(), "alice@example.com", NEW_PASSWORD).status_code == 200


def test_a_token_reaches_neither_sessions_nor_password(rest: Rest) -> None:
    token = rest.live.token(rest.live.world.alice)
    client = rest.client(f"{rest.live.url}/api/v1", {"Authorization": f"Bearer {token}"})
    body = {"password": PASSWORD, "new_password": NEW_PASSWORD}
    assert refusal(client.get("/me/sessions")) == (403, "forbidden")
    assert refusal(client.delete(f"/me/sessions/{NOBODY}")) == (403, "forbidden")
    assert refusal(client.post("/me/password", json=body)) == (403, "forbidden")


def test_a_session_ends_when_idle_or_old(rest: Rest) -> None:
    alice, clock = rest.signed_in("alice@example.com"), rest.live.world.clock
    for _ in range(20):
        clock.move(timedelta(hours=7, minutes=59))
        assert alice.get("/me").status_code == 200
    clock.move(timedelta(hours=8, seconds=1))
    assert refusal(alice.get("/me")) == (401, "not_authenticated")
    again = rest.signed_in("alice@example.com")
    for _ in range(24):
        clock.move(timedelta(hours=7))
        status = again.get("/me").status_code
    assert status == 401  # pyright: ignore[reportPossiblyUnboundVariable]


def test_unknown_users_wrong_passwords_and_deactivated_accounts_get_one_answer(rest: Rest) -> None:
    for email in ("bob@example.com", "carol@example.com"):
        rest.give_password(email)
    deactivate_account_here(rest.live.world.deps, "carol@example.com")
    answers = [
        sign_in(rest.nobody(), email, password)
        for email, password in (
            ("nobody@example.com", PASSWORD),
            ("bob@example.com", "not the right password"),
            ("carol@example.com", PASSWORD),
            ("alice@example.com", PASSWORD),  # an account without a password
        )
    ]
    assert refusal(answers[0]) == (401, "sign_in_refused")
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (answers[0].status_code, answers[0].content)
    }
    assert all("set-cookie" not in answer.headers for answer in answers)


def test_failed_sign_ins_are_slowed_down_for_known_and_unknown_users(rest: Rest) -> None:
    rest.give_password("bob@example.com")
    clock = rest.live.world.clock
    for email in ("bob@example.com", "nobody@example.com"):
        client = rest.nobody()
        for _ in range(5):
            assert sign_in(client, email, "not the right password").status_code == 401
        delayed = sign_in(client, email, PASSWORD)
        assert refusal(delayed) == (429, "too_many_attempts")
        assert delayed.headers["Retry-After"] == "1" == str(body_of(delayed)["retry_after"])
        clock.move(timedelta(seconds=2))
    assert sign_in(rest.nobody(), "bob@example.com", PASSWORD).status_code == 200


def test_the_delay_doubles(rest: Rest) -> None:
    client, clock = rest.nobody(), rest.live.world.clock
    waits: list[str] = []
    for _ in range(8):
        answered = sign_in(client, "nobody@example.com", "not the right password")
        if answered.status_code == 429:
            waits.append(answered.headers["Retry-After"])
            clock.move(timedelta(seconds=int(waits[-1])))
            assert sign_in(client, "nobody@example.com", "not the right password").status_code == 401
    assert waits == ["1", "2", "4"]


def test_a_change_by_cookie_needs_the_services_own_origin(rest: Rest) -> None:
    alice = rest.signed_in("alice@example.com")
    del alice.headers["Sec-Fetch-Site"]
    path = f"/workspaces/{rest.live.world.workspace}/memory/items"

    def change(**headers: str) -> int:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return alice.post(path, json={"content": str(headers)}, headers=sent).status_code

    assert change() == 403
    assert change(Sec_Fetch_Site="cross-site") == 403
    assert change(Sec_Fetch_Site="same-site") == 403
    assert change(Sec_Fetch_Site="cross-site", Origin=rest.live.url) == 403
    assert change(Origin="https://evil.example") == 403
    assert change(Origin="null") == 403
    assert change(Origin=rest.live.url) == 201
    assert change(Sec_Fetch_Site="same-origin") == 201
    assert alice.get(path).status_code == 200
    refused = alice.post("/sign-out")
    assert refusal(refused) == (403, "cross_site_request")


def test_a_change_by_cookie_is_json_even_without_a_body(rest: Rest) -> None:
    alice, cast = rest.signed_in("alice@example.com"), rest.live.world
    path = f"/workspaces/{cast.workspace}/members/{cast.bob}/password-reset"
    assert refusal(alice.post(path)) == (415, "unsupported_media_type")
    assert alice.post(path, headers={"Content-Type": "application/json"}).status_code == 201


def test_another_sites_page_cannot_sign_somebody_in(rest: Rest) -> None:
    rest.give_password("alice@example.com")
    client = rest.nobody()
    client.headers["Origin"] = "https://evil.example"
    assert refusal(sign_in(client, "alice@example.com", PASSWORD)) == (403, "cross_site_request")


def test_a_session_is_not_given_over_plain_http_beyond_the_loopback(rest: Rest) -> None:
    rest.give_password("alice@example.com")
    client = rest.nobody()
    client.headers["Host"] = "memory.example.com"
    assert refusal(sign_in(client, "alice@example.com", PASSWORD)) == (403, "forbidden")


def test_a_cookie_and_a_token_together_are_refused(rest: Rest) -> None:
    alice = rest.signed_in("alice@example.com")
    token = rest.live.token(rest.live.world.alice)
    refused = alice.get("/me", headers={"Authorization": f"Bearer {token}"})
    assert refusal(refused) == (400, "invalid_request")
    assert token not in refused.text


def test_credentials_that_are_none_get_401_with_the_scheme(rest: Rest) -> None:
    client = rest.nobody()
    for value in (b"", b"Bearer", b"Bearer wm_pat_unknown", b"Basic YTpi", b"wm_pat_x", b"Bearer \xe9"):
        refused = client.get("/me", headers={b"Authorization": value})
        assert refusal(refused) == (401, "not_authenticated"), value
        assert refused.headers["WWW-Authenticate"] == "Bearer"
    assert client.get("/me").status_code == 401


def test_a_token_for_mcp_alone_is_refused_with_its_own_code(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob, surface=Surface.MCP)
    assert refusal(bob.get("/memory/items")) == (403, "token_for_mcp_only")
    assert refusal(bob.post("/tokens", json={"name": "x", "max_level": "read"})) == (
        403,
        "token_for_mcp_only",
    )


def test_an_expired_token_is_refused(rest: Rest) -> None:
    cast = rest.live.world
    made = make_token_here(
        cast.deps,
        cast.workspace,
        cast.bob,
        name="short",
        max_level=AccessLevel.READ,
        expires_at=cast.clock.now() + timedelta(hours=1),
    )
    client = rest.client(rest.live.api_url, {"Authorization": f"Bearer {made.secret}"})
    assert client.get("/memory/items").status_code == 200
    cast.clock.move(timedelta(hours=1))
    assert refusal(client.get("/memory/items")) == (401, "not_authenticated")


def test_a_revoked_token_is_refused_at_the_next_call(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    made = body_of(bob.post("/tokens", json={"name": "laptop", "max_level": "read"}))
    laptop = rest.client(rest.live.api_url, {"Authorization": f"Bearer {made['secret']}"})
    assert laptop.get("/memory/items").status_code == 200
    token = made["token"]
    assert isinstance(token, dict)
    assert bob.delete(f"/tokens/{token['id']}").status_code == 204
    assert refusal(laptop.get("/memory/items")) == (401, "not_authenticated")


def test_a_deactivated_member_is_refused_everywhere_in_the_workspace(rest: Rest) -> None:
    cast = rest.live.world
    bob = rest.by(cast.bob)
    item = save(bob)["id"]
    change_member(
        cast.deps, cast.by_hand(cast.alice), cast.workspace, cast.bob, status=MemberStatus.DEACTIVATED
    )
    for path in (
        "/memory/items",
        f"/memory/items/{item}",
        "/memory/status",
        "/members",
        "/servers",
        "/tokens",
    ):
        assert refusal(bob.get(path)) == (403, "forbidden"), path
    assert refusal(bob.post("/memory/items", json={"content": "x"})) == (403, "forbidden")
    assert refusal(bob.delete(f"/memory/items/{item}")) == (403, "forbidden")


def test_a_deactivated_account_has_no_session_and_no_token(rest: Rest) -> None:
    bob, by_token = rest.signed_in("bob@example.com"), rest.by(rest.live.world.bob)
    deactivate_account_here(rest.live.world.deps, "bob@example.com")
    assert refusal(bob.get("/me")) == (401, "not_authenticated")
    assert by_token.get("/memory/items").status_code in {401, 403}


def test_an_invitation_makes_an_account_that_can_sign_in(rest: Rest) -> None:
    cast = rest.live.world
    made = body_of(
        rest.by(cast.alice).post("/invitations", json={"email": "dora@example.com", "role": "viewer"})
    )
    url = f"{rest.live.url}/accept#"
    assert str(made["url"]).startswith(url + "wm_lnk_")
    assert made["accept_command"] == f"workspace-memory user accept '{made['url']}'"
    nobody, secret = rest.nobody(), secret_of(made["url"])
    facts = body_of(nobody.post("/links/facts", json={"secret": secret}))
    assert (facts["purpose"], facts["email"], facts["workspace_name"], facts["account_exists"]) == (
        "invitation",
        "dora@example.com",
        "Tea shop",
        False,
    )
    redeemed = nobody.post("/links/redeem", json={"secret": secret, "password": PASSWORD, "name": "Dora"})
    assert body_of(redeemed)["workspace_id"] == cast.workspace
    assert body_of(redeemed)["server_url"] == rest.live.mcp_url
    assert sign_in(nobody, "dora@example.com", PASSWORD).status_code == 200
    assert body_of(nobody.get("/me"))["name"] == "Dora"


def test_a_link_works_once(rest: Rest) -> None:
    cast = rest.live.world
    made = rest.by(cast.alice).post("/invitations", json={"email": "dora@example.com", "role": "viewer"})
    request = {"secret": secret_of(body_of(made)["url"]), "password": PASSWORD}
    nobody = rest.nobody()
    assert nobody.post("/links/redeem", json=request).status_code == 200
    for answered in (
        nobody.post("/links/redeem", json=request),
        nobody.post("/links/facts", json={"secret": request["secret"]}),
        nobody.post("/links/facts", json={"secret": "wm_lnk_unknown"}),
    ):
        assert refusal(answered) == (404, "link_invalid")


def test_invitations_expire_after_seven_days_and_resets_after_an_hour(rest: Rest) -> None:
    cast = rest.live.world
    alice, nobody = rest.by(cast.alice), rest.nobody()
    invitation = body_of(alice.post("/invitations", json={"email": "dora@example.com", "role": "viewer"}))
    reset = body_of(alice.post(f"/members/{cast.bob}/password-reset"))
    assert datetime.fromisoformat(str(reset["expires_at"])) == cast.clock.now() + timedelta(hours=1)
    cast.clock.move(timedelta(hours=1))
    gone = {"secret": secret_of(reset["url"]), "password": PASSWORD}
    assert refusal(nobody.post("/links/redeem", json=gone)) == (404, "link_invalid")
    cast.clock.move(timedelta(days=7) - timedelta(hours=1, seconds=1))
    facts = {"secret": secret_of(invitation["url"])}
    assert nobody.post("/links/facts", json=facts).status_code == 200
    cast.clock.move(timedelta(seconds=1))
    assert refusal(nobody.post("/links/facts", json=facts)) == (404, "link_invalid")


def test_a_newer_invitation_replaces_the_older_one(rest: Rest) -> None:
    alice, nobody = rest.by(rest.live.world.alice), rest.nobody()
    first, second = (
        body_of(alice.post("/invitations", json={"email": email, "role": "viewer"}))
        for email in ("dora@example.com", "DORA@example.com")
    )
    old = nobody.post("/links/facts", json={"secret": secret_of(first["url"])})
    assert refusal(old) == (404, "link_invalid")
    assert nobody.post("/links/facts", json={"secret": secret_of(second["url"])}).status_code == 200


def test_an_invitation_to_an_account_needs_its_present_password(rest: Rest) -> None:
    cast = rest.live.world
    rest.give_password("mallory@example.com")
    made = rest.by(cast.alice).post("/invitations", json={"email": "mallory@example.com", "role": "viewer"})
    secret, nobody = secret_of(body_of(made)["url"]), rest.nobody()
    wrong = nobody.post("/links/redeem", json={"secret": secret, "password": NEW_PASSWORD})
    assert refusal(wrong) == (401, "sign_in_refused")
    assert nobody.post("/links/redeem", json={"secret": secret, "password": PASSWORD}).status_code == 200
    assert sign_in(nobody, "mallory@example.com", PASSWORD).status_code == 200


def test_a_password_reset_ends_the_sessions_and_the_old_password(rest: Rest) -> None:
    cast = rest.live.world
    bob = rest.signed_in("bob@example.com")
    made = body_of(rest.by(cast.alice).post(f"/members/{cast.bob}/password-reset"))
    assert bob.get("/me").status_code == 200
    nobody = rest.nobody()
    short = nobody.post("/links/redeem", json={"secret": secret_of(made["url"]), "password": "short"})
    assert (refusal(short), body_of(short)["field"]) == ((400, "invalid_request"), "password")
    redeem = {"secret": secret_of(made["url"]), "password": NEW_PASSWORD}
    assert nobody.post("/links/redeem", json=redeem).status_code == 200
    assert refusal(bob.get("/me")) == (401, "not_authenticated")
    assert sign_in(nobody, "bob@example.com", PASSWORD).status_code == 401
    assert sign_in(nobody, "bob@example.com", NEW_PASSWORD).status_code == 200


def test_only_admins_make_reset_links_and_only_for_members_of_no_other_workspace(rest: Rest) -> None:
    cast = rest.live.world
    assert refusal(rest.by(cast.bob).post(f"/members/{cast.carol}/password-reset")) == (403, "forbidden")
    alice = rest.by(cast.alice)
    assert refusal(alice.post(f"/members/{cast.mallory}/password-reset")) == (404, "not_found")
    assert refusal(alice.post(f"/members/{NOBODY}/password-reset")) == (404, "not_found")


def test_a_token_capped_below_contribute_makes_no_link(rest: Rest) -> None:
    alice = rest.by(rest.live.world.alice, max_level=AccessLevel.PERSONAL)
    refused = alice.post("/invitations", json={"email": "dora@example.com", "role": "admin"})
    assert refusal(refused) == (403, "level_too_low")


def test_times_are_utc(rest: Rest) -> None:
    item = save(rest.by(rest.live.world.bob))
    assert datetime.fromisoformat(str(item["created_at"])) == rest.live.world.clock.now().astimezone(UTC)
    assert str(item["created_at"]).endswith("Z")

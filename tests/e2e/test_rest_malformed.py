"""Malformed input of every route: 400 that names the field, and nothing stored."""

import unicodedata

import pytest
from tests.e2e.rest_calls import NOBODY, Rest, as_json, body_of, escaped, listed, refusal, save

IF_MATCH = {"If-Match": '"1"'}
# Route, body or query, and the field that the answer has to name.
BODIES: list[tuple[str, str, object, str]] = [
    ("POST", "/memory/items", {}, "content"),
    ("POST", "/memory/items", {"content": ""}, "content"),
    ("POST", "/memory/items", {"content": " \n"}, "content"),
    ("POST", "/memory/items", {"content": 7}, "content"),
    ("POST", "/memory/items", {"content": "a\0b"}, "content"),
    ("POST", "/memory/items", {"content": "a\ud800b"}, "content"),
    ("POST", "/memory/items", {"content": "x" * 2_001}, "content"),
    ("POST", "/memory/items", {"content": "x", "kind": "rumour"}, "kind"),
    ("POST", "/memory/items", {"content": "x", "scope": "everybody"}, "scope"),
    ("POST", "/memory/items", {"content": "x", "tags": "a,b"}, "tags"),
    ("POST", "/memory/items", {"content": "x", "tags": [7]}, "tags.0"),
    ("POST", "/memory/items", {"content": "x", "tags": [""]}, "tags"),
    ("POST", "/memory/items", {"content": "x", "tags": ["t" * 51]}, "tags"),
    ("POST", "/memory/items", {"content": "x", "tags": ["a\nb"]}, "tags"),
    ("POST", "/memory/items", {"content": "x", "tags": ["\udfff"]}, "tags"),
    ("POST", "/memory/items", {"content": "x", "review_by": "soon"}, "review_by"),
    ("POST", "/memory/items", {"content": "x", "workspace": "mine"}, "workspace"),
    ("POST", "/memory/items", {"content": "x", "wm_pat_" + "A" * 43: 1}, "(an unknown name)"),
    ("POST", "/memory/items", [], ""),
    ("POST", "/memory/items", None, ""),
    ("POST", "/memory/items/bulk", {"items": "x"}, "items"),
    ("POST", "/memory/items/bulk", {"items": [{"content": "x", "bogus": 1}]}, "items.0.bogus"),
    ("PATCH", f"/memory/items/{NOBODY}", {"content": 7}, "content"),
    ("PATCH", f"/memory/items/{NOBODY}", {"status": "active"}, "status"),
    ("POST", "/tokens", {"name": "", "max_level": "read"}, "name"),
    ("POST", "/tokens", {"name": "a\nb", "max_level": "read"}, "name"),
    ("POST", "/tokens", {"name": "x"}, "max_level"),
    ("POST", "/tokens", {"name": "x", "max_level": "inherit"}, "max_level"),
    ("POST", "/tokens", {"name": "x", "max_level": "root"}, "max_level"),
    ("POST", "/tokens", {"name": "x", "max_level": "read", "surface": "web"}, "surface"),
    ("POST", "/tokens", {"name": "x", "max_level": "read", "expires_at": "2027-01-01"}, "expires_at"),
    (
        "POST",
        "/tokens",
        {"name": "x", "max_level": "read", "expires_at": "2026-01-01T00:00:00Z"},
        "expires_at",
    ),
    (
        "POST",
        "/tokens",
        {"name": "x", "max_level": "read", "expires_at": "9999-12-31T23:59:59-12:00"},
        "expires_at",
    ),
    ("POST", "/invitations", {"email": "nobody", "role": "editor"}, "email"),
    ("POST", "/invitations", {"email": "x@example.com", "role": "owner"}, "role"),
    ("POST", "/invitations", {"email": "x@example.com"}, "role"),
    ("POST", "/servers", {"name": "x" * 101}, "name"),
    ("PATCH", f"/servers/{NOBODY}", {}, ""),
    ("PATCH", f"/servers/{NOBODY}", {"chatgpt_tools": "yes"}, "chatgpt_tools"),
    ("PATCH", f"/members/{NOBODY}", {}, ""),
    ("PATCH", f"/members/{NOBODY}", {"memory_access": "everything"}, "memory_access"),
    ("PATCH", f"/members/{NOBODY}", {"role": None}, ""),
    ("PATCH", "", {"name": "\u202eevil"}, "name"),
    ("DELETE", "", {"confirm_name": "Another name"}, "confirm_name"),
    ("DELETE", "", {}, "confirm_name"),
]
QUERIES: list[tuple[str, dict[str, str], str]] = [
    ("/memory/items", {"scope": "all"}, "scope"),
    ("/memory/items", {"status": "lost"}, "status"),
    ("/memory/items", {"kind": "rumour"}, "kind"),
    ("/memory/items", {"limit": "0"}, "limit"),
    ("/memory/items", {"limit": "many"}, "limit"),
    ("/memory/items", {"query": "x" * 10_001}, "query"),
    ("/memory/items", {"query": "tea", "status": "pending"}, "status"),
    ("/memory/items", {"query": "a\0b"}, "query"),
    ("/memory/items", {"workspace": "x"}, "workspace"),
    ("/memory/items/" + NOBODY, {"version": "1"}, "version"),
    ("/members", {"cursor": "x"}, "cursor"),
    ("/members", {"limit": "-1"}, "limit"),
    ("/memory/status", {"x": "1"}, "x"),
    ("/tokens", {"user": NOBODY}, "user"),
]


@pytest.mark.requirement("items:api:every-input-is-validated")
@pytest.mark.requirement("items:model:scope-is-personal-or-organization")
@pytest.mark.requirement("items:model:kind-is-fact-preference-or-note")
@pytest.mark.requirement("items:access:five-levels")
def test_malformed_input_names_the_field_and_stores_nothing(rest: Rest) -> None:
    alice = rest.by(rest.live.world.alice)
    state = ["/memory/items", "/members", "/servers", "/invitations", rest.live.api_url]
    before = [alice.get(path).content for path in state]
    tokens = len(listed(alice.get("/tokens"), "tokens"))
    for method, path, body, field in BODIES:
        content = b"" if body is None else escaped(body).encode()
        headers = {"Content-Type": "application/json", **(IF_MATCH if "/items/" in path else {})}
        refused = alice.request(method, rest.live.api_url + path, content=content, headers=headers)
        assert refusal(refused) == (400, "invalid_request"), (method, path, body)
        assert body_of(refused)["field"] == field, (method, path, body)
    for path, params, field in QUERIES:
        refused = alice.get(path, params=params)
        assert refusal(refused) == (400, "invalid_request"), (path, params)
        assert body_of(refused)["field"] == field, (path, params)
    assert [alice.get(path).content for path in state] == before
    assert len(listed(alice.get("/tokens"), "tokens")) == tokens


def test_bodies_that_are_no_json_are_refused_with_a_clear_code(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    in_json = {"Content-Type": "application/json; charset=utf-8"}

    def sent(content: bytes, headers: dict[str, str] = in_json) -> tuple[int, str]:
        return refusal(bob.post("/memory/items", content=content, headers=headers))

    assert sent(b'{"content": "x"') == (400, "invalid_request")
    assert sent(b"\xff\xfe{}") == (400, "invalid_request")
    assert sent('{"content": "x"}'.encode("utf-16")) == (400, "invalid_request")
    assert sent(b'{"content": "\0"}') == (400, "invalid_request")
    assert sent(b"[" * 100_000) == (400, "invalid_request")
    assert sent(b'{"content":' * 50_000 + b"1" + b"}" * 50_000) in {
        (400, "invalid_request"),
        (413, "body_too_large"),
    }
    assert sent(b'{"content": ' + b"1" * 10_000 + b"}") == (400, "invalid_request")
    assert sent(b'{"content": "x"}', {"Content-Type": "text/plain"}) == (415, "unsupported_media_type")
    assert sent(b"content=x", {"Content-Type": "application/x-www-form-urlencoded"}) == (
        415,
        "unsupported_media_type",
    )
    assert listed(bob.get("/memory/items")) == []


def test_a_body_of_a_mebibyte_is_refused(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    refused = bob.post("/memory/items", **as_json(escaped({"content": "x" * 1_048_576})))  # pyright: ignore[reportArgumentType]
    assert refusal(refused) == (413, "body_too_large")
    assert body_of(refused)["limit"] == 384 * 1024
    assert listed(bob.get("/memory/items")) == []


def test_text_is_kept_byte_for_byte_but_for_composition(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    decomposed = unicodedata.normalize("NFD", "Müller trinkt Café; ﬁne 👨‍👩‍👧  two spaces\n\ttab")
    item = save(bob, decomposed)
    assert item["content"] == unicodedata.normalize("NFC", decomposed)
    assert bob.get(f"/memory/items/{item['id']}").json()["content"] == item["content"]


def test_no_refusal_repeats_what_was_sent(rest: Rest) -> None:
    bob = rest.by(rest.live.world.bob)
    marker = "Vorsicht-geheim-9000"
    bodies: list[object] = [
        {"content": marker, "kind": marker},
        {"content": [marker]},
        {"content": marker, f"key {marker}": 1},
        {"content": marker, "tags": [marker * 10]},
        {"content": marker * 200},
        {"content": marker, "review_by": marker},
        {"content": marker, "replaces": 7},
    ]
    for body in bodies:
        refused = bob.post("/memory/items", json=body)
        assert refused.status_code == 400
        assert marker not in refused.text, body
    assert marker not in bob.get("/memory/items", params={"cursor": marker}).text
    assert marker not in bob.get(f"/{marker}").text

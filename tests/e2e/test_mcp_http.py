"""What the HTTP side of MCP answers: statuses, headers, and the order in which it looks at things."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.conftest import Live
from tests.e2e.mcp_client import LEGACY, MODERN, RawAnswer, RawHttp

from workspace_memory.storage.database import Database, open_sqlite
from workspace_memory.storage.migrating import migrate

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
NEVER_WAS = "019f0000-0000-7000-8000-000000000000"
PAGE = "http://localhost:6274"
both_eras = pytest.mark.parametrize("era", [LEGACY, MODERN])


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """SQLite alone: these rules are looked at before any store."""
    opened = open_sqlite(tmp_path / "memory.db")
    migrate(opened)
    yield opened
    opened.close()


def raw(live: Live) -> RawHttp:
    return RawHttp(live.mcp_url, live.token(live.world.bob))


def code(response: RawAnswer) -> object:
    """Our stable code in a refusal."""
    return response.json()["error"]["data"]["code"]


@pytest.mark.parametrize("token", ["", "wrong", "naïve"])
def test_without_a_valid_token_the_answer_is_401_and_says_bearer(live: Live, token: str) -> None:
    answer = RawHttp(live.mcp_url, token).send(LIST, headers={"Authorization": f"Bearer {token}"})
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert code(answer) == "not_authenticated"


def test_without_the_header_the_answer_is_401_for_every_method(live: Live) -> None:
    answers = [raw(live).send(LIST, method=method, without=("Authorization",)) for method in ("POST", "GET")]
    assert [answer.status for answer in answers] == [401, 401]


def test_a_stranger_with_broken_json_gets_401(live: Live) -> None:
    assert RawHttp(live.mcp_url, "wrong").send(b"{").status == 401


def test_the_scheme_of_the_token_may_be_written_in_any_case(live: Live) -> None:
    token = live.token(live.world.bob)
    assert raw(live).send(LIST, headers={"Authorization": f"bEARER {token}"}).status == 200


@pytest.mark.requirement("items:unit:arguments-stay-in-the-servers-workspace")
@pytest.mark.requirement("items:mcp:no-tools-without-a-member-identity")
def test_another_workspaces_server_answers_like_one_that_never_was(live: Live) -> None:
    stranger = live.token(live.world.mallory)
    answers = [
        RawHttp(f"{live.url}/mcp/{server}", stranger).request(method, {"name": "memory_search"}, era=era)
        for server in (live.world.server, NEVER_WAS, "no-id", "a/b")
        for method in ("tools/list", "tools/call", "initialize")
        for era in (LEGACY, MODERN)
    ]
    assert {(answer.status, answer.body) for answer in answers} == {(404, answers[0].body)}
    assert code(answers[0]) == "not_found"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_other_methods_than_post_are_405_at_once(live: Live, method: str) -> None:
    answer = raw(live).send(method=method, headers={"Accept": "text/event-stream"})
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


def test_a_browser_may_ask_before_it_signs_in(live: Live) -> None:
    headers = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}
    answer = raw(live).send(method="OPTIONS", headers=headers, without=("Authorization",))
    assert (answer.status, answer.body) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == PAGE
    allowed = {name.strip() for name in answer.headers["access-control-allow-headers"].lower().split(",")}
    assert allowed == {
        *(
            "authorization",
            "content-type",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
            "mcp-session-id",
            "x-key-session",
        ),
    }


@both_eras
def test_a_page_on_this_machine_reads_the_answer(live: Live, era: str) -> None:
    for method in ("tools/list", "ping"):
        answer = raw(live).request(method, era=era, headers={"Origin": PAGE})
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert answer.headers["access-control-expose-headers"] == "WWW-Authenticate, Mcp-Session-Id"
    refused = raw(live).send(LIST, headers={"Origin": PAGE}, without=("Authorization",))
    assert refused.headers["access-control-allow-origin"] == PAGE


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example", "null"])
def test_a_page_from_elsewhere_is_403(live: Live, origin: str) -> None:
    answer = raw(live).send(LIST, headers={"Origin": origin})
    assert (answer.status, code(answer)) == (403, "origin_not_allowed")
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80"])
def test_another_host_name_is_421(live: Live, host: str) -> None:
    answer = raw(live).send(LIST, headers={"Host": host})
    assert (answer.status, code(answer)) == (421, "host_not_allowed")


@both_eras
def test_the_path_may_end_in_a_slash(live: Live, era: str) -> None:
    http = raw(live)
    answers = [RawHttp(f"{http.url}{end}", http.token).request("tools/list", era=era) for end in ("", "/")]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].body == answers[1].body


@both_eras
def test_a_notification_is_202_with_an_empty_body(live: Live, era: str) -> None:
    body = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = raw(live).send(body, headers={"Mcp-Protocol-Version": era})
    assert (answer.status, answer.body) == (202, b"")


@both_eras
def test_blanks_around_header_values_are_no_part_of_them(live: Live, era: str) -> None:
    token = live.token(live.world.bob)
    headers = {
        "Mcp-Protocol-Version": f" {era} ",
        "Mcp-Name": " memory_search\t",
        "Mcp-Method": "  tools/call ",
        "Authorization": f"  Bearer {token}  ",
        "Content-Type": " application/json ",
    }
    assert raw(live).call("memory_search", {}, era=era, headers=headers).json()["result"]["isError"] is False


@both_eras
@pytest.mark.parametrize("accept", ["application/json", "*/*", "text/html, application/*;q=0.8", None])
def test_every_accept_header_that_allows_json_is_fine(live: Live, accept: str | None, era: str) -> None:
    http = raw(live)
    for method in ("tools/list", "server/discover" if era == MODERN else "ping"):
        if accept is None:
            answer = RawHttp(http.url, http.token).request(method, era=era, without=("Accept",))
        else:
            answer = http.request(method, era=era, headers={"Accept": accept})
        assert (answer.status, answer.headers["content-type"]) == (200, "application/json")


def test_an_accept_header_without_json_is_406(live: Live) -> None:
    answer = raw(live).send(LIST, headers={"Accept": "text/event-stream"})
    assert (answer.status, code(answer)) == (406, "not_acceptable")


def test_another_content_type_is_refused(live: Live) -> None:
    answer = raw(live).send(LIST, headers={"Content-Type": "text/plain"})
    assert (answer.status, code(answer)) == (400, "invalid_request")


def test_a_content_type_with_a_charset_is_fine(live: Live) -> None:
    assert raw(live).send(LIST, headers={"Content-Type": "Application/JSON; charset=utf-8"}).status == 200


@both_eras
@pytest.mark.parametrize("body", [b"{", b"", b'{"id": 1', b"\xff\xfe", b"[" * 100_000])
def test_broken_json_is_a_parse_error(live: Live, body: bytes, era: str) -> None:
    answer = raw(live).send(body, headers={"Mcp-Protocol-Version": era})
    assert (answer.status, answer.json()["error"]["code"], answer.json()["id"]) == (400, -32700, None)


@pytest.mark.parametrize(
    "body",
    [
        [LIST],
        3,
        {"id": 1, "method": "tools/list"},
        {**LIST, "id": None},
        {**LIST, "id": 1.5},
        {**LIST, "params": [1]},
        {**LIST, "method": 7},
    ],
)
def test_json_that_is_no_message_is_an_invalid_request(live: Live, body: object) -> None:
    answer = raw(live).send(body)
    assert (answer.status, answer.json()["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize("size", [256 * 1024 + 1, 1024 * 1024])
def test_a_body_of_more_than_256_kib_is_413_and_says_so(live: Live, size: int) -> None:
    answer = raw(live).send(b" " * size)
    assert (answer.status, code(answer)) == (413, "request_too_large")
    assert "256 KiB" in answer.json()["error"]["message"]


def test_a_body_of_256_kib_is_read(live: Live) -> None:
    http = raw(live)
    empty = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    assert http.send(empty.ljust(256 * 1024)).status == 200


@pytest.mark.requirement("field:case-18")
@both_eras
def test_an_old_session_id_is_no_hindrance(live: Live, era: str) -> None:
    """No session is kept, so that an id from before a restart is as good as none."""
    answer = raw(live).call(
        "memory_search", {}, era=era, headers={"Mcp-Session-Id": "from-before-the-restart"}
    )
    assert (answer.status, "mcp-session-id" in answer.headers) == (200, False)


def test_a_header_that_contradicts_the_body_is_refused(live: Live) -> None:
    answer = raw(live).call("memory_search", {}, era=MODERN, headers={"Mcp-Name": "memory_save"})
    assert (answer.status, answer.json()["error"]["code"]) == (400, -32020)


def test_a_version_that_nobody_serves_is_refused_with_those_that_are(live: Live) -> None:
    answer = raw(live).send(LIST, headers={"Mcp-Protocol-Version": "2031-01-01"})
    assert answer.status == 400


@both_eras
def test_lists_are_private_and_stale_at_once(live: Live, era: str) -> None:
    result = raw(live).request("tools/list", era=era).json()["result"]
    kept = {name: result[name] for name in ("cacheScope", "ttlMs") if name in result}
    assert kept == ({"cacheScope": "private", "ttlMs": 0} if era == MODERN else {})


@pytest.mark.requirement("field:case-07")
@both_eras
def test_the_same_request_id_with_another_text_is_another_item(live: Live, era: str) -> None:
    http = raw(live)
    first = http.call("memory_save", {"content": "likes tea"}, identifier=1, era=era)
    again = http.call("memory_save", {"content": "likes tea"}, identifier=1, era=era)
    other = http.call("memory_save", {"content": "lives in Rome"}, identifier=1, era=era)
    ids = [answer.json()["result"]["structuredContent"]["id"] for answer in (first, again, other)]
    assert ids[0] == ids[1] != ids[2]
    found = http.call("memory_search", {}, era=era).json()["result"]["structuredContent"]["items"]
    assert [item["content"] for item in found] == ["lives in Rome", "likes tea"]

"""Which token a request presents: the header once, else the cookie of its workspace; nothing malformed is repeated."""

import pytest
from fastapi import FastAPI, Request, Response
from tests.unit.api.test_cookies import LOOPBACK, PUBLIC

from workspace_memory.api.edge import keep_edge
from workspace_memory.api.key_session_tokens import drop_key_session, presented_key_session, set_key_session
from workspace_memory.api.schemas.encoded import encode
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import KeySessionId, WorkspaceId
from workspace_memory.services.running import Runner
from workspace_memory.settings import Settings

HERE = WorkspaceId("019d2f6e-8c1a-7b42-9d3e-5f60718293a4")
ELSEWHERE = WorkspaceId("019d2f6e-8c1a-7b42-9d3e-5f60718293a5")
OLDER = KeySessionId("019d2f6e-0000-7b42-9d3e-5f60718293a4")
NEWER = KeySessionId("019d2f6e-ffff-7b42-9d3e-5f60718293a4")
FIRST, SECOND = bytes(range(32)), bytes(range(1, 33))


def request(
    *headers: str,
    cookies: dict[str, str] | None = None,
    workspace: WorkspaceId | None = HERE,
    scheme: str = "http",
    host: str = "127.0.0.1:8787",
    public_url: str = "",
) -> Request:
    app = FastAPI()

    def nowhere() -> None:
        raise AssertionError("no use case is run")

    runner: Runner = nowhere  # pyright: ignore[reportAssignmentType]  never called
    keep_edge(app, runner, Settings(public_url=public_url))
    sent = [("host", host), *(("x-key-session", each) for each in headers)]
    if cookies:
        sent.append(("cookie", "; ".join(f"{name}={value}" for name, value in cookies.items())))
    return Request(
        {
            "type": "http",
            "app": app,
            "method": "GET",
            "scheme": scheme,
            "path": "/",
            "path_params": {} if workspace is None else {"workspace_id": workspace},
            "query_string": b"",
            "server": ("127.0.0.1", 8787),
            "headers": [(name.encode(), value.encode()) for name, value in sent],
        }
    )


def cookie(
    token: bytes, workspace: str = HERE, session: str = OLDER, prefix: str = "wm-ks-"
) -> dict[str, str]:
    return {f"{prefix}{session}": f"{workspace}.{encode(token)}"}


def test_without_header_and_cookie_there_is_none() -> None:
    assert presented_key_session(request()) is None


def test_the_header_is_the_token() -> None:
    assert presented_key_session(request(encode(FIRST))) == FIRST


def test_the_cookie_of_the_requests_workspace_is_the_token() -> None:
    both = cookie(FIRST) | cookie(SECOND, ELSEWHERE, NEWER)
    assert presented_key_session(request(cookies=both)) == FIRST
    assert presented_key_session(request(cookies=both, workspace=ELSEWHERE)) == SECOND
    assert presented_key_session(request(cookies=both, workspace=None), ELSEWHERE) == SECOND


def test_of_several_cookies_for_a_workspace_the_newest_counts() -> None:
    for both in (
        cookie(FIRST) | cookie(SECOND, session=NEWER),
        cookie(SECOND, session=NEWER) | cookie(FIRST),
    ):
        assert presented_key_session(request(cookies=both)) == SECOND


def test_where_the_path_names_no_workspace_the_only_one_counts() -> None:
    assert presented_key_session(request(cookies=cookie(FIRST), workspace=None)) == FIRST
    both = cookie(FIRST) | cookie(SECOND, ELSEWHERE, NEWER)
    assert presented_key_session(request(cookies=both, workspace=None)) is None


def test_the_same_token_may_come_both_ways() -> None:
    assert presented_key_session(request(encode(FIRST), cookies=cookie(FIRST))) == FIRST


def test_two_tokens_that_differ_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="another key session"):
        presented_key_session(request(encode(FIRST), cookies=cookie(SECOND)))


@pytest.mark.parametrize(
    "headers",
    [
        [""],
        ["wm_pat_secret"],
        [encode(FIRST)] * 2,
        [encode(FIRST) + "="],
        [encode(FIRST[:31])],
        [encode(FIRST)[:-1] + "9"],
    ],
)
def test_a_malformed_header_is_refused_and_not_repeated(headers: list[str]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        presented_key_session(request(*headers))
    assert refused.value.field == "X-Key-Session"
    assert not any(each and each in str(refused.value) for each in headers)


@pytest.mark.parametrize("value", ["", "x", f"{HERE}.", f"{HERE}.short", encode(FIRST)])
def test_a_cookie_that_is_none_of_ours_does_not_count(value: str) -> None:
    assert presented_key_session(request(cookies={f"wm-ks-{OLDER}": value})) is None
    assert presented_key_session(request(cookies={"wm-ks-x": f"{HERE}.{encode(FIRST)}"})) is None


def test_over_tls_the_name_is_bound_to_the_host() -> None:
    secure = cookie(FIRST, prefix="__Host-wm-ks-")
    tls = request(cookies=secure, scheme="https", host="memory.example.com", public_url=PUBLIC)
    assert presented_key_session(tls) == FIRST
    plain = request(cookies=cookie(FIRST), scheme="https", host="memory.example.com", public_url=PUBLIC)
    assert presented_key_session(plain) is None
    assert presented_key_session(request(cookies=secure, public_url=LOOPBACK)) is None


def test_the_cookie_is_httponly_secure_and_ends_with_the_browsers_session() -> None:
    response = Response()
    tls = request(scheme="https", host="memory.example.com", public_url=PUBLIC)
    set_key_session(response, tls, workspace=HERE, session=NEWER, token=FIRST)
    assert response.headers["set-cookie"] == (
        f"__Host-wm-ks-{NEWER}={HERE}.{encode(FIRST)}; HttpOnly; Path=/; SameSite=lax; Secure"
    )


def test_a_new_cookie_takes_the_place_of_the_workspaces_older_one() -> None:
    response = Response()
    before = cookie(FIRST) | cookie(SECOND, ELSEWHERE, NEWER)
    set_key_session(response, request(cookies=before), workspace=HERE, session=NEWER, token=SECOND)
    set_ = response.headers.getlist("set-cookie")
    assert [each.partition("=")[0] for each in set_] == [f"wm-ks-{OLDER}", f"wm-ks-{NEWER}"]
    assert "Max-Age=0" in set_[0]


def test_only_a_cookie_that_came_is_taken_back() -> None:
    response = Response()
    drop_key_session(response, request(), OLDER)
    assert "set-cookie" not in response.headers
    drop_key_session(response, request(cookies=cookie(FIRST)), OLDER)
    assert f"wm-ks-{OLDER}=" in response.headers["set-cookie"]

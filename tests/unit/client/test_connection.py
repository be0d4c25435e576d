"""The client's retries and errors, over a transport that answers from memory."""

import ssl
from collections.abc import Callable

import httpx2
import pytest

from workspace_memory.client import AnswerLost, ApiError, Unreachable, WorkspaceMemory
from workspace_memory.domain.errors import InvalidRequest, LevelTooLow, NotFound, VersionMismatch
from workspace_memory.domain.ids import WorkspaceId

ME = {
    "user_id": "u",
    "email": "bob@example.com",
    "name": "bob",
    "workspaces": [{"id": "w", "name": "Tea shop"}],
}
TOKEN = "wm_pat_x"
Handler = Callable[[httpx2.Request], httpx2.Response]


class Answers:
    """Gives prepared answers, or raises them, and keeps the requests."""

    def __init__(self, *prepared: httpx2.Response | httpx2.TransportError) -> None:
        self.prepared = list(prepared)
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.prepared.pop(0)
        if isinstance(answer, httpx2.TransportError):
            raise answer
        return answer


def client(answers: Handler, token: str | None = TOKEN) -> WorkspaceMemory:
    def no_pause(seconds: float) -> None:
        assert 0 < seconds < 5

    return WorkspaceMemory(
        "http://service/",
        token,
        workspace=WorkspaceId("w"),
        transport=httpx2.MockTransport(answers),
        pause=no_pause,
    )


def problem(status: int, code: str, **facts: object) -> httpx2.Response:
    return httpx2.Response(status, json={"code": code, "detail": "It went wrong.", **facts})


def test_a_read_is_sent_again_when_the_connection_breaks() -> None:
    answers = Answers(httpx2.ReadError("x"), httpx2.RemoteProtocolError("x"), httpx2.Response(200, json=ME))
    assert client(answers).me().email == "bob@example.com"
    assert len(answers.requests) == 3


def test_a_save_is_sent_again_under_the_same_key() -> None:
    answers = Answers(httpx2.ReadError("x"), problem(409, "quota_exceeded", limit=1_000, what="items"))
    with pytest.raises(Exception, match="1,000 items"):
        client(answers).save_item("likes green tea")
    keys = {request.headers["Idempotency-Key"] for request in answers.requests}
    assert len(answers.requests) == 2
    assert len(keys) == 1


def test_a_change_is_not_sent_again_once_it_may_have_arrived() -> None:
    answers = Answers(httpx2.ReadError("x"))
    with pytest.raises(AnswerLost, match="Look whether it was done"):
        client(answers).delete_item("i")
    assert len(answers.requests) == 1


def test_a_change_is_sent_again_when_no_connection_was_made() -> None:
    answers = Answers(httpx2.ConnectError("x"), httpx2.Response(204))
    client(answers).delete_item("i")
    assert len(answers.requests) == 2


def test_nobody_there_is_said_after_three_attempts() -> None:
    answers = Answers(*[httpx2.ConnectError("x")] * 3)
    with pytest.raises(Unreachable, match="http://service") as raised:
        client(answers).me()
    assert raised.value.code == "unreachable"


def test_a_known_code_is_the_domains_own_error_with_its_facts() -> None:
    with pytest.raises(VersionMismatch) as raised:
        client(Answers(problem(412, "version_mismatch", current=4))).edit_item("i", shown=3, content="x")
    assert raised.value.current == 4
    with pytest.raises(LevelTooLow):
        client(Answers(problem(403, "level_too_low", need="personal"))).me()
    with pytest.raises(NotFound, match="no such item"):
        client(Answers(problem(404, "not_found", what="item"))).get_item("i")


def test_an_unknown_code_is_kept_with_everything_beside() -> None:
    with pytest.raises(ApiError, match="It went wrong") as raised:
        client(Answers(problem(402, "seat_required", plan="enterprise"))).me()
    assert (raised.value.code, raised.value.status, raised.value.more["plan"]) == (
        "seat_required",
        402,
        "enterprise",
    )


def test_a_known_code_without_its_facts_is_kept_too() -> None:
    with pytest.raises(ApiError) as raised:
        client(Answers(problem(412, "version_mismatch"))).me()
    assert raised.value.code == "version_mismatch"


def test_an_answer_of_something_else_is_said_to_be_one() -> None:
    for answer in (httpx2.Response(502, text="<html>"), httpx2.Response(200, text="hello")):
        with pytest.raises(ApiError) as raised:
            client(Answers(answer)).me()
        assert raised.value.code == "unreadable_answer"


def test_members_that_are_not_known_here_are_ignored() -> None:
    assert client(Answers(httpx2.Response(200, json={**ME, "theme": "dark"}))).me().name == "bob"


def test_the_only_workspace_is_found_and_of_several_one_has_to_be_named() -> None:
    one = WorkspaceMemory(
        "http://service", "t", transport=httpx2.MockTransport(Answers(httpx2.Response(200, json=ME)))
    )
    assert one.workspace == "w"
    two = {**ME, "workspaces": [{"id": "w", "name": "Tea shop"}, {"id": "v", "name": "Rivals"}]}
    several = WorkspaceMemory(
        "http://service", "t", transport=httpx2.MockTransport(Answers(httpx2.Response(200, json=two)))
    )
    with pytest.raises(InvalidRequest, match="v \\(Rivals\\)"):
        _ = several.workspace


def test_ids_cannot_leave_their_place_in_the_path() -> None:
    answers = Answers(problem(404, "not_found", what="item"))
    with pytest.raises(NotFound):
        client(answers).get_item("../../me?x=#")
    assert answers.requests[0].url.raw_path.endswith(b"/items/..%2F..%2Fme%3Fx%3D%23")


def test_a_client_without_a_token_shows_its_origin_and_one_with_a_token_does_not() -> None:
    answers = Answers(httpx2.Response(200, json=ME), httpx2.Response(200, json=ME))
    client(answers, None).me()
    client(answers).me()
    without, with_token = answers.requests
    assert without.headers["Origin"] == "http://service"
    assert without.headers["Sec-Fetch-Site"] == "same-origin"
    assert "Authorization" not in without.headers
    assert with_token.headers["Authorization"] == "Bearer wm_pat_x"
    assert "Origin" not in with_token.headers


def test_an_address_without_a_scheme_is_told_to_have_one() -> None:
    with pytest.raises(InvalidRequest, match=r"http://127\.0\.0\.1:8787 or https://"):
        WorkspaceMemory("127.0.0.1:8787")


def test_a_certificate_that_is_not_trusted_is_said_at_once() -> None:
    refused = httpx2.ConnectError("x")
    refused.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")
    refused.__cause__.verify_message = "self-signed certificate"
    answers = Answers(refused)
    with pytest.raises(Unreachable, match=r"not trusted.*SSL_CERT_FILE"):
        client(answers).me()
    assert len(answers.requests) == 1

"""The endpoint for embeddings: what is sent to it, and that whatever it answers is either vectors or a failure."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from workspace_memory.domain.embedding import EmbedderUnusable, EmbeddingFailed, LibraryUnusable
from workspace_memory.semantic import endpoint as endpoint_module
from workspace_memory.semantic.endpoint import EmbeddingEndpoint

pytest.importorskip("numpy", reason="the extra semantic is not installed")

URL = "http://127.0.0.1:8080/v1/"


class Service:
    """Answers with the length of each text, in another order than asked."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self.answer: Callable[[list[str]], httpx2.Response] = lambda texts: httpx2.Response(
            200,
            json={
                "data": [
                    {"index": place, "embedding": [float(len(text)), 1.0, 0.0]}
                    for place, text in reversed(list(enumerate(texts)))
                ]
            },
        )

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return self.answer(json.loads(request.content)["input"])

    def endpoint(self, key: str = "") -> EmbeddingEndpoint:
        return EmbeddingEndpoint(URL, "tiny", key, transport=httpx2.MockTransport(self))


@pytest.fixture
def service() -> Service:
    return Service()


def test_each_text_gets_its_vector_in_order(service: Service) -> None:
    assert service.endpoint().embed(["a", "bb"]) == [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]]


def test_the_key_goes_to_the_address_of_the_settings(service: Service) -> None:
    service.endpoint("s3cret").embed_query("tea")
    request = service.requests[-1]
    assert str(request.url) == "http://127.0.0.1:8080/v1/embeddings"
    assert request.headers["authorization"] == "Bearer s3cret"
    assert json.loads(request.content) == {"model": "tiny", "input": ["tea"], "encoding_format": "float"}


def test_without_a_key_none_is_sent(service: Service) -> None:
    service.endpoint().embed_query("tea")
    assert "authorization" not in service.requests[-1].headers


def test_the_space_names_the_model_and_the_dimensions(service: Service) -> None:
    space = service.endpoint().space()
    assert space.endswith("-3")
    assert len(space) <= 64
    other = EmbeddingEndpoint(URL, "other", transport=httpx2.MockTransport(service))
    assert other.space() != space


def test_nothing_is_asked_before_it_is_needed(service: Service) -> None:
    endpoint = service.endpoint("s3cret")
    endpoint.make_ready()
    assert service.requests == []


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
        ("http://127.0.0.1:80/v1", "127.0.0.1"),
        ("http://user:s3cret@models.example.com/v1", "models.example.com"),
        ("https://models.example.com:443", "models.example.com"),
        ("https://models.example.com:80", "models.example.com:80"),
        ("http://[::1]:8080/v1", "[::1]:8080"),
        ("http://[::1]/v1", "[::1]"),
    ],
)
def test_its_name_says_the_place_and_nothing_else_of_the_address(url: str, place: str) -> None:
    assert EmbeddingEndpoint(url, "tiny").name == f"tiny at {place}"


BAD: dict[str, Any] = {
    "no data": {},
    "another shape": [1, 2],
    "a place is missing": {"data": [{"index": 1, "embedding": [1.0, 2.0, 3.0]}]},
    "a word for a number": {"data": [{"index": 0, "embedding": ["tea", 1.0, 1.0]}]},
    "no number": {"data": [{"index": 0, "embedding": [None, 1.0, 1.0]}]},
    "only zeros": {"data": [{"index": 0, "embedding": [0.0, 0.0, 0.0]}]},
    "one dimension": {"data": [{"index": 0, "embedding": [1.0]}]},
    "too many": {"data": [{"index": 0, "embedding": [1.0] * 5_000}]},
}


@pytest.mark.parametrize("kind", BAD)
def test_an_answer_of_another_shape_is_a_failure(service: Service, kind: str) -> None:
    service.answer = lambda _texts: httpx2.Response(200, json=BAD[kind])
    with pytest.raises(EmbeddingFailed, match="answer_not_understood"):
        service.endpoint().embed_query("tea")


@pytest.mark.parametrize("body", ["", "tea", '{"data": [{"index": 0, "embedding": [NaN, 1, 1]}]}'])
def test_an_answer_that_is_no_json_of_numbers_is_a_failure(service: Service, body: str) -> None:
    service.answer = lambda _texts: httpx2.Response(200, text=body)
    with pytest.raises(EmbeddingFailed, match="answer_not_understood"):
        service.endpoint().embed_query("tea")


@pytest.mark.parametrize("status", [301, 400, 401, 429, 500])
def test_a_refusal_is_a_failure_with_its_status_alone(service: Service, status: int) -> None:
    service.answer = lambda texts: httpx2.Response(
        status, text=texts[0], headers={"location": "http://evil/"}
    )
    with pytest.raises(EmbeddingFailed) as failed:
        service.endpoint("s3cret").embed_query("green tea")
    assert str(failed.value) == f"http_{status}"
    assert len(service.requests) == 1


@pytest.mark.parametrize(("status", "of_text"), [(400, True), (413, True), (401, False), (503, False)])
def test_a_text_that_is_not_taken_is_told_from_a_service_that_fails(
    service: Service, status: int, of_text: bool
) -> None:
    endpoint = service.endpoint()
    endpoint.space()
    service.answer = lambda _texts: httpx2.Response(status)
    with pytest.raises(EmbeddingFailed) as failed:
        endpoint.embed_query("tea " * 3_000)
    assert failed.value.of_text == of_text


def test_a_model_of_another_name_is_no_matter_of_a_text(service: Service) -> None:
    service.answer = lambda _texts: httpx2.Response(400)
    with pytest.raises(EmbeddingFailed) as failed:
        service.endpoint().embed_query("tea")
    assert not failed.value.of_text


def test_half_of_a_surrogate_pair_is_sent_as_something_else(service: Service) -> None:
    assert len(service.endpoint().embed_query("tea \ud800")) == 3


def test_a_service_that_is_not_there_is_a_failure(service: Service) -> None:
    def refuse(_texts: list[str]) -> httpx2.Response:
        raise httpx2.ConnectError("green tea")

    service.answer = refuse
    with pytest.raises(EmbeddingFailed) as failed:
        service.endpoint().embed_query("green tea")
    assert str(failed.value) == "ConnectError"


def test_other_dimensions_than_before_are_a_failure(service: Service) -> None:
    endpoint = service.endpoint()
    endpoint.embed_query("tea")
    service.answer = lambda _texts: httpx2.Response(
        200, json={"data": [{"index": 0, "embedding": [1.0, 2.0]}]}
    )
    with pytest.raises(EmbeddingFailed, match="other_dimensions"):
        endpoint.embed_query("tea")


@pytest.mark.parametrize(
    "url", ["", "tea", "ftp://127.0.0.1/v1", "http://", "http://[::1/v1", "http://a\n/v1"]
)
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(EmbedderUnusable, match="must be an address"):
        EmbeddingEndpoint(url, "tiny")


def test_a_library_that_cannot_be_imported_is_told_when_it_is_made_ready_and_else_a_failure(
    service: Service, broken_library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = service.endpoint()
    monkeypatch.setattr(endpoint_module, "LIBRARIES", (broken_library,))
    with pytest.raises(LibraryUnusable, match=rf"needs {broken_library}.*cannot be imported \(ImportError\)"):
        endpoint.make_ready()
    with pytest.raises(EmbeddingFailed, match="library_unusable"):
        endpoint.embed_query("tea")
    assert service.requests == []


def test_it_says_nothing_of_the_key(service: Service) -> None:
    assert "s3cret" not in repr(service.endpoint("s3cret"))

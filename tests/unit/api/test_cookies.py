"""The session cookie and who may act with it, without a server."""

import pytest
from fastapi import Request, Response

from workspace_memory.api.cookies import cookie_name, require_same_site, require_session_possible, set_session
from workspace_memory.api.edge import Edge
from workspace_memory.api.errors import CrossSiteRequest
from workspace_memory.domain.errors import Forbidden
from workspace_memory.services.running import Runner

LOOPBACK = "http://127.0.0.1:8787"
PUBLIC = "https://memory.example.com"


def edge(address: str = LOOPBACK) -> Edge:
    def nowhere() -> None:
        raise AssertionError("no use case is run")

    runner: Runner = nowhere  # pyright: ignore[reportAssignmentType]  never called
    return Edge(runner, address)


def request(
    *, scheme: str = "http", host: str = "127.0.0.1:8787", method: str = "POST", **headers: str
) -> Request:
    sent = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Request(
        {
            "type": "http",
            "method": method,
            "scheme": scheme,
            "path": "/",
            "query_string": b"",
            "server": ("127.0.0.1", 8787),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        }
    )


@pytest.mark.parametrize("host", ["127.0.0.1:8787", "localhost:8787", "[::1]:8787", "127.8.8.8"])
def test_the_loopback_has_the_plain_name(host: str) -> None:
    assert cookie_name(request(host=host), edge()) == "wm_session"
    require_session_possible(request(host=host), edge())


@pytest.mark.parametrize("host", ["192.168.1.5:8787", "memory.example.com", "localhost.example.com"])
def test_plain_http_beyond_the_loopback_has_no_session(host: str) -> None:
    assert cookie_name(request(host=host), edge()) == "__Host-wm_session"
    with pytest.raises(Forbidden):
        require_session_possible(request(host=host), edge())


@pytest.mark.parametrize(("scheme", "address"), [("https", LOOPBACK), ("http", PUBLIC), ("https", PUBLIC)])
def test_over_tls_the_name_binds_to_the_host(scheme: str, address: str) -> None:
    asked = request(scheme=scheme, host="memory.example.com")
    assert cookie_name(asked, edge(address)) == "__Host-wm_session"
    require_session_possible(asked, edge(address))


def test_the_cookie_of_tls_is_secure_http_only_and_lax() -> None:
    response = Response()
    set_session(response, request(scheme="https"), edge(PUBLIC), "wm_ses_x")
    cookie = set(response.headers["set-cookie"].split("; "))
    assert {"__Host-wm_session=wm_ses_x", "Secure", "HttpOnly", "SameSite=lax", "Path=/"} <= cookie


def test_reading_needs_no_origin() -> None:
    require_same_site(request(method="GET", origin="https://evil.example"), edge(), proof=True)


def test_the_public_address_is_an_own_origin_behind_a_proxy() -> None:
    require_same_site(request(host="10.0.0.7:8787", origin=PUBLIC), edge(PUBLIC), proof=True)
    with pytest.raises(CrossSiteRequest):
        require_same_site(
            request(host="10.0.0.7:8787", origin="https://evil.example"), edge(PUBLIC), proof=True
        )


def test_fetch_metadata_outweighs_the_origin() -> None:
    with pytest.raises(CrossSiteRequest):
        require_same_site(request(sec_fetch_site="same-site", origin=LOOPBACK), edge(), proof=False)


def test_without_proof_a_program_needs_no_headers() -> None:
    require_same_site(request(), edge(), proof=False)
    with pytest.raises(CrossSiteRequest):
        require_same_site(request(), edge(), proof=True)

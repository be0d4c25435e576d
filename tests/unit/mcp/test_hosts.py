"""Which names a request may use."""

import pytest

from workspace_memory.mcp.hosts import Hosts
from workspace_memory.settings import Settings

HOSTS = Hosts(Settings(host="192.168.1.5", public_url="https://Memory.example.com/"))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST:8787", "127.0.0.1:1", "[::1]:8787", "192.168.1.5:8787"),
        *("memory.example.com", "memory.example.com:443"),
    ],
)
def test_own_names_are_allowed_with_any_port(host: str) -> None:
    assert HOSTS.allows_host(host)


@pytest.mark.parametrize(
    "host", ["", "example.com", "memory.example.com.evil", "localhost.evil", "::1", "localhost:x"]
)
def test_other_names_are_not(host: str) -> None:
    assert not HOSTS.allows_host(host)


def test_listening_everywhere_allows_no_name_by_itself() -> None:
    assert not Hosts(Settings(host="0.0.0.0")).allows_host("0.0.0.0:8787")  # noqa: S104  nothing listens


@pytest.mark.parametrize(
    "origin", ["", "https://memory.example.com", "http://localhost:3000", "http://[::1]:1"]
)
def test_pages_of_the_service_and_of_this_machine_may_call(origin: str) -> None:
    assert HOSTS.allows_origin(origin)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://memory.example.com",
        "https://memory.example.com:8443",
        "https://evil.example",
        "file://localhost",
    ],
)
def test_pages_from_elsewhere_may_not(origin: str) -> None:
    assert not HOSTS.allows_origin(origin)

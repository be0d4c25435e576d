"""The addresses that people and AI clients are given, as texts.

Pure. A one-time link carries its secret in the fragment, which browsers and programs send to no server, so that it
stands in no access log.
"""

import ipaddress
from dataclasses import dataclass

from workspace_memory.domain.errors import LinkInvalid
from workspace_memory.domain.ids import ServerId

_LINK_PATH = "/accept#"


@dataclass(frozen=True, slots=True)
class LinkParts:
    """A one-time link taken apart: the service's address without a trailing slash, and the secret."""

    service: str
    secret: str


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def link_url(service: str, secret: str) -> str:
    """The one-time link for a secret, at a service's address."""
    return f"{service.rstrip('/')}{_LINK_PATH}{secret}"


def split_link(link: str) -> LinkParts:
    """Where a one-time link leads and its secret. Raises: LinkInvalid for a text that is no such link."""
    service, separator, secret = link.strip().partition(_LINK_PATH)
    if not (separator and secret and service.startswith(("http://", "https://"))):
        raise LinkInvalid
    return LinkParts(service, secret)


def accept_command(link: str) -> str:
    """The command by which a person redeems a link where no page does."""
    return f"workspace-memory user accept '{link}'"


def server_url(service: str, server: ServerId) -> str:
    """The full address of an MCP server, as clients are configured with it."""
    return f"{service.rstrip('/')}/mcp/{server}"

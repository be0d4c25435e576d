"""Which Host and Origin a request may name, so that no web page can reach a local server by a name of its own.

Allowed are this machine, the address that the service listens on, and the public address. The same check and the
same statuses as the SDK's (421, 403), made before anything else is looked at.
https://modelcontextprotocol.io/specification/draft/basic/transports#security-warning
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from workspace_memory.settings import Settings

_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_EVERYWHERE: Final = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  compared, not bound
_PORT: Final = re.compile(r":\d*$")

_REQUEST_HEADERS: Final = (
    "Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Key-Session"
)
_RESPONSE_HEADERS: Final = "WWW-Authenticate, Mcp-Session-Id"


class Hosts:
    """The allowed names of one installation."""

    def __init__(self, settings: Settings) -> None:
        public = urlsplit(settings.public_url)
        own = {_bracketed(name) for name in (settings.host, public.hostname or "") if name not in _EVERYWHERE}
        self._hosts = _LOCAL | own
        self._public_origin = f"{public.scheme}://{public.netloc}".lower() if public.netloc else ""

    def allows_host(self, host: str) -> bool:
        """Whether a Host header, with or without a port, names this service."""
        return _PORT.sub("", host.lower()) in self._hosts

    def allows_origin(self, origin: str) -> bool:
        """Whether a page of this origin may call: none is named, the public address, or this machine."""
        if not origin:
            return True
        scheme, _, host = origin.lower().partition("://")
        local = scheme in {"http", "https"} and _PORT.sub("", host) in _LOCAL
        return local or origin.lower() == self._public_origin


def cors_headers(origin: str) -> Mapping[str, str]:
    """What a browser needs to hand the answer to a page of an allowed origin; nothing without an origin."""
    if not origin:
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": _RESPONSE_HEADERS,
        "vary": "Origin",
    }


def preflight_headers() -> Mapping[str, str]:
    """What a browser asks before it sends a request with our headers."""
    return {
        "allow": "POST, OPTIONS",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": _REQUEST_HEADERS,
        "access-control-max-age": "600",
    }


def _bracketed(host: str) -> str:
    return f"[{host}]".lower() if ":" in host else host.lower()

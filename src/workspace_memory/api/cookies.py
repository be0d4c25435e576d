"""The session cookie: its name, its attributes, and which requests may act with it.

Over TLS the name begins with `__Host-`, which binds the cookie to this host and to Secure. The plain name exists
for http on the loopback alone, where browsers keep no Secure cookie.
"""

from fastapi import Request, Response

from workspace_memory.api.edge import Edge
from workspace_memory.api.errors import CrossSiteRequest
from workspace_memory.domain.account import SESSION_ABSOLUTE
from workspace_memory.domain.address import is_loopback
from workspace_memory.domain.errors import Forbidden

SECURE_NAME = "__Host-wm_session"
LOOPBACK_NAME = "wm_session"

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def cookie_name(request: Request, edge: Edge) -> str:
    """The name under which this request would carry its session."""
    return LOOPBACK_NAME if has_plain_cookies(request, edge) else SECURE_NAME


def has_plain_cookies(request: Request, edge: Edge) -> bool:
    """Whether the request came over http on the loopback, where browsers keep no Secure cookie."""
    if edge.is_https or request.url.scheme == "https":
        return False
    return is_loopback(request.url.hostname or "")


def session_secret(request: Request, edge: Edge) -> str | None:
    """The secret in the request's cookie."""
    return request.cookies.get(cookie_name(request, edge)) or None


def require_session_possible(request: Request, edge: Edge) -> None:
    """Raise Forbidden where a session's cookie would travel in the open: plain http beyond the loopback."""
    if request.url.scheme != "https" and not edge.is_https and not has_plain_cookies(request, edge):
        raise Forbidden(
            need="sign in over https, or on the machine itself; behind a proxy that ends TLS, set the public URL"
        )


def set_session(response: Response, request: Request, edge: Edge, secret: str) -> None:
    """Give the browser the session, for as long as one can last; a span, since clocks differ."""
    name = cookie_name(request, edge)
    lasts = int(SESSION_ABSOLUTE.total_seconds())
    response.set_cookie(
        name, secret, max_age=lasts, path="/", secure=name == SECURE_NAME, httponly=True, samesite="lax"
    )


def drop_session(response: Response, request: Request, edge: Edge) -> None:
    """Make the browser forget the session."""
    name = cookie_name(request, edge)
    response.delete_cookie(name, path="/", secure=name == SECURE_NAME, httponly=True, samesite="lax")


def require_same_site(request: Request, edge: Edge, *, proof: bool) -> None:
    """Raise CrossSiteRequest for a change that another site's page sends along.

    With `proof` the request has to show that it comes from the service's own page; without, it is enough that
    nothing shows the contrary, which is so for programs.
    """
    if request.method in _SAFE_METHODS:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        allowed = site == "same-origin"
    elif origin is not None:
        allowed = origin in _own_origins(request, edge)
    else:
        allowed = not proof
    if not allowed:
        raise CrossSiteRequest


def _own_origins(request: Request, edge: Edge) -> set[str]:
    return {edge.address, f"{request.url.scheme}://{request.headers.get('host', '')}"}

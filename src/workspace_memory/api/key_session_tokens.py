"""The token of a key session in a request: the header X-Key-Session, or a browser's cookie for that workspace.

The cookie is called `__Host-wm-ks-` and the session's id, `wm-ks-…` on the loopback, and holds the workspace's id
before the token, so that of several the one for the workspace of the request is found. It has no Max-Age: it lasts as
long as the browser's own session, and is not meant for a disk. Nothing here is logged or repeated in an answer.
"""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Header, Request, Response

from workspace_memory.api.cookies import has_plain_cookies
from workspace_memory.api.edge import edge_of
from workspace_memory.api.schemas.encoded import decode, encode
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import KeySessionId, WorkspaceId, is_id
from workspace_memory.domain.key_session import HEADER, TOKEN_BYTES, header_token

_PLAIN = "wm-ks-"
_SECURE = f"__Host-{_PLAIN}"
_REQUIRED = (
    "is required: it must come once and be the token of a key session: 32 bytes as base64url without padding"
)


def presented_key_session(request: Request, workspace: WorkspaceId | None = None) -> bytes | None:
    """The token that came along: of the header, else of the newest cookie for the workspace; None without one.

    The workspace is the one of the path, unless it is named. Raises: InvalidRequest for a malformed header, and for a
    header and a cookie that differ.
    """
    header = header_key_session(request)
    cookie = _cookie_token(request, workspace or request.path_params.get("workspace_id"))
    if header is not None and cookie is not None and header != cookie:
        raise InvalidRequest(HEADER, "is another key session than the cookie's; send one of them")
    return header or cookie


def header_key_session(request: Request) -> bytes | None:
    """The token of the header alone. Raises: InvalidRequest, which does not repeat it."""
    return header_token(request.headers.getlist(HEADER))


def set_key_session(
    response: Response, request: Request, *, workspace: WorkspaceId, session: KeySessionId, token: bytes
) -> None:
    """Give the browser the token until it is closed, in place of another one that it had for this workspace."""
    for name, owner, _ in _cookies(request):
        if owner == workspace:
            _delete(response, request, name)
    response.set_cookie(
        _prefix(request) + session,
        f"{workspace}.{encode(token)}",
        path="/",
        secure=not _is_plain(request),
        httponly=True,
        samesite="lax",
    )


def is_cookie_of(request: Request, session: KeySessionId) -> bool:
    """Whether the browser that asks has the token of this session."""
    return _prefix(request) + session in request.cookies


def drop_key_session(response: Response, request: Request, session: KeySessionId) -> None:
    """Make the browser forget a session that it has."""
    name = _prefix(request) + session
    if name in request.cookies:
        _delete(response, request, name)


def drop_key_sessions(response: Response, request: Request) -> None:
    """Make the browser forget all that it has."""
    for name in request.cookies:
        if name.startswith(_prefix(request)):
            _delete(response, request, name)


async def _read_presented(
    request: Request,
    _documented: Annotated[
        str | None,
        Header(
            alias=HEADER,
            description="The token of a key session, 32 bytes as base64url without padding; a browser has a cookie.",
            examples=[encode(bytes(range(32)))],
        ),
    ] = None,
) -> bytes | None:
    return presented_key_session(request)


KeySessionToken = Annotated[bytes | None, Depends(_read_presented)]
"""What a route takes that reads sealed text, so that the header also stands in the document."""


async def _read_new(
    request: Request,
    _documented: Annotated[
        str | None,
        Header(
            alias=HEADER,
            description="The new token, 32 random bytes as base64url without padding.",
            examples=[encode(bytes(range(32)))],
        ),
    ] = None,
) -> bytes:
    token = header_key_session(request)
    if token is None:
        raise InvalidRequest(HEADER, _REQUIRED)
    return token


NewKeySession = Annotated[bytes, Depends(_read_new)]
"""The token of a session that is opened by this request; cookies of older ones do not count."""


def _cookies(request: Request) -> Iterator[tuple[str, str, str]]:
    """Name, workspace and token of each cookie that is ours, newest session first."""
    prefix = _prefix(request)
    # Ids of sessions sort by the time at which they were made.
    for name in sorted(request.cookies, reverse=True):
        if name.startswith(prefix) and is_id(name.removeprefix(prefix)):
            owner, _, token = request.cookies[name].partition(".")
            yield name, owner, token


def _cookie_token(request: Request, workspace: object) -> bytes | None:
    found = list(_cookies(request))
    if workspace is None and len({owner for _, owner, _ in found}) == 1:
        workspace = found[0][1]
    for _, owner, text in found:
        if owner == workspace:
            try:
                token = decode(text)
            except ValueError:
                continue
            if len(token) == TOKEN_BYTES:
                return token
    return None


def _is_plain(request: Request) -> bool:
    return has_plain_cookies(request, edge_of(request))


def _prefix(request: Request) -> str:
    return _PLAIN if _is_plain(request) else _SECURE


def _delete(response: Response, request: Request, name: str) -> None:
    response.delete_cookie(name, path="/", secure=not _is_plain(request), httponly=True, samesite="lax")

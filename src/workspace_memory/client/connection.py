"""Requests and answers: addresses, credentials, retries, errors. Which routes there are stands in the modules beside.

What may be carried out twice without harm (reads, and saves with a key of their own) is sent again when the
connection breaks; anything else only when no connection could be made, since then nothing was sent.
"""

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import ValidationError

from workspace_memory.client.answers import Me, read_answer
from workspace_memory.client.errors import ApiError, answer_lost, error_of, unreachable
from workspace_memory.client.tls import TLS_WANTED, speaks_tls, tls_reason
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import WorkspaceId

ATTEMPTS = 3
FIRST_PAUSE_SECONDS = 0.2
CONNECT_SECONDS_MAX = 5.0
# The service itself gives up after ten seconds of contention, so that an answer normally comes before this.
ANSWER_SECONDS_MAX = 30.0
UNREADABLE = "The service's answer has another shape than this client expects: their versions differ."

A = TypeVar("A")


class Connection:
    """One service, one credential, and perhaps one workspace. Can be shared between threads."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        workspace: WorkspaceId | None = None,
        timeout: float = ANSWER_SECONDS_MAX,
        transport: httpx2.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if not url.lower().startswith(("http://", "https://")):
            raise InvalidRequest("url", f"write http://{url} or https://{url}")
        self.url = url.rstrip("/")
        self._workspace = workspace
        self._pause = pause
        self._real = transport is None
        headers = {"Accept": "application/json"}
        if token is None:
            # A session's changes have to show that they come from the service's own address.
            headers["Origin"] = self.url
            # Beside it, since a proxy or a second name of the service may change what its own address is.
            headers["Sec-Fetch-Site"] = "same-origin"
        else:
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx2.Client(
            headers=headers,
            timeout=httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS_MAX)),
            transport=transport or _transport(self.url),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    @property
    def workspace(self) -> WorkspaceId:
        """The workspace of the calls: the one that was named, or the only one that the credential reaches.

        Raises: InvalidRequest when there are none or several to choose from.
        """
        if self._workspace is None:
            reached = self._read(Me, "GET", "/me").workspaces
            if len(reached) != 1:
                known = ", ".join(f"{each.id} ({each.name})" for each in reached) or "none"
                raise InvalidRequest("workspace", f"name one of those that you reach: {known}")
            self._workspace = reached[0].id
        return self._workspace

    def choose_workspace(self, workspace: WorkspaceId) -> None:
        """Let the later calls be about this workspace, where the credential reaches several."""
        self._workspace = workspace

    def _read(
        self,
        shape: type[A],
        method: str,
        path: str,
        *,
        body: object = None,
        params: Mapping[str, str | int | None] | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
    ) -> A:
        """Send a request and read its answer. Raises: DomainError."""
        response = self._send(method, path, body, params, headers, repeatable)
        try:
            return read_answer(shape, response.content)
        except ValidationError:
            raise ApiError(response.status_code, UNREADABLE, "unreadable_answer") from None

    def _download(self, method: str, path: str, *, body: object) -> httpx2.Response:
        """Send a request that changes nothing and whose answer is a file. Raises: DomainError."""
        return self._send(method, path, body, None, None, True)

    def _do(
        self, method: str, path: str, *, body: object = None, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send a request whose answer has no body. Raises: DomainError."""
        self._send(method, path, body, None, headers, None)

    def _send(
        self,
        method: str,
        path: str,
        body: object,
        params: Mapping[str, str | int | None] | None,
        headers: Mapping[str, str] | None,
        repeatable: bool | None,
    ) -> httpx2.Response:
        request = self._request(method, path, body, params=params, headers=headers)
        response = self._exchange(request, method == "GET" if repeatable is None else repeatable)
        if response.is_success:
            return response
        raise error_of(response)

    def _request(
        self,
        method: str,
        path: str,
        body: object,
        *,
        params: Mapping[str, str | int | None] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Request:
        return self._http.build_request(
            method,
            f"{self.url}/api/v1{path}",
            json=body,
            params={name: value for name, value in (params or {}).items() if value is not None},
            headers=_headers(method, body, headers),
        )

    def _exchange(
        self, request: httpx2.Request, repeatable: bool, *, stream: bool = False
    ) -> httpx2.Response:
        """With `stream` the beginning of an answer, which the caller reads and closes."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._http.send(request, stream=stream)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                reason = tls_reason(self.url, error)
                if reason or attempt == ATTEMPTS:
                    raise unreachable(self.url, reason) from None
            except httpx2.TransportError:
                if self._answers_only_tls():
                    raise unreachable(self.url, TLS_WANTED.format(self.url.partition("://")[2])) from None
                if attempt == ATTEMPTS or not repeatable:
                    raise answer_lost(self.url) from None
            self._pause(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
        raise AssertionError("the last attempt returns or raises")

    def _answers_only_tls(self) -> bool:
        """Whether the connection broke because the service speaks TLS and was spoken to without."""
        return self._real and self.url.startswith("http://") and speaks_tls(self.url)


def segment(text: str) -> str:
    """A text as one segment of a path."""
    return quote(text, safe="")


def _transport(url: str) -> httpx2.BaseTransport | None:
    # Reading the machine's certificates takes a quarter of a second, which plain http has no use for.
    return httpx2.HTTPTransport(verify=False) if url.startswith("http://") else None


def _headers(method: str, body: object, headers: Mapping[str, str] | None) -> dict[str, str]:
    sent = dict(headers or {})
    if method != "GET" and body is None:
        # With a session a change says that it is JSON, be there a body or not.
        sent["Content-Type"] = "application/json"
    return sent

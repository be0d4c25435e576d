"""The web application as an ASGI application: the built files, and the one page that they start from.

It answers what no other edge does. It knows no user and no data: everything that a page shows comes from the REST
interface, under the session of whoever looks. Its content policy allows nothing that is not part of the build.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from workspace_memory.security_headers import security_headers
from workspace_memory.settings import Settings

# ASGI's own shapes: https://asgi.readthedocs.io/en/latest/specs/main.html
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

BUILT = Path(__file__).parent / "web"
START = "index.html"

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        # Argon2id runs as WebAssembly.
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
        # Svelte's own templates, and the one Worker.
        "trusted-types svelte-trusted-html wm-worker",
    )
)
# The name of a built file changes with its content.
_LASTING = "public, max-age=31536000, immutable"
_FRESH = "no-cache"

_NOT_BUILT = (
    "The web application is not built here. In a checkout, ./run setup builds it; packages of a release contain it.\n"
    "Everything else works: AI clients, the REST interface and the command line.\n"
)


class Pages:
    """Serves the built files below a folder. Raises nothing: without them it says how they are made."""

    def __init__(self, settings: Settings, *, built: Path = BUILT) -> None:
        https = settings.address().startswith("https://")
        self._headers = security_headers(https=https) | {"Content-Security-Policy": CONTENT_POLICY}
        self._built = built
        self._files = StaticFiles(directory=built, check_dir=False)
        self._app = GZipMiddleware(self._answer, minimum_size=1024)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        lasting = scope["path"].startswith("/assets/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                headers["Cache-Control"] = _LASTING if lasting and message["status"] == 200 else _FRESH
            await send(message)

        await self._app(scope, receive, send_with_headers)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._response(scope)
        await response(scope, receive, send)

    async def _response(self, scope: Scope) -> Response:
        if scope["method"] not in {"GET", "HEAD"}:
            return PlainTextResponse("Only GET and HEAD.\n", 405, {"Allow": "GET, HEAD"})
        if not (self._built / START).is_file():
            return PlainTextResponse(_NOT_BUILT, 503)
        path = scope["path"].removeprefix("/")
        try:
            return await self._files.get_response(path or START, scope)
        except HTTPException:
            # An address of the application: it finds its page itself. A file that is missing is not one.
            if path.startswith("assets/") or "." in path.rpartition("/")[2]:
                return PlainTextResponse("Not found.\n", 404)
            return await self._files.get_response(START, scope)

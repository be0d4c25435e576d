"""`workspace-memory serve`: the server process, from taking the data folder to the last answer.

Order of the start: bind the socket, own the folder (or open PostgreSQL) and migrate, say what to do next once
requests are answered. Order of the end: no new requests, those in flight finish, last uses are written, the folder
is released. A second `serve` on a folder is refused before it touches anything.
"""

import signal
import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.heap import bound_heaps
from workspace_memory.cli.listening import bind
from workspace_memory.cli.local import folder_gateway
from workspace_memory.cli.logs import start_logging
from workspace_memory.cli.opening import check_scanner, open_own_server
from workspace_memory.cli.output import say
from workspace_memory.cli.target import data_option, load_settings
from workspace_memory.domain.address import is_loopback
from workspace_memory.domain.errors import DomainError
from workspace_memory.services.deps import Deps
from workspace_memory.settings import Settings

FLUSH_SECONDS = 30.0

EPILOG = """\b
Examples:
  workspace-memory serve
  workspace-memory serve --data /srv/memory --port 9000
  workspace-memory serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --public-url https://memory.example.com

The first start prints a one-time link by which the first account is made; a new one at each start until then.
Other commands, and 'workspace-memory mcp', work on the same folder while the server runs. Ctrl+C stops it; requests
in flight are finished first.
"""


@click.command(epilog=EPILOG)
@data_option
@click.option(
    "--host",
    metavar="ADDRESS",
    help="The address to listen on (WORKSPACE_MEMORY_HOST).  [default: 127.0.0.1]",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port to listen on; 0 takes a free one (WORKSPACE_MEMORY_PORT).  [default: 8787]",
)
@click.option(
    "--tls-cert", type=click.Path(path_type=Path), metavar="FILE", help="A TLS certificate chain in PEM."
)
@click.option("--tls-key", type=click.Path(path_type=Path), metavar="FILE", help="Its private key in PEM.")
@click.option(
    "--public-url",
    metavar="URL",
    help="The address under which clients reach the service, behind a proxy for example "
    "(WORKSPACE_MEMORY_PUBLIC_URL).",
)
def serve(
    data: Path | None,
    host: str | None,
    port: int | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    public_url: str | None,
) -> None:
    """Start the server for AI clients, the REST interface and the command line."""
    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together.")
    bound_heaps()  # before any thread begins
    settings = load_settings(data=data, host=host, port=port, public_url=public_url)
    check_scanner(settings)
    for file in (tls_cert, tls_key):
        if file is not None and not file.is_file():
            raise Refused(f"There is no file {file}.")
    try:
        with _stoppable():
            _serve(settings, tls_cert, tls_key)
    except _Stopped:
        pass
    say("Stopped.")


def _serve(settings: Settings, tls_cert: Path | None, tls_key: Path | None) -> None:
    listener, refusal = _try_to_bind(settings)
    try:
        if listener is not None:
            settings = _with_address(settings, listener, tls=tls_cert is not None)
        with _opened_to_serve(settings) as deps:
            # Only now: that a server runs on the folder already is the better answer.
            if listener is None:
                raise refusal or Refused("Cannot listen.")
            start_logging(settings.log_level)
            if not is_loopback(settings.host) and tls_cert is None:
                say(
                    f"Warning: listening on {settings.host} without TLS. Passwords and tokens travel readable; put a "
                    "proxy with TLS in front of it, or give --tls-cert and --tls-key."
                )
            if tls_cert is not None:
                _check_tls(tls_cert, tls_key)
            say("Starting …")
            if deps.semantic is not None:
                # Now rather than at the first search: a model that cannot be used must not go unnoticed.
                deps.semantic.make_ready()
            # After the refusals above, which must not wait for the import of everything that answers requests.
            from workspace_memory.cli.web_server import answer_requests  # noqa: PLC0415

            with _flushing(deps):
                answer_requests(deps, settings, listener, tls_cert=tls_cert, tls_key=tls_key)
    finally:
        if listener is not None:
            listener.close()


def _check_tls(certificate: Path, key: Path | None) -> None:
    """Raise Refused for files that cannot be used, before anything says that it starts."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except OSError as error:  # ssl.SSLError among them
        raise Refused(f"The TLS certificate or key cannot be used: {error.strerror or error}.") from None


class _Stopped(Exception):
    """SIGTERM or SIGINT came."""


@contextmanager
def _stoppable() -> Generator[None]:
    """Let both signals end the process in order, whatever it is doing; uvicorn raises them again at its own end."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _Stopped

    kept = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


@contextmanager
def _opened_to_serve(settings: Settings) -> Generator[Deps]:
    if settings.database_url:
        services = open_own_server(settings)
        try:
            yield services.deps
        finally:
            services.close()
        return
    gateway = folder_gateway(settings)
    try:
        yield gateway.own_as_serve().deps
    finally:
        gateway.close()


@contextmanager
def _flushing(deps: Deps) -> Generator[None]:
    """Every half minute write the tokens' last uses and finish owed deletions; closing the services does the rest."""
    ended = threading.Event()

    def flush() -> None:
        while not ended.wait(FLUSH_SECONDS):
            try:
                deps.last_used.flush(deps.database)
                deps.database.forget_owed()
            except DomainError:
                continue  # kept for the next time

    thread = threading.Thread(target=flush, name="last-used", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(10)


def _try_to_bind(settings: Settings) -> tuple[socket.socket | None, Refused | None]:
    try:
        return bind(settings.host, settings.port), None
    except Refused as refused:
        return None, refused


def _with_address(settings: Settings, listener: socket.socket, *, tls: bool) -> Settings:
    """The settings with the port that was really taken, and https where TLS is on."""
    bound = settings.model_copy(update={"port": listener.getsockname()[1]})
    if tls and not settings.public_url:
        return bound.model_copy(update={"public_url": bound.address().replace("http://", "https://", 1)})
    return bound

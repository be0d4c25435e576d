"""Signing in at a server for the length of one command, by those who have a password and no token there yet.

The session ends with the command, also when the command fails. Elsewhere `target.py` says where a command goes.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.governance_rows import ErasedRow
from workspace_memory.cli.memory import Memory
from workspace_memory.cli.passwords import password_stdin_option, read_password
from workspace_memory.cli.target import Target, load_settings
from workspace_memory.domain.account import check_email
from workspace_memory.domain.errors import DomainError, NotAuthenticated

if TYPE_CHECKING:
    from workspace_memory.client import ReachedWorkspace, WorkspaceMemory
    from workspace_memory.domain.ids import WorkspaceId

C = TypeVar("C", bound=Callable[..., object])


def sign_in_options(command: C) -> C:
    """Give a command the options --sign-in and --password-stdin, as `sign_in` and `password_stdin`."""
    option = click.option(
        "--sign-in",
        default="",
        metavar="EMAIL",
        help="With --url: sign in with this address and a password instead of a token.",
    )
    return option(password_stdin_option(command))


@contextmanager
def opened_as(target: Target, email: str, *, password_stdin: bool) -> Generator[Memory]:
    """The memory that the command acts on: as the person who signs in, or without an address as the target says."""
    if not email:
        if password_stdin:
            raise click.UsageError("--password-stdin belongs to --sign-in.")
        with target.opened() as memory:
            yield memory
        return
    from workspace_memory.cli.remote_memory import RemoteMemory  # noqa: PLC0415  only on this way

    with signed_in(target, email, password_stdin=password_stdin) as (client, _):
        client.choose_workspace(_chosen(client.me().workspaces, target.workspace))
        yield RemoteMemory(client, "")


@contextmanager
def signed_in(
    target: Target, email: str, *, password_stdin: bool
) -> Generator[tuple["WorkspaceMemory", str]]:
    """The client of the person who signs in at a server, and the password for a call that wants it once more.

    Raises: UsageError, Refused, DomainError.
    """
    url = _server(target, email)
    password = read_password(from_stdin=password_stdin, twice=False)
    with _client(url, email, password) as client:
        yield client, password


def delete_own_account(target: Target, email: str, *, password_stdin: bool) -> ErasedRow:
    """Delete the account of the person who signs in at a server. Raises: Refused, DomainError."""
    with signed_in(target, email, password_stdin=password_stdin) as (client, password):
        erased = client.delete_account(password=password)
    return ErasedRow(erased.personal_items, erased.remains)


def _server(target: Target, email: str) -> str:
    """The server to sign in at. Raises: UsageError, InvalidRequest."""
    url = load_settings(url=target.url).url
    if target.data is not None or target.account or not url:
        raise click.UsageError(
            "--sign-in is for a running server: name it with --url, without --data and --as."
        )
    if target.token is not None:
        raise click.UsageError("Give either --sign-in or --token, not both.")
    check_email(email)
    return url


@contextmanager
def _client(url: str, email: str, password: str) -> Generator["WorkspaceMemory"]:
    from workspace_memory.client import WorkspaceMemory  # noqa: PLC0415  only on this way

    with WorkspaceMemory(url) as client:
        client.sign_in(email, password)
        try:
            try:
                client.me()
            except NotAuthenticated:
                raise Refused(
                    f"The session does not hold at {url}: give the service's https address."
                ) from None
            yield client
        finally:
            with suppress(DomainError):
                client.sign_out()


def _chosen(reached: Sequence["ReachedWorkspace"], wanted: str) -> "WorkspaceId":
    found = [each for each in reached if not wanted or wanted == each.id]
    found = found or [each for each in reached if each.name.casefold() == wanted.casefold()]
    if len(found) == 1:
        return found[0].id
    if not reached:
        raise Refused("This account belongs to no workspace.")
    names = ", ".join(f"'{each.name}' ({each.id})" for each in reached)
    raise Refused(f"Name one workspace with --workspace, by its name or id: {names}.")

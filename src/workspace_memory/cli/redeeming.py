"""Where a one-time link is redeemed: at the server that it names, or in the data folder of this machine."""

import shlex
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import click

from workspace_memory.cli.links import secret_of, server_of
from workspace_memory.cli.listening import answers
from workspace_memory.cli.local import Opened, opened
from workspace_memory.cli.rows import LinkLook, RedeemedRow
from workspace_memory.cli.target import load_settings
from workspace_memory.domain.address import is_loopback
from workspace_memory.services.accounts import look_at_link, redeem_link
from workspace_memory.services.opening import SQLITE_NAME
from workspace_memory.services.this_machine import address_here


class Redeeming(Protocol):
    """One link, and where it is redeemed. Raises: LinkInvalid and what the redemption raises."""

    @property
    def address(self) -> str:
        """The address of the service."""
        ...

    def later(self, email: str) -> str:
        """The options by which this person's later commands reach the same place; empty when none are needed."""
        ...

    def look(self) -> LinkLook:
        """What the link is for."""
        ...

    def redeem(self, *, password: str, email: str, name: str) -> RedeemedRow:
        """Use the link up."""
        ...


@contextmanager
def way_to_redeem(link: str, *, data: Path | None, url: str | None) -> Generator[Redeeming]:
    """The way that the options and the link itself say."""
    if data is not None and url is not None:
        raise click.UsageError("Give either --data (this machine) or --url (a running server), not both.")
    secret = secret_of(link)
    server = url or (server_of(link) if data is None else None)
    if server is not None and url is None and _belongs_here(server):
        server = None
    if server is not None:
        from workspace_memory.cli.remote_redeeming import redeeming_remotely  # noqa: PLC0415  only on this way

        with redeeming_remotely(server, secret) as remote:
            yield remote
        return
    with opened(load_settings(data=data)) as way:
        yield _Here(way, secret, data)


def is_set_up_here(address: str) -> bool:
    """Whether a server at this address is this machine's own, whose folder the next commands work on."""
    return is_loopback(urlsplit(address).hostname or "") and (load_settings().data / SQLITE_NAME).exists()


def _belongs_here(server: str) -> bool:
    """Whether a link was made on this machine for a server that does not run now: its folder redeems it as well."""
    host = urlsplit(server).hostname or ""
    return is_loopback(host) and (load_settings().data / SQLITE_NAME).exists() and not answers(server)


class _Here:
    """The data folder of this machine, or the configured PostgreSQL."""

    def __init__(self, way: Opened, secret: str, data: Path | None) -> None:
        self._data = data
        self._runner = way.runner
        self._secret = secret

    @property
    def address(self) -> str:
        """The address of the running `serve`, or of one that would be started."""
        return self._runner(address_here)

    def later(self, email: str) -> str:
        """The folder where it is not the usual one, and the account, which need not be the first one."""
        place = "" if self._data is None else f" --data {shlex.quote(str(self._data.absolute()))}"
        return f"{place} --as {shlex.quote(email)}"

    def look(self) -> LinkLook:
        """What the link is for."""
        facts = self._runner(look_at_link, self._secret)
        return LinkLook(facts.purpose.value, facts.email, facts.workspace_name, facts.account_exists)

    def redeem(self, *, password: str, email: str, name: str) -> RedeemedRow:
        """Use the link up."""
        done = self._runner(
            redeem_link, self._secret, password=password, email=email, name=name, address="this machine"
        )
        return RedeemedRow(done.purpose.value, done.email, done.user, done.workspace, done.server)

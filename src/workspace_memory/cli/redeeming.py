"""Where a one-time link is redeemed: at the server that it names, or in the data folder of this machine."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import click

from workspace_memory.cli.links import secret_of, server_of
from workspace_memory.cli.listening import answers, is_loopback
from workspace_memory.cli.local import Opened, opened
from workspace_memory.cli.rows import RedeemedRow
from workspace_memory.cli.target import load_settings
from workspace_memory.services.accounts import look_at_link, redeem_link
from workspace_memory.services.opening import SQLITE_NAME
from workspace_memory.services.this_machine import address_here


@dataclass(frozen=True, slots=True)
class LinkLook:
    """What a link is for."""

    purpose: str
    email: str | None
    workspace_name: str | None
    account_exists: bool


class Redeeming(Protocol):
    """One link, and where it is redeemed. Raises: LinkInvalid and what the redemption raises."""

    @property
    def address(self) -> str:
        """The address of the service."""
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
        yield _Here(way, secret)


def _belongs_here(server: str) -> bool:
    """Whether a link was made on this machine for a server that does not run now: its folder redeems it as well."""
    host = urlsplit(server).hostname or ""
    return is_loopback(host) and (load_settings().data / SQLITE_NAME).exists() and not answers(server)


class _Here:
    """The data folder of this machine, or the configured PostgreSQL."""

    def __init__(self, way: Opened, secret: str) -> None:
        self._runner = way.runner
        self._secret = secret

    @property
    def address(self) -> str:
        """The address of the running `serve`, or of one that would be started."""
        return self._runner(address_here)

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

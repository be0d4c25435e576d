"""A one-time link redeemed at the server that made it."""

import shlex
from collections.abc import Generator
from contextlib import contextmanager

from workspace_memory.cli.rows import LinkLook, RedeemedRow
from workspace_memory.client import WorkspaceMemory


@contextmanager
def redeeming_remotely(server: str, secret: str) -> Generator["_There"]:
    """The way to a link at a server's address."""
    with WorkspaceMemory(server) as client:
        yield _There(client, secret)


class _There:
    """A running server; no credential is needed, the link is one."""

    def __init__(self, client: WorkspaceMemory, secret: str) -> None:
        self._client = client
        self._secret = secret

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._client.url

    def later(self, email: str) -> str:
        """The server, and signing in, since nobody has a token there yet."""
        return f" --url {shlex.quote(self._client.url)} --sign-in {shlex.quote(email)}"

    def look(self) -> LinkLook:
        """What the link is for."""
        facts = self._client.look_at_link(self._secret)
        return LinkLook(facts.purpose.value, facts.email, facts.workspace_name, facts.account_exists)

    def redeem(self, *, password: str, email: str, name: str) -> RedeemedRow:
        """Use the link up."""
        done = self._client.redeem_link(self._secret, password=password, email=email, name=name)
        return RedeemedRow(done.purpose.value, done.email, done.user_id, done.workspace_id, done.server_id)

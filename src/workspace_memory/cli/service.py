"""The REST client for both ways of a command: a running server, or the service within this very process."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from workspace_memory.cli.target import Target
from workspace_memory.client import WorkspaceMemory

if TYPE_CHECKING:
    from workspace_memory.settings import Settings


@contextmanager
def opened_client(
    target: Target, *, lasting: bool = False, assistant: bool = False
) -> Generator[WorkspaceMemory]:
    """The client of the server that the command names, or of this machine.

    With `lasting` only where a key session outlives the command; with `assistant` on this machine for those calls too.
    Raises: UsageError, Refused, DomainError.
    """
    settings = target.settings()
    if not target.is_remote(settings):
        from workspace_memory.cli.own_service import own_client  # noqa: PLC0415  a second, on this way alone

        with own_client(target, settings, lasting=lasting, assistant=assistant) as client:
            yield client
        return
    with WorkspaceMemory(settings.url, settings.token) as client:
        if target.workspace:
            from workspace_memory.cli.remote_memory import choose_workspace  # noqa: PLC0415  rarely needed

            choose_workspace(client, target.workspace)
        yield client


def known_keys_file(settings: "Settings") -> Path:
    """Where this user's commands remember people's keys, for all services."""
    return settings.data / "known-keys.json"

"""What `serve` says when it has started: what to do next."""

import sys

from workspace_memory.cli.executable import typed
from workspace_memory.cli.local import data_argument
from workspace_memory.cli.output import show
from workspace_memory.domain.address import link_url, server_url
from workspace_memory.domain.errors import AlreadySetUp
from workspace_memory.services.accounts import is_set_up, make_setup_link
from workspace_memory.services.deps import Deps
from workspace_memory.services.servers import list_servers_here
from workspace_memory.services.workspaces import list_workspaces_here
from workspace_memory.settings import Settings

_SERVERS_SHOWN = 5


def welcome(deps: Deps, settings: Settings) -> None:
    """Print the address and either the one-time set-up link or how to connect."""
    address = settings.address()
    data = data_argument(settings)
    # Before anything is said: whoever reads the address may set the installation up at once.
    link = _setup_link(deps, address)
    show(f"Workspace Memory is running at {address}")
    show(f"Data: {'PostgreSQL' if settings.database_url else settings.data.absolute()}")
    show()
    if link is None:
        show(f"In a browser:          {address}")
        _show_servers(deps, address)
        show(f"Documents and the Assistant, for AI clients with a key session:  {address}/mcp")
        show(f"Connect an AI client:  {typed('connect CLIENT')}{data}")
        show(f"Invite somebody:       {typed('user add EMAIL')}{data}")
    else:
        show("Nothing is set up yet. Open this one-time link in your browser to make the first account:")
        show()
        show(f"  {link}")
        show()
        show("Whoever opens it becomes the administrator; it works once. In a terminal instead:")
        command = typed(f"user accept '{link}'")
        show(f"  {command}{data}")
    sys.stdout.flush()


def _setup_link(deps: Deps, address: str) -> str | None:
    """A one-time link for the first account; None when there is one already."""
    if is_set_up(deps):
        return None
    try:
        return link_url(address, make_setup_link(deps).secret)
    except AlreadySetUp:
        # Requests are answered by now, and `init` goes through the folder: the account was made since the look above.
        return None


def _show_servers(deps: Deps, address: str) -> None:
    servers = [
        (workspace.name, server)
        for workspace in list_workspaces_here(deps)
        for server in list_servers_here(deps, workspace.id)
    ]
    for name, server in servers[:_SERVERS_SHOWN]:
        show(f"MCP address of '{name}', {server.name}:  {server_url(address, server.id)}")
    if len(servers) > _SERVERS_SHOWN:
        show(f"… and {len(servers) - _SERVERS_SHOWN} more: {typed('server list')}")

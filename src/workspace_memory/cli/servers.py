"""`workspace-memory server`: MCP servers, the addresses that AI clients are given."""

import click

from workspace_memory.cli.output import say, show, show_json, show_table
from workspace_memory.cli.target import Target, json_option, with_target

EPILOG = """\b
Examples:
  workspace-memory server list
  workspace-memory server add "For contractors"
  workspace-memory server rename 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11 "For partners"
"""


@click.group(epilog=EPILOG)
def server() -> None:
    """List, add, rename and delete MCP servers.

    A server is an address of a workspace, /mcp/ID. Its id never changes, whatever its name.
    """


@server.command("list", epilog="\b\nExample:\n  workspace-memory server list --json")
@with_target
@json_option
def list_(target: Target, as_json: bool) -> None:
    """List the workspace's MCP servers and their addresses."""
    with target.opened() as memory:
        found = memory.list_servers()
    if as_json:
        show_json(found)
    else:
        show_table(["ID", "NAME", "ADDRESS"], [[each.id, each.name, each.url] for each in found])


@server.command(epilog='\b\nExample:\n  workspace-memory server add "For contractors"')
@with_target
@click.argument("name")
@json_option
def add(target: Target, name: str, as_json: bool) -> None:
    """Add an MCP server to the workspace (admins)."""
    with target.opened() as memory:
        made = memory.add_server(name)
    if as_json:
        show_json(made)
        return
    show(made.url)
    say(f"Added server '{made.name}' ({made.id}).")


@server.command(
    epilog='\b\nExample:\n  workspace-memory server rename 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11 "For partners"'
)
@with_target
@click.argument("server_id", metavar="ID")
@click.argument("name", metavar="NEW_NAME")
def rename(target: Target, server_id: str, name: str) -> None:
    """Give a server another name (admins). Its address stays."""
    with target.opened() as memory:
        renamed = memory.rename_server(server_id, name)
    say(f"The server is called '{renamed.name}' now.")


@server.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory server delete 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11\n"
    "  workspace-memory server delete 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11 --yes"
)
@with_target
@click.argument("server_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(target: Target, server_id: str, yes: bool) -> None:
    """Delete a server (admins). Clients that use its address lose the memory; the items stay."""
    if not yes:
        click.confirm("AI clients that use its address stop working. Delete it?", abort=True, err=True)
    with target.opened() as memory:
        memory.delete_server(server_id)
    say("Deleted.")

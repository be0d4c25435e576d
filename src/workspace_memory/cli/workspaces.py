"""`workspace-memory workspace`: workspaces."""

import click

from workspace_memory.cli.asking import prompt
from workspace_memory.cli.output import day, say, show, show_json, show_table
from workspace_memory.cli.target import Target, json_option, with_target

EPILOG = """\b
Examples:
  workspace-memory workspace list
  workspace-memory workspace create "Tea shop"
  workspace-memory workspace rename "Tea house" --workspace "Tea shop"
  workspace-memory workspace delete --workspace "Tea house"
"""


@click.group(epilog=EPILOG)
def workspace() -> None:
    """List, make, rename and delete workspaces.

    A workspace has its own members, memory, tokens and MCP servers; nothing is shared between two.
    """


@workspace.command("list", epilog="\b\nExample:\n  workspace-memory workspace list --json")
@with_target
@json_option
def list_(target: Target, as_json: bool) -> None:
    """List the workspaces of this account."""
    with target.opened() as memory:
        found = memory.list_workspaces()
    if as_json:
        show_json(found)
    else:
        show_table(["ID", "NAME", "MADE"], [[each.id, each.name, day(each.created_at)] for each in found])


@workspace.command(epilog='\b\nExample:\n  workspace-memory workspace create "Tea shop"')
@with_target
@click.argument("name")
@json_option
def create(target: Target, name: str, as_json: bool) -> None:
    """Make a workspace with an MCP server. This account is its admin."""
    with target.opened() as memory:
        made, server = memory.make_workspace(name)
    if as_json:
        show_json({"workspace": made, "server": server})
        return
    show(made.id)
    say(f"Made workspace '{made.name}'. MCP address: {server.url}")


@workspace.command(
    epilog='\b\nExample:\n  workspace-memory workspace rename "Tea house" --workspace "Tea shop"'
)
@with_target
@click.argument("name", metavar="NEW_NAME")
def rename(target: Target, name: str) -> None:
    """Give a workspace another name (admins). Addresses and ids stay."""
    with target.opened() as memory:
        renamed = memory.rename_workspace(name)
    say(f"The workspace is called '{renamed.name}' now.")


@workspace.command(
    epilog="\b\nExamples:\n"
    '  workspace-memory workspace delete --workspace "Tea shop"\n'
    '  workspace-memory workspace delete --workspace "Tea shop" --confirm "Tea shop"'
)
@with_target
@click.option("--confirm", metavar="NAME", help="The workspace's name, instead of being asked for it.")
def delete(target: Target, confirm: str | None) -> None:
    """Delete a workspace with everything in it (admins). It cannot be undone."""
    with target.opened() as memory:
        if confirm is None:
            workspace_id = memory.workspace_id()
            [name] = [each.name for each in memory.list_workspaces() if each.id == workspace_id]
            say(f"Everything in '{name}' will be deleted: items, tokens, servers and memberships.")
            confirm = prompt("Type its name to delete it", nothing="Nothing was deleted", option="--confirm")
        memory.delete_workspace(confirm)
    say("Deleted.")

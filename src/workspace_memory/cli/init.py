"""`workspace-memory init`: the first set-up, by whoever holds the data folder."""

from pathlib import Path

import click

from workspace_memory.cli.executable import typed
from workspace_memory.cli.local import opened
from workspace_memory.cli.output import say, show, show_json
from workspace_memory.cli.passwords import password_stdin_option, read_password
from workspace_memory.cli.target import data_option, json_option, load_settings
from workspace_memory.domain.account import check_email
from workspace_memory.services.accounts import FIRST_WORKSPACE, set_up_here
from workspace_memory.services.this_machine import address_here

EPILOG = """\b
Examples:
  workspace-memory init --email alice@example.com
  workspace-memory init --data /srv/memory --email alice@example.com --json
  printf '%s\\n' "$PASSWORD" | workspace-memory init --email alice@example.com --password-stdin

It works whether or not 'serve' runs on the folder. Without a password the administrator cannot sign in yet: the token
works at once, and 'workspace-memory user reset-password EMAIL' makes a link by which a password is set.
"""


@click.command(epilog=EPILOG)
@data_option
@click.option("--email", required=True, metavar="EMAIL", help="The administrator's e-mail address.")
@click.option(
    "--name", default="", metavar="NAME", help="The administrator's name.  [default: from the address]"
)
@click.option(
    "--workspace", default=FIRST_WORKSPACE, show_default=True, metavar="NAME", help="The workspace's name."
)
@password_stdin_option
@click.option(
    "--url",
    metavar="URL",
    help="The address under which clients will reach the service (WORKSPACE_MEMORY_PUBLIC_URL).",
)
@json_option
def init(
    data: Path | None,
    email: str,
    name: str,
    workspace: str,
    password_stdin: bool,
    url: str | None,
    as_json: bool,
) -> None:
    """Set up a data folder: administrator, workspace, MCP server and token.

    The token is shown once. It has the highest level and works for every interface.
    """
    check_email(email)
    password = read_password(from_stdin=True) if password_stdin else None
    settings = load_settings(data=data, public_url=url)
    with opened(settings, make=True) as way:
        made = way.runner(set_up_here, email=email, name=name, workspace_name=workspace, password=password)
        address = settings.address() if url else way.runner(address_here)
    assert made.token is not None  # noqa: S101  this set-up always makes one
    if as_json:
        show_json(
            {
                "url": address,
                "workspace_id": made.workspace,
                "server_id": made.server,
                "user_id": made.user,
                "token": made.token.secret,
            }
        )
        return
    say(f"Set up in {way.place}: workspace '{workspace}' with {email} as its admin.")
    show(f"MCP address:  {address}/mcp/{made.server}")
    show(f"Access token: {made.token.secret}")
    say(
        f"The token is not shown again. Next: '{typed('serve')}{way.data}', "
        f"then '{typed('connect CLIENT')}{way.data}'."
    )

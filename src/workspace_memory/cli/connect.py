"""`workspace-memory connect`: the configuration of an AI client, ready to paste."""

import shlex

import click

from workspace_memory.cli.executable import command_words, typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.listening import answers
from workspace_memory.cli.memory import Memory
from workspace_memory.cli.output import say, show
from workspace_memory.cli.rows import ServerRow
from workspace_memory.cli.signing_in import opened_as, sign_in_options
from workspace_memory.cli.target import Target, load_settings, with_target
from workspace_memory.domain.client_configuration import CLIENTS, VARIABLE, Client, Configuration, Http, Stdio
from workspace_memory.settings import default_data_folder

EPILOG = """\b
Examples:
  workspace-memory connect
  workspace-memory connect claude-code
  workspace-memory connect cursor --no-token
  workspace-memory connect claude-desktop --stdio
  workspace-memory connect codex > addition.toml
  workspace-memory connect cursor --url https://memory.example.com --sign-in bob@example.com

The configuration goes to standard output, where it belongs to standard error. Each call makes a token of its own,
for AI clients alone; 'workspace-memory token list' shows them. With --stdio the client starts this program itself:
no server, no token, this machine only.
"""


@click.command(epilog=EPILOG)
@with_target
@sign_in_options
@click.argument("client", metavar="[CLIENT]", type=click.Choice(list(CLIENTS)), required=False)
@click.option("--stdio", is_flag=True, help="For a client that starts this program itself.")
@click.option(
    "--no-token", is_flag=True, help="Make no token: the client takes one from the environment or asks."
)
@click.option(
    "--server", default="", metavar="NAME", help="An MCP server by name or id.  [default: the oldest]"
)
@click.option("--name", default="", metavar="NAME", help="The token's name.  [default: the client's]")
@click.option(
    "--level",
    type=click.Choice(["read", "personal", "contribute"]),
    default="contribute",
    show_default=True,
    help="The highest level of the token.",
)
def connect(
    target: Target,
    sign_in: str,
    password_stdin: bool,
    client: str | None,
    stdio: bool,
    no_token: bool,
    server: str,
    name: str,
    level: str,
) -> None:
    """Print the configuration that an AI client needs.

    Without CLIENT it lists the clients.
    """
    if client is None:
        for key, each in CLIENTS.items():
            show(f"{key:<15} {each.title}{'' if each.http else ' (with --stdio)'}")
        say(f"'{typed('connect CLIENT')}' prints what it needs.")
        return
    chosen = CLIENTS[client]
    if stdio:
        if target.url or sign_in:
            raise click.UsageError(
                "--stdio works on this machine's data folder; leave --url and --sign-in out."
            )
        _show(chosen, chosen.stdio(_this_program(target)))
        say(
            "It works at once: the client starts the program itself, and the first start makes what it needs."
        )
        return
    if chosen.http is None:
        raise Refused(
            f"{chosen.title} reaches a server by a connector, which wants a public https address and OAuth; this "
            f"version has no OAuth yet. '{typed(f'connect {client} --stdio')}' works on this machine."
        )
    with opened_as(target, sign_in, password_stdin=password_stdin) as memory:
        address = _server(memory, server).url
        token = None
        if not no_token:
            made = memory.make_token(
                name=name or chosen.title, max_level=level, mcp_only=True, expires_at=None
            )
            token = made.token
    _show(chosen, chosen.http(Http(address, token)))
    if token:
        say("It holds a token: keep it out of shared repositories. --no-token prints a form without one.")
    else:
        there = f" --url {shlex.quote(target.url)} --sign-in EMAIL" if target.url else ""
        create = typed(f'token create --name "{chosen.title}" --mcp-only{there}')
        say(
            f"Make a token with '{create}' and "
            + ("give it when asked." if client == "vscode" else f"put it into the environment as {VARIABLE}.")
        )
    if not answers(address):
        say(f"Nothing answers at {address.partition('/mcp/')[0]} at the moment: start '{typed('serve')}'.")


def _this_program(target: Target) -> Stdio:
    command, *before = command_words()
    arguments = [*before, "mcp"]
    # Spelled out also when it comes from the environment here, which the client does not have.
    data = load_settings(data=target.data).data.absolute()
    if data != default_data_folder():
        arguments += ["--data", str(data)]
    if target.account:
        arguments += ["--as", target.account]
    if target.workspace:
        arguments += ["--workspace", target.workspace]
    return Stdio(command, arguments)


def _show(client: Client, configuration: Configuration) -> None:
    add = "" if configuration.language == "shell" else f"{client.title}: add this to "
    say(f"{add}{configuration.place}")
    show(configuration.text)


def _server(memory: Memory, wanted: str) -> ServerRow:
    servers = memory.list_servers()
    found = [
        each
        for each in servers
        if not wanted or wanted == each.id or wanted.casefold() == each.name.casefold()
    ]
    if not found:
        names = shlex.join(each.name for each in servers)
        raise Refused(
            f"There is no MCP server '{wanted}'. There are: {names}."
            if servers
            else "There is no MCP server."
        )
    return found[0]

"""The command `workspace-memory`: finds the command that is asked for, runs it, and turns failures into exit codes.

Light on purpose: this module imports click and nothing else of weight, and a command's own module only when it is
called, so that `--help` and `mcp` start fast. A test keeps the sentences here equal to the commands' own.
"""

import sys
from importlib import import_module

import click

from workspace_memory import __version__
from workspace_memory.cli.failures import exit_code_for

# Command -> where it lives and its sentence in the list. In the order in which a person meets them.
COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("serve:serve", "Start the server for AI clients, the REST interface and the command line."),
    "init": ("init:init", "Set up a data folder: administrator, workspace, MCP server and token."),
    "connect": ("connect:connect", "Print the configuration that an AI client needs."),
    "mcp": ("stdio:mcp", "Serve one local user over standard input and output."),
    "items": ("items:items", "Add, find and forget memory items."),
    "import": ("moving:import_items", "Bring items in from a file or folder."),
    "export": ("moving:export_items", "Write items to a file that can be imported again."),
    "document": (
        "documents:document",
        "Show and write the memory document, its history and its mode.",
    ),
    "proposal": (
        "proposals:proposal",
        "See what the Assistant would change in the document, and apply or dismiss it.",
    ),
    "assistant": (
        "assistant:assistant",
        "Talk with the Assistant, and list, rename and delete the conversations.",
    ),
    "keys": ("keys:keys", "Set up your keys for the document, and pass the workspace's key on."),
    "key-session": (
        "key_sessions:key_session",
        "Open, list and revoke key sessions, in which the server may use the key.",
    ),
    "ai": ("ai:ai", "Show and change whether AI may work with the memory document (admins change it)."),
    "review": ("review:review", "See what waits for a person, and approve, reject or confirm it."),
    "user": ("users:user", "Invite, list, deactivate and delete people; redeem their links."),
    "member": (
        "members:member",
        "List members, set their levels and roles, erase their personal memory, remove them.",
    ),
    "settings": (
        "workspace_settings:settings",
        "Show and change what holds for all members of a workspace.",
    ),
    "semantic": ("semantic:semantic", "Show whether searches go by meaning, and how many vectors are made."),
    "client": ("client_tokens:client", "List the members' AI clients, and remove what one of them saved."),
    "token": ("tokens:token", "Make, list and revoke access tokens."),
    "workspace": ("workspaces:workspace", "List, make, rename and delete workspaces."),
    "server": ("servers:server", "List, add, rename and delete MCP servers."),
    "audit": ("auditing:audit", "List what was decided, and verify that the log is whole."),
    "licence": ("licences:licence", "Show, install and remove a licence key; make keys as an issuer."),
    "version": ("version:version", "Print the version."),
}

EPILOG = """\b
Examples:
  workspace-memory serve
  workspace-memory connect claude-code
  workspace-memory items add "The office closes at six" --scope organization
  workspace-memory items search "office hours"

Every command explains itself: workspace-memory COMMAND --help. Without --url a command works on this machine's
data folder, also while a server runs on it.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted.
"""


class _Commands(click.Group):
    """Commands that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Their names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: object = getattr(import_module(f"workspace_memory.cli.{module}"), name)
        assert isinstance(command, click.Command)  # noqa: S101  the table names commands alone
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in COMMANDS.items()])


@click.group(cls=_Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    __version__, "-V", "--version", prog_name="workspace-memory", message="%(prog)s %(version)s"
)
@click.option("--debug", is_flag=True, help="Show tracebacks of errors.")
def cli(debug: bool) -> None:
    """Workspace Memory: what you tell one AI client, the others find.

    A self-hosted memory for the AI clients of a person or a team.
    """
    del debug  # read by `main`, which also has to know it when the parsing fails


def main() -> None:
    """The entry point of the installed command."""
    debug = "--debug" in sys.argv[1:]
    try:
        code: object = cli.main(prog_name="workspace-memory", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:
        if isinstance(error, SystemExit):
            raise
        sys.exit(exit_code_for(error, debug=debug))
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()

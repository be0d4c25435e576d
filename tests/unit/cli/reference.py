"""The reference of the command line, written from the commands themselves.

python -m tests.unit.cli.reference > docs/reference/cli.md
"""

import inspect
import sys
from collections.abc import Iterator

import click

from workspace_memory.cli.main import COMMANDS, cli

HEAD = """\
# The command line

`workspace-memory` starts the server and does by hand what the REST interface does over the network. In a checkout
`./run` stands for it. This page is written from the commands themselves by `python -m tests.unit.cli.reference`.

**Where a command goes.** Without further options to the data folder of this machine, whether a server runs on it or
not, acting for the first account or the one of `--as`. With `--url` and a token to a running server, as the account
behind the token. `WORKSPACE_MEMORY_URL` and `WORKSPACE_MEMORY_TOKEN` say the same; an explicit `--data` goes before
them. With `WORKSPACE_MEMORY_DATABASE_URL` the local way is PostgreSQL instead of a folder.

**What it prints.** Data on standard output, everything that is said about it on standard error. `--json` prints one
JSON value; times are UTC.

**Exit codes.** 0 done · 1 refused or failed, with one plain sentence on standard error · 2 wrong usage ·
130 interrupted. `workspace-memory --debug COMMAND …` shows where an error came from.

**Passwords** are typed hidden, or read from standard input with `--password-stdin`; never taken as arguments.
"""


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """The command and everything below it, by the words that call it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=path)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, f"{path} {name}")


def all_commands() -> list[tuple[str, click.Command]]:
    """Every command of the product."""
    return list(commands(cli, "workspace-memory"))


def reference() -> str:
    """The whole page."""
    sections = [_section(path, command) for path, command in all_commands()]
    return HEAD + "\n" + "\n".join(sections)


def _section(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path)
    level = "##" if path.count(" ") < 2 else "###"
    lines = [f"{level} `{path}`", "", *inspect.cleandoc(command.help or "").splitlines(), ""]
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    lines += [f"    {usage}", ""]
    if path == "workspace-memory":
        lines += [f"- `{name}`: {sentence}" for name, (_, sentence) in COMMANDS.items()] + [""]
    options = [
        _option(each, context)
        for each in command.params  # without --help, which every command has
        if isinstance(each, click.Option)
    ]
    if options:
        lines += ["| option | |", "| --- | --- |", *options, ""]
    if command.epilog and path != "workspace-memory":
        lines += [
            f"    {line}".rstrip() for line in command.epilog.replace("\b\n", "").strip().splitlines()
        ] + [""]
    return "\n".join(lines)


def _option(option: click.Option, context: click.Context) -> str:
    record = option.get_help_record(context)
    assert record is not None
    names, text = record
    return f"| `{names.replace('|', '&#124;')}` | {' '.join(text.split()).replace('|', '&#124;')} |"


if __name__ == "__main__":
    sys.stdout.write(reference())

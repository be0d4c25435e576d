"""The help teaches: every command has a sentence and an example, and the list of commands says the same."""

import click
import pytest
from tests.unit.cli.reference import all_commands

from workspace_memory.cli.main import COMMANDS, cli

ALL = dict(all_commands())


@pytest.mark.parametrize("path", ALL)
def test_every_command_has_an_example_in_its_help(path: str) -> None:
    command = ALL[path]
    text = command.get_help(click.Context(command, info_name=path))
    assert "Example" in text
    assert any(line.strip().startswith(path) or f"| {path}" in line for line in text.splitlines())


@pytest.mark.parametrize("path", ALL)
def test_every_command_explains_itself_in_a_sentence(path: str) -> None:
    first = (ALL[path].help or "").strip().splitlines()[0]
    assert first.endswith((".", "others find."))


@pytest.mark.parametrize("path", ALL)
def test_every_option_is_explained(path: str) -> None:
    context = click.Context(ALL[path], info_name=path)
    for option in ALL[path].get_params(context):
        if isinstance(option, click.Option):
            assert option.help


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_their_own_sentences(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert (command.help or "").strip().splitlines()[0] == COMMANDS[name][1]

"""Passwords are typed hidden, twice, or read from standard input; never taken from arguments."""

import sys

import click

from workspace_memory.domain.account import PASSWORD_CHARACTERS_MIN

password_stdin_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input (its first line)."
)


def read_password(*, from_stdin: bool, twice: bool = True) -> str:
    """The password. Raises: UsageError when there is no terminal to ask on."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise click.UsageError(
            "There is no terminal to ask for a password on. Give it with --password-stdin."
        )
    asked = f"Password (at least {PASSWORD_CHARACTERS_MIN} characters)" if twice else "Password"
    return click.prompt(asked, hide_input=True, confirmation_prompt="Once more" if twice else False, err=True)

"""Passwords are typed hidden, twice, or read from standard input; never taken from arguments."""

import sys

import click

from workspace_memory.cli.asking import prompt
from workspace_memory.cli.output import say
from workspace_memory.domain.account import PASSWORD_CHARACTERS_MIN, check_email, check_password
from workspace_memory.domain.errors import InvalidRequest

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
    return _ask_twice() if twice else _hidden("Password")


def ask_email() -> str:
    """An e-mail address, asked for until it can be one."""

    def checked(text: str) -> str:
        try:
            return check_email(text)
        except InvalidRequest as error:
            raise click.UsageError(str(error)) from None

    return prompt("Your e-mail address", nothing="Nothing was done", option="--email", checked=checked)


def _ask_twice() -> str:
    while True:
        password = _hidden(f"Password (at least {PASSWORD_CHARACTERS_MIN} characters)")
        try:
            check_password(password)
        except InvalidRequest as error:
            # Not by click's own check, which hides what is wrong as well.
            say(f"{error}.")
            continue
        if _hidden("Once more") == password:
            return password
        say("The two are not the same.")


def _hidden(question: str) -> str:
    return click.prompt(question, hide_input=True, err=True)

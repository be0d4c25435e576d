"""Questions before something that cannot be taken back. A script, which nobody can ask, gives --yes."""

import sys
from collections.abc import Callable

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import say
from workspace_memory.domain.account import email_key

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


def confirm(question: str, *, nothing: str, instead: str = "Give --yes to go on") -> None:
    """Go on only when the person agrees; `nothing` says what was not done, `instead` what a script does.

    Raises: Refused, Abort.
    """
    if not sys.stdin.isatty():
        raise Refused(f"{nothing}: there is nobody to ask. {instead}.")
    click.confirm(question, abort=True, err=True)


def confirm_email(email: str, *, nothing: str) -> None:
    """Go on only when the person types the address once more. Raises: Refused, Abort."""
    typed = prompt("Type the e-mail address again", nothing=nothing, option="--yes")
    if email_key(typed) != email_key(email):
        raise Refused(f"{nothing}: that is another address.")


def prompt(question: str, *, nothing: str, option: str, checked: Callable[[str], str] | None = None) -> str:
    """A line, asked for until `checked` takes it; a script may type it as well, or give the option.

    Raises: Refused when the input of a script has ended, Abort.
    """
    try:
        return click.prompt(question, err=True, value_proc=checked)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        # Otherwise a script whose input is empty is told that somebody has interrupted it.
        say()
        raise Refused(f"{nothing}: there is nobody to ask. Give {option}.") from None

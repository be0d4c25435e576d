"""Questions before something that cannot be taken back. A script, which nobody can ask, gives --yes."""

import sys

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.domain.account import email_key

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


def confirm(question: str, *, nothing: str) -> None:
    """Go on only when the person agrees; `nothing` says what was not done. Raises: Refused, Abort."""
    if not sys.stdin.isatty():
        raise Refused(f"{nothing}: there is nobody to ask. Give --yes to go on.")
    click.confirm(question, abort=True, err=True)


def confirm_email(email: str, *, nothing: str) -> None:
    """Go on only when the person types the address once more. Raises: Refused, Abort."""
    typed: str = click.prompt("Type the e-mail address again", err=True)
    if email_key(typed) != email_key(email):
        raise Refused(f"{nothing}: that is another address.")

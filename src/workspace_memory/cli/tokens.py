"""`workspace-memory token`: personal access tokens."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import day, moment, say, show, show_json, show_table
from workspace_memory.cli.rows import TokenRow
from workspace_memory.cli.signing_in import opened_as, sign_in_options
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.domain.ids import is_id

EPILOG = """\b
Examples:
  workspace-memory token create --name "Claude on my laptop" --mcp-only
  workspace-memory token create --name backup --level read --expires 30 --json
  workspace-memory token list
  workspace-memory token revoke 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11
"""


@click.group(epilog=EPILOG)
def token() -> None:
    """Make, list and revoke access tokens.

    A token belongs to one account and one workspace and never may do more than its highest level.
    """


@token.command(
    epilog="\b\nExamples:\n  workspace-memory token create --name Cursor --level personal --expires 90 --mcp-only\n"
    "  workspace-memory token create --name laptop --url https://memory.example.com --sign-in bob@example.com"
)
@with_target
@sign_in_options
@click.option(
    "--name", required=True, metavar="NAME", help="What it is for; shown as the source of what it saves."
)
@click.option(
    "--level",
    type=click.Choice(["none", "read", "personal", "contribute"]),
    default="contribute",
    show_default=True,
    help="The highest access level that it may use.",
)
@click.option(
    "--expires", type=click.IntRange(min=1, max=36_500), metavar="DAYS", help="Days until it stops working."
)
@click.option("--mcp-only", is_flag=True, help="For AI clients alone: it opens no REST route.")
@json_option
def create(
    target: Target,
    sign_in: str,
    password_stdin: bool,
    name: str,
    level: str,
    expires: int | None,
    mcp_only: bool,
    as_json: bool,
) -> None:
    """Make a token and show it, this once."""
    expires_at = None if expires is None else datetime.now(UTC) + timedelta(days=expires)
    with opened_as(target, sign_in, password_stdin=password_stdin) as memory:
        made = memory.make_token(name=name, max_level=level, mcp_only=mcp_only, expires_at=expires_at)
    if as_json:
        show_json(made)
        return
    show(made.token)
    say(f"Token '{made.name}' ({made.id}), level {made.max_level}. It is not shown again.")


@token.command("list", epilog="\b\nExample:\n  workspace-memory token list --all")
@with_target
@click.option("--all", "also_ended", is_flag=True, help="Also the revoked and expired ones.")
@json_option
def list_(target: Target, also_ended: bool, as_json: bool) -> None:
    """List this account's tokens, newest first."""
    with target.opened() as memory:
        tokens = memory.list_tokens()
    now = datetime.now(UTC)
    if not also_ended:
        tokens = [
            each
            for each in tokens
            if each.revoked_at is None and (each.expires_at is None or each.expires_at > now)
        ]
    if as_json:
        show_json(tokens)
        return
    show_table(
        ["ID", "NAME", "LEVEL", "FOR", "LAST USED", "EXPIRES"],
        [
            [
                each.id,
                each.name,
                each.max_level,
                "AI clients" if each.surface == "mcp" else "everything",
                day(each.last_used_at, without="never"),
                "revoked" if each.revoked_at else day(each.expires_at, without="never"),
            ]
            for each in tokens
        ],
    )


@token.command(epilog="\b\nExample:\n  workspace-memory token revoke 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11")
@with_target
@click.argument("token_id", metavar="ID")
def revoke(target: Target, token_id: str) -> None:
    """Make a token useless at once."""
    with target.opened() as memory:
        revoked_at = _revoked_at(memory.list_tokens(), token_id)
        if revoked_at is not None:
            say(f"It was revoked already, on {moment(revoked_at)}.")
            return
        _check_id(token_id)
        memory.revoke_token(token_id)
    say("Revoked.")


def _check_id(token_id: str) -> None:
    """Raises: Refused for what is no id, such as the name of another member's token."""
    if not is_id(token_id):
        raise Refused("Give the token's id, as 'token list' shows it for the own and 'client list' for all.")


def _revoked_at(own: Sequence[TokenRow], wanted: str) -> datetime | None:
    """When it was revoked; None when it was not, or is somebody else's. Raises: Refused for a name."""
    for each in own:
        if each.id == wanted:
            return each.revoked_at
    named = [each for each in own if each.name.casefold() == wanted.casefold() and each.revoked_at is None]
    if not named:
        return None
    if len(named) == 1:
        raise Refused(f"Give the token's id. The one with the name '{named[0].name}' has {named[0].id}.")
    raise Refused(
        f"Give the token's id: {len(named)} have the name '{named[0].name}'. 'token list' shows them."
    )

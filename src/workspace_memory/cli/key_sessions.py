"""`workspace-memory key-session`: how long, and for whom, the server may use the workspace key."""

import socket
from pathlib import Path

import click

from workspace_memory.cli.executable import typed
from workspace_memory.cli.output import minute, say, show, show_json, show_table
from workspace_memory.cli.service import opened_client
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.unlocking import opened_keyholder, passphrase_option, unlock

EPILOG = """\b
Examples:
  workspace-memory key-session open --name "nightly agent"
  workspace-memory key-session list
  workspace-memory key-session revoke ID

While a key session is open, the server can read the memory document for you: an agent sends its token as
X-Key-Session. It ends after 12 hours, after 30 minutes without use, or when you revoke it.
"""

_KEY_WORDS = {True: "held", False: "gone", None: "not known now"}


@click.group("key-session", epilog=EPILOG)
def key_session() -> None:
    """Open, list and revoke key sessions, in which the server may use the key."""


@key_session.command(
    "open", epilog='\b\nExample:\n  workspace-memory key-session open --name "nightly agent"'
)
@with_target
@click.option("--name", default="", metavar="TEXT", help="What it is for.  [default: this machine's name]")
@json_option
@passphrase_option
def open_(target: Target, name: str, as_json: bool, passphrase_file: Path | None) -> None:
    """Open one, and print its token: whoever has it and your access token can read the memory document."""
    with opened_keyholder(target, lasting=True) as (client, holder):
        unlock(holder, passphrase_file)
        token = holder.open_key_session(name or socket.gethostname())
        session = client.list_key_sessions()[0]
    if as_json:
        show_json({"id": session.id, "token": token, "expires_at": session.expires_at})
        return
    show(token)
    say(f"It is shown once. It ends at {minute(session.expires_at)} at the latest.")
    say(f"'{typed(f'key-session revoke {session.id}')}' ends it now.")


@key_session.command("list", epilog="\b\nExample:\n  workspace-memory key-session list --json")
@with_target
@json_option
def list_(target: Target, as_json: bool) -> None:
    """List your key sessions in this workspace that have not ended, and whether the server still has their keys."""
    with opened_client(target) as client:
        found = client.list_key_sessions()
    if as_json:
        show_json(found)
        return
    rows = [
        (
            each.id,
            each.name,
            each.way.value,
            minute(each.opened_at),
            minute(each.expires_at),
            _KEY_WORDS[each.held],
        )
        for each in found
    ]
    show_table(("id", "name", "by", "opened", "ends", "key"), rows)
    if any(each.held is False for each in found):
        say(
            "A key that is gone does not come back: the server was restarted, or the session was not used for half an "
            f"hour. '{typed('key-session open')}' opens a new one."
        )


@key_session.command("revoke", epilog="\b\nExample:\n  workspace-memory key-session revoke ID")
@with_target
@click.argument("session_id", metavar="ID")
def revoke(target: Target, session_id: str) -> None:
    """End one for good."""
    with opened_client(target) as client:
        client.revoke_key_session(session_id)
    say("Revoked.")

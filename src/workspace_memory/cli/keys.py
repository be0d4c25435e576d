"""`workspace-memory keys`: the key of the workspace, passed from member to member; one's own in `own_keys.py`."""

from pathlib import Path

import click

from workspace_memory.cli.asking import confirm, yes_option
from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.key_due import say_key_due
from workspace_memory.cli.output import say, show, show_json, show_table
from workspace_memory.cli.own_keys import passphrase, recover, recovery_key, replace, setup
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.unlocking import (
    confirm_fingerprint,
    confirmation_by,
    opened_keyholder,
    passphrase_option,
    unlock,
)
from workspace_memory.client.key_answers import KeyMember, WorkspaceKeys
from workspace_memory.client.keys import fingerprint_of
from workspace_memory.domain.account import email_key
from workspace_memory.domain.workspace_key import KeyDue

EPILOG = """\b
Examples:
  workspace-memory keys setup
  workspace-memory keys show
  workspace-memory keys grant bob@example.com
  workspace-memory keys recover

The memory document is encrypted with a key that members pass on to each other. Your passphrase opens your own keys;
it is not your password and never leaves this machine. Passphrase and recovery key both lost means the text is lost,
unless another member holds the key ('keys replace').
"""

_STANDING = {"holds": "holds the key", "waiting": "waits for the key", "no_keys": "has no keys yet"}

fingerprint_option = click.option(
    "--fingerprint",
    default="",
    metavar="TEXT",
    help="The fingerprint that the person told you; then nothing is asked.",
)


@click.group(epilog=EPILOG)
def keys() -> None:
    """Set up your keys for the document, and pass the workspace's key on."""


for _command in (setup, recover, passphrase, recovery_key, replace):
    keys.add_command(_command)


@keys.command("show", epilog="\b\nExample:\n  workspace-memory keys show")
@with_target
@json_option
def show_(target: Target, as_json: bool) -> None:
    """Show who holds the key of the workspace, who waits for it, and their fingerprints."""
    with opened_keyholder(target) as (_, holder):
        state = holder.state()
    if as_json:
        show_json(
            {
                "epoch": state.epoch,
                "rotation_due": state.rotation_due,
                "nobody_holds": state.nobody_holds,
                "members": [_row(each) for each in state.members],
            }
        )
        return
    if state.epoch == 0:
        say(f"This workspace has no key yet. '{typed('keys setup')}' makes it.")
    rows = [
        (each.email, each.role.value, _STANDING[each.standing], _fingerprint_of(each) or "-")
        for each in state.members
    ]
    show_table(("member", "role", "key", "fingerprint"), rows)
    if state.nobody_holds:
        say_key_due(KeyDue.NEW_BEGINNING)
    elif state.rotation_due:
        say(f"Somebody who had the key has left. '{typed('keys rotate')}' makes a new one for all others.")


@keys.command(epilog="\b\nExample:\n  workspace-memory keys fingerprint")
@with_target
@passphrase_option
def fingerprint(target: Target, passphrase_file: Path | None) -> None:
    """Print your fingerprint, for somebody who grants you the key."""
    with opened_keyholder(target) as (_, holder):
        unlock(holder, passphrase_file)
        show(holder.fingerprint())


@keys.command(
    epilog="\b\nExamples:\n  workspace-memory keys grant bob@example.com\n"
    "  workspace-memory keys grant bob@example.com --fingerprint 'ABCD EFGH …'"
)
@with_target
@click.argument("email")
@fingerprint_option
@passphrase_option
def grant(target: Target, email: str, fingerprint: str, passphrase_file: Path | None) -> None:
    """Pass the key of the workspace on to a member, after comparing the fingerprint."""
    with opened_keyholder(target) as (_, holder):
        unlock(holder, passphrase_file)
        member = _member(holder.state(), email)
        holder.grant(member.user_id, confirmation_by(fingerprint))
    say(f"{member.name} holds the key of this workspace now.")


@keys.command(epilog="\b\nExample:\n  workspace-memory keys trust bob@example.com")
@with_target
@click.argument("email")
@fingerprint_option
def trust(target: Target, email: str, fingerprint: str) -> None:
    """Trust the new keys of a member who has replaced the old ones, after comparing the fingerprint."""
    with opened_keyholder(target) as (_, holder):
        member = _member(holder.state(), email)
        holder.trust_again(member.user_id, confirmation_by(fingerprint))
    say(f"The present keys of {member.name} are trusted.")


@keys.command(epilog="\b\nExample:\n  workspace-memory keys rotate")
@with_target
@click.option("--now", is_flag=True, help="Also when nobody has left.")
@passphrase_option
def rotate(target: Target, now: bool, passphrase_file: Path | None) -> None:
    """Make a new key of the workspace for all who hold the present one, after somebody has left.

    What was written before stays readable to them, and to the one who left; what is written from now on is not.
    """
    with opened_keyholder(target) as (_, holder):
        unlock(holder, passphrase_file)
        before = holder.state()
        if not (before.rotation_due or now):
            say(f"Nothing to do: nobody has left since the key of epoch {before.epoch} was made.")
            return
        key = holder.rotate(confirm_fingerprint, even_if_not_due=now)
    say(f"The key of this workspace is at epoch {key.epoch} now. Its key sessions have ended: open new ones.")


@keys.command(
    "begin-anew",
    epilog="\b\nExamples:\n  workspace-memory keys begin-anew\n"
    "  workspace-memory keys begin-anew --yes --passphrase-file secret.txt",
)
@with_target
@yes_option
@passphrase_option
def begin_anew(target: Target, yes: bool, passphrase_file: Path | None) -> None:
    """Make another key of the workspace, where nobody holds the present one any more (admins and editors).

    What was sealed until then is kept, and nobody can ever read it: not the document, its history, notes or proposals.
    While a member holds the key this is refused: 'keys grant' loses nothing.
    """
    with opened_keyholder(target) as (_, holder):
        state = holder.state()
        if not state.nobody_holds:
            raise Refused(f"Nothing to do: {_why_not(state)}.")
        unlock(holder, passphrase_file)
        say(
            f"Nobody holds the key of this workspace (epoch {state.epoch}) any more. Another key opens nothing that "
            "was sealed before: document, history, notes and proposals stay as they are, and can never be read."
        )
        say("Only a backup from when somebody held the key can, with that person's passphrase.")
        if not yes:
            confirm("Begin anew, and give up what is sealed?", nothing="Nothing was begun")
        key = holder.start_workspace_key(lost_epoch=state.epoch)
    say(
        f"The key of this workspace is at epoch {key.epoch} now. '{typed('keys grant EMAIL')}' passes it on; "
        f"'{typed('document save FILE')}' or '{typed('document clear')}' writes the next version."
    )


def _why_not(state: WorkspaceKeys) -> str:
    if not state.epoch:
        return f"this workspace has no key yet; '{typed('keys setup')}' makes it"
    holders = (f"{each.name} <{each.email}>" for each in state.members if each.standing == "holds")
    return f"the key of this workspace is held by {', '.join(holders)}, who can grant it"


def _member(state: WorkspaceKeys, email: str) -> KeyMember:
    wanted = email_key(email)
    found = next((each for each in state.members if email_key(each.email) == wanted), None)
    if found is None:
        raise Refused(f"There is no active member {email}. See '{typed('keys show')}'.")
    if found.public_keys is None:
        raise Refused(f"{found.name} has no keys yet; '{typed('keys setup')}' makes them.")
    return found


def _fingerprint_of(member: KeyMember) -> str | None:
    return None if member.public_keys is None else fingerprint_of(member.public_keys)


def _row(member: KeyMember) -> dict[str, str | None]:
    return {
        "email": member.email,
        "name": member.name,
        "role": member.role.value,
        "standing": member.standing,
        "fingerprint": _fingerprint_of(member),
    }

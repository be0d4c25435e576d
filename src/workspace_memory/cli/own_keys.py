"""`workspace-memory keys`: one's own keys, made, opened by another secret, replaced. `keys.py` has the workspace's key.

A recovery key is shown as soon as the service keeps what it opens: whatever fails later, the person has it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

from workspace_memory.cli.asking import confirm, prompt, yes_option
from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import say, show, show_json
from workspace_memory.cli.passwords import read_password
from workspace_memory.cli.service import opened_client
from workspace_memory.cli.signing_in import sign_in_options, signed_in
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.unlocking import (
    first_line_of,
    keyholder_of,
    opened_keyholder,
    passphrase_option,
    read_new_passphrase,
    unlock,
)
from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.keys import Keyholder
from workspace_memory.domain.errors import DomainError, Forbidden


@click.command(
    epilog="\b\nExamples:\n  workspace-memory keys setup\n"
    "  workspace-memory keys setup --passphrase-file secret.txt --json"
)
@with_target
@passphrase_option
@json_option
def setup(target: Target, passphrase_file: Path | None, as_json: bool) -> None:
    """Make your keys, and the workspace's key where there is none yet.

    Prints the recovery key once: write it down and keep it off this machine. Keys belong to your account: in a further
    workspace the same passphrase makes that workspace's key.
    """
    with opened_keyholder(target) as (_, holder):
        recovery_key = None
        if holder.has_keys():
            _require_something_to_do(holder)
            unlock(holder, passphrase_file)
        else:
            recovery_key = holder.set_up_keys(read_new_passphrase(passphrase_file))
        fingerprint = holder.fingerprint()
        if not as_json and recovery_key is not None:
            say("Your keys are made. This is your recovery key; it is shown once:")
            _show_recovery_key(recovery_key, fingerprint)
        standing = "unknown"
        try:
            standing = _start_or_wait(holder)
        finally:
            if as_json:
                show_json(
                    {"recovery_key": recovery_key, "fingerprint": fingerprint, "workspace_key": standing}
                )
    if not as_json:
        say(_STANDING[standing])


@click.command(epilog="\b\nExample:\n  workspace-memory keys recover")
@with_target
@click.option(
    "--recovery-key-file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Read the recovery key from a file's first line instead of asking.",
)
@passphrase_option
def recover(target: Target, recovery_key_file: Path | None, passphrase_file: Path | None) -> None:
    """Open your keys by the recovery key, and give them a new passphrase."""
    with opened_keyholder(target) as (_, holder):
        if recovery_key_file is None:
            written = prompt("Recovery key", nothing="Nothing was changed", option="--recovery-key-file")
        else:
            written = first_line_of(recovery_key_file).strip()
        holder.unlock_by_recovery(written)
        holder.change_passphrase(read_new_passphrase(passphrase_file))
    say("Your keys open by the new passphrase. The recovery key stays as it is.")


@click.command(epilog="\b\nExample:\n  workspace-memory keys passphrase")
@with_target
@click.option(
    "--new-passphrase-file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Read the new passphrase from a file's first line instead of asking.",
)
@passphrase_option
def passphrase(target: Target, new_passphrase_file: Path | None, passphrase_file: Path | None) -> None:
    """Change your passphrase; the recovery key stays."""
    with opened_keyholder(target) as (_, holder):
        unlock(holder, passphrase_file)
        holder.change_passphrase(read_new_passphrase(new_passphrase_file))
    say("Your keys open by the new passphrase.")


@click.command("recovery-key", epilog="\b\nExample:\n  workspace-memory keys recovery-key")
@with_target
@yes_option
@passphrase_option
def recovery_key(target: Target, yes: bool, passphrase_file: Path | None) -> None:
    """Make another recovery key; the one before opens nothing any more."""
    if not yes:
        confirm("Your present recovery key will stop working. Go on?", nothing="Nothing was changed")
    with opened_keyholder(target) as (_, holder):
        unlock(holder, passphrase_file)
        written = holder.new_recovery_key()
    say("This is your new recovery key; it is shown once:")
    show(written)


@click.command(
    epilog="\b\nExamples:\n  workspace-memory keys replace\n"
    "  workspace-memory keys replace --url https://memory.example.com --sign-in bob@example.com"
)
@with_target
@sign_in_options
@yes_option
@json_option
@passphrase_option
def replace(
    target: Target,
    sign_in: str,
    password_stdin: bool,
    yes: bool,
    as_json: bool,
    passphrase_file: Path | None,
) -> None:
    """Make other keys, where passphrase and recovery key are both lost.

    Your password proves that it is you; a token is not enough. You then wait in every workspace until a member who
    holds its key grants it to you again. Where nobody else holds it, the text is lost.
    """
    if not yes:
        confirm("Your present keys will open nothing any more. Go on?", nothing="Nothing was changed")
    with _proved(target, sign_in, password_stdin=password_stdin) as (client, password):
        holder = keyholder_of(client, target)
        if not holder.has_keys():
            raise Refused(f"You have no keys to replace. '{typed('keys setup')}' makes them.")
        written = holder.replace_keys(read_new_passphrase(passphrase_file), password=password)
        fingerprint = holder.fingerprint()
    if as_json:
        show_json({"recovery_key": written, "fingerprint": fingerprint})
        return
    say("You have other keys. This is your new recovery key; it is shown once:")
    _show_recovery_key(written, fingerprint)
    say(
        "A member who holds the key of a workspace now compares your fingerprint ('keys trust EMAIL'), grants you "
        "the key ('keys grant EMAIL') and makes a new one ('keys rotate'). Where nobody holds it any more, "
        "'keys begin-anew' makes another."
    )


_STANDING = {
    "started": "The key of this workspace is made too. 'keys grant EMAIL' passes it on to other members.",
    "waiting": "You wait for the key of this workspace: a member who holds it grants it with 'keys grant'.",
    "lost": "Nobody holds the key of this workspace any more: an editor or admin runs 'keys begin-anew'.",
    "none": "This workspace has no key yet: an admin or editor makes it with 'keys setup', then grants it to you.",
}


def _start_or_wait(holder: Keyholder) -> str:
    """Make the workspace's key if there is none and the person may."""
    state = holder.state()
    if state.epoch:
        return "lost" if state.nobody_holds else "waiting"
    try:
        holder.start_workspace_key()
    except Forbidden:
        return "none"
    except DomainError as error:
        # Another member was first, at this very moment.
        if error.code != "epoch_conflict":
            raise
        return "waiting"
    return "started"


def _require_something_to_do(holder: Keyholder) -> None:
    state = holder.state()
    if state.nobody_holds:
        anew = typed("keys begin-anew")
        raise Refused(f"You have keys already. Nobody holds that of this workspace any more: '{anew}' helps.")
    if state.epoch:
        raise Refused(
            f"You have keys already. '{typed('keys show')}' says how it stands here, 'keys passphrase' and "
            "'keys recovery-key' change what opens them, 'keys recover' helps when the passphrase is lost, and "
            "'keys replace' when both are."
        )


def _show_recovery_key(written: str, fingerprint: str) -> None:
    show(written)
    say(
        "Write it down and keep it off this machine: with passphrase and recovery key lost, nobody can open "
        "your keys."
    )
    say(f"Your fingerprint: {fingerprint}")


@contextmanager
def _proved(target: Target, email: str, *, password_stdin: bool) -> Generator[tuple[WorkspaceMemory, str]]:
    """The client of the person, and the password that proves it. Raises: UsageError, Refused, DomainError."""
    if email:
        with signed_in(target, email, password_stdin=password_stdin) as signed:
            yield signed
        return
    if target.data is None and target.settings().url:
        raise click.UsageError("A token cannot replace keys: sign in with --sign-in EMAIL.")
    with opened_client(target) as client:
        yield client, read_password(from_stdin=password_stdin, twice=False)

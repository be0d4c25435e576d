"""The passphrase, and what it opens: own keys, the workspace keys, and with them the memory document.

A passphrase is typed hidden or read from a file, never taken from arguments. It leaves this process in no form.
"""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import say
from workspace_memory.cli.service import known_keys_file, opened_client
from workspace_memory.cli.target import Target
from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.key_errors import WaitingForKey
from workspace_memory.client.keys import Acquaintance, Keyholder
from workspace_memory.client.known_keys import KnownKeys
from workspace_memory.client.memory_document import MemoryDocument
from workspace_memory.client.note_proposals import NoteProposals

C = TypeVar("C", bound=Callable[..., object])

PASSPHRASE_CHARACTERS_MIN = 12


def passphrase_option(command: C) -> C:
    """Give a command the option --passphrase-file, as `passphrase_file`."""
    option = click.option(
        "--passphrase-file",
        type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
        metavar="FILE",
        help="Read the passphrase from a file's first line instead of asking; '-' is standard input.",
    )
    return option(command)


@dataclass(frozen=True, slots=True)
class Unlocked:
    """Open keys, and what they open: the memory document, and proposals about notes."""

    client: WorkspaceMemory
    holder: Keyholder
    document: MemoryDocument
    notes: NoteProposals


@contextmanager
def opened_keyholder(
    target: Target, *, lasting: bool = False, assistant: bool = False
) -> Generator[tuple[WorkspaceMemory, Keyholder]]:
    """The client and the own keys, locked still; options as in `opened_client`. Raises: UsageError, Refused, …"""
    with opened_client(target, lasting=lasting, assistant=assistant) as client:
        yield client, keyholder_of(client, target)


def keyholder_of(client: WorkspaceMemory, target: Target) -> Keyholder:
    """The keys of whoever the client acts for, locked still, with what this user's commands know of others."""
    # Several accounts of one machine know people independently of each other.
    server = f"{client.url}#{client.me().user_id}"
    return Keyholder(client, KnownKeys(known_keys_file(target.settings()), server=server))


@contextmanager
def unlocked(
    target: Target,
    passphrase_file: Path | None,
    *,
    assistant: bool = False,
    before: Callable[[WorkspaceMemory], object] = lambda client: None,  # noqa: ARG005
) -> Generator[Unlocked]:
    """Everything open; `before` may refuse before a passphrase is asked for.

    Raises: Refused when there are no keys yet; WrongSecret, WaitingForKey, KeyDistrusted.
    """
    with opened_keyholder(target, assistant=assistant) as (client, holder):
        before(client)
        unlock(holder, passphrase_file)
        try:
            ring = holder.keyring()
        except WaitingForKey as waiting:
            if waiting.lost:
                raise Refused(f"{waiting} '{typed('keys begin-anew')}' does it.") from None
            if waiting.holders or holder.state().epoch:
                raise
            setup = typed("keys setup")
            raise Refused(f"This workspace has no key yet. An admin or editor makes it: '{setup}'.") from None
        document = MemoryDocument(client, ring, holder.user, holder.known)
        yield Unlocked(client, holder, document, NoteProposals(client, ring, holder.user))


def unlock(holder: Keyholder, passphrase_file: Path | None) -> None:
    """Open the own keys by the passphrase. Raises: Refused, WrongSecret."""
    if not holder.has_keys():
        raise Refused(f"You have no keys yet. '{typed('keys setup')}' makes them.")
    holder.unlock(read_passphrase(passphrase_file))


def read_passphrase(file: Path | None) -> str:
    """The passphrase that is there. Raises: UsageError when there is no terminal to ask on, OSError."""
    if file is not None:
        return _first_line(file)
    return _hidden("Passphrase")


def read_new_passphrase(file: Path | None) -> str:
    """A passphrase that is to be, typed twice. Raises: UsageError, Refused when it is too short."""
    if file is not None:
        passphrase = _first_line(file)
        if len(passphrase) < PASSPHRASE_CHARACTERS_MIN:
            raise Refused(_TOO_SHORT)
        return passphrase
    while True:
        passphrase = _hidden(f"New passphrase (at least {PASSPHRASE_CHARACTERS_MIN} characters)")
        if len(passphrase) < PASSPHRASE_CHARACTERS_MIN:
            say(_TOO_SHORT)
        elif _hidden("Once more") == passphrase:
            return passphrase
        else:
            say("The two are not the same.")


def confirm_fingerprint(member: Acquaintance, *, instead: str = "") -> bool:
    """Show a member's fingerprint and ask whether it is the right one.

    Raises: Refused without a terminal; `instead` says what a script does, by default to trust the person first.
    """
    if member.known:
        return True
    say(f"{member.name} <{member.email}>, {member.role}")
    say(f"Fingerprint: {member.fingerprint}")
    say(
        "Compare it with what that person sees, by a call or in person, and not in a message of this service."
    )
    if not sys.stdin.isatty():
        trust = typed(f"keys trust {member.email} --fingerprint TEXT")
        instead = instead or f"'{trust}', with what the person told you, comes first"
        raise Refused(f"Nothing was granted: there is nobody to ask. {instead}.")
    return click.confirm("Is it the same?", err=True)


def confirmation_by(fingerprint: str) -> Callable[[Acquaintance], bool]:
    """A confirmation by a fingerprint that was given, however its groups are written."""

    def confirm(member: Acquaintance) -> bool:
        return _plain(member.fingerprint) == _plain(fingerprint)

    if fingerprint:
        return confirm
    return partial(confirm_fingerprint, instead="Give --fingerprint TEXT, with what the person told you")


_TOO_SHORT = (
    f"A passphrase has at least {PASSPHRASE_CHARACTERS_MIN} characters. Take several unrelated words."
)


def _plain(fingerprint: str) -> str:
    return "".join(fingerprint.split()).replace("-", "").upper()


def first_line_of(file: Path) -> str:
    """The first line of a file without its end. Raises: Refused for what is no text, OSError."""
    try:
        with file.open(encoding="utf-8") as lines:
            return lines.readline().rstrip("\r\n")
    except UnicodeDecodeError:
        raise Refused(f"{file} is no text in UTF-8.") from None


def _first_line(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.readline().rstrip("\r\n")
    return first_line_of(file)


def _hidden(question: str) -> str:
    if not sys.stdin.isatty():
        raise click.UsageError("There is no terminal to ask on. Give the passphrase by --passphrase-file.")
    return click.prompt(question, hide_input=True, err=True)

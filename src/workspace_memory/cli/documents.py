"""`workspace-memory document`: the memory document in the clear, on this machine and nowhere else."""

import difflib
import sys
from pathlib import Path

import click

from workspace_memory.cli.asking import confirm, yes_option
from workspace_memory.cli.drafts import Draft
from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import minute, say, show, show_json, show_table
from workspace_memory.cli.service import opened_client
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.unlocking import Unlocked, opened_keyholder, passphrase_option, unlocked
from workspace_memory.client.document_answers import SealedRevision, Written
from workspace_memory.client.memory_document import MemoryDocument
from workspace_memory.domain.document import TEXT_BYTES_MAX
from workspace_memory.domain.document_errors import KeyLost, VersionConflict
from workspace_memory.domain.errors import ContentRefused, SecretRefused
from workspace_memory.domain.hidden_characters import with_hidden_shown
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import RECALL_BYTES_MAX

EPILOG = """\b
Examples:
  workspace-memory document edit
  workspace-memory document show
  workspace-memory document history
  workspace-memory document mode auto

The memory document is one short Markdown text that every call of the Assistant is given. It is encrypted before it
leaves this machine. 'keys setup' comes first.
"""

version_type = click.IntRange(min=1)


@click.group(epilog=EPILOG)
def document() -> None:
    """Show and write the memory document, its history and its mode."""


@document.command(
    "show",
    epilog="\b\nExamples:\n  workspace-memory document show\n  workspace-memory document show --version 3",
)
@with_target
@click.option("--version", "number", type=version_type, help="An older version instead of the newest.")
@json_option
@passphrase_option
def show_(target: Target, number: int | None, as_json: bool, passphrase_file: Path | None) -> None:
    """Print the text."""
    with unlocked(target, passphrase_file) as opened:
        if number is None:
            shown = opened.document.read()
            version, text, live = shown.version, shown.text, shown.live
        else:
            revision = opened.document.version(number)
            version, text, live = revision.version, revision.text or "", revision.text is not None
    if as_json:
        show_json({"version": version, "live": live, "text": text})
        return
    if not text:
        _say_nothing_there(version, live=live, older=number is not None)
        return
    _print(text, line_end=not text.endswith("\n"))


@document.command(
    epilog="\b\nExamples:\n  workspace-memory document edit\n  EDITOR=nano workspace-memory document edit"
)
@with_target
@yes_option
@passphrase_option
def edit(target: Target, yes: bool, passphrase_file: Path | None) -> None:
    """Open the text in your editor, and save it when you are done.

    When somebody saved meanwhile, nothing is written and your draft is kept in a file.
    """
    with unlocked(target, passphrase_file) as opened:
        shown = opened.document.head()
        text = _text_to_edit(opened.document)
        with Draft(text) as draft:
            changed = draft.edit()
            if changed is None or changed == text:
                say("Nothing was changed.")
                return
            if not (changed.strip() or yes):
                # An editor that could not write leaves an empty file behind.
                confirm("The draft is empty. Save it?", nothing="Nothing was saved")
            _check(changed, yes=yes)
            try:
                written = opened.document.save(changed, shown)
            except VersionConflict as error:
                raise Refused(f"{error} '{typed('document edit')}' opens the newer text.") from None
    _say_saved(written, changed)


@document.command(
    epilog="\b\nExamples:\n  workspace-memory document save memory.md\n"
    "  workspace-memory document save memory.md --base 7\n"
    "  echo '- We ship on Thursday' | workspace-memory document save - --passphrase-file secret.txt"
)
@with_target
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option(
    "--base",
    type=click.IntRange(min=0),
    help="Write only if this is still the newest version.  [default: the newest one]",
)
@yes_option
@json_option
@passphrase_option
def save(
    target: Target, file: Path, base: int | None, yes: bool, as_json: bool, passphrase_file: Path | None
) -> None:
    """Make the text of a file the next version; '-' reads it from standard input."""
    _take_input_as_it_is()
    with unlocked(target, passphrase_file) as opened:
        text = _read(file)
        _check(text, yes=yes)
        shown = opened.document.head()
        if base is not None and base != shown.version:
            raise VersionConflict(current=shown.version, live=shown.live)
        written = opened.document.save(text, shown)
    _say_saved(written, text, as_json=as_json)


@document.command(epilog="\b\nExample:\n  workspace-memory document clear")
@with_target
@yes_option
@json_option
@passphrase_option
def clear(target: Target, yes: bool, as_json: bool, passphrase_file: Path | None) -> None:
    """Empty the document, and end all automatic work that began before.

    Older versions stay in the history, conversations stay as they are, and a model may still see what was said in one.
    """
    with unlocked(target, passphrase_file) as opened:
        shown = opened.document.head()
        if not yes:
            confirm(f"Clear the memory document (version {shown.version})?", nothing="Nothing was cleared")
        written = opened.document.clear(shown)
    _show_written(written, f"Cleared: version {written.version} is empty.", as_json=as_json)


@document.command(epilog="\b\nExample:\n  workspace-memory document undo 3")
@with_target
@click.argument("number", type=version_type)
@json_option
@passphrase_option
def undo(target: Target, number: int, as_json: bool, passphrase_file: Path | None) -> None:
    """Write the text of an older version as the next one."""
    with unlocked(target, passphrase_file) as opened:
        written = opened.document.undo(number, opened.document.head())
    _show_written(written, f"Version {written.version} has the text of version {number}.", as_json=as_json)


@document.command(epilog="\b\nExample:\n  workspace-memory document delete")
@with_target
@yes_option
@json_option
def delete(target: Target, yes: bool, as_json: bool) -> None:
    """Delete the document; its history stays, and a Save brings it back."""
    with opened_keyholder(target) as (client, holder):
        version = client.get_document().version
        if not yes:
            confirm(f"Delete the memory document (version {version})?", nothing="Nothing was deleted")
        written = MemoryDocument(client, {}, holder.user, holder.known).delete(base=version)
    _show_written(written, f"Deleted: version {written.version} is a tombstone.", as_json=as_json)


@document.command(epilog="\b\nExample:\n  workspace-memory document history")
@with_target
@json_option
def history(target: Target, as_json: bool) -> None:
    """List the versions, newest first: when, by whom, by which kind of write. Needs no passphrase."""
    with opened_client(target) as client:
        names = {each.user_id: each.email for each in client.list_members()}
        versions = list(client.document_versions())
        readable = client.workspace_keys().first_readable
    rows = [
        {
            "version": each.version,
            "kind": each.kind.value,
            "at": each.at,
            "author": names.get(each.author_id, each.author_id),
            "bytes": each.bytes,
            "key_lost": _is_lost(each, readable),
        }
        for each in versions
    ]
    if as_json:
        show_json(rows)
        return
    show_table(
        ("version", "when", "who", "how", "bytes"),
        [
            (
                str(each.version),
                minute(each.at),
                names.get(each.author_id, each.author_id),
                each.kind.value,
                "-" if each.bytes is None else str(each.bytes),
            )
            for each in versions
        ],
    )
    lost = [str(each.version) for each in versions if _is_lost(each, readable)]
    if lost:
        say(
            "Sealed under a key that nobody holds any more, so that nobody can read it: "
            f"version {', '.join(reversed(lost))}."
        )


@document.command(
    epilog="\b\nExamples:\n  workspace-memory document diff\n  workspace-memory document diff 3\n"
    "  workspace-memory document diff 3 7"
)
@with_target
@click.argument("older", type=version_type, required=False)
@click.argument("newer", type=version_type, required=False)
@passphrase_option
def diff(target: Target, older: int | None, newer: int | None, passphrase_file: Path | None) -> None:
    """Compare two versions; the newest with the one before, unless they are named."""
    with unlocked(target, passphrase_file) as opened:
        last = newer if newer is not None else opened.document.head().version
        first = older if older is not None else last - 1
        before, after = _text_of(opened, first), _text_of(opened, last)
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"version {first}", f"version {last}", lineterm=""
    )
    for line in lines:
        _print(line)


@document.command(
    epilog="\b\nExamples:\n  workspace-memory document mode\n  workspace-memory document mode auto"
)
@with_target
@click.argument("mode", type=click.Choice([each.value for each in Mode]), required=False)
@json_option
def mode(target: Target, mode: str | None, as_json: bool) -> None:
    """Show or set what the Assistant may do with the document.

    off: nothing. read_only: it is given the text and may propose changes. auto: it may also write, behind the commit
    fence. A change ends automatic work that began before; it turns on no AI ('ai on' does).
    """
    with opened_client(target) as client:
        policy = client.memory_policy()
        if mode is not None:
            policy = client.change_memory_mode(Mode(mode), expected=policy.policy_revision)
    if as_json:
        show_json(policy)
        return
    show(policy.mode.value)


def _print(text: str, *, line_end: bool = True) -> None:
    """As it is for a program; for a person with hidden characters visible, which could drive the terminal."""
    shown = with_hidden_shown(text) if sys.stdout.isatty() else text
    # "In colour", since click would take escape sequences out of what goes to a program.
    click.echo(shown, nl=line_end, color=True)


def _text_to_edit(document: MemoryDocument) -> str:
    """The newest text; an empty one, which is said, where nobody can read it any more."""
    try:
        return document.read().text
    except KeyLost as lost:
        say(f"{lost} Your draft begins empty.")
        return ""


def _is_lost(revision: SealedRevision, readable: int) -> bool:
    return revision.epoch is not None and revision.epoch < readable


def _say_nothing_there(version: int, *, live: bool, older: bool) -> None:
    """Why there is nothing to print. The same word `revision` is under the answers of the Assistant."""
    if older:
        say(f"Revision {version} of the memory document is {'empty' if live else 'a deletion'}.")
    elif version == 0:
        say("The memory document is empty: it was never written.")
    else:
        say(f"The memory document is {'empty' if live else 'deleted'} (revision {version}).")


def _text_of(opened: Unlocked, version: int) -> str:
    return "" if version < 1 else opened.document.version(version).text or ""


def _read(file: Path) -> str:
    """The text, byte for byte. Raises: Refused, OSError."""
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_bytes().decode()
    except UnicodeDecodeError:
        raise Refused(f"{'Standard input' if str(file) == '-' else file} is no text in UTF-8.") from None


def _take_input_as_it_is() -> None:
    """Neither other line ends nor stray bytes, before anything is read. Not every stand-in for an input can do that."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="strict", newline="")


def _check(text: str, *, yes: bool) -> None:
    """The service cannot look into the text, so that this is the last place where a secret is seen.

    Raises: Refused for a text that is too long or that nobody wants saved, Abort.
    """
    from workspace_memory.domain.refusal import check_refusals  # noqa: PLC0415  patterns that only writes need

    size = len(text.encode())
    if size > TEXT_BYTES_MAX:
        raise Refused(f"The text has {size:,} bytes; at most {TEXT_BYTES_MAX:,} (192 KiB) are kept.")
    try:
        check_refusals(text, ())
    except ContentRefused as found:
        what = (
            "a password, token or key"
            if isinstance(found, SecretRefused)
            else "something that could mislead a model"
        )
        say(f"The text holds what looks like {what} (rule {found.rule}; {found.where}).")
        say("It would be encrypted, but every model that is given the memory would read it.")
        if not yes:
            confirm("Save it all the same?", nothing="Nothing was saved")


def _say_saved(written: Written, text: str, *, as_json: bool = False) -> None:
    _show_written(written, f"Saved as version {written.version}.", as_json=as_json)
    size = len(text.encode())
    if size > RECALL_BYTES_MAX and not as_json:
        say(
            f"The text has {size:,} bytes. Over {RECALL_BYTES_MAX:,} it is kept, but no model is given it: shorten it."
        )


def _show_written(written: Written, sentence: str, *, as_json: bool) -> None:
    if as_json:
        show_json(written)
    else:
        say(sentence)

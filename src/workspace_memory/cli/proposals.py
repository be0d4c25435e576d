"""`workspace-memory proposal`: changes of the memory document and of notes that wait for a person."""

import difflib
from pathlib import Path

import click

from workspace_memory.cli.output import minute, say, show, show_json, show_table
from workspace_memory.cli.service import opened_client
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.unlocking import Unlocked, passphrase_option, unlocked
from workspace_memory.client.document_answers import SealedProposal, Written
from workspace_memory.domain.document import DocumentKind
from workspace_memory.domain.edits import Edit, EditOp
from workspace_memory.domain.hidden_characters import with_hidden_shown

EPILOG = """\b
Examples:
  workspace-memory proposal list
  workspace-memory proposal show ID
  workspace-memory proposal apply ID
"""

id_argument = click.argument("proposal_id", metavar="ID")


@click.group(epilog=EPILOG)
def proposal() -> None:
    """See what the Assistant would change in the document, and apply or dismiss it."""


@proposal.command("list", epilog="\b\nExample:\n  workspace-memory proposal list --json")
@with_target
@click.option("--all", "everything", is_flag=True, help="Also those that are settled or retired.")
@json_option
def list_(target: Target, everything: bool, as_json: bool) -> None:
    """List your proposals and those that were shared, newest first. Needs no passphrase."""
    with opened_client(target) as client:
        found = [each for each in client.list_proposals() if everything or each.state == "open"]
    if as_json:
        show_json(
            [
                {
                    "id": each.id,
                    "kind": each.kind.value,
                    "path": each.path,
                    "base_version": each.base_version,
                    "reason": each.reason.value,
                    "state": each.state,
                    "shared": each.shared,
                    "created_at": each.created_at,
                }
                for each in found
            ]
        )
        return
    rows = [(each.id, minute(each.created_at), each.path, each.reason.value, each.state) for each in found]
    show_table(("id", "when", "path", "why it waits", "state"), rows)


@proposal.command("show", epilog="\b\nExample:\n  workspace-memory proposal show ID")
@with_target
@id_argument
@passphrase_option
def show_(target: Target, proposal_id: str, passphrase_file: Path | None) -> None:
    """Show the changes of a proposal."""
    with unlocked(target, passphrase_file) as opened:
        for line in proposal_lines(opened, opened.client.get_proposal(proposal_id)):
            show(line)


@proposal.command("apply", epilog="\b\nExample:\n  workspace-memory proposal apply ID")
@with_target
@id_argument
@json_option
@passphrase_option
def apply(target: Target, proposal_id: str, as_json: bool, passphrase_file: Path | None) -> None:
    """Carry a proposal out as your own Save (admins and editors): on the newest text of the memory document.

    One about a note is applied to the version that it was made from alone.
    """
    with unlocked(target, passphrase_file) as opened:
        written = apply_proposal(opened, opened.client.get_proposal(proposal_id))
    if as_json:
        show_json(written)
    else:
        say_applied(written)


@proposal.command("dismiss", epilog="\b\nExample:\n  workspace-memory proposal dismiss ID")
@with_target
@id_argument
def dismiss(target: Target, proposal_id: str) -> None:
    """Put a proposal away without writing."""
    with opened_client(target) as client:
        client.dismiss_proposal(proposal_id)
    say("Dismissed.")


@proposal.command("share", epilog="\b\nExample:\n  workspace-memory proposal share ID")
@with_target
@id_argument
def share(target: Target, proposal_id: str) -> None:
    """Let every member see your proposal."""
    with opened_client(target) as client:
        client.share_proposal(proposal_id)
    say("Every member sees it now.")


def proposal_lines(opened: Unlocked, found: SealedProposal) -> list[str]:
    """The changes of a proposal for people: edits of the memory document, or how a note's text would differ.

    Raises: KeyLost, SealBroken, NotFound.
    """
    if found.kind is not DocumentKind.MEMORY:
        present, proposed = opened.notes.present(found), opened.notes.proposed(found)
        differing = difflib.unified_diff(
            present.splitlines(), proposed.splitlines(), "as it is", "as proposed", lineterm=""
        )
        return [with_hidden_shown(line) for line in (found.path, *differing)]
    return [with_hidden_shown(_sentence(edit)) for edit in opened.document.proposed(found)]


def apply_proposal(opened: Unlocked, found: SealedProposal) -> Written | None:
    """Carry it out; None where the memory document says all of it already, and it is put away.

    Raises: EditRefused, ProposalSettled, VersionConflict, EpochConflict, KeyLost, SealBroken, …
    """
    if found.kind is not DocumentKind.MEMORY:
        return opened.notes.apply(found)
    written = opened.document.apply(found, opened.document.read())
    if written is None:
        opened.client.dismiss_proposal(found.id)
    return written


def say_applied(written: Written | None) -> None:
    """What came of it."""
    if written is None:
        say("The text says all of it already; the proposal is put away.")
    else:
        say(f"Applied: version {written.version}.")


def _sentence(edit: Edit) -> str:
    match edit.op:
        case EditOp.ADD:
            return f"add under {edit.heading}: {edit.text}" if edit.heading else f"add: {edit.text}"
        case EditOp.REPLACE:
            return f"replace: {edit.target}\n     by: {edit.text}"
        case EditOp.REMOVE:
            return f"remove: {edit.target}"

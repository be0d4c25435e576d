"""`workspace-memory audit`: the log of decisions, and the proof that nobody has changed it."""

import json
from datetime import datetime
from itertools import islice
from pathlib import Path

import click

from workspace_memory.cli.failures import FAILED, Refused
from workspace_memory.cli.governance_rows import AuditFilter, AuditHeadRow, AuditRow
from workspace_memory.cli.moments import Moment
from workspace_memory.cli.output import minute, say, show, show_json
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.domain.account import email_key
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.ids import is_id

EPILOG = """\b
Examples:
  workspace-memory audit list --action MEMORY_ERASED
  workspace-memory audit head > head-2026-11.json
  workspace-memory audit verify --head head-2026-11.json

The log holds ids, codes, levels and counts, never a text of memory. Each event carries the hash of the one before.
"""


@click.group(epilog=EPILOG)
def audit() -> None:
    """List what was decided, and verify that the log is whole."""


@audit.command(
    "list",
    epilog="\b\nExamples:\n"
    "  workspace-memory audit list --member bob@example.com\n"
    "  workspace-memory audit list --since 2026-11-01 --all --json",
)
@with_target
@click.option(
    "--action",
    type=click.Choice(
        [each.value for each in AuditAction if each is not AuditAction.UNREADABLE], case_sensitive=False
    ),
    metavar="ACTION",
    help="What happened, such as MEMORY_ERASED.",
)
@click.option("--actor", metavar="EMAIL|ID", help="Done by this member; one who has left is named by the id.")
@click.option("--member", metavar="EMAIL|ID", help="About this member; one who has left is named by the id.")
@click.option("--since", type=Moment(), metavar="TIME", help="From this day or time on (UTC).")
@click.option("--until", type=Moment(), metavar="TIME", help="Before this day or time (UTC).")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Events to show.")
@click.option("--all", "everything", is_flag=True, help="Every event, however many.")
@json_option
def list_(
    target: Target,
    action: str | None,
    actor: str | None,
    member: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    everything: bool,
    as_json: bool,
) -> None:
    """List events, newest first (admins)."""
    with target.opened() as memory:
        people = {each.id: each.email for each in memory.list_members()}
        wanted = AuditFilter(action, _user(people, actor), _user(people, member), since, until)
        found = memory.governance.audit(wanted)
        events = list(found if everything else islice(found, limit))
        more = next(found, None) is not None
    if as_json:
        show_json({"events": events, "more": more})
        return
    if not events:
        say("None.")
    for event in events:
        show(_line(event, people))
    if more:
        say("There are more; --all shows them.")


@audit.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory audit verify\n"
    "  workspace-memory audit verify --head head-2026-11.json --json"
)
@with_target
@click.option(
    "--head",
    "file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="A head that 'audit head' printed earlier: the log must still contain it.",
)
@json_option
def verify(target: Target, file: Path | None, as_json: bool) -> int:
    """Verify that no event was changed, removed or inserted (admins).

    The exit code is 1 when one was, and its number is printed. Without a head that was kept outside nobody can tell
    whether the newest events were cut off.
    """
    expected = None if file is None else _read_head(file)
    with target.opened() as memory:
        if expected is not None and expected.workspace != memory.workspace_id():
            raise Refused(f"{file} is the head of another workspace's log.")
        found = memory.governance.verify_audit(expected)
    if as_json:
        show_json(found)
    elif found.head is not None:
        show(f"Whole up to event {found.head.number}, hash {found.head.hash}.")
        if expected is not None and found.whole:
            say(f"It contains event {expected.number}, the head in {file}, unchanged.")
    if not found.whole:
        say(f"Broken at event {found.broken_at}: {found.reason}.")
        return FAILED
    return 0


@audit.command(epilog="\b\nExample:\n  workspace-memory audit head > head-2026-11.json")
@with_target
def head(target: Target) -> None:
    """Print the newest event's number and hash (admins).

    As JSON, for somebody outside to keep; 'audit verify --head' takes the file.
    """
    with target.opened() as memory:
        show_json(memory.governance.audit_head())


def _user(people: dict[str, str], named: str | None) -> str | None:
    if named is None or is_id(named):
        return named
    for user, address in people.items():
        if email_key(address) == email_key(named):
            return user
    raise Refused(
        f"There is no such member: {named}. Of those who have left the log keeps the id alone; "
        "'audit list --action MEMBER_REMOVED' shows it, and it goes in the place of the address."
    )


def _line(event: AuditRow, people: dict[str, str]) -> str:
    actor = "this machine" if event.actor is None else people.get(event.actor, event.actor)
    about = "" if event.subject is None else f" about {people.get(event.subject, event.subject)}"
    facts = "".join(f" {name}={value}" for name, value in event.facts.items())
    return f"{event.number}  {minute(event.at)}  {event.action} by {actor}{about}{facts}"


def _read_head(file: Path) -> AuditHeadRow:
    try:
        found: object = json.loads(file.read_bytes())
    except ValueError:
        found = None
    match found:
        case {"workspace": str(workspace), "number": int(number), "hash": str(text)} if _is_hash(text):
            return AuditHeadRow(workspace, number, text)
        case _:
            raise Refused(f"{file} is no head of an audit log; 'workspace-memory audit head' prints one.")


def _is_hash(text: str) -> bool:
    try:
        return len(bytes.fromhex(text)) == 32
    except ValueError:
        return False

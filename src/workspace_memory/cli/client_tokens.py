"""`workspace-memory client`: the AI clients of all members, and undoing what one of them saved."""

from datetime import datetime

import click

from workspace_memory.cli.asking import confirm, yes_option
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.governance_rows import RemovalRow
from workspace_memory.cli.moments import Moment
from workspace_memory.cli.output import day, say, show_json, show_table
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.texts import first_line
from workspace_memory.domain.account import email_key
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import is_id

EPILOG = """\b
Examples:
  workspace-memory client list
  workspace-memory client remove-items 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11 --since 2026-11-01

'workspace-memory token revoke ID' cuts a client off at once.
"""


@click.group(epilog=EPILOG)
def client() -> None:
    """List the members' AI clients, and remove what one of them saved."""


@client.command(
    "list",
    epilog="\b\nExamples:\n"
    "  workspace-memory client list\n"
    "  workspace-memory client list --member bob@example.com --json",
)
@with_target
@click.option("--member", metavar="EMAIL", help="This member's alone.")
@click.option("--all", "also_ended", is_flag=True, help="Also the revoked ones.")
@json_option
def list_(target: Target, member: str | None, also_ended: bool, as_json: bool) -> None:
    """List the members' AI clients (admins).

    A client is a token; with it stands the number of company items that it has saved.
    """
    with target.opened() as memory:
        clients = memory.governance.list_clients()
        if member is not None:
            wanted = {each.id for each in memory.list_members() if email_key(each.email) == email_key(member)}
            if not wanted:
                raise NotFound(f"member: {member}")
            clients = [each for each in clients if each.user_id in wanted]
    if not also_ended:
        clients = [each for each in clients if each.token.revoked_at is None]
    if as_json:
        show_json(clients)
        return
    show_table(
        ["TOKEN", "MEMBER", "NAME", "LEVEL", "COMPANY ITEMS", "LAST USED"],
        [
            [
                each.token.id,
                first_line(each.user_name),
                first_line(each.token.name) + (" (revoked)" if each.token.revoked_at else ""),
                each.token.max_level,
                str(each.company_items),
                day(each.token.last_used_at, without="never"),
            ]
            for each in clients
        ],
    )


@client.command(
    "remove-items",
    epilog="\b\nExamples:\n"
    "  workspace-memory client remove-items 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11 --since 2026-11-01 --dry-run\n"
    "  workspace-memory client remove-items 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11 --since 2026-11-01T09:00:00Z --yes",
)
@with_target
@click.argument("token_id", metavar="TOKEN")
@click.option("--since", type=Moment(), required=True, metavar="TIME", help="From this day or time on (UTC).")
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@yes_option
@json_option
def remove_items(
    target: Target, token_id: str, since: datetime, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Undo what a client wrote since a day or time.

    TOKEN is the id that 'client list' prints. What it saved is deleted, what it changed gets its text from before.
    Counts come first, then a question. How many personal items of another member there are is only said afterwards.
    """
    if not is_id(token_id):
        raise Refused("Give the token's id, which 'client list' shows.")
    with target.opened() as memory:
        governance = memory.governance
        planned = governance.remove_from_client(token_id, since=since, dry_run=True)
        _say_removal(planned, deleted="to delete", put_back="to put back")
        nothing_known = planned.personal_removed is not None and not _touched(planned)
        if dry_run or nothing_known:
            if as_json:
                show_json({"removed": False, "plan": planned})
            return
        if not yes:
            confirm("Remove them?", nothing="Nothing was removed")
        done = governance.remove_from_client(token_id, since=since, dry_run=False)
        while done.more:
            done = done.plus(governance.remove_from_client(token_id, since=since, dry_run=False))
    if as_json:
        show_json({"removed": True, "result": done})
    _say_removal(done, deleted="deleted", put_back="put back")
    if done.remains:
        say(done.remains)


def _touched(row: RemovalRow) -> int:
    return (
        row.company_removed
        + row.company_put_back
        + (row.personal_removed or 0)
        + (row.personal_put_back or 0)
    )


def _say_removal(row: RemovalRow, *, deleted: str, put_back: str) -> None:
    more = " or more" if row.more else ""
    say(
        f"Company items {deleted}: {row.company_removed:,}{more}, {put_back}: {row.company_put_back:,}{more}."
    )
    if row.personal_removed is None:
        say("Personal items of the member are included; their number is not shown before.")
    else:
        say(
            f"Personal items {deleted}: {row.personal_removed:,}{more}, "
            f"{put_back}: {row.personal_put_back or 0:,}{more}."
        )

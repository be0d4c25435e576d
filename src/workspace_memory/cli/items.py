"""`workspace-memory items`: memory items by hand."""

import sys
from collections.abc import Sequence
from datetime import date

import click

from workspace_memory.cli.memory import Memory
from workspace_memory.cli.moments import Day
from workspace_memory.cli.output import day, say, show, show_json
from workspace_memory.cli.rows import ItemRow, SavedRow
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.texts import first_line, indented

EPILOG = """\b
Examples:
  workspace-memory items add "Prefers green tea" --kind preference --tag drinks
  workspace-memory items search tea
  workspace-memory items list --scope organization --status pending
  workspace-memory items history 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11
  workspace-memory items forget 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11
"""

_KINDS = click.Choice(["fact", "preference", "note"])
_SCOPES = click.Choice(["personal", "organization"])
_STATUSES = click.Choice(["active", "pending", "rejected"])
_OUTCOMES = {
    "saved": "Saved.",
    "already_saved": "This is saved already; nothing was added.",
    "replaced": "Replaced; the earlier text is in its history.",
    "proposed": "Waits for review by an admin or editor.",
    "held": "Held: the text looks suspicious. It waits in 'review list', which says why.",
    "rejected_before": "The same text was rejected before; nothing was added.",
}
PAGE = 50
# A query is answered with its best 1,000 items (`services/finding.py`).
FOUND_MAX = 1_000


@click.group(epilog=EPILOG)
def items() -> None:
    """Add, find and forget memory items.

    You see your own personal items and the company's active ones; nobody sees another member's personal memory.
    """


@items.command(
    epilog="\b\nExamples:\n"
    '  workspace-memory items add "The office closes at six" --scope organization\n'
    "  pbpaste | workspace-memory items add - --kind note"
)
@with_target
@click.argument("text")
@click.option("--kind", type=_KINDS, help="Left out: a note, or the kind of the item that it replaces.")
@click.option(
    "--scope",
    type=_SCOPES,
    default="personal",
    show_default=True,
    help="'organization' is company memory, which admins and editors may add to.",
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="At most ten; repeat the option.")
@click.option("--replaces", metavar="ID", help="Write a new version of this item instead of a new item.")
@click.option(
    "--review-by", type=Day(), metavar="DATE", help="From this day on it is marked 'to be confirmed'."
)
@json_option
def add(
    target: Target,
    text: str,
    kind: str | None,
    scope: str,
    tags: Sequence[str],
    replaces: str | None,
    review_by: date | None,
    as_json: bool,
) -> None:
    """Save a text; '-' reads it from standard input. It has at most 2,000 characters."""
    content = sys.stdin.read().rstrip("\n") if text == "-" else text
    with target.opened() as memory:
        saved = memory.add_item(
            content, kind=kind, scope=scope, tags=tags, replaces=replaces, review_by=review_by
        )
    if as_json:
        show_json(saved)
    else:
        _show_saved(saved)


@items.command(
    epilog='\b\nExample:\n  workspace-memory items search "office hours" --scope organization --json'
)
@with_target
@click.argument("query")
@click.option("--scope", type=_SCOPES, help="Only your own, or only the company's.")
@click.option("--kind", type=_KINDS, help="Only this kind.")
@click.option("--tag", metavar="TAG", help="Only with this tag.")
@click.option(
    "--limit", type=click.IntRange(1, FOUND_MAX), default=10, show_default=True, help="Items to show."
)
@json_option
def search(
    target: Target,
    query: str,
    scope: str | None,
    kind: str | None,
    tag: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """Find items by any word or part of a word, the best match first."""
    with target.opened() as memory:
        shown, more = _found(memory, query, scope=scope, kind=kind, tag=tag, status="active", limit=limit)
    if as_json:
        show_json({"items": shown, "next_cursor": more})
        return
    _show_items(shown)
    if more:
        say(f"There are more; --limit shows up to {FOUND_MAX:,}, and a narrower query finds better.")


@items.command(
    "list", epilog="\b\nExamples:\n  workspace-memory items list\n  workspace-memory items list --all --json"
)
@with_target
@click.option("--scope", type=_SCOPES, help="Only your own, or only the company's.")
@click.option("--kind", type=_KINDS, help="Only this kind.")
@click.option("--tag", metavar="TAG", help="Only with this tag.")
@click.option(
    "--status",
    type=_STATUSES,
    default="active",
    show_default=True,
    help="What waits, and what was rejected, is shown to its author, and to admins and editors the company's.",
)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Items to show.")
@click.option("--all", "everything", is_flag=True, help="Every item, however many.")
@json_option
def list_(
    target: Target,
    scope: str | None,
    kind: str | None,
    tag: str | None,
    status: str,
    limit: int,
    everything: bool,
    as_json: bool,
) -> None:
    """List items, newest first."""
    most = None if everything else limit
    with target.opened() as memory:
        shown, more = _found(memory, "", scope=scope, kind=kind, tag=tag, status=status, limit=most)
    if as_json:
        show_json({"items": shown, "next_cursor": more})
        return
    _show_items(shown)
    if more:
        say("There are more; --all shows them.")


@items.command(epilog="\b\nExample:\n  workspace-memory items forget 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11")
@with_target
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
def forget(target: Target, ids: Sequence[str]) -> None:
    """Delete items. Everybody deletes the own personal ones, admins and editors the company's as well."""
    with target.opened() as memory:
        for number, item in enumerate(ids):
            try:
                memory.forget_item(item)
            except Exception:
                if number:
                    say(f"{number} of {len(ids)} were forgotten; {item} was not.")
                raise
    say("Forgotten." if len(ids) == 1 else f"{len(ids)} items forgotten.")


@items.command(epilog="\b\nExample:\n  workspace-memory items history 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11")
@with_target
@click.argument("item_id", metavar="ID")
@json_option
def history(target: Target, item_id: str, as_json: bool) -> None:
    """Show every version of an item, newest first."""
    with target.opened() as memory:
        revisions = memory.item_history(item_id)
    if as_json:
        show_json(revisions)
        return
    for revision in revisions:
        by = f" by {revision.changed_by}" if revision.changed_by else ""
        show(f"version {revision.version}, {day(revision.changed_at)}{by} ({revision.source})")
        show(indented(revision.content))


def _found(
    memory: Memory,
    query: str,
    *,
    scope: str | None,
    kind: str | None,
    tag: str | None,
    status: str,
    limit: int | None,
) -> tuple[list[ItemRow], str | None]:
    """The first items, all of them without a limit, and the cursor behind them when there are more."""
    found: list[ItemRow] = []
    cursor: str | None = None
    while limit is None or len(found) < limit:
        size = PAGE if limit is None else min(PAGE, limit - len(found))
        page = memory.find_items(
            query, scope=scope, kind=kind, tag=tag, status=status, limit=size, cursor=cursor
        )
        found.extend(page.items)
        cursor = page.next_cursor
        if cursor is None:
            break
    return found, cursor


def _show_saved(saved: SavedRow) -> None:
    show(saved.item.id)
    say(_OUTCOMES.get(saved.outcome, saved.outcome))
    if saved.similar:
        say("Similar items, in case one should be replaced (--replaces ID) or forgotten:")
        for each in saved.similar:
            say(f"  {each.id}  {first_line(each.content)}")


def _show_items(rows: Sequence[ItemRow]) -> None:
    if not rows:
        say("Nothing found.")
    for row in rows:
        about = [row.kind, "company" if row.scope == "organization" else "personal", day(row.updated_at)]
        if row.status != "active":
            about.insert(0, row.status)
        if row.author and row.scope == "organization":
            about.append(f"by {row.author}")
        about.extend(f"#{tag}" for tag in row.tags)
        show(f"{row.id}  {', '.join(about)}")
        show(indented(row.content))
        if row.reason:
            show(indented(f"Rejected: {row.reason}"))

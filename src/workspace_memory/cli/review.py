"""`workspace-memory review`: what waits for a person, and the decisions about it.

A decision names the version that was read: `review list` prints ID@VERSION, and ID@VERSION/TARGET for a proposed
change. For a bare ID the item is shown as it is now, and the person asked.
"""

import re
from collections.abc import Sequence
from datetime import date
from itertools import islice

import click

from workspace_memory.cli.asking import confirm as ask
from workspace_memory.cli.asking import yes_option
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.governance import Governance
from workspace_memory.cli.governance_rows import DecidedRow, DecisionRow, ReviewRow
from workspace_memory.cli.moments import Day
from workspace_memory.cli.output import say, show_json
from workspace_memory.cli.review_pages import handle, show_entry, show_to_confirm
from workspace_memory.cli.target import Target, json_option, with_target

EPILOG = """\b
Examples:
  workspace-memory review list
  workspace-memory review approve 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11@1
  workspace-memory review reject 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11@1 --reason "Nobody else needs it"
  workspace-memory review confirm 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11@3 --review-by 2027-11-02

What AI clients proposed for the company waits for an admin or editor; a suspicious personal text for its owner
alone. Nothing that waits is found by search.
"""

DUE_MAX = 200
_HANDLE = re.compile(r"([^@/\s]+)(?:@(\d{1,9})(?:/(\d{1,9}))?)?")


@click.group(epilog=EPILOG)
def review() -> None:
    """See what waits for a person, and approve, reject or confirm it."""


@review.command(
    "list",
    epilog="\b\nExamples:\n  workspace-memory review list\n  workspace-memory review list --all --json",
)
@with_target
@click.option(
    "--scope", type=click.Choice(["personal", "organization"]), help="Only your own, or only the company's."
)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Items to show.")
@click.option("--all", "everything", is_flag=True, help="Every item, however many.")
@json_option
def list_(target: Target, scope: str | None, limit: int, everything: bool, as_json: bool) -> None:
    """List what waits, oldest first.

    Active items whose date of review has come follow. Each is led by the ID@VERSION that the other commands take.
    Hidden characters are written as ⟦U+200B⟧.
    """
    with target.opened() as memory:
        waiting = memory.governance.review(scope=scope)
        entries = list(waiting if everything else islice(waiting, limit))
        more = next(waiting, None) is not None
        due = [each for each in memory.governance.to_confirm(limit=DUE_MAX) if scope in (None, each.scope)]
    if as_json:
        show_json({"entries": entries, "more": more, "to_confirm": due})
        return
    if not entries and not due:
        say("Nothing waits.")
    for entry in entries:
        show_entry(entry)
    if more:
        say("There are more; --all shows them.")
    if due:
        show_to_confirm(due)


@review.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory review approve 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11@1\n"
    "  workspace-memory review approve 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11"
)
@with_target
@click.argument("items", nargs=-1, required=True, metavar="ID[@VERSION]...")
@yes_option
@json_option
def approve(target: Target, items: Sequence[str], yes: bool, as_json: bool) -> None:
    """Make items active, or carry out the changes that they propose.

    Give each as 'review list' prints it; a proposed change is ID@VERSION/VERSION, with the version of the item that it
    changes. A bare ID is shown, and you are asked.
    """
    with target.opened() as memory:
        governance = memory.governance
        decisions = _decisions(governance, items, "Approve", yes=yes)
        _say_decided(governance.approve(decisions), "approved", as_json=as_json)


@review.command(
    epilog="\b\nExample:\n"
    '  workspace-memory review reject 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11@1 --reason "Out of date"'
)
@with_target
@click.argument("items", nargs=-1, required=True, metavar="ID[@VERSION]...")
@click.option("--reason", default="", metavar="TEXT", help="Why; the author reads it.")
@yes_option
@json_option
def reject(target: Target, items: Sequence[str], reason: str, yes: bool, as_json: bool) -> None:
    """Reject items, named as for 'approve'. An own held personal text is deleted."""
    with target.opened() as memory:
        governance = memory.governance
        decisions = _decisions(governance, items, "Reject", yes=yes)
        _say_decided(governance.reject(decisions, reason=reason), "rejected", as_json=as_json)


@review.command(
    epilog="\b\nExample:\n"
    "  workspace-memory review confirm 0198c1f2-6a0e-7cc3-9f57-0c5b2f0c9a11@3 --review-by 2027-11-02"
)
@with_target
@click.argument("items", nargs=-1, required=True, metavar="ID[@VERSION]...")
@click.option("--review-by", type=Day(), metavar="DATE", help="Ask again on this day.  [default: never]")
@yes_option
@json_option
def confirm(target: Target, items: Sequence[str], review_by: date | None, yes: bool, as_json: bool) -> None:
    """Confirm that active items still hold."""
    wanted = [_parsed(each) for each in items]
    with target.opened() as memory:
        governance = memory.governance
        shown: dict[str, int] = {}
        for item, version, _ in wanted:
            if version is not None:
                shown[item] = version
                continue
            found = governance.get_item(item)
            if not yes:
                show_to_confirm([found])
                ask("Does it still hold?", nothing="Nothing was confirmed")
            shown[item] = found.version
        confirmed = [
            governance.confirm_item(item, shown=version, review_by=review_by)
            for item, version in shown.items()
        ]
    if as_json:
        show_json(confirmed)
    else:
        say("Confirmed." if len(confirmed) == 1 else f"{len(confirmed)} items confirmed.")


def _parsed(text: str) -> tuple[str, int | None, int | None]:
    found = _HANDLE.fullmatch(text)
    if found is None:
        raise click.UsageError(
            f"'{text}' is no ID, ID@VERSION or ID@VERSION/TARGET as 'review list' prints it."
        )
    item, version, target = found.groups()
    return item, None if version is None else int(version), None if target is None else int(target)


def _decisions(
    governance: Governance, items: Sequence[str], verb: str, *, yes: bool
) -> Sequence[DecisionRow]:
    """What to decide about; a bare ID is read first, and shown unless the person has said yes to all."""
    decisions: list[DecisionRow] = []
    asked: list[ReviewRow] = []
    for item, version, replaced_version in [_parsed(each) for each in items]:
        if version is not None:
            decisions.append(DecisionRow(item, version, replaced_version))
            continue
        entry = governance.review_entry(item)
        asked.append(entry)
        replaced = None if entry.replaced is None else entry.replaced.version
        decisions.append(DecisionRow(item, entry.item.version, replaced))
    if asked and not yes:
        for entry in asked:
            show_entry(entry)
        names = ", ".join(handle(each) for each in asked)
        what = "this item" if len(asked) == 1 else f"these {len(asked)} items"
        ask(
            f"{verb} {what}?",
            nothing="Nothing was decided",
            instead=f"Name the version that was read, {names}; --yes decides about any",
        )
    return decisions


def _say_decided(decided: Sequence[DecidedRow], done: str, *, as_json: bool) -> None:
    refused = [each for each in decided if each.code is not None]
    if as_json:
        show_json(decided)
    if len(decided) == 1 and refused:
        raise Refused(refused[0].detail)
    for each in refused:
        say(f"{each.id} was not {done}: {each.detail}")
    if refused:
        raise Refused(f"{len(refused)} of {len(decided)} items were not {done}.")
    say(f"{done.capitalize()}." if len(decided) == 1 else f"{len(decided)} items {done}.")

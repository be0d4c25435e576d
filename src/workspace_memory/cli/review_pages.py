"""How an item that waits for review is written on a terminal: who, which client, when, what, and what is like it."""

import difflib
from collections import Counter
from collections.abc import Sequence

from workspace_memory.cli.governance_rows import ReviewRow
from workspace_memory.cli.output import minute, say, show
from workspace_memory.cli.rows import ItemRow
from workspace_memory.cli.texts import first_line, indented
from workspace_memory.domain.hidden_characters import with_hidden_shown


def handle(entry: ReviewRow) -> str:
    """ID@VERSION, for a proposed change with the version of its target: what a decision has to name."""
    target = "" if entry.replaced is None else f"/{entry.replaced.version}"
    return f"{entry.item.id}@{entry.item.version}{target}"


def show_entry(entry: ReviewRow) -> None:
    """One item that waits."""
    item = entry.item
    whose = "company" if item.scope == "organization" else "personal"
    tags = [f"#{tag}" for tag in entry.tags_shown]
    show(f"{handle(entry)}  {', '.join([item.kind, whose, *tags])}")
    by = with_hidden_shown(item.author or "a deleted account")
    show(f"    by {by} through {with_hidden_shown(item.source)}, {minute(item.created_at)}")
    if item.replaces is None:
        show(indented(entry.content_shown))
    else:
        _show_change(entry)
    if entry.hidden:
        kinds = Counter((each.code, each.name) for each in entry.hidden)
        names = ", ".join(f"{count} × {code} {name}" for (code, name), count in kinds.items())
        show(f"    Hidden characters: {names}")
    if item.held is not None:
        show(f"    Held by the rule '{item.held.rule}': {first_line(item.held.phrase)}")
    if item.review_by is not None:
        show(f"    To be confirmed by {item.review_by.isoformat()}")
    for each in entry.similar:
        show(f"    Similar: {each.id}  {first_line(each.content)}")


def show_to_confirm(items: Sequence[ItemRow]) -> None:
    """Active items whose date of review has come."""
    say("To be confirmed ('review confirm ID@VERSION'):")
    for item in items:
        whose = "company" if item.scope == "organization" else "personal"
        due = "" if item.review_by is None else f", since {item.review_by.isoformat()}"
        show(f"{item.id}@{item.version}  {item.kind}, {whose}{due}")
        show(indented(item.content))


def _show_change(entry: ReviewRow) -> None:
    replaced = entry.replaced
    if replaced is None:
        show("    Would change an item that is there no more:")
        show(indented(entry.content_shown))
        return
    show(f"    Would change {replaced.id}, version {replaced.version}:")
    if entry.replaced_meanwhile:
        show("    Careful: that item was changed after this was proposed.")
    before = [*_facts(replaced.kind, replaced.tags), *with_hidden_shown(replaced.content).split("\n")]
    # A proposal without tags leaves those of its target.
    tags = entry.tags_shown or replaced.tags
    after = [*_facts(entry.item.kind, tags), *entry.content_shown.split("\n")]
    # Compared whole: a text has 2,000 characters at most. "?" lines are hints about positions, "  " what stays.
    for line in difflib.ndiff(before, after):
        if not line.startswith("?"):
            show(f"    {line}".rstrip())


def _facts(kind: str, tags: Sequence[str]) -> list[str]:
    return [f"({', '.join([kind, *(f'#{with_hidden_shown(tag)}' for tag in tags)])})"]

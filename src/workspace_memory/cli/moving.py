"""`workspace-memory export` and `workspace-memory import`.

An import is always tried first: the dry run decides as the import does and writes nothing. Then the person is
asked. Both can simply be repeated after an interruption, since what is there already is left as it is.
"""

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.import_files import format_of, read_files
from workspace_memory.cli.memory import Memory
from workspace_memory.cli.output import say, show_json
from workspace_memory.cli.rows import ImportRow
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.domain.exchange import FORMATS, Parsed, parse

EXPORT_EPILOG = """\b
Examples:
  workspace-memory export my-memory.jsonl
  workspace-memory export company.jsonl --scope organization
  workspace-memory export --format markdown | less

The file proves itself: imported again where it comes from, it gives every item back with its id, history and dates.
"""

IMPORT_EPILOG = """\b
Examples:
  workspace-memory import my-memory.jsonl
  workspace-memory import ~/notes --format basic-memory --dry-run
  workspace-memory import CLAUDE.md --scope organization --approve --yes

\b
Formats (recognised by themselves as a rule):
""" + "".join(f"  {form.value:<17} {what}\n" for form, what in FORMATS.items())

_PROBLEMS_SHOWN = 20


@click.command("export", epilog=EXPORT_EPILOG)
@with_target
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True, dir_okay=False), default="-")
@click.option(
    "--scope",
    type=click.Choice(["personal", "organization"]),
    default="personal",
    show_default=True,
    help="Your own items, or as an admin the company's.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "markdown"]),
    default="jsonl",
    show_default=True,
    help="To be imported again, or to be read.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def export_items(target: Target, file: Path, scope: str, form: str, force: bool) -> None:
    """Write items to a file that can be imported again.

    Without FILE they go to standard output.
    """
    to_stdout = str(file) == "-"
    if not to_stdout and file.exists() and not force:
        raise Refused(f"{file} exists already. Give another name, or --force to overwrite it.")
    if not to_stdout and not file.parent.is_dir():
        raise Refused(f"There is no folder {file.parent}.")
    with (
        target.opened() as memory,
        _writing(None if to_stdout else file) as write,
        _progress("Exporting") as progress,
    ):
        count = memory.export_items(scope=scope, form=form, write=write, progress=progress)
    say(f"Exported {count:,} {'item' if count == 1 else 'items'}{'' if to_stdout else f' to {file}'}.")


@click.command("import", epilog=IMPORT_EPILOG)
@with_target
@click.argument("path", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice([form.value for form in FORMATS]), help="What it is.")
@click.option(
    "--scope",
    type=click.Choice(["personal", "organization"]),
    help="Whose the items become.  [default: personal; an own export's scope]",
)
@click.option(
    "--approve", is_flag=True, help="Company items are active at once (admins and editors), not pending."
)
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@click.option("--yes", is_flag=True, help="Do not ask after the dry run.")
@json_option
def import_items(
    target: Target,
    path: Path,
    form: str | None,
    scope: str | None,
    approve: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Bring items in from a file or folder.

    A dry run first, then a question, then the import.
    """
    files = read_files(path)
    parsed = parse(form or format_of(files).value, files)
    with target.opened() as memory:
        planned = _go_through(memory, parsed, "Checking", scope=scope, approve=approve, write=False)
        _say_plan(parsed, planned)
        if dry_run or planned is None or not planned.new:
            _say_nothing_imported(planned, dry_run=dry_run)
            if as_json:
                show_json({"imported": False, "plan": planned})
            return
        if not yes:
            if not sys.stdin.isatty():
                raise Refused("Nothing was imported: there is nobody to ask. Give --yes to import.")
            click.confirm("Import?", abort=True, err=True)
        done = _go_through(memory, parsed, "Importing", scope=scope, approve=approve, write=True)
    if done is not None:
        say(f"Imported {done.new:,}; {done.already_there:,} were there already.")
    if as_json:
        show_json({"imported": True, "result": done})


def _go_through(
    memory: Memory, parsed: Parsed, label: str, *, scope: str | None, approve: bool, write: bool
) -> ImportRow | None:
    """Plan or import every batch; the sum of what became of them, or None without any."""
    total: ImportRow | None = None
    try:
        with _progress(label) as progress:
            batches = memory.batches(parsed)
            for number, batch in enumerate(batches, start=1):
                if write:
                    row = memory.import_batch(batch, scope=scope, approve=approve)
                else:
                    row = memory.plan_import(
                        batch, scope=scope, approve=approve, planned=0 if total is None else total.new
                    )
                total = row if total is None else total.plus(row)
                progress(number, len(batches))
    except KeyboardInterrupt:
        if write:
            _say_interrupted(total)
        raise
    return total


def _say_interrupted(total: ImportRow | None) -> None:
    # A server goes on with the request that it has, whether its answer is waited for or not.
    new = 0 if total is None else total.new
    say(f"New items saved so far: {new:,}, and perhaps those of the part in hand.")
    say("Start the same command again: it goes on from there.")


def _say_plan(parsed: Parsed, planned: ImportRow | None) -> None:
    say(f"Format: {parsed.format}")
    for each in parsed.skipped:
        say(f"Left out: {each.count:,} {each.what}")
    problems = [(each.where, each.reason) for each in parsed.problems]
    if planned is not None:
        # A text of an export is looked at twice, by the reader and by the importer.
        problems = list(dict.fromkeys([*problems, *planned.problems]))
        scope = "company" if planned.scope == "organization" else "personal"
        kept = ", given back with ids, history and dates" if planned.restores else f", {planned.status}"
        say(f"New: {planned.new:,} {scope} items{kept}")
        say(f"There already: {planned.already_there:,}")
        if planned.held:
            say(f"Of the new ones suspicious, waiting in review: {planned.held:,}")
        if planned.over_quota:
            say(f"Over the limit, left out: {planned.over_quota:,}")
    for where, reason in problems[:_PROBLEMS_SHOWN]:
        say(f"Not possible: {where}: {reason}")
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"Not possible: {len(problems) - _PROBLEMS_SHOWN:,} more")


def _say_nothing_imported(planned: ImportRow | None, *, dry_run: bool) -> None:
    if dry_run and planned is not None and planned.new:
        say("This was a dry run; nothing was imported.")
    else:
        say("There is nothing to import.")


@contextmanager
def _writing(file: Path | None) -> Generator[Callable[[bytes], object]]:
    """A way to write the file, which appears whole or not at all, readable for its owner alone."""
    if file is None:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        # Named by what was asked for; the name beside it is nobody's business.
        raise Refused(f"{file} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream.write
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@contextmanager
def _progress(label: str) -> Generator[Callable[[int, int], None]]:
    """A progress bar on standard error, on a terminal alone, that is told how much of how much is done."""
    with click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def tell(done: int, of: int) -> None:
            bar.length = max(of, 1)
            bar.update(done - bar.pos)

        yield tell

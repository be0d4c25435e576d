"""Moving memory in, in batches of one transaction each, with a dry run that decides in the same way.

A text from elsewhere becomes a new item of the importer: personal and active, or company memory that waits for
approval. Only an export of this very workspace, proved by the installation's MAC, gives its items back as they
were, with ids, people, times, statuses and history; a personal one to its owner alone. What is there already, by id
or by text, is left as it is, so that an import which was interrupted can simply be repeated.
`domain/exchange.py` reads the files, `importer.py` decides on each text; `exporting.py` moves memory out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange import FORMATS, Parsed, detect_format, parse
from workspace_memory.domain.exchange_records import BATCH_RECORDS_MAX, Batch, Skipped, SourceFile
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.item import Scope
from workspace_memory.domain.rate import Rate
from workspace_memory.services.audit import record
from workspace_memory.services.deps import Deps
from workspace_memory.services.exporting import (
    ExportBlock,
    ExportForm,
    ExportOutline,
    export_page,
    outline_export,
    write_export,
)
from workspace_memory.services.importer import Imported, Importer, screened
from workspace_memory.services.rate_limits import rated

__all__ = [
    "ExportBlock",
    "ExportForm",
    "ExportOutline",
    "FileImported",
    "Imported",
    "export_page",
    "import_file",
    "import_items",
    "outline_export",
    "plan_file",
    "plan_import",
    "write_export",
]


@dataclass(frozen=True, slots=True)
class FileImported:
    """What became, or would become, of a file: its format, the texts, and what was left out on purpose."""

    format: str
    imported: Imported
    skipped: tuple[Skipped, ...] = ()


def plan_import(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    batch: Batch,
    *,
    scope: Scope | None = None,
    approve: bool = False,
    planned: int = 0,
) -> Imported:
    """The dry run of one batch: what `import_items` would do now. Nothing is written.

    `planned` is the number of new items that the dry runs of the batches before it announced.
    Raises: as `import_items`.
    """
    return _plan(deps, actor, workspace, [batch], scope, approve=approve, planned=planned)


@rated(Rate.SAVE)
def import_items(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    batch: Batch,
    *,
    scope: Scope | None = None,
    approve: bool = False,
) -> Imported:
    """Import one batch in one transaction.

    Without a scope an export of this workspace goes back to where it was and everything else becomes personal.
    Company items are pending unless the importer, a curator, approves them here. What exceeds a limit is counted
    and left out. Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest.
    """
    return _take(deps, actor, workspace, [batch], scope, approve=approve)


def plan_file(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    file: SourceFile,
    *,
    form: str | None = None,
    scope: Scope | None = None,
    approve: bool = False,
    planned: int = 0,
) -> FileImported:
    """The dry run of one file: what `import_file` would do now. Nothing is written.

    `planned` is the number of new items that the dry runs of the parts before it announced.
    Raises: as `import_file`.
    """
    parsed, batches = _read_file(file, form)
    return _told(parsed, _plan(deps, actor, workspace, batches, scope, approve=approve, planned=planned))


@rated(Rate.SAVE)
def import_file(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    file: SourceFile,
    *,
    form: str | None = None,
    scope: Scope | None = None,
    approve: bool = False,
) -> FileImported:
    """Import a file of at most 500 texts in one transaction, as `import_items` does.

    The format is recognised unless it is named. A large export goes in block by block: each between the export's
    first and last line. Raises: as `import_items`; InvalidRequest for a file that cannot be read or holds more.
    """
    parsed, batches = _read_file(file, form)
    return _told(parsed, _take(deps, actor, workspace, batches, scope, approve=approve))


def _read_file(file: SourceFile, form: str | None) -> tuple[Parsed, Sequence[Batch]]:
    chosen = form or detect_format(*file)
    if chosen is None:
        raise InvalidRequest("format", f"is not told by the file; name one of {', '.join(FORMATS)}")
    parsed = parse(chosen, [file], part=True)
    # What cannot be imported counts too: each is named in the answer.
    entries = len(parsed.records) + len(parsed.problems)
    if entries > BATCH_RECORDS_MAX:
        raise InvalidRequest(
            "file", f"holds {entries:,} texts; import it in parts of at most {BATCH_RECORDS_MAX}"
        )
    # One batch at least, since it is with a batch that the importer's rights are asked about.
    return parsed, parsed.batches() or [Batch()]


def _told(parsed: Parsed, imported: Imported) -> FileImported:
    # A text of an export is looked at twice, by the reader and by the importer.
    problems = tuple(dict.fromkeys(parsed.problems + imported.problems))
    return FileImported(parsed.format, replace(imported, problems=problems), parsed.skipped)


def _plan(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    batches: Sequence[Batch],
    scope: Scope | None,
    *,
    approve: bool,
    planned: int,
) -> Imported:
    found = [screened(deps, actor, workspace, batch, write=False) for batch in batches]
    results: list[Imported] = []
    with deps.database.read() as tx:
        for batch, of_batch in zip(batches, found, strict=True):
            importer = Importer(deps, tx, actor, workspace, batch, scope, of_batch, approve=approve)
            results.append(importer.take(batch, planned=planned, write=False))
            planned += results[-1].new
    return reduce(Imported.plus, results)


def _take(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    batches: Sequence[Batch],
    scope: Scope | None,
    *,
    approve: bool,
) -> Imported:
    found = [screened(deps, actor, workspace, batch, write=True) for batch in batches]
    results: list[Imported] = []
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        for batch, of_batch in zip(batches, found, strict=True):
            importer = Importer(deps, tx, actor, workspace, batch, scope, of_batch, approve=approve)
            results.append(importer.take(batch, planned=0, write=True))
        imported = reduce(Imported.plus, results)
        if imported.scope is Scope.ORGANIZATION and imported.new:
            record(
                deps,
                tx,
                workspace,
                AuditAction.COMPANY_ITEMS_IMPORTED,
                actor,
                items=imported.new,
                status=imported.status.value,
                restored="yes" if imported.restores else None,
            )
        return imported

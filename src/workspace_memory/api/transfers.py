"""Moving memory over REST: an export as a download, and an import of one file, tried first or carried out."""

from collections.abc import Iterator
from threading import BoundedSemaphore
from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.memory import MEMORY
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.transfers import ExportIn, ImportIn, ImportOut, import_out
from workspace_memory.domain.errors import (
    Busy,
    EditionRequired,
    Forbidden,
    LevelTooLow,
    NotFound,
    RateLimited,
)
from workspace_memory.domain.item import Scope
from workspace_memory.services.transfer import ExportForm, import_file, plan_file, write_export

# An export is put together in memory, since it must show one moment, and a large one has 160 MB.
EXPORTS_AT_ONCE_MAX = 4

_MEDIA_TYPES = {ExportForm.JSONL: "application/x-ndjson", ExportForm.MARKDOWN: "text/markdown"}
_SUFFIXES = {ExportForm.JSONL: "jsonl", ExportForm.MARKDOWN: "md"}
_NAMES = {Scope.PERSONAL: "personal-memory", Scope.ORGANIZATION: "company-memory"}
_EXAMPLES = {
    ExportForm.JSONL: '{"format":"workspace-memory","version":1,…}\n{"id":"…","content":"likes green tea",…}\n'
    '{"end":"workspace-memory","blocks":[[1,"…"]],"mac":"…"}\n',
    ExportForm.MARKDOWN: "# Personal memory\n\n1 item of workspace …\n\n## Note, 2026-11-02 09:00 UTC\n\n"
    "> likes green tea\n",
}
_DOWNLOAD: dict[str, Any] = {
    "description": "The file.",
    "content": {
        media_type: {"schema": {"type": "string"}, "example": _EXAMPLES[form]}
        for form, media_type in _MEDIA_TYPES.items()
    },
    "headers": {
        "Content-Disposition": {"description": "A name for the file.", "schema": {"type": "string"}},
        "Item-Count": {"description": "How many items it holds.", "schema": {"type": "integer"}},
    },
}

_exports = BoundedSemaphore(EXPORTS_AT_ONCE_MAX)

router = new_router("moving memory")


@router.post(
    f"{MEMORY}/export",
    summary="Export memory",
    response_class=Response,
    responses={200: _DOWNLOAD, **errors(NotFound, Forbidden, LevelTooLow)},
)
def export_memory(caller: Asking, workspace_id: WorkspacePath, body: ExportIn) -> Response:
    """The own personal items, or for admins all company items in every status, as one file that shows one moment.

    The same file as `workspace-memory export` writes: JSON lines that prove where they come from, or Markdown to
    read. Works without a licence. An export of company memory is in the audit log.
    """
    if not _exports.acquire(blocking=False):
        raise Busy
    parts: list[bytes] = []
    try:
        count = write_export(
            caller.edge.run, caller.prove(), workspace_id, body.scope, parts.append, form=body.format
        )
    finally:
        _exports.release()
    name = f"{_NAMES[body.scope]}.{_SUFFIXES[body.format]}"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(sum(map(len, parts))),
        "Item-Count": str(count),
    }
    return StreamingResponse(_sent(parts), headers=headers, media_type=_MEDIA_TYPES[body.format])


@router.post(
    f"{MEMORY}/import",
    summary="Import memory",
    response_model=ImportOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, EditionRequired, RateLimited),
)
def import_memory(caller: Asking, workspace_id: WorkspacePath, body: ImportIn) -> Response:
    """Take a file's texts in: as own personal items, or as company items that wait, or that a curator approves.

    A dry run, which only counts, unless `dry_run` is false. At most 500 texts at once, in one transaction; what is
    there already, is over a limit or is refused is counted or named and left out. An export of this workspace gives
    its items back as they were. A larger one goes in block by block: its first line, one block, its last line.
    """
    file, form, scope, approve = body.source(), body.format, body.scope, body.approve
    if body.dry_run:
        told = caller.ask(
            plan_file, workspace_id, file, form=form, scope=scope, approve=approve, planned=body.planned
        )
    else:
        told = caller.ask(import_file, workspace_id, file, form=form, scope=scope, approve=approve)
    return answer(import_out(told, dry_run=body.dry_run))


def _sent(parts: list[bytes]) -> Iterator[bytes]:
    """The parts in order, each let go of when it has been handed on."""
    parts.reverse()
    while parts:
        yield parts.pop()

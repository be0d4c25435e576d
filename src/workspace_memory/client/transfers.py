"""The calls that move memory out and in."""

import json
from dataclasses import dataclass

from workspace_memory.client.connection import Connection, segment
from workspace_memory.domain.exchange import Format
from workspace_memory.domain.item import Scope, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A file of memory, and how many items it holds."""

    content: bytes
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A text that cannot be imported: where it stands and why, without its text."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """How many things of one sort are left out on purpose."""

    what: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became, or in a dry run would become, of a file. `restores`: items are given back as they were."""

    dry_run: bool
    format: Format
    scope: Scope
    status: Status
    restores: bool
    new: int
    already_there: int
    over_quota: int
    held: int
    skipped: tuple[Skipped, ...]
    problems: tuple[Problem, ...]


class TransferCalls(Connection):
    """Export and import memory of the client's workspace."""

    def export_memory(self, scope: Scope = Scope.PERSONAL, *, markdown: bool = False) -> Exported:
        """The own items, or as an admin the company's, as JSON lines or as Markdown.

        Raises: NotFound, Forbidden, LevelTooLow, Busy when too many exports go on at once.
        """
        body = {"scope": scope, "format": "markdown" if markdown else "jsonl"}
        response = self._download("POST", f"{self._moved}/export", body=body)
        return Exported(content=response.content, items=int(response.headers.get("Item-Count", "0")))

    def import_memory(
        self,
        file: str,
        *,
        file_name: str = "file",
        form: Format | None = None,
        scope: Scope | None = None,
        approve: bool = False,
        dry_run: bool = True,
        planned: int = 0,
    ) -> Imported:
        """Import a file's text of at most 500 items and 384 KiB, or with `dry_run` say what would happen.

        What is there already is left as it is, so that a repetition is harmless.
        Raises: InvalidRequest, NotFound, Forbidden, LevelTooLow, EditionRequired, RateLimited.
        """
        body = {
            "file": file,
            "file_name": file_name,
            "format": form,
            "scope": scope,
            "approve": approve,
            "dry_run": dry_run,
            "planned": planned,
        }
        return self._read(Imported, "POST", f"{self._moved}/import", body=body, repeatable=True)

    @property
    def _moved(self) -> str:
        return f"/workspaces/{segment(self.workspace)}/memory"


def file_bytes(text: str) -> int:
    """How many bytes a text takes up in the body of an import."""
    return len(json.dumps(text, ensure_ascii=False).encode("utf-8", "replace"))

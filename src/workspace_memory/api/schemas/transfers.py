"""Files of memory that go out and come in, as JSON."""

from typing import Annotated

from pydantic import Field, StrictBool

from workspace_memory.api.schemas.common import Answer, Arguments, Text, with_example
from workspace_memory.domain.exchange import Format, SourceFile
from workspace_memory.domain.item import Scope, Status
from workspace_memory.services.transfer import ExportForm, FileImported

NAME_CHARACTERS_MAX = 255
PLANNED_MAX = 1_000_000


class ExportIn(Arguments):
    """What is to be written."""

    model_config = with_example({"scope": "personal", "format": "jsonl"})

    scope: Scope = Field(default=Scope.PERSONAL, description="The caller's own items, or the company's.")
    format: ExportForm = Field(default=ExportForm.JSONL, description="To be imported again, or to be read.")


class ImportIn(Arguments):
    """A file to take in."""

    model_config = with_example(
        {"file": "- use tabs\n- likes green tea\n", "file_name": "AGENTS.md", "dry_run": True}
    )

    file: Text = Field(description="The file's text.")
    file_name: Annotated[Text, Field(min_length=1, max_length=NAME_CHARACTERS_MAX)] = Field(
        default="file", description="Its name, which helps to recognise the format and leads each place."
    )
    format: Format | None = Field(default=None, description="What the file is; recognised by default.")
    scope: Scope | None = Field(
        default=None,
        description="Whose the items become; by default an own export's scope, otherwise personal.",
    )
    approve: StrictBool = Field(
        default=False, description="Company items are active at once (admins and editors), not pending."
    )
    dry_run: StrictBool = Field(default=True, description="Only say what would happen; false imports.")
    planned: int = Field(
        default=0,
        strict=True,
        ge=0,
        le=PLANNED_MAX,
        description="In a dry run: how many new items the parts before announced, so that limits are told right.",
    )

    def source(self) -> SourceFile:
        """The file."""
        return self.file_name, self.file.encode()


class ProblemOut(Answer):
    """A text that cannot be imported."""

    where: str = Field(description="File and line or entry.")
    reason: str = Field(description="Why, without the text.")


class SkippedOut(Answer):
    """What is left out on purpose."""

    what: str
    count: int


class ImportOut(Answer):
    """What became, or in a dry run would become, of a file."""

    model_config = with_example(
        {
            "dry_run": True,
            "format": "agents",
            "scope": "personal",
            "status": "active",
            "restores": False,
            "new": 2,
            "already_there": 1,
            "over_quota": 0,
            "held": 0,
            "skipped": [],
            "problems": [{"where": "AGENTS.md, line 7", "reason": "content: must not be empty"}],
        }
    )

    dry_run: bool
    format: Format
    scope: Scope
    status: Status = Field(description="Of the new items, unless they are given back or held.")
    restores: bool = Field(description="Items of an own export, with their ids, people, times and statuses.")
    new: int
    already_there: int
    over_quota: int = Field(description="Left out, since a limit is reached.")
    held: int = Field(description="How many of the new ones are suspicious and wait for a person.")
    skipped: list[SkippedOut]
    problems: list[ProblemOut] = Field(description="Texts that cannot be imported, a secret for example.")


def import_out(told: FileImported, *, dry_run: bool) -> ImportOut:
    """What became of a file, for an answer."""
    imported = told.imported
    return ImportOut(
        dry_run=dry_run,
        format=Format(told.format),
        scope=imported.scope,
        status=imported.status,
        restores=imported.restores,
        new=imported.new,
        already_there=imported.already_there,
        over_quota=imported.over_quota,
        held=imported.held,
        skipped=[SkippedOut(what=each.what, count=each.count) for each in told.skipped],
        problems=[ProblemOut(where=each.where, reason=each.reason) for each in imported.problems],
    )

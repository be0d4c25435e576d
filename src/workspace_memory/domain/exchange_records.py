"""What every import format is read into: records, problems and what was left out on purpose.

Pure. Nothing here knows a format (`exchange.py` names them all) or an item's owner (`services/transfer.py` decides).
A `where` names a file and a line or an entry; neither it nor a reason ever holds memory text.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.item import (
    TAG_CHARACTERS_MAX,
    TAGS_MAX,
    Draft,
    Kind,
    Scope,
    content_key,
    draft,
    tag_key,
)

SourceFile = tuple[str, bytes]
"""A file's name and its bytes."""

BATCH_RECORDS_MAX = 500
BATCH_BYTES_MAX = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One text to import, as some file has it: not checked, and without an owner, an author or a status."""

    where: str
    content: str
    kind: Kind = Kind.NOTE
    tags: tuple[str, ...] = ()
    review_by: date | None = None

    def draft(self, scope: Scope) -> Draft:
        """The checked text. Raises: InvalidRequest."""
        return draft(self.content, kind=self.kind, scope=scope, tags=self.tags, review_by=self.review_by)


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that cannot be imported: where it stands and why, without its text."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """How many things of one sort an importer leaves out on purpose."""

    what: str
    count: int


@dataclass(frozen=True, slots=True)
class SealedBlock:
    """A run of item lines of our own export, with the two lines that prove where it comes from.

    `lines` are the item lines, each with a line feed; `first_line` is the number of the first of them in the file.
    """

    file: str
    header: bytes
    trailer: bytes
    index: int
    first_line: int
    lines: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction imports: at most 500 records, or one block of an export with its proof."""

    records: tuple[Record, ...] = ()
    sealed: SealedBlock | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """Files as records. `sealed` is filled for exports of this product, whose records then stand in its blocks too."""

    format: str
    records: tuple[Record, ...] = ()
    problems: tuple[Problem, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    sealed: tuple[SealedBlock, ...] = ()

    def batches(self) -> tuple[Batch, ...]:
        """The records as `plan_import` and `import_items` take them, in the order of the file."""
        if self.sealed:
            return tuple(Batch(sealed=block) for block in self.sealed)
        batches: list[Batch] = []
        batch: list[Record] = []
        size = 0
        for record in self.records:
            length = len(record.content.encode("utf-8", "surrogatepass"))
            if batch and (len(batch) == BATCH_RECORDS_MAX or size + length > BATCH_BYTES_MAX):
                batches.append(Batch(tuple(batch)))
                batch, size = [], 0
            batch.append(record)
            size += length
        return (*batches, Batch(tuple(batch))) if batch else tuple(batches)


class Collector:
    """Takes what a parser finds: keeps what can be imported, and says of the rest where it stands and why."""

    def __init__(self, *, repeated: bool = False) -> None:
        """`repeated`: keep texts that stood before, as an export may hold them on purpose."""
        self._repeated = repeated
        self._records: list[Record] = []
        self._problems: list[Problem] = []
        self._skipped: dict[str, int] = {}
        self._seen: set[bytes] = set()

    def add(self, record: Record) -> None:
        """Keep a record unless its text is not allowed or stood before."""
        try:
            record.draft(Scope.PERSONAL)
        except InvalidRequest as error:
            self.refuse(record.where, str(error))
            return
        key = content_key(record.content)
        if key in self._seen and not self._repeated:
            self.skip("repeated texts")
            return
        self._seen.add(key)
        self._records.append(record)

    def refuse(self, where: str, reason: str) -> None:
        """Note a record that cannot be imported."""
        self._problems.append(Problem(where, reason))

    def skip(self, what: str, count: int = 1) -> None:
        """Count something that is left out on purpose."""
        if count:
            self._skipped[what] = self._skipped.get(what, 0) + count

    def parsed(self, form: str, sealed: Sequence[SealedBlock] = ()) -> Parsed:
        """Everything that was taken."""
        skipped = tuple(Skipped(what, count) for what, count in sorted(self._skipped.items()))
        return Parsed(form, tuple(self._records), tuple(self._problems), skipped, tuple(sealed))


def read_text(name: str, content: bytes) -> str:
    """A file's text without a byte-order mark, its lines ended by line feeds.

    Raises: InvalidRequest that names the line, for an empty file and for bytes that are not UTF-8.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InvalidRequest("file", f"{name} is UTF-16; save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidRequest("file", f"{name}, line {line}: is not UTF-8") from None
    if not text.strip():
        raise InvalidRequest("file", f"{name} is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(where: str, text: str) -> object:
    """A JSON value. Raises: InvalidRequest that names the line within the text when it has several."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = f", line {error.lineno}" if "\n" in text else ""
        raise InvalidRequest("file", f"{where}{line}: is not JSON ({error.msg})") from None
    except (ValueError, RecursionError):
        raise InvalidRequest("file", f"{where}: is not JSON that can be read") from None


def as_object(value: object) -> dict[str, object] | None:
    """The value when it is a JSON object."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """The value when it is a JSON array."""
    return cast("list[object]", value) if isinstance(value, list) else None


def labels(candidates: Iterable[object]) -> tuple[str, ...]:
    """Foreign labels as tags: on one line, at most 50 characters, at most ten, the rest left out.

    A label only helps to find a text, so one that does not fit is shortened and does not cost the text its import.
    """
    kept: dict[str, str] = {}
    for candidate in candidates:
        if not isinstance(candidate, str):
            continue
        visible = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in candidate)
        label = (
            unicodedata.normalize("NFC", re.sub(r"\s+", " ", visible)).strip()[:TAG_CHARACTERS_MAX].strip()
        )
        if label:
            kept.setdefault(tag_key(label), label)
    return tuple(kept.values())[:TAGS_MAX]


def kind_of(label: object) -> Kind:
    """The kind that a foreign label names; a note for every other one."""
    named = label.strip().lower() if isinstance(label, str) else ""
    return Kind(named) if named in set(Kind) else Kind.NOTE

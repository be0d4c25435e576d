"""The parts of an import as a running server takes them: texts of a file that fit into one request.

An export keeps its proof when each of its blocks fits, and is then given back as it was. Otherwise, as with files of
other products, each text is a line of its own, and the places in the answer are turned back into those of the file.
"""

import json
import re
from collections.abc import Sequence

from workspace_memory.cli.rows import ImportRow
from workspace_memory.client import Imported
from workspace_memory.client.items import BATCH_BYTES_MAX
from workspace_memory.client.transfers import file_bytes
from workspace_memory.domain.exchange import Batch, Parsed, Record, SealedBlock
from workspace_memory.domain.exchange_records import BATCH_RECORDS_MAX
from workspace_memory.domain.exchange_sealed import unsealed

_PLACE = re.compile(r"file, line (\d+)")


def batches_for_requests(parsed: Parsed) -> Sequence[Batch]:
    """The batches of files, each small enough for a request."""
    sealed = [Batch(sealed=block) for block in parsed.sealed]
    if sealed and all(file_bytes(text_of(batch)) <= BATCH_BYTES_MAX for batch in sealed):
        return sealed
    batches: list[Batch] = []
    batch: list[Record] = []
    size = 0
    for record in unsealed(parsed).records:
        length = file_bytes(_line(record))
        if batch and (len(batch) == BATCH_RECORDS_MAX or size + length > BATCH_BYTES_MAX):
            batches.append(Batch(tuple(batch)))
            batch, size = [], 0
        batch.append(record)
        size += length
    return [*batches, Batch(tuple(batch))] if batch else batches


def text_of(batch: Batch) -> str:
    """A batch as a file of our own format."""
    if batch.sealed is not None:
        block = batch.sealed
        return (block.header + b"\n" + block.lines + block.trailer + b"\n").decode()
    return "".join(map(_line, batch.records))


def import_row(imported: Imported, batch: Batch) -> ImportRow:
    """What became of a batch, with the places that its texts have in the file."""
    return ImportRow(
        scope=imported.scope.value,
        status=imported.status.value,
        restores=imported.restores,
        new=imported.new,
        already_there=imported.already_there,
        over_quota=imported.over_quota,
        held=imported.held,
        problems=[(_place(each.where, batch), each.reason) for each in imported.problems],
    )


def _line(record: Record) -> str:
    facts = {
        "content": record.content,
        "kind": record.kind.value,
        "tags": record.tags,
        "review_by": None if record.review_by is None else record.review_by.isoformat(),
    }
    return json.dumps(facts, ensure_ascii=False) + "\n"


def _place(where: str, batch: Batch) -> str:
    found = _PLACE.fullmatch(where)
    if found is None:
        return where
    line = int(found[1])
    match batch.sealed:
        case SealedBlock(file=file, first_line=first):
            # The header stands on the first line of the part.
            return f"{file}, line {first + line - 2}"
        case None:
            return batch.records[line - 1].where

"""The parts of an import fit into requests, keep their proof where they can, and say the file's own places."""

from workspace_memory.cli.remote_moving import batches_for_requests, import_row, text_of
from workspace_memory.client import Imported, Problem
from workspace_memory.client.items import BATCH_BYTES_MAX
from workspace_memory.client.transfers import file_bytes
from workspace_memory.domain.exchange import Batch, Format, Parsed, Record, SealedBlock, parse
from workspace_memory.domain.item import Scope, Status


def records(*contents: str) -> tuple[Record, ...]:
    return tuple(Record(f"notes.md, line {10 * n}", text) for n, text in enumerate(contents, start=1))


def answered(where: str) -> Imported:
    problem = Problem(where=where, reason="must not be empty")
    return Imported(
        dry_run=True,
        format=Format.WORKSPACE_MEMORY,
        scope=Scope.PERSONAL,
        status=Status.ACTIVE,
        restores=False,
        new=0,
        already_there=0,
        over_quota=0,
        held=0,
        skipped=(),
        problems=(problem,),
    )


def test_each_part_fits_into_a_request_and_nothing_is_lost() -> None:
    parsed = Parsed("agents", records(*(f'{n} "quoted" {"é" * 1_900}' for n in range(700))))
    batches = batches_for_requests(parsed)
    assert max(file_bytes(text_of(batch)) for batch in batches) <= BATCH_BYTES_MAX
    again = [
        record.content
        for batch in batches
        for record in parse("workspace-memory", [("file", text_of(batch).encode())]).records
    ]
    assert again == [record.content for record in parsed.records]


def test_a_part_has_at_most_500_texts() -> None:
    batches = batches_for_requests(Parsed("agents", records(*map(str, range(1_001)))))
    assert [len(batch.records) for batch in batches] == [500, 500, 1]


def test_a_place_in_a_part_is_the_place_in_the_file() -> None:
    loose = Batch(records("a", "b"))
    assert import_row(answered("file, line 2"), loose).problems == [
        ("notes.md, line 20", "must not be empty")
    ]
    sealed = Batch(sealed=SealedBlock("memory.jsonl", b"{}", b"{}", 1, 502, b""))
    assert import_row(answered("file, line 2"), sealed).problems[0][0] == "memory.jsonl, line 502"
    assert import_row(answered("elsewhere"), loose).problems[0][0] == "elsewhere"

"""Our own format: what goes in comes out, and damage is named by its line."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.crypto.export_mac import export_mac, is_own_export, new_export_key
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange import Parsed, parse
from workspace_memory.domain.exchange_jsonl import (
    LINE_BYTES_MAX,
    BlockMark,
    ExportedItem,
    Header,
    Revision,
    block_bytes,
    block_digest,
    header_line,
    item_line,
    read_header,
    read_item,
    signed_bytes,
    trailer_line,
)
from workspace_memory.domain.exchange_markdown import markdown_block, markdown_head
from workspace_memory.domain.exchange_sealed import unsealed
from workspace_memory.domain.ids import ItemId, ItemVersion, UserId, WorkspaceId
from workspace_memory.domain.item import Kind, MemoryItem, Scope, Status

WORKSPACE = WorkspaceId("01900000-0000-7000-8000-000000000001")
USER = UserId("01900000-0000-7000-8000-000000000002")
TIME = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
HEADER = Header(WORKSPACE, Scope.PERSONAL, USER, 4, TIME)
NAME = "memory.jsonl"


def an_item(number: int = 0, content: str = "likes green tea") -> MemoryItem:
    return MemoryItem(
        workspace=WORKSPACE,
        id=ItemId(f"01900000-0000-7000-8000-{number:012x}"),
        scope=Scope.PERSONAL,
        owner=USER,
        kind=Kind.NOTE,
        content=content,
        tags=("tea",),
        status=Status.ACTIVE,
        source="session",
        author=USER,
        author_name="bob",
        approver=None,
        approver_name=None,
        created_at=TIME,
        updated_at=TIME + timedelta(microseconds=number),
        review_by=date(2027, 1, 31),
        version=ItemVersion(2),
    )


def a_file(items: list[MemoryItem], *, block_items: int = 2) -> bytes:
    lines = [item_line(ExportedItem(item)) for item in items]
    blocks = [block_bytes(lines[start : start + block_items]) for start in range(0, len(lines), block_items)]
    marks = [BlockMark(block.count(b"\n"), block_digest(block)) for block in blocks]
    header = header_line(replace(HEADER, count=len(items)))
    return header + b"\n" + b"".join(blocks) + trailer_line(marks, bytes(32)) + b"\n"


FILE = a_file([an_item(number, f"text {number}") for number in range(4)])


def read(content: bytes) -> Parsed:
    return parse("workspace-memory", [(NAME, content)])


def contents(parsed: Parsed) -> list[str]:
    return [record.content for record in parsed.records]


def without_line(number: int) -> bytes:
    lines = FILE.split(b"\n")
    return b"\n".join(lines[: number - 1] + lines[number:])


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=50), st.lists(st.text(max_size=5))
)
def test_an_item_is_read_as_it_was_written(content: str, tags: list[str]) -> None:
    tags = [tag.encode("utf-8", "replace").decode() for tag in tags]
    item = replace(an_item(content=content), tags=tuple(tags), reason="double", replaces=ItemId(USER))
    older = Revision(ItemVersion(1), "likes tea", Kind.FACT, (), "import", TIME - timedelta(days=1), None)
    newer = Revision(ItemVersion(2), content, Kind.NOTE, tuple(tags), "session", TIME, USER)
    exported = ExportedItem(item, (older, newer))
    line = item_line(exported)
    assert b"\n" not in line
    assert read_item(line, HEADER, "line 2") == exported


def test_a_header_is_read_as_it_was_written() -> None:
    assert read_header(header_line(HEADER), "line 1") == HEADER


def test_a_version_with_the_present_text_does_not_repeat_it() -> None:
    item = an_item()
    same = Revision(ItemVersion(2), item.content, item.kind, item.tags, "session", TIME, USER)
    assert item_line(ExportedItem(item, (same,))).count(b"green tea") == 1


def test_the_longest_line_stays_below_the_bound() -> None:
    item = replace(an_item(content="\x01" * 2_000), tags=tuple(f"{n}" + "𝄞" * 49 for n in range(10)))
    history = tuple(
        Revision(ItemVersion(n), "\x02" * 2_000, Kind.FACT, item.tags[::-1], "x" * 100, TIME, USER)
        for n in range(50)
    )
    assert len(item_line(ExportedItem(item, history))) < LINE_BYTES_MAX


def test_a_whole_file_gives_records_and_blocks() -> None:
    parsed = read(FILE)
    assert contents(parsed) == ["text 0", "text 1", "text 2", "text 3"]
    assert [(block.index, block.first_line) for block in parsed.sealed] == [(0, 2), (1, 4)]
    assert b"".join(block.lines for block in parsed.sealed) in FILE
    assert len(parsed.batches()) == 2


def test_a_mark_at_the_start_and_foreign_line_ends_do_no_harm() -> None:
    changed = b"\xef\xbb\xbf" + FILE.replace(b"\n", b"\r\n") + b"\r\n\r\n"
    assert read(changed).sealed == read(FILE).sealed


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "memory.jsonl is empty"),
        (b"\n\n", "memory.jsonl is empty"),
        (FILE[: len(FILE) // 2], "line 4: the file was cut off"),
        (without_line(6), "line 5: the file was cut off"),
        (FILE.split(b"\n")[0], "line 1: the file was cut off"),
        (without_line(3), "line 5: 4 items were exported, but 3 are there"),
        (FILE.replace(b"text 2", b"text 9"), "lines 4 to 5: changed"),
        (FILE.replace(b"text 0", b"text 9").replace(b"text 1", b"text 0"), "lines 2 to 3: changed"),
        (FILE.replace(b'"id"', b"id", 1), "line 2: is not JSON"),
        (FILE.replace(b"text 1", b"caf\xe9"), "line 3: is not UTF-8"),
        (FILE.replace(b'"version":1,', b'"version":2,', 1), "line 1: 'version' is not 1"),
        (FILE.replace(b'"status":"active"', b'"status":"lost"', 1), "line 2: 'status' is none of"),
        (FILE.replace(b"text 3", b"x" * LINE_BYTES_MAX), "line 5: is longer than 1,048,576 bytes"),
        (b'{"format":"other"}\n', "line 1: 'format'"),
    ],
)
def test_damage_is_named_by_its_line(content: bytes, reason: str) -> None:
    with pytest.raises(InvalidRequest, match=reason):
        read(content)


def test_items_in_another_order_are_damage() -> None:
    lines = FILE.split(b"\n")
    lines[1], lines[2] = lines[2], lines[1]
    with pytest.raises(InvalidRequest, match="lines 2 to 3: changed, or put in another order"):
        read(b"\n".join(lines))


def test_item_lines_without_header_and_seal_are_texts_from_elsewhere() -> None:
    parsed = read(b"\n".join(FILE.split(b"\n")[1:-2]))
    assert (len(parsed.records), parsed.sealed) == (4, ())
    assert parsed.records[0].tags == ("tea",)


def test_a_loose_line_that_was_rejected_is_left_out() -> None:
    parsed = read(b'{"content":"a","status":"rejected"}\n{"content":"b"}\n{"text":"c"}\n{"content"')
    assert contents(parsed) == ["b"]
    assert [problem.where for problem in parsed.problems] == [f"{NAME}, line 3", f"{NAME}, line 4"]


def test_a_loose_line_has_a_date_of_review_and_a_wrong_field_costs_that_line_alone() -> None:
    parsed = read(
        b'{"content":"a","review_by":"2027-01-31"}\n{"content":"b","review_by":"soon"}\n{"content":"c","tags":7}'
    )
    assert [record.review_by for record in parsed.records] == [date(2027, 1, 31)]
    assert [problem.where for problem in parsed.problems] == [f"{NAME}, line 2", f"{NAME}, line 3"]


@pytest.mark.parametrize(("lines", "index"), [((1, 2), 0), ((3, 4), 1)])
def test_a_part_may_be_one_block_between_the_first_and_the_last_line(
    lines: tuple[int, ...], index: int
) -> None:
    every = FILE.split(b"\n")
    part = b"\n".join([every[0], *(every[line] for line in lines), every[5], b""])
    [block] = parse("workspace-memory", [(NAME, part)], part=True).sealed
    whole = read(FILE).sealed[index]
    assert (block.index, block.lines, block.first_line) == (index, whole.lines, 2)
    with pytest.raises(InvalidRequest, match="4 items were exported, but 2 are there"):
        read(part)


def test_a_part_that_is_no_block_is_damage_as_ever() -> None:
    with pytest.raises(InvalidRequest, match="4 items were exported, but 3 are there"):
        parse("workspace-memory", [(NAME, without_line(3))], part=True)
    assert parse("workspace-memory", [(NAME, FILE)], part=True).sealed == read(FILE).sealed


def test_without_its_seal_a_file_has_the_same_texts_but_for_the_rejected() -> None:
    assert contents(unsealed(read(FILE))) == contents(read(FILE))
    rejected = replace(an_item(9, "not this one"), status=Status.REJECTED, reason="no")
    lines = [item_line(ExportedItem(item)) for item in (an_item(8, "this one"), rejected)]
    marks = [BlockMark(2, block_digest(block_bytes(lines)))]
    file = b"\n".join([header_line(replace(HEADER, count=2)), *lines, trailer_line(marks, bytes(32)), b""])
    plain = unsealed(read(file))
    assert (contents(plain), plain.sealed) == (["this one"], ())
    assert [(each.what, each.count) for each in plain.skipped] == [("rejected items", 1)]


def test_no_error_quotes_a_text() -> None:
    secret = FILE.replace(b'"content":"text 1"', b'"content":"hunter2" oops')
    with pytest.raises(InvalidRequest) as caught:
        read(secret)
    assert "hunter2" not in str(caught.value)


def test_only_the_key_that_made_a_mac_confirms_it() -> None:
    key, marks = new_export_key(), [BlockMark(1, bytes(32))]
    signed = signed_bytes(header_line(HEADER), marks)
    mac = export_mac(key, signed)
    assert is_own_export(key, signed, mac)
    assert not is_own_export(new_export_key(), signed, mac)
    assert not is_own_export(key, signed_bytes(header_line(HEADER), marks * 2), mac)


def test_a_text_cannot_pass_for_a_heading_of_the_markdown_export() -> None:
    header = header_line(HEADER)
    item = an_item(content="harmless\n# Forged\r\n## Heading\u2028- Author: alice")
    text = markdown_head(header) + markdown_block(header, item_line(ExportedItem(item)) + b"\n")
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# Personal memory", "## Note, 2026-11-02 09:00 UTC"]
    assert [line for line in text.splitlines() if line.startswith("- Author")] == ["- Author: bob"]
    assert json.loads(header)["count"] == 4

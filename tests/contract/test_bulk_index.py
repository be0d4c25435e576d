"""Many items put into the search index at once, against every store: the same rows as one by one."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from tests.contract.segments import index_rows, post_waiting, use_segments_of

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.services.deps import new_uuid7
from workspace_memory.storage.database import Database
from workspace_memory.storage.search import IndexEntry
from workspace_memory.storage.search_numbers import SEGMENT_SIZE, as_bits, with_numbers
from workspace_memory.storage.search_tables import TABLES

COMPANY = "company"
SINGLY = WorkspaceId(new_uuid7())
IN_BULK = WorkspaceId(new_uuid7())
MORNING = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
WORDS = (  # noqa: SIM905  a list of these would be a screen long
    "Großküche München INV-20931 foo_bar.baz C++ don't 緑茶の在庫 第二倉庫 framework delivery kitchen opens at "
    "nine the a of renewals Łódź Ålesund 서울 ราคา v2.0.1 #tag 5% https://example.com/a/b"
).split()


def entries(count: int, *, seed: int = 1) -> list[IndexEntry]:
    numbers = random.Random(seed)  # noqa: S311  the point is to be repeatable
    made: list[IndexEntry] = []
    for number in range(count):
        words = numbers.choices(WORDS, k=numbers.randint(0, 12))
        text = " ".join([*words, f"number{numbers.randint(0, 40)}"])
        tags = numbers.sample(WORDS, k=numbers.randint(0, 2))
        made.append(IndexEntry(ItemId(new_uuid7()), text, tags, MORNING + timedelta(seconds=number)))
    return made


def put_singly(database: Database, some: Sequence[IndexEntry]) -> None:
    with database.begin() as tx:
        for one in some:
            tx.search.put(SINGLY, COMPANY, one.item, one.text, one.tags, created_at=one.created_at)


def put_in_bulk(database: Database, some: Sequence[IndexEntry], *, list_key: str = COMPANY) -> None:
    with database.begin() as tx:
        tx.search.put_many(IN_BULK, list_key, some)


def remove(database: Database, some: Sequence[IndexEntry]) -> None:
    with database.begin() as tx:
        for workspace in (SINGLY, IN_BULK):
            for one in some:
                tx.search.remove(workspace, one.item)


def rows(database: Database, workspace: WorkspaceId) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the index, once nothing waits for its postings."""
    post_waiting(database)
    return index_rows(database, workspace)


def test_many_at_once_leave_the_rows_that_one_by_one_would(database: Database) -> None:
    some = entries(300)
    put_singly(database, some)
    for start in (0, 1, 120):
        put_in_bulk(database, some[start : {0: 1, 1: 120, 120: 300}[start]])
    assert rows(database, IN_BULK) == rows(database, SINGLY)
    # Vectors are made later, in the background.
    made = {name: found for name, found in rows(database, IN_BULK).items() if "vector" not in name}
    assert len(made) == 4
    assert all(made.values())


def test_so_do_they_over_several_segments_and_where_holes_are_filled(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_segments_of(64, monkeypatch)
    some = entries(400)
    put_singly(database, some[:300])
    put_in_bulk(database, some[:300])
    # So few are left that new ones go into the holes.
    remove(database, [one for number, one in enumerate(some[:300]) if number % 8])
    put_singly(database, some[300:])
    put_in_bulk(database, some[300:])
    assert rows(database, IN_BULK) == rows(database, SINGLY)


def test_what_was_put_at_once_and_taken_out_leaves_no_row(database: Database) -> None:
    some = entries(80)
    put_in_bulk(database, some)
    remove(database, some)
    assert not any(rows(database, IN_BULK).values())


def test_an_item_that_is_in_a_list_already_moves_and_changes(database: Database) -> None:
    some = entries(20)
    put_in_bulk(database, some, list_key="another")
    put_in_bulk(database, some)
    assert {row[0] for table in rows(database, IN_BULK).values() for row in table} == {COMPANY}
    changed = [IndexEntry(one.item, f"now {one.text}", (), one.created_at) for one in some]
    put_in_bulk(database, [*changed, *(new := entries(3, seed=2))])
    with database.read() as tx:
        found = tx.search.search(IN_BULK, [COMPANY], "now", limit=50)
        every = tx.connection.execute(select(TABLES[1].c.item_id)).scalars().all()
    assert {hit.item for hit in found} == {one.item for one in changed}
    assert len(every) == len(some) + len(new)


def test_nothing_at_once_writes_nothing(database: Database) -> None:
    put_in_bulk(database, [])
    assert not any(rows(database, IN_BULK).values())


@pytest.mark.parametrize("held", [0, 1, 255, 256, 5_000])
@pytest.mark.parametrize("more", [1, 2, 300])
def test_numbers_are_added_to_a_set_in_either_of_its_forms(held: int, more: int) -> None:
    numbers = random.Random(held + more)  # noqa: S311  the point is to be repeatable
    before = sorted(numbers.sample(range(SEGMENT_SIZE), held))
    added = sorted(numbers.sample(range(SEGMENT_SIZE), more))
    packed = b""
    for number in before:
        packed = with_numbers(packed, [number])
    both = with_numbers(packed, added)
    assert as_bits(both) == sum(1 << number for number in {*before, *added})
    assert len(both) == (2 * len({*before, *added}) if len({*before, *added}) < 256 else 1_024)

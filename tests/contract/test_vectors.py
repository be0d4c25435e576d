"""The rows of vectors against every store: the nearest are found over several chunks and lists, and nothing stays."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.contract.meanings import rows_of

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.ranking import members
from workspace_memory.services.deps import new_uuid7
from workspace_memory.storage.database import Database, open_sqlite
from workspace_memory.storage.migrating import migrate
from workspace_memory.storage.vector_cache import KnownChunk, SignCache
from workspace_memory.storage.vector_numbers import as_bytes, as_signs

pytest.importorskip("numpy", reason="the extra semantic is not installed")

WORKSPACE = WorkspaceId(new_uuid7())
DIMENSIONS = 96
MORNING = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def directions(count: int, seed: int = 7) -> list[list[float]]:
    numbers = random.Random(seed)  # noqa: S311
    return [[numbers.gauss() for _ in range(DIMENSIONS)] for _ in range(count)]


def fill(database: Database, list_key: str, vectors: Sequence[Sequence[float]]) -> list[ItemId]:
    """Items of one list, numbered from 0, each with its vector."""
    items = [ItemId(new_uuid7()) for _ in vectors]
    with database.begin() as tx:
        for item in items:
            tx.search.put(WORKSPACE, list_key, item, "tea", (), created_at=MORNING)
        tx.vectors.put(WORKSPACE, list_key, "a", dict(enumerate(vectors)))
    return items


def similar(
    database: Database, query: Sequence[float], *, lists: Sequence[str] = ("company",), nearest: int = 5
) -> dict[ItemId, float]:
    with database.read() as tx:
        found = tx.vectors.similarities(WORKSPACE, lists, "a", query, others=(), nearest=nearest)
        items = tx.vectors.items_at(WORKSPACE, found.keys())
    return {items[place]: cosine for place, cosine in found.items()}


def test_the_nearest_of_several_chunks_is_the_vector_itself(database: Database) -> None:
    vectors = directions(1_100)
    items = fill(database, "company", vectors)
    for number in (0, 511, 512, 1_099):
        found = similar(database, vectors[number])
        assert len(found) == 5
        assert max(found, key=lambda item: found[item]) == items[number]
        assert found[items[number]] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("length", [1e300, 1e30, 1e-30, 1e-300, 5e-324])
def test_the_length_of_a_vector_says_nothing_however_great_or_small_it_is(
    database: Database, length: float
) -> None:
    items = fill(database, "company", [[length] * DIMENSIONS, [-length] * DIMENSIONS])
    found = similar(database, [length] * DIMENSIONS)
    assert found == {items[0]: pytest.approx(1, abs=0.01), items[1]: pytest.approx(-1, abs=0.01)}


def test_two_lists_are_looked_through_as_one(database: Database) -> None:
    vectors = directions(20)
    ours = fill(database, "company", vectors[:10])
    own = fill(database, "alice", vectors[10:])
    assert set(similar(database, vectors[3], lists=["company", "alice"], nearest=20)) == {*ours, *own}
    assert set(similar(database, vectors[3], lists=["alice"], nearest=20)) == set(own)


def test_items_that_are_named_are_compared_although_they_are_far(database: Database) -> None:
    vectors = directions(50)
    fill(database, "company", vectors)
    far = [-part for part in vectors[9]]
    named = [("company", 9)]
    with database.read() as tx:
        found = tx.vectors.similarities(WORKSPACE, ["company"], "a", far, others=named, nearest=3)
    assert len(found) == 4
    assert found["company", 9] == pytest.approx(-1, abs=0.01)


def test_an_item_of_another_list_is_not_compared_although_it_is_named(database: Database) -> None:
    vectors = directions(4)
    fill(database, "company", vectors[:2])
    fill(database, "alice", vectors[2:])
    named = [("alice", 0), ("alice", 1)]
    with database.read() as tx:
        found = tx.vectors.similarities(WORKSPACE, ["company"], "a", vectors[2], others=named, nearest=1)
    assert {list_key for list_key, _ in found} == {"company"}


def test_a_vector_of_another_model_is_not_compared(database: Database) -> None:
    vectors = directions(3)
    fill(database, "company", vectors)
    with database.read() as tx:
        assert tx.vectors.similarities(WORKSPACE, ["company"], "b", vectors[0], others=(), nearest=3) == {}


def test_what_is_lacking_are_the_numbers_in_use_without_a_vector(database: Database) -> None:
    fill(database, "company", directions(600))
    with database.begin() as tx:
        tx.search.put(WORKSPACE, "company", ItemId(new_uuid7()), "tea", (), created_at=MORNING)
        tx.search.put(WORKSPACE, "alice", ItemId(new_uuid7()), "tea", (), created_at=MORNING)
        tx.vectors.drop(WORKSPACE, "company", 513)
    with database.read() as tx:
        lacks = {lack.list_key: (lack.items, list(members(lack.missing))) for lack in tx.vectors.lacking("a")}
    assert lacks == {"company": (601, [513, 600]), "alice": (1, [0])}


def test_the_last_one_takes_its_chunk_with_it(database: Database) -> None:
    items = fill(database, "company", directions(3))
    for left, item in zip((3, 2, 0), items, strict=True):
        with database.begin() as tx:
            tx.search.remove(WORKSPACE, item)
        assert rows_of(database, "search_vectors", "search_vector_chunks") == left


def test_a_moved_item_leaves_its_vector_behind_with_its_old_list(database: Database) -> None:
    [item] = fill(database, "alice", directions(1))
    with database.begin() as tx:
        tx.search.put(WORKSPACE, "company", item, "tea", (), created_at=MORNING)
    assert rows_of(database, "search_vectors", "search_vector_chunks") == 0


def test_what_another_process_changes_is_seen_by_the_next_search(database: Database) -> None:
    vectors = directions(30)
    items = fill(database, "company", vectors)
    assert items[3] in similar(database, vectors[3])
    other = Database(database.dialect)
    with other.begin() as tx:
        tx.search.remove(WORKSPACE, items[3])
    assert items[3] not in similar(database, vectors[3])
    with other.begin() as tx:
        tx.search.put(WORKSPACE, "company", items[3], "tea", (), created_at=MORNING)
        tx.vectors.put(WORKSPACE, "company", "a", {30: vectors[3]})
    assert items[3] in similar(database, vectors[3])


def test_signs_of_what_was_deleted_leave_the_memory_of_every_process(database: Database) -> None:
    vectors = directions(3)
    [item, *_] = fill(database, "company", vectors)
    similar(database, vectors[0])
    [chunk] = database.signs.chunks()
    assert as_signs(vectors[0]) in chunk.signs
    other = Database(database.dialect)
    with other.begin() as tx:
        tx.search.remove(WORKSPACE, item)
    with database.read() as tx:
        list(tx.vectors.lacking("a"))
    assert database.signs.chunks() == []


def test_signs_in_memory_have_a_bound_and_the_last_used_stay() -> None:
    signs = SignCache(bytes_max=25)
    keys = [(WORKSPACE, "company", "a", number) for number in range(3)]
    for key in keys[:2]:
        signs.put(key, KnownChunk(1, b"", bytes(10)))
    signs.get(keys[0], 1)
    signs.put(keys[2], KnownChunk(1, b"", bytes(10)))
    assert [signs.get(key, 1) is not None for key in keys] == [True, False, True]
    assert signs.get(keys[0], 2) is None


def test_no_byte_of_an_erased_vector_is_in_the_files(tmp_path: Path) -> None:
    database = open_sqlite(tmp_path / "memory.db")
    migrate(database)
    kept, dropped, *erased = directions(6)
    items = fill(database, "company", [kept, dropped])
    fill(database, "alice", erased)
    with database.begin() as tx:
        tx.search.remove(WORKSPACE, items[1])
        tx.search.remove_list(WORKSPACE, "alice")
    database.forget_deleted()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    database.close()
    assert as_bytes(kept) in content
    assert as_signs(kept) in content
    for vector in (dropped, *erased):
        assert as_bytes(vector) not in content
        assert as_signs(vector) not in content

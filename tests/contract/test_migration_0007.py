"""Migration 0007: the search index of an earlier release is made anew from the items, and finds what it found."""

from collections.abc import Generator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import Table, select
from tests.conftest import World, make_world

from workspace_memory.domain.item import Scope
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import delete_item
from workspace_memory.storage import search_rebuilding
from workspace_memory.storage.database import open_postgresql, open_sqlite
from workspace_memory.storage.migrating import migrate
from workspace_memory.storage.search_tables import TABLES, search_documents, search_segments

BEFORE = (
    "DROP INDEX ix_search_documents_time",
    "DROP TABLE search_vector_refusals",
    "ALTER TABLE search_vector_chunks DROP COLUMN version",
    "DROP TABLE search_trigrams",
    "CREATE TABLE search_vocabulary (workspace_id VARCHAR(36) NOT NULL, list_key VARCHAR(36) NOT NULL,"
    " shard INTEGER NOT NULL, terms TEXT NOT NULL, PRIMARY KEY (workspace_id, list_key, shard))",
    # As if the terms had been others then: an old one that nothing has any more, and few of the new ones.
    "UPDATE search_documents SET forms = 'oldterm'",
    "DELETE FROM search_postings WHERE term < 'g'",
    "UPDATE search_postings SET term = 'oldterm' WHERE term = 'tea'",
    "UPDATE alembic_version SET version_num = '0006'",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[World]:
    """The cast in a database of its own, whose tables may be changed."""
    if request.param == "sqlite":
        database = open_sqlite(tmp_path / "old.db")
    else:
        database = open_postgresql(request.getfixturevalue("postgresql_database_url"))
    migrate(database)
    yield make_world(database)
    database.close()


def rows(world: World, table: Table) -> Sequence[tuple[object, ...]]:
    with world.deps.database.read() as tx:
        return sorted((tuple(row) for row in tx.connection.execute(select(table))), key=repr)


def fill(world: World) -> None:
    alice = world.by_hand(world.alice)
    items = [world.company_item(f"green tea no. {number}, INV-2093{number}").item for number in range(7)]
    world.save(alice, "Großküche: call +49 30 23125", tags=("Küche",), scope=Scope.ORGANIZATION)
    world.save(alice, "alice drinks coffee", scope=Scope.PERSONAL)
    # Holes, so that a number is not what counting would give.
    for item in items[2:4]:
        delete_item(world.deps, alice, world.workspace, item.id)


def make_old(world: World) -> None:
    with world.deps.database.begin() as tx:
        for statement in BEFORE:
            tx.connection.exec_driver_sql(statement)


@pytest.mark.parametrize("batch", [1, 3, 1_000])
def test_the_index_of_an_earlier_release_is_made_anew(
    world: World, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(search_rebuilding, "BATCH_ITEMS", batch)
    fill(world)
    before = {table.name: rows(world, table) for table in TABLES}
    make_old(world)
    migrate(world.deps.database)
    assert {table.name: rows(world, table) for table in TABLES} == before
    assert len(before[search_documents.name]) == 7
    assert len(before[search_segments.name]) == 2


def test_what_is_asked_after_it_is_found(world: World) -> None:
    fill(world)
    make_old(world)
    migrate(world.deps.database)
    alice = world.by_hand(world.alice)
    for query, count in (
        ("tea", 5),
        ("20934", 1),
        ("493023125", 1),
        ("küch", 1),
        ("offe", 1),
        ("oldterm", 0),
    ):
        page = find_items(world.deps, alice, world.workspace, Query(text=query))
        assert len(page.found) == count, query

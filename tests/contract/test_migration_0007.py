"""Migration 0007: the search index of an earlier release is made anew from the items, and finds what it found."""

from collections.abc import Generator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import Table, select
from tests.conftest import World, make_world
from tests.contract.older import upgrade_to
from tests.contract.segments import post_waiting

from workspace_memory.domain.item import Scope
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import delete_item
from workspace_memory.storage import migrating, search_rebuilding
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.migrating import migrate
from workspace_memory.storage.search_rebuilding import make_index_anew
from workspace_memory.storage.search_tables import TABLES, search_documents, search_segments

# As if the terms had been others then: an old one that nothing has any more, and few of the new ones.
OTHER_TERMS = (
    "DELETE FROM search_trigrams",
    "UPDATE search_documents SET forms = 'oldterm'",
    "DELETE FROM search_postings WHERE term < 'g'",
    "UPDATE search_postings SET term = 'oldterm' WHERE term = 'tea'",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Database]:
    """An empty database of the release before."""
    if request.param == "sqlite":
        database = open_sqlite(tmp_path / "old.db")
    else:
        database = open_postgresql(request.getfixturevalue("postgresql_database_url"))
    with database.dialect.writing(), database.dialect.writer.begin() as connection:
        upgrade_to(connection, "0006")
    yield database
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


def make_terms_others(world: World) -> None:
    with world.deps.database.begin() as tx:
        for statement in OTHER_TERMS:
            tx.connection.exec_driver_sql(statement)


def make_anew(world: World) -> None:
    with world.deps.database.begin() as tx:
        make_index_anew(tx.connection)


@pytest.mark.parametrize("batch", [1, 3, 1_000])
def test_an_index_of_other_terms_becomes_the_present_one(
    world: World, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(search_rebuilding, "BATCH_ITEMS", batch)
    fill(world)
    post_waiting(world.deps.database)
    before = {table.name: rows(world, table) for table in TABLES}
    make_terms_others(world)
    make_anew(world)
    assert {table.name: rows(world, table) for table in TABLES} == before
    assert len(before[search_documents.name]) == 7
    assert len(before[search_segments.name]) == 2


@pytest.mark.parametrize(
    ("query", "count"), [("tea", 5), ("20934", 1), ("493023125", 1), ("küch", 1), ("offe", 1), ("oldterm", 0)]
)
def test_what_is_asked_after_it_is_found(world: World, query: str, count: int) -> None:
    fill(world)
    post_waiting(world.deps.database)
    make_terms_others(world)
    make_anew(world)
    page = find_items(world.deps, world.by_hand(world.alice), world.workspace, Query(text=query))
    assert len(page.found) == count


def test_an_upgrade_makes_it_anew_once(old: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(migrating, "make_index_anew", made.append)
    migrate(old)
    assert len(made) == 1
    migrate(old)
    assert len(made) == 1


def test_what_is_saved_after_the_upgrade_is_found(old: Database) -> None:
    migrate(old)
    world = make_world(old)
    fill(world)
    assert find_items(world.deps, world.by_hand(world.alice), world.workspace, Query(text="offe")).found

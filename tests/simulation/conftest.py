"""One arena of each kind of database for all cases of a module; which cases the normal run leaves out."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests.conftest import PATIENCE_SECONDS, with_database
from tests.simulation.arena import Arena

from workspace_memory.storage.database import open_postgresql
from workspace_memory.storage.migrating import migrate
from workspace_memory.storage.postgresql import PostgresqlDialect
from workspace_memory.storage.sqlite import SqliteDialect


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On SQLite, where all writers stand in one line, the matrix takes every third pair in the normal run."""
    pairs = [
        item
        for item in items
        if item.name.startswith("test_a_pair_ends_as_in_the_order_of_its_commits[sqlite")
    ]
    for number, item in enumerate(pairs):
        if number % 3:
            item.add_marker(pytest.mark.exhaustive)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def arena(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena on each kind of database."""
    folder = tmp_path_factory.mktemp("arena")
    if request.param == "sqlite":
        yield from _on_sqlite(folder, request.getfixturevalue("migrated_file"))
    else:
        yield from _on_postgresql(folder, request.getfixturevalue("postgresql_url"))


def _on_sqlite(folder: Path, migrated: Path) -> Iterator[Arena]:
    path = folder / "memory.db"
    shutil.copyfile(migrated, path)
    opened = Arena(SqliteDialect(path, wait_seconds=PATIENCE_SECONDS), folder)
    yield opened
    opened.close()


def _on_postgresql(folder: Path, server_url: str) -> Iterator[Arena]:
    name = f"wm_arena_{os.getpid()}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            url = with_database(server_url, name)
            database = open_postgresql(url)
            migrate(database)
            database.close()
            opened = Arena(PostgresqlDialect(url, wait_seconds=PATIENCE_SECONDS), folder)
            yield opened
            opened.close()
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

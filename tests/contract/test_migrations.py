"""Migrations: an empty database reaches exactly the declared schema, once, and history stays as it was written."""

import json
import multiprocessing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint, Connection, UniqueConstraint, inspect
from sqlalchemy.exc import DBAPIError
from tests.conftest import World

from workspace_memory.domain.errors import SchemaTooNew
from workspace_memory.domain.ids import ItemVersion
from workspace_memory.services.items import Change, edit_item, forget_item
from workspace_memory.services.opening import open_folder, open_server
from workspace_memory.storage import migrating
from workspace_memory.storage.database import Database, open_postgresql, open_sqlite
from workspace_memory.storage.migrating import NEWEST, TARGET, migrate

INSTANCE_TABLES = {
    "users",
    "instance",
    "links",
    "sign_in_sessions",
    "sign_in_failures",
    "workspaces",
    "user_keys",
}


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty database is: a file's path, or a URL."""
    if request.param == "sqlite":
        return str(tmp_path / "empty.db")
    return request.getfixturevalue("postgresql_database_url")


def opened(address: str) -> Database:
    return open_postgresql(address) if address.startswith("postgresql") else open_sqlite(Path(address))


def migrate_at(address: str) -> None:
    database = opened(address)
    migrate(database)
    database.close()


def schema(connection: Connection) -> str:
    """Everything the database itself says about its tables, triggers included."""
    if connection.dialect.name == "sqlite":
        statements = ["SELECT type, name, sql FROM sqlite_master ORDER BY name"]
    else:
        statements = [
            "SELECT table_name, column_name, data_type, collation_name, column_default, is_nullable"
            " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint ORDER BY 1, 2",
            "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
        ]
    answers = [connection.exec_driver_sql(statement).all() for statement in statements]
    return json.dumps([[list(row) for row in rows] for rows in answers])


@pytest.mark.requirement("items:migration:empty-database-reaches-the-schema")
def test_an_empty_database_reaches_exactly_the_declared_schema(address: str) -> None:
    database = opened(address)
    migrate(database)
    with database.dialect.writing(), database.dialect.writer.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, TARGET) == []
    database.close()


@pytest.mark.requirement("items:migration:empty-database-reaches-the-schema")
def test_every_declared_constraint_is_there(address: str) -> None:
    database = opened(address)
    migrate(database)
    with database.dialect.writing(), database.dialect.writer.begin() as connection:
        found = inspect(connection)
        for table in TARGET.tables.values():
            checks = {str(check["name"]) for check in found.get_check_constraints(table.name)}
            declared = {str(c.name) for c in table.constraints if isinstance(c, CheckConstraint)}
            assert checks == {name for name in declared if name != "_unnamed_"}, table.name
            rules = [key.get("options", {}).get("ondelete") for key in found.get_foreign_keys(table.name)]
            assert sorted(map(str, rules)) == sorted(
                str(key.ondelete) for key in table.foreign_key_constraints
            )
    database.close()


def test_migrating_again_changes_nothing(address: str) -> None:
    database = opened(address)
    migrate(database)
    with database.read() as tx:
        before = schema(tx.connection)
    migrate(database)
    with database.read() as tx:
        assert schema(tx.connection) == before
        assert tx.connection.exec_driver_sql("SELECT version_num FROM alembic_version").all() == [(NEWEST,)]
    database.close()


def test_two_processes_may_start_at_once(address: str) -> None:
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=migrate_at, args=[address]) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    migrate_at(address)


def test_no_statement_of_a_migration_is_cut_short_and_a_lock_is_waited_for_as_ever(
    postgresql_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds: list[tuple[object, object]] = []

    def note(connection: Connection) -> None:
        statement, lock = (
            connection.exec_driver_sql(f"SHOW {name}").scalar_one()
            for name in ("statement_timeout", "lock_timeout")
        )
        bounds.append((statement, lock))

    monkeypatch.setattr(migrating, "_upgrade", note)
    database = opened(postgresql_database_url)
    migrate(database)
    with database.begin() as tx:
        note(tx.connection)
    database.close()
    assert bounds == [("0", "5s"), ("30s", "5s")]


def test_a_database_of_a_newer_program_is_left_alone(address: str, tmp_path: Path) -> None:
    migrate_at(address)
    database = opened(address)
    with database.begin() as tx:
        tx.connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        before = schema(tx.connection)
    with pytest.raises(SchemaTooNew):
        migrate(database)
    with database.read() as tx:
        assert schema(tx.connection) == before
    database.close()


def test_opening_an_installation_migrates_it(tmp_path: Path, postgresql_database_url: str) -> None:
    for services in (
        open_folder(tmp_path / "new" / "folder", public_url="http://127.0.0.1"),
        open_server(postgresql_database_url, public_url="http://127.0.0.1"),
    ):
        with services.deps.database.read() as tx:
            assert tx.accounts.count() == 0
        services.close()


def test_nobody_else_on_the_machine_may_read_the_folder(tmp_path: Path) -> None:
    services = open_folder(tmp_path / "folder", public_url="http://127.0.0.1")
    with services.deps.database.begin() as tx:
        tx.accounts.add_instance_value("tea", b"1")
    modes = {path.name: path.stat().st_mode & 0o077 for path in (tmp_path / "folder").iterdir()}
    services.close()
    assert set(modes) >= {"memory.db", "memory.db-wal"}
    assert set(modes.values()) == {0}


# --- Schema rules ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(TARGET.tables))
def test_a_key_of_a_workspace_table_begins_with_the_workspace(name: str) -> None:
    table = TARGET.tables[name]
    if name in INSTANCE_TABLES:
        return
    keys = [table.primary_key, *(c for c in table.constraints if isinstance(c, UniqueConstraint))]
    assert [next(iter(key.columns)).name for key in keys] == ["workspace_id"] * len(keys)


@pytest.mark.parametrize("name", sorted(TARGET.tables))
def test_no_foreign_key_leads_into_another_workspace(name: str) -> None:
    for key in TARGET.tables[name].foreign_key_constraints:
        referred = key.referred_table
        if referred.name in INSTANCE_TABLES:
            continue
        pairs = [(element.parent.name, element.column.name) for element in key.elements]
        assert ("workspace_id", "workspace_id") in pairs


@pytest.mark.parametrize(
    "change",
    [
        "scope = 'team'",
        "kind = 'rumour'",
        "status = 'lost'",
        "owner_id = NULL",
        "scope = 'organization'",
        "content = ''",
        "version = 0",
    ],
)
def test_the_database_itself_refuses_what_may_not_be(world: World, change: str) -> None:
    world.save(world.client(world.bob))
    with pytest.raises(DBAPIError), world.deps.database.begin() as tx:
        tx.connection.exec_driver_sql(f"UPDATE memory_items SET {change}")  # noqa: S608  from the list above


# --- History -----------------------------------------------------------------------------------------------


def with_two_versions(world: World) -> None:
    item = world.save(world.client(world.bob), "likes green tea").item
    edit_item(
        world.deps,
        world.by_hand(world.bob),
        world.workspace,
        item.id,
        Change("likes black tea"),
        shown=ItemVersion(1),
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_item_history SET content = 'likes coffee'",
        "UPDATE memory_item_history SET version = 7 WHERE version = 2",
        "DELETE FROM memory_item_history WHERE version = 1",
        "DELETE FROM memory_item_history",
    ],
)
def test_history_is_append_only(world: World, statement: str) -> None:
    with_two_versions(world)
    with pytest.raises(DBAPIError, match="append-only"), world.deps.database.begin() as tx:
        tx.connection.exec_driver_sql(statement)


def test_it_goes_with_its_item(world: World) -> None:
    item = world.save(world.client(world.bob)).item
    forget_item(world.deps, world.client(world.bob), world.workspace, item.id)
    with world.deps.database.read() as tx:
        assert tx.connection.exec_driver_sql("SELECT count(*) FROM memory_item_history").scalar() == 0

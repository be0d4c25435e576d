"""Transactions: the queue of writers, what a lock held elsewhere does, a full disk, a lost server."""

import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool
from tests.conftest import World, make_world
from tests.contract.together import answers, at_once

from workspace_memory.domain.errors import Busy, NotFound, StorageFull
from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.item import draft
from workspace_memory.services import running
from workspace_memory.services.deps import new_uuid7
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.health import check_ready
from workspace_memory.services.running import run
from workspace_memory.services.saving import save_item
from workspace_memory.storage import sqlite
from workspace_memory.storage.database import Database, Transaction
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.idempotency import IdempotencyKeys
from workspace_memory.storage.postgresql import PostgresqlDialect
from workspace_memory.storage.search_tables import TABLES as SEARCH_TABLES
from workspace_memory.storage.sqlite import READERS, SqliteDialect
from workspace_memory.storage.tables import idempotency_keys, memory_item_history, memory_items

WRITTEN = (memory_items, memory_item_history, idempotency_keys, *SEARCH_TABLES)


def rows(world: World) -> dict[str, int]:
    with world.deps.database.read() as tx:
        return {
            table.name: tx.connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in WRITTEN
        }


@contextmanager
def shorter_patience(world: World, seconds: float) -> Generator[World]:
    """The same database, opened by somebody who waits for a lock no longer than this."""
    dialect = world.deps.database.dialect
    opened = Database(
        SqliteDialect(dialect.path, wait_seconds=seconds)
        if isinstance(dialect, SqliteDialect)
        else PostgresqlDialect(dialect.writer.url.render_as_string(hide_password=False), wait_seconds=seconds)
    )
    try:
        yield replace(world, deps=replace(world.deps, database=opened))
    finally:
        opened.close()


@contextmanager
def locked_elsewhere(world: World) -> Generator[Callable[[], None]]:
    """Another connection holds the lock of the workspace, as a backup or another process would; yields its end."""
    dialect = world.deps.database.dialect
    if isinstance(dialect, SqliteDialect):
        other = sqlite3.connect(dialect.path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
    else:
        url = dialect.writer.url.set(drivername="postgresql").render_as_string(hide_password=False)
        other = psycopg.connect(url)
        other.execute("SELECT 1 FROM workspaces WHERE id = %s FOR UPDATE", [world.workspace])
    try:
        yield other.rollback
    finally:
        other.close()


# --- Locks -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("field:case-06:items")
def test_a_save_waits_for_a_lock_of_three_seconds(world: World) -> None:
    with locked_elsewhere(world) as release:
        timer = threading.Timer(3.0, release)
        timer.start()
        started = time.monotonic()
        saved = run(world.deps, lambda deps: replace(world, deps=deps).save(world.client(world.bob)))
        waited = time.monotonic() - started
        timer.join()
    assert waited >= 2.5
    assert rows(world)["memory_items"] == 1
    assert saved.item.version == 1


@pytest.mark.requirement("field:case-06:items")
def test_after_the_bound_it_is_busy_and_nothing_is_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PATIENCE_SECONDS", 0.5)
    with shorter_patience(world, 0.5) as hasty:
        before = rows(world)
        with locked_elsewhere(world), pytest.raises(Busy):
            run(hasty.deps, lambda deps: replace(hasty, deps=deps).save(hasty.client(hasty.bob)))
        assert rows(world) == before
        assert hasty.save(hasty.client(hasty.bob)).item.version == 1


def test_whoever_waits_in_line_waits_no_longer_than_the_first(world: World) -> None:
    # Of three writers behind a lock each has the bound for itself, and not the first one's on top.
    with shorter_patience(world, 2.0) as hasty, locked_elsewhere(world):

        def waited(before: float) -> float:
            threading.Event().wait(before)  # to come when the first one has waited for a while
            started = time.monotonic()
            with pytest.raises((Busy, Contention)):
                hasty.save(hasty.client(hasty.bob))
            return time.monotonic() - started

        outcomes = at_once(*(partial(waited, before) for before in (0.0, 1.2, 1.2)))
        assert max(answers(outcomes)) < 2.6


def test_a_read_does_not_wait_for_a_writer(world: World) -> None:
    world.save(world.client(world.bob), "green tea")
    with shorter_patience(world, 0.2) as hasty, locked_elsewhere(world):
        page = find_items(hasty.deps, hasty.client(hasty.bob), hasty.workspace, Query("tea"))
    assert len(page.found) == 1


def test_a_read_sees_one_state_although_another_writes(world: World) -> None:
    with world.deps.database.read() as tx:
        before = tx.items.count(world.workspace)
        world.save(world.client(world.bob))
        assert tx.items.count(world.workspace) == before


def test_what_the_driver_raises_by_itself_is_translated_too(world: World) -> None:
    # As of a statement that passes SQLAlchemy by.
    sqlite = isinstance(world.deps.database.dialect, SqliteDialect)
    error = (
        sqlite3.OperationalError("'green tea' is locked")
        if sqlite
        else psycopg.errors.QueryCanceled("green tea")
    )
    if isinstance(error, sqlite3.OperationalError):
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    with pytest.raises(Busy) as raised, world.deps.database.read():
        raise error
    assert raised.value.__cause__ is None


def test_a_reading_transaction_cannot_write(world: World) -> None:
    with pytest.raises(SQLAlchemyError), world.deps.database.read() as tx:
        tx.workspaces.rename(world.workspace, "Rivals")


def test_the_workspace_lock_makes_a_count_exact(world: World) -> None:
    """Two transactions count and insert; without the lock both would count the same."""
    item = world.save(world.client(world.bob)).item
    counted: list[int] = []
    first_counted, second_started = threading.Event(), threading.Event()

    def count_and_add(tx: Transaction) -> None:
        counted.append(tx.items.count(world.workspace))
        tx.items.add(replace(item, id=ItemId(new_uuid7())), changed_by=world.bob)

    def first() -> None:
        with world.deps.database.begin() as tx:
            tx.lock_workspace(world.workspace)
            count_and_add(tx)
            first_counted.set()
            second_started.wait(10)
            # The second one is at the lock, or will be: it must not get past it before this commit.
            assert len(counted) == 1

    def second() -> None:
        first_counted.wait(10)
        second_started.set()
        with world.deps.database.begin() as tx:
            tx.lock_workspace(world.workspace)
            count_and_add(tx)

    assert len(answers(at_once(first, second))) == 2
    assert counted == [1, 2]


def test_the_lock_of_one_workspace_leaves_others_free_on_postgresql(world: World) -> None:
    if isinstance(world.deps.database.dialect, SqliteDialect):
        return  # one writer at a time for the whole file
    with shorter_patience(world, 0.5) as hasty, locked_elsewhere(world):
        assert hasty.save(hasty.client(hasty.mallory)).item.version == 1


@pytest.mark.parametrize("workspace", ["", "nothing", "\0", "\ud800", "0190a0b0-aaaa-7000-8000-00000000abcd"])
def test_what_is_no_workspace_cannot_be_locked(world: World, workspace: str) -> None:
    with pytest.raises(NotFound), world.deps.database.begin() as tx:
        tx.lock_workspace(WorkspaceId(workspace))


# --- Rollback ----------------------------------------------------------------------------------------------


class Interrupted(Exception):
    """Something that goes wrong after everything was written."""


def test_a_rollback_leaves_no_half_row(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(world)
    bob = world.client(world.bob)
    with monkeypatch.context() as patched:
        patched.setattr(IdempotencyKeys, "add", interrupt)
        with pytest.raises(Interrupted):
            save_item(world.deps, bob, world.workspace, draft("green tea"), idempotency_key="k")
    assert rows(world) == before
    assert find_items(world.deps, world.client(world.bob), world.workspace, Query("tea")).found == []


def interrupt(*_arguments: object, **_more: object) -> None:
    raise Interrupted


@pytest.mark.parametrize("fails", [False, True])
def test_a_read_leaves_no_transaction_behind(world: World, fails: bool) -> None:
    reader = world.deps.database.dialect.reader
    for _ in range(2 * READERS + 1):
        with suppress(Interrupted), world.deps.database.read() as tx:
            assert tx.items.count(world.workspace) == 0
            if fails:
                raise Interrupted
    world.save(world.client(world.bob))
    assert rows(world)["memory_items"] == 1
    assert isinstance(reader.pool, QueuePool)
    assert reader.pool.checkedout() == 0


def test_statements_of_both_kinds_read_one_snapshot(world: World) -> None:
    with world.deps.database.read() as tx:
        counted = select(func.count()).select_from(memory_items)
        before = tx.items.count(world.workspace), tx.connection.execute(counted).scalar_one()
        world.save(world.client(world.bob))
        assert (
            (tx.items.count(world.workspace), tx.connection.execute(counted).scalar_one()) == before == (0, 0)
        )


def test_readiness_leaves_nothing_behind(world: World) -> None:
    check_ready(world.deps)
    check_ready(world.deps)
    with world.deps.database.read() as tx:
        assert tx.accounts.instance_value("readiness") is None


# --- SQLite ------------------------------------------------------------------------------------------------


@pytest.fixture
def sqlite_world(tmp_path: Path, migrated_file: Path) -> Iterator[World]:
    """The cast in a SQLite file."""
    path = tmp_path / "memory.db"
    path.write_bytes(migrated_file.read_bytes())
    opened = Database(SqliteDialect(path))
    try:
        yield make_world(opened)
    finally:
        opened.close()


def test_writers_are_served_in_the_order_in_which_they_came(sqlite_world: World) -> None:
    database = sqlite_world.deps.database
    dialect = database.dialect
    assert isinstance(dialect, SqliteDialect)
    served: list[int] = []

    def write(number: int) -> None:
        with database.begin():
            served.append(number)

    threads = [threading.Thread(target=write, args=[number]) for number in range(12)]
    waiting = threading.Event()
    with database.begin():
        for number, thread in enumerate(threads):
            thread.start()
            for _ in range(1_000):
                if dialect.writers_waiting > number:
                    break
                waiting.wait(0.005)
    for thread in threads:
        thread.join(10)
    assert served == list(range(12))


def test_reads_take_turns(sqlite_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "READING_TURN_SECONDS", 10.0)
    database = sqlite_world.deps.database
    at_work: list[int] = []
    most: list[int] = []

    def read() -> None:
        with database.read() as tx:
            at_work.append(1)
            most.append(len(at_work))
            tx.connection.exec_driver_sql("SELECT 1")
            time.sleep(0.01)
            at_work.pop()

    at_once(*[read] * 8)
    assert most == [1] * 8


def test_a_long_read_does_not_hold_up_others_and_gives_back_its_turn(
    sqlite_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = sqlite_world.deps.database
    with database.read() as long, suppress(NotFound), database.read() as short:
        assert short.connection.exec_driver_sql("SELECT 1").scalar() == 1
        assert long.connection.exec_driver_sql("SELECT 1").scalar() == 1
        raise NotFound("item")
    # Whoever comes next has the turn at once.
    monkeypatch.setattr(sqlite, "READING_TURN_SECONDS", 10.0)
    began = time.monotonic()
    with database.read():
        assert time.monotonic() - began < 5


def test_a_connection_is_set_up_to_lose_nothing(sqlite_world: World) -> None:
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    with sqlite_world.deps.database.begin() as tx:
        assert {name: pragma(tx.connection, name) for name in expected} == expected


def pragma(connection: Connection, name: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_a_full_disk_is_told_and_nothing_is_half_written(sqlite_world: World) -> None:
    world = sqlite_world
    writer = world.deps.database.dialect.writer
    with world.deps.database.begin() as tx:
        pages = pragma(tx.connection, "page_count")
        pragma(tx.connection, f"max_page_count={pages}")
    saved = 0

    def save_until_full() -> None:
        nonlocal saved
        for number in range(500):
            world.save(world.client(world.bob), f"{number} " + "tea " * 400)
            saved += 1

    with pytest.raises(StorageFull):
        save_until_full()
    assert rows(world)["memory_items"] == rows(world)["memory_item_history"] == saved
    assert rows(world)["search_documents"] == saved
    with writer.connect() as connection:
        pragma(connection, "max_page_count=1073741823")
    assert world.save(world.client(world.bob), "works again").item.version == 1


def test_the_driver_says_nothing_of_a_row(sqlite_world: World) -> None:
    with (
        pytest.raises(Busy) as refused,
        shorter_patience(sqlite_world, 0.1) as hasty,
        locked_elsewhere(sqlite_world),
    ):
        hasty.save(hasty.client(hasty.bob), "a zebra in the kitchen")
    assert refused.value.__cause__ is None
    assert "zebra" not in str(refused.value)


# --- PostgreSQL --------------------------------------------------------------------------------------------


@pytest.fixture
def postgresql_world(migrated_postgresql_url: str) -> Iterator[World]:
    """The cast in a PostgreSQL database."""
    opened = Database(PostgresqlDialect(migrated_postgresql_url))
    try:
        yield make_world(opened)
    finally:
        opened.close()


def test_a_deadlock_is_run_again(postgresql_world: World) -> None:
    world = postgresql_world
    met = threading.Barrier(2)
    attempts: list[WorkspaceId] = []

    def lock_both(first: WorkspaceId, second: WorkspaceId) -> str:
        def use_case(_deps: object) -> str:
            attempts.append(first)
            with world.deps.database.begin() as tx:
                tx.lock_workspace(first)
                if len(attempts) <= 2:
                    met.wait(10)
                tx.lock_workspace(second)
            return "locked"

        return run(world.deps, use_case)

    pair = world.workspace, world.other_workspace
    outcomes = at_once(lambda: lock_both(*pair), lambda: lock_both(*reversed(pair)))  # pyright: ignore[reportArgumentType]
    assert (outcomes, len(attempts)) == (["locked", "locked"], 3)


@pytest.mark.parametrize("state", ["40001", "40P01", "55P03"])
def test_contention_is_run_again_until_it_is_over(postgresql_world: World, state: str) -> None:
    attempts: list[int] = []

    def use_case(deps: object) -> str:
        attempts.append(1)
        with postgresql_world.deps.database.begin() as tx:
            if len(attempts) < 3:
                raise_state(tx, state)
        return "done"

    assert (run(postgresql_world.deps, use_case), len(attempts)) == ("done", 3)


def test_contention_that_does_not_end_is_busy(
    postgresql_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PATIENCE_SECONDS", 0.2)

    def use_case(deps: object) -> None:
        with postgresql_world.deps.database.begin() as tx:
            raise_state(tx, "40001")

    with pytest.raises(Busy):
        run(postgresql_world.deps, use_case)


@pytest.mark.parametrize(
    ("state", "told"),
    [("53100", StorageFull), ("53300", Busy), ("57014", Busy), ("57P01", Busy), ("08006", Busy)],
)
def test_what_the_server_says_is_translated(
    postgresql_world: World, state: str, told: type[Exception]
) -> None:
    with pytest.raises(told), postgresql_world.deps.database.begin() as tx:
        raise_state(tx, state)


def raise_state(tx: Transaction, state: str) -> None:
    tx.connection.exec_driver_sql(f"DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '{state}'; END $$")


def test_a_server_that_drops_its_connections_is_busy_and_then_works(postgresql_world: World) -> None:
    world = postgresql_world
    world.save(world.client(world.bob), "green tea")
    before = rows(world)
    dialect = world.deps.database.dialect
    url = dialect.writer.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def drop_all() -> None:
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    def count_while_it_drops() -> None:
        with world.deps.database.begin() as tx:
            tx.lock_workspace(world.workspace)
            drop_all()
            tx.items.count(world.workspace)

    with pytest.raises(Busy):
        count_while_it_drops()
    assert rows(world) == before
    drop_all()
    assert len(find_items(world.deps, world.client(world.bob), world.workspace, Query("tea")).found) == 1
    assert world.save(world.client(world.bob), "works again").item.version == 1


def test_a_server_that_is_lost_in_a_read_is_busy_and_nothing_is_logged(
    postgresql_world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world = postgresql_world
    url = world.deps.database.dialect.writer.url.set(drivername="postgresql")

    def count_while_it_drops() -> None:
        with (
            world.deps.database.read() as tx,
            psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as admin,
        ):
            tx.items.count(world.workspace)
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            tx.items.count(world.workspace)

    with pytest.raises(Busy):
        count_while_it_drops()
    assert rows(world)["memory_items"] == 0
    assert caplog.records == []


def test_a_server_that_is_not_there_is_busy() -> None:
    database = Database(PostgresqlDialect("postgresql://nobody@127.0.0.1:9/none", wait_seconds=1))
    with pytest.raises(Busy), database.begin():
        pass
    database.close()

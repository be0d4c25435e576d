"""The n-th statement of each writing use case fails, for every n, and the commit: all or nothing, and a clear error.

The driver's own errors are raised where the driver raises them. The key store must agree with the tables afterwards.
"""

import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine, event, select
from tests.conftest import World
from tests.contract.memory_stage import add
from tests.simulation.writing_calls import WRITING, make_ready

from workspace_memory.domain.errors import Busy, StorageFull
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.storage.metadata import metadata

# More than any use case has: the end of a loop that would otherwise not end.
STATEMENTS_MAX = 200


def driver_errors(engine: Engine) -> dict[type[Exception], Callable[[], Exception]]:
    """What the driver raises, by what the service has to make of it."""
    if engine.name == "sqlite":
        return {StorageFull: lambda: coded(sqlite3.SQLITE_FULL), Busy: lambda: coded(sqlite3.SQLITE_BUSY)}
    return {StorageFull: lambda: psycopg.errors.DiskFull("full"), Busy: psycopg.errors.AdminShutdown}


def coded(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    return error


@contextmanager
def failing(engines: set[Engine], number: int, error: Exception) -> Generator[list[str]]:
    """The statement of this number fails, and each COMMIT counts as one; what was executed so far."""
    seen: list[str] = []

    def count(statement: str) -> None:
        seen.append(statement)
        if len(seen) == number:
            raise error

    def execute(_cursor: object, statement: str, _parameters: object, _context: object) -> None:
        # A vacuum comes after the COMMIT and is done again by the next one; what fails there must not be told.
        if not statement.startswith("VACUUM"):
            count(statement)

    with pytest.MonkeyPatch.context() as patch:
        # Engines may share one, whose events and methods are then wrapped once.
        dialects = {engine.dialect for engine in engines}
        for dialect in dialects:
            event.listen(dialect, "do_execute", execute)
            commit = dialect.do_commit

            def count_commit(connection: Any, commit: Callable[[Any], None] = commit) -> None:
                count("COMMIT")
                commit(connection)

            patch.setattr(dialect, "do_commit", count_commit)
        try:
            yield seen
        finally:
            for dialect in dialects:
                event.remove(dialect, "do_execute", execute)


def engines_of(world: World) -> set[Engine]:
    dialect = world.deps.database.dialect
    # PostgreSQL's reader is the writer's engine with other options, and shares its events.
    return {dialect.writer} if dialect.writer.name == "postgresql" else {dialect.writer, dialect.reader}


def every_row(world: World) -> dict[str, list[tuple[object, ...]]]:
    with world.deps.database.read() as tx:
        return {
            table.name: sorted((tuple(row) for row in tx.connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }


def open_sessions(world: World) -> int:
    """How many rows of key sessions are open."""
    now = world.clock.now()
    with world.deps.database.read() as tx:
        return len(tx.key_sessions.open_ones(world.workspace, now=now))


def numbers_to_try(world: World, exhaustive: bool) -> Iterator[int]:
    """Every statement; on PostgreSQL, where the same code runs, some in the normal run."""
    step = 1 if exhaustive or world.deps.database.dialect.writer.name == "sqlite" else 5
    return iter(range(1, STATEMENTS_MAX, step))


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", sorted(WRITING))
def test_a_failure_at_any_statement_writes_nothing_and_is_told(
    world: World, name: str, request: pytest.FixtureRequest
) -> None:
    ready = make_ready(world)
    call = WRITING[name](ready)
    exhaustive = bool(request.config.getoption("--exhaustive"))
    before, errors = every_row(world), driver_errors(world.deps.database.dialect.writer)
    for number in numbers_to_try(world, exhaustive):
        expected, make = list(errors.items())[number % 2]
        if finished(world, call, number, make(), expected):
            break
        assert every_row(world) == before, f"statement {number} left something"
        assert world.deps.key_store.count() == open_sessions(world), f"statement {number} left a key"
    else:
        raise AssertionError("it never succeeded")
    assert every_row(world) != before
    assert world.deps.key_store.count() == open_sessions(world)


def finished(
    world: World, call: Callable[[], object], number: int, error: Exception, expected: type[Exception]
) -> bool:
    """Whether the call got by without reaching the statement that fails; else it was told as it has to be."""
    with failing(engines_of(world), number, error) as seen:
        try:
            call()
        except expected as told:
            # The driver's text may quote a row.
            return told.__cause__ is not None
    assert len(seen) < number, f"the failure of statement {number} was swallowed: {seen[number - 1]}"
    return True


def test_a_failure_at_any_statement_of_a_recall_withholds_the_memory(
    world: World, request: pytest.FixtureRequest
) -> None:
    ready = make_ready(world)
    turn = ready.stage.admit()
    before, errors = every_row(world), driver_errors(world.deps.database.dialect.writer)
    for number in numbers_to_try(world, bool(request.config.getoption("--exhaustive"))):
        with failing(engines_of(world), number, list(errors.values())[number % 2]()) as seen:
            recalled = ready.stage.recall(turn)
        if len(seen) < number:
            assert recalled.status is RecallStatus.ATTACHED
            return
        assert (recalled.status, recalled.block, recalled.receipt) == (RecallStatus.UNAVAILABLE, None, None)
        assert every_row(world) == before
    raise AssertionError("it never succeeded")


def test_a_capture_whose_answer_was_lost_after_its_commit_is_answered_when_it_is_sent_again(
    world: World,
) -> None:
    ready = make_ready(world)
    turn = ready.stage.shown()
    with lost_after_commit(world), pytest.raises(Busy):
        ready.stage.capture(turn, add("likes tea"))
    assert ready.stage.capture(turn, add("likes tea")).version == ready.stage.version() == 3


def test_a_key_session_whose_opening_was_lost_after_its_commit_holds_no_key(world: World) -> None:
    ready = make_ready(world)
    held = world.deps.key_store.count()
    with lost_after_commit(world), pytest.raises(Busy):
        WRITING["open_session"](ready)()
    assert world.deps.key_store.count() == held


@contextmanager
def lost_after_commit(world: World) -> Generator[None]:
    """The connection breaks between the COMMIT and its answer."""
    dialect = world.deps.database.dialect.writer.dialect
    commit, error = dialect.do_commit, list(driver_errors(world.deps.database.dialect.writer).values())[1]

    def commit_and_lose(connection: Any) -> None:
        commit(connection)
        raise error()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialect, "do_commit", commit_and_lose)
        yield

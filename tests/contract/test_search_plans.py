"""What a call over MCP reads is found by an index: the time of no statement grows with the installation."""

from typing import Any

import pytest
from sqlalchemy import Connection
from tests.conftest import World

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.item import Scope
from workspace_memory.services.entering import enter_server
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.tokens import make_token_here
from workspace_memory.storage.search_sql import Statement

Asked = tuple[Statement, tuple[Any, ...]]
QUERIES = ("tea", "green tea in the kitchen today", "INV-20931", "kitch")


@pytest.fixture
def asked(world: World, monkeypatch: pytest.MonkeyPatch) -> list[Asked]:
    """Every fixed statement that a search or a save over MCP runs, with the values of its last run."""
    rows = Statement.rows
    seen: dict[Statement, tuple[Any, ...]] = {}

    def note(statement: Statement, connection: Connection, *values: Any) -> list[tuple[Any, ...]]:
        seen[statement] = values
        return rows(statement, connection, *values)

    world.set_level(world.bob, AccessLevel.CONTRIBUTE)
    for number in range(30):
        world.company_item(f"green tea in the kitchen, part {number}, INV-2093{number}")
    made = make_token_here(
        world.deps, world.workspace, world.bob, name="Laptop", max_level=AccessLevel.CONTRIBUTE
    )
    with monkeypatch.context() as patch:
        patch.setattr(Statement, "rows", note)
        actor = enter_server(world.deps, made.secret, world.server).actor
        for query in QUERIES:
            find_items(world.deps, actor, world.workspace, Query(text=query))
        for scope in Scope:
            world.save(actor, f"green tea is in the kitchen, {scope.value}", scope=scope)
    return list(seen.items())


def plan(connection: Connection, statement: Statement, values: tuple[Any, ...]) -> list[str]:
    sqlite = connection.dialect.name == "sqlite"
    raw = connection.connection.driver_connection
    assert raw is not None
    if not sqlite:
        # So few rows are read faster without an index; the question is whether there is one at all.
        raw.execute("SET LOCAL enable_seqscan = off")
    sql, given = statement.for_driver(connection, values)
    rows = raw.execute(f"EXPLAIN {'QUERY PLAN ' if sqlite else ''}{sql}", given).fetchall()
    return [str(row[3] if sqlite else row[0]).strip() for row in rows]


def test_no_statement_of_a_search_or_a_save_scans_a_table(world: World, asked: list[Asked]) -> None:
    with world.deps.database.read() as tx:
        steps = [step for statement, values in asked for step in plan(tx.connection, statement, values)]
    scans = [step for step in steps if "Seq Scan on" in step or step.startswith("SCAN ")]
    assert len(asked) >= 12
    assert [scan for scan in scans if not scan.startswith("SCAN json_each ")] == []


def test_items_that_are_not_active_are_counted_by_the_index_of_them_alone(
    world: World, asked: list[Asked]
) -> None:
    with world.deps.database.read() as tx:
        plans = [" ".join(plan(tx.connection, statement, values)) for statement, values in asked]
    assert [steps for steps in plans if "ix_memory_items_waiting" in steps]

"""Rates are counted per token and minute, where every process sees them, outside the transaction of the call."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conftest import World, a_draft
from tests.contract.together import answers, at_once

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import NotFound, RateLimited
from workspace_memory.domain.ids import TokenId, WorkspaceId
from workspace_memory.domain.rate import RateLimits
from workspace_memory.services.deps import new_uuid7
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.running import run
from workspace_memory.services.saving import add_items, save_item
from workspace_memory.storage.database import open_postgresql
from workspace_memory.storage.postgresql import PostgresqlDialect


@pytest.fixture
def limited(world: World) -> World:
    world.deps = replace(world.deps, rates=RateLimits(saves=3, searches=5))
    return world


def with_token(world: World, token: str = "") -> Actor:
    return replace(world.client(world.bob), token=TokenId(token or new_uuid7()))


def save(world: World, actor: Actor, text: str) -> object:
    return run(world.deps, save_item, actor, world.workspace, a_draft(text))


def search(world: World, actor: Actor) -> object:
    return run(world.deps, find_items, actor, world.workspace, Query("tea"))


def test_the_call_after_the_last_one_is_refused_and_says_when(limited: World) -> None:
    bob = with_token(limited)
    limited.clock.move(timedelta(seconds=20))
    for number in range(3):
        save(limited, bob, f"text {number}")
    with pytest.raises(RateLimited) as refused:
        save(limited, bob, "one more")
    assert refused.value.retry_after == 40
    with limited.deps.database.read() as tx:
        assert tx.items.count_personal(limited.workspace, limited.bob) == 3


def test_the_next_minute_begins_anew(limited: World) -> None:
    bob = with_token(limited)
    for number in range(3):
        save(limited, bob, f"text {number}")
    limited.clock.move(timedelta(minutes=1))
    save(limited, bob, "one more")


def test_searches_are_counted_apart(limited: World) -> None:
    bob = with_token(limited)
    for number in range(3):
        save(limited, bob, f"text {number}")
    for _ in range(5):
        search(limited, bob)
    with pytest.raises(RateLimited):
        search(limited, bob)


def test_another_token_has_its_own_count(limited: World) -> None:
    for _ in range(2):
        bob = with_token(limited)
        for number in range(3):
            save(limited, bob, f"text {number}")


def test_a_token_is_counted_by_hand_too(limited: World) -> None:
    bob = replace(limited.by_hand(limited.bob), token=TokenId(new_uuid7()), workspace=limited.workspace)
    for number in range(3):
        save(limited, bob, f"text {number}")
    with pytest.raises(RateLimited):
        save(limited, bob, "one more")


def test_a_signed_in_person_is_not_counted(limited: World) -> None:
    for number in range(5):
        save(limited, limited.by_hand(limited.bob), f"text {number}")


def test_many_in_one_request_are_one_save(limited: World) -> None:
    bob = with_token(limited)
    drafts = [a_draft(f"text {number}") for number in range(50)]
    for _ in range(3):
        run(limited.deps, add_items, bob, limited.workspace, drafts)
    with pytest.raises(RateLimited):
        run(limited.deps, add_items, bob, limited.workspace, drafts)


def test_0_is_no_limit(world: World) -> None:
    bob = with_token(world)
    for number in range(70):
        save(world, bob, f"text {number}")


def test_arguments_by_name_are_counted_too(limited: World) -> None:
    """As they arrive at the owner of a data folder."""
    bob = with_token(limited)

    def call() -> object:
        return run(limited.deps, find_items, actor=bob, workspace=limited.workspace, query=Query("tea"))

    for _ in range(5):
        call()
    with pytest.raises(RateLimited):
        call()


def test_calls_at_once_are_counted_exactly(limited: World) -> None:
    bob = with_token(limited)
    outcomes = at_once(*(lambda: search(limited, bob) for _ in range(8)))
    assert len(answers(outcomes)) == 5


def test_every_process_sees_the_count(limited: World) -> None:
    dialect = limited.deps.database.dialect
    if not isinstance(dialect, PostgresqlDialect):
        pytest.skip("one process owns a SQLite file")
    bob = with_token(limited)
    other = open_postgresql(dialect.writer.url.render_as_string(hide_password=False))
    try:
        elsewhere = replace(limited.deps, database=other)
        for _ in range(5):
            run(elsewhere, find_items, bob, limited.workspace, Query("tea"))
        with pytest.raises(RateLimited):
            search(limited, bob)
    finally:
        other.close()


def test_a_counted_search_does_not_wait_for_a_writer(limited: World) -> None:
    bob = with_token(limited)
    search(limited, bob)
    done = threading.Event()

    def search_now() -> None:
        search(limited, bob)
        done.set()

    searching = threading.Thread(target=search_now)
    with limited.deps.database.begin() as tx:
        tx.lock_workspace(limited.workspace)
        searching.start()
        assert done.wait(10)
    searching.join(10)


def test_a_workspace_that_is_gone_is_missing_and_no_fault(limited: World) -> None:
    gone = WorkspaceId(new_uuid7())
    bob = replace(with_token(limited), workspace=gone)
    with pytest.raises(NotFound):
        run(limited.deps, find_items, bob, gone, Query("tea"))

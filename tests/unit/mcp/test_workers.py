"""The threads behind the MCP endpoint."""

import asyncio
import threading

import pytest

from workspace_memory.mcp.workers import Workers


def test_a_call_runs_in_another_thread_and_its_answer_comes_back() -> None:
    async def ask() -> tuple[int, int]:
        return await Workers(2).run(lambda: (40 + 2, threading.get_ident()))

    answer, thread = asyncio.run(ask())
    assert answer == 42
    assert thread != threading.get_ident()


def test_what_a_call_raises_reaches_whoever_waits() -> None:
    def fail() -> None:
        raise KeyError("tea")

    async def ask() -> None:
        await Workers(1).run(fail)

    with pytest.raises(KeyError, match="tea"):
        asyncio.run(ask())


def test_as_many_calls_run_at_once_as_there_are_threads() -> None:
    together = threading.Barrier(3, timeout=30)

    async def ask() -> None:
        workers = Workers(3)
        await asyncio.gather(*(workers.run(together.wait) for _ in range(3)))
        # A thread that is free again takes the next call.
        await asyncio.gather(*(workers.run(together.wait) for _ in range(3)))

    asyncio.run(ask())


def test_more_calls_than_threads_wait_for_their_turn() -> None:
    async def ask() -> list[int]:
        workers = Workers(2)
        return await asyncio.gather(*(workers.run(lambda number=number: number) for number in range(50)))

    assert asyncio.run(ask()) == list(range(50))


def test_the_end_waits_for_calls_that_were_begun_and_takes_no_more() -> None:
    done: list[str] = []

    async def ask() -> None:
        workers = Workers(1)
        go_on = threading.Event()
        begun = workers.run(lambda: done.append("begun") if go_on.wait(30) else None)
        ending = asyncio.create_task(asyncio.to_thread(workers.end))
        go_on.set()
        await ending
        await begun
        with pytest.raises(RuntimeError):
            workers.run(list)

    asyncio.run(ask())
    assert done == ["begun"]


def test_a_call_that_was_given_up_before_its_turn_is_not_made() -> None:
    made: list[str] = []

    async def ask() -> None:
        workers = Workers(1)
        go_on = threading.Event()
        first = workers.run(lambda: go_on.wait(30))
        asyncio.ensure_future(workers.run(lambda: made.append("given up"))).cancel()
        go_on.set()
        await first
        await workers.run(lambda: made.append("wanted"))

    asyncio.run(ask())
    assert made == ["wanted"]


def test_an_answer_that_nobody_waits_for_any_more_is_dropped() -> None:
    async def ask() -> str:
        workers = Workers(1)
        go_on = threading.Event()
        given_up = asyncio.ensure_future(workers.run(lambda: go_on.wait(30)))
        given_up.cancel()
        go_on.set()
        return await workers.run(lambda: "the next one")

    assert asyncio.run(ask()) == "the next one"

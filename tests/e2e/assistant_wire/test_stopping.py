"""A turn that is stopped, or that nobody listens to any more: it ends at once, and what there is can be kept."""

import asyncio
import threading
from contextlib import suppress
from functools import partial
from typing import Any

from tests.contract.memory_stage import Stage
from tests.e2e.assistant_wire.provider_server import Provider, Say, call
from tests.e2e.assistant_wire.turns import TOOLS, authority, choice

from workspace_memory.assistant.model_choices import ProviderKind
from workspace_memory.assistant.providers import make_models
from workspace_memory.assistant.runner import AssistantRunner
from workspace_memory.assistant.turn_loop import TurnJob, TurnResult, run_turn
from workspace_memory.domain.admission import Via
from workspace_memory.domain.client_state import UNKNOWN
from workspace_memory.domain.turn import TurnName, TurnState
from workspace_memory.domain.turn_event import ToolAnswered
from workspace_memory.services.running import run
from workspace_memory.services.turn_running import TurnRequest
from workspace_memory.services.turns import begin_turn, get_turn


def test_a_stopped_turn_keeps_what_it_has_done(stage: Stage, provider: Provider) -> None:
    held = threading.Event()
    provider.script[:] = [call("search_documents", query="tea"), Say("never read")]

    def hold_the_second(number: int) -> None:
        if number == 2:
            held.wait(30)

    provider.on_request = hold_the_second

    async def stopped() -> TurnResult:
        models, stop = make_models([choice(provider, ProviderKind.ANTHROPIC)]), asyncio.Event()
        job = TurnJob(authority(stage, stage.admit()), models, (), "Find tea", TOOLS, 10_000)
        result = None
        try:
            async for event in run_turn(job, stop=stop):
                if isinstance(event, ToolAnswered):
                    stop.set()
                if isinstance(event, TurnResult):
                    result = event
        finally:
            held.set()
            await models.close()
        assert result is not None
        return result

    result = asyncio.run(stopped())
    assert result.state is TurnState.STOPPED
    assert result.error is None
    assert "Find tea" in result.messages[0]
    assert len(result.messages) in {1, 3}


def test_a_turn_that_nobody_listens_to_ends(stage: Stage, provider: Provider) -> None:
    provider.script[:] = [call("search_documents", query="tea")] * 15

    async def left() -> int:
        models = make_models([choice(provider, ProviderKind.ANTHROPIC)])
        job = TurnJob(authority(stage, stage.admit()), models, (), "Find tea", TOOLS, 10_000)
        turn = run_turn(job)
        await anext(turn)
        await turn.aclose()
        sent = len(provider.recorded)
        await models.close()
        return sent

    sent = asyncio.run(left())
    assert len(provider.recorded) == sent < 15


def test_a_caller_who_leaves_while_a_turn_is_admitted_leaves_none_that_nobody_runs(stage: Stage) -> None:
    world, entered, go_on = stage.world, threading.Event(), threading.Event()
    bob = stage.actor(world.bob)
    request = TurnRequest(
        conversation=stage.converse(world.bob),
        text="Hello",
        key="one",
        key_session=stage.token(world.bob),
        client_state=UNKNOWN,
        via=Via.ASSISTANT,
    )

    def ask(use_case: Any, /, *args: Any, **kwargs: Any) -> Any:
        if use_case is begin_turn:
            entered.set()
            go_on.wait(60)
        return run(world.deps, partial(use_case), bob, *args, **kwargs)

    async def leave() -> None:
        turns = AssistantRunner(partial(run, world.deps), make_models(()), ())
        beginning = asyncio.create_task(turns.begin(ask, request))
        await asyncio.to_thread(entered.wait, 60)
        beginning.cancel()
        with suppress(asyncio.CancelledError):
            await beginning
        go_on.set()
        await turns.close()

    asyncio.run(leave())
    assert get_turn(world.deps, bob, TurnName(request.conversation, 1)).state is not TurnState.RUNNING

"""A turn that is stopped, or that nobody listens to any more: it ends at once, and what there is can be kept."""

import asyncio
import threading

from tests.contract.memory_stage import Stage
from tests.e2e.assistant_wire.provider_server import Provider, Say, call
from tests.e2e.assistant_wire.turns import TOOLS, authority, choice

from workspace_memory.assistant.model_choices import ProviderKind
from workspace_memory.assistant.providers import make_models
from workspace_memory.assistant.turn_loop import TurnJob, TurnResult, run_turn
from workspace_memory.domain.turn import TurnState
from workspace_memory.domain.turn_event import ToolAnswered


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

"""How turns end when something around them fails: the cost counts all the same, and no turn runs twice."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import World
from tests.contract.memory_stage import make_stage
from tests.e2e.assistant_calls import Chat, chat_of, end_of, provided, text_of
from tests.e2e.assistant_wire.provider_server import Pause, Provider, Say, playing
from tests.e2e.conftest import serving
from tests.e2e.rest_calls import Rest

from workspace_memory.assistant import runner
from workspace_memory.services.assistant_usage import usage_of_day

LONG = "one two three four five six seven eight"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with playing() as running:
        yield running


@pytest.fixture
def bob(world: World, provider: Provider) -> Iterator[Chat]:
    with serving(world, settings=provided(provider)) as running:
        clients = Rest(running)
        yield chat_of(clients, make_stage(world), world.bob)
        clients.close()


def tokens_of_today(chat: Chat) -> int:
    world = chat.stage.world
    return usage_of_day(world.deps, world.by_hand(chat.user), world.workspace).today.input_tokens


def test_a_turn_that_could_not_be_kept_has_cost_what_it_cost(
    bob: Chat, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(runner, "finish_turn", full)
    provider.script[:] = [Say(LONG)]
    assert end_of(bob.say()) == ("failed", "error")
    assert tokens_of_today(bob) == 10


def test_sent_again_after_a_long_sleep_of_the_machine_a_turn_that_goes_on_is_heard_and_not_run_twice(
    bob: Chat, provider: Provider
) -> None:
    pause = Pause(LONG)
    provider.script[:] = [pause, Say("Once more")]
    with bob.saying(key="one") as events, ThreadPoolExecutor() as threads:
        first = [next(events) for _ in range(3)]
        bob.stage.world.clock.move(timedelta(minutes=5))
        with bob.saying(key="one") as again:
            assert [next(again) for _ in range(3)] == first
            heard = threads.submit(lambda: list(again))
            pause.go_on.set()
            live = [*first, *events]
            assert [*first, *heard.result()] == live
    assert text_of(live) == LONG
    assert len(provider.recorded) == 1


def test_a_turn_that_is_stopped_within_its_answer_has_cost_about_what_was_sent(
    bob: Chat, provider: Provider
) -> None:
    pause = Pause(LONG)
    provider.script[:] = [pause]
    with bob.saying("Hello " * 1_000) as events:
        assert any(event.name == "text_added" for event in events)
        bob.stop()
        assert end_of(list(events)) == ("stopped", None)
    pause.go_on.set()
    assert 1_000 < tokens_of_today(bob) < 4_000

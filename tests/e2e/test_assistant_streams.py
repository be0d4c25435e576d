"""Turns while they run: a connection that is lost, a person who stops it, and rights that end in the middle of it.

The provider is scripted; what happens in the middle is done when its request has come, so that nothing is waited for.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import takewhile

import pytest
from tests.conftest import World
from tests.contract.memory_stage import make_stage
from tests.contract.together import at_once
from tests.e2e.assistant_calls import (
    Chat,
    Heard,
    chat_of,
    data_of,
    end_of,
    names,
    provided,
    text_of,
)
from tests.e2e.assistant_wire.provider_server import Pause, Provider, Say, call, playing
from tests.e2e.assistant_wire.turns import MARKER, NOTE
from tests.e2e.conftest import serving
from tests.e2e.rest_calls import Rest, refusal

from workspace_memory.assistant import runner, stored_turns
from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.ids import ConversationId, TokenId
from workspace_memory.services.assistant_usage import usage_of_day
from workspace_memory.services.conversations import delete_conversation
from workspace_memory.services.tokens import list_tokens, revoke_token

on_one_store = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
LONG = "one two three four five six seven eight"
SEARCH = call("search_documents", query="tea")
REMEMBER = call(
    "remember_in_memory", changes=[{"op": "add", "text": "likes tea", "target": "", "heading": ""}]
)


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


@pytest.fixture
def elsewhere(bob: Chat, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    """The same conversation at another process on the same database, which looks for news without waiting long."""
    monkeypatch.setattr(stored_turns, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(runner, "RENEW_SECONDS", 0.01)
    with serving(bob.stage.world, settings=provided(provider)) as running:
        yield bob.at(f"{running.url}/api/v1")


def until_text(events: Iterator[Heard]) -> list[Heard]:
    """The events up to the first piece of the answer."""
    first = list(takewhile(lambda event: event.name != "text_added", events))
    assert names(first) == ["turn_began", "memory_given"]
    return first


def on_the_first(provider: Provider, act: Callable[[], object]) -> None:
    """Let something happen between the first request to the model and its answer."""

    def on_request(number: int) -> None:
        if number == 1:
            act()

    provider.on_request = on_request


# --- Lost connections ------------------------------------------------------------------------------------------


@on_one_store
def test_after_a_cut_nothing_is_missing_and_nothing_comes_twice(bob: Chat, provider: Provider) -> None:
    pause = Pause(LONG)
    provider.script[:] = [pause]
    with bob.saying(key="one") as events:
        first = [next(events) for _ in range(3)]
    with ThreadPoolExecutor() as threads:
        heard = threads.submit(bob.hear, after=first[-1].id)
        sent_again = threads.submit(bob.say, key="one", Last_Event_ID=first[-1].id)
        pause.go_on.set()
    assert text_of([*first, *heard.result()]) == LONG
    assert [*first, *heard.result()] == [*first, *sent_again.result()] == bob.hear()
    assert len(provider.recorded) == 1


@on_one_store
def test_with_the_id_of_another_stream_the_whole_turn_is_retold(bob: Chat, provider: Provider) -> None:
    provider.script[:] = [Say(LONG)]
    whole = bob.say()
    for other in ("0badcafe.3", "stored.2", "no id", f"{whole[0].id.partition('.')[0]}.x"):
        retold = bob.hear(after=other)
        assert names(retold[:2]) == ["turn_retold", "turn_began"]
        assert retold[1:] == whole
    assert bob.hear(after=whole[-1].id) == []


def test_after_a_restart_the_turn_is_retold_from_what_was_kept(
    bob: Chat, elsewhere: Chat, provider: Provider
) -> None:
    provider.script[:] = [SEARCH, Say(LONG)]
    live = bob.say("Where is the tea?")
    retold = elsewhere.hear(after=live[4].id)
    assert names(retold) == ["turn_retold", "turn_began", "memory_given", "text_added", "turn_ended"]
    assert (text_of(retold), end_of(retold)) == (text_of(live), end_of(live))
    assert data_of(retold, "memory_given") == data_of(live, "memory_given")
    assert elsewhere.hear(after=retold[2].id) == retold[3:]


def test_two_at_once_with_one_key_are_one_turn(bob: Chat, provider: Provider) -> None:
    provider.script[:] = [Say(LONG)]
    first, second = at_once(*[lambda: bob.say("Hello", key="one")] * 2)
    assert isinstance(first, list)
    assert isinstance(second, list)
    # One that comes when the turn has ended is told it from what was kept, in fewer events.
    assert (text_of(first), end_of(first)) == (text_of(second), end_of(second))
    assert data_of(first, "turn_began") == data_of(second, "turn_began")
    assert (len(provider.recorded), bob.rows()[:2]) == (1, [1, 1])


@on_one_store
def test_without_a_key_session_a_turn_is_told_without_its_text(
    bob: Chat, elsewhere: Chat, provider: Provider
) -> None:
    provider.script[:] = [Say(LONG)]
    bob.say()
    bare = {name: value for name, value in bob.headers.items() if name != "X-Key-Session"}
    for chat in (bob, elsewhere):
        events = replace(chat, headers=bare).hear()
        assert names(events) == ["turn_began", "memory_given", "turn_ended"]


# --- Stopped ---------------------------------------------------------------------------------------------------


@on_one_store
def test_a_stopped_turn_keeps_what_it_has_said(bob: Chat, provider: Provider) -> None:
    pause = Pause(LONG)
    provider.script[:] = [pause]
    with bob.saying() as events:
        until_text(events)
        assert bob.stop().status_code == 204
        assert end_of(list(events)) == ("stopped", None)
    pause.go_on.set()
    assert bob.state() == ("stopped", None)
    [_, (speaker, said)] = bob.said()
    assert speaker == "assistant"
    assert LONG.startswith(str(said))
    assert 0 < len(str(said)) < len(LONG)
    assert bob.stop().status_code == 204


def test_a_turn_is_stopped_from_another_process_and_keeps_what_it_has_said(
    bob: Chat, elsewhere: Chat, provider: Provider
) -> None:
    pause = Pause(LONG)
    provider.script[:] = [pause]
    with bob.saying() as events:
        until_text(events)
        assert elsewhere.stop().status_code == 204
        assert end_of(list(events)) == ("stopped", None)
    pause.go_on.set()
    assert elsewhere.state() == ("stopped", None)
    assert LONG.startswith(text_of(elsewhere.hear()))
    assert text_of(elsewhere.hear()) != ""
    [usage] = [each["usage"] for each in elsewhere.turns()]
    assert usage["calls"] == 1  # pyright: ignore[reportIndexIssue]


@on_one_store
def test_the_events_of_a_turn_that_runs_elsewhere_come_when_it_has_ended(
    bob: Chat, elsewhere: Chat, provider: Provider
) -> None:
    pause = Pause(LONG)
    provider.script[:] = [pause]
    with bob.saying() as events, ThreadPoolExecutor() as threads:
        until_text(events)
        told = threads.submit(elsewhere.hear)
        assert elsewhere.state() == ("running", None)
        pause.go_on.set()
        live = list(events)
    assert names(told.result()) == ["turn_began", "memory_given", "text_added", "turn_ended"]
    assert text_of(told.result()) == LONG
    assert end_of(told.result()) == end_of(live) == ("done", None)


@on_one_store
def test_when_the_server_stops_its_listeners_hear_the_end_and_what_was_said_is_kept(
    world: World, provider: Provider
) -> None:
    pause = Pause(LONG)
    provider.script[:] = [pause]
    stage = make_stage(world)
    with ExitStack() as first, ThreadPoolExecutor() as threads:
        running = first.enter_context(serving(world, settings=provided(provider)))
        clients = Rest(running)
        bob = chat_of(clients, stage, world.bob)
        with bob.saying() as events:
            until_text(events)
            stopping = threads.submit(first.close)
            assert end_of(list(events)) == ("stopped", None)
        clients.close()
        stopping.result(60)
    pause.go_on.set()
    with serving(world, settings=provided(provider)) as running:
        clients = Rest(running)
        again = replace(bob, client=clients.client(running.url)).at(f"{running.url}/api/v1")
        assert again.state() == ("stopped", None)
        assert LONG.startswith(text_of(again.hear()))
        assert text_of(again.hear()) != ""
        clients.close()


# --- What ends in the middle -----------------------------------------------------------------------------------


def test_a_conversation_that_is_deleted_ends_its_turn_and_gives_no_tokens_back(
    bob: Chat, provider: Provider
) -> None:
    world = bob.stage.world
    provider.script[:] = [SEARCH, Say(LONG)]
    conversation = ConversationId(bob.conversation)
    on_the_first(provider, lambda: delete_conversation(world.deps, world.by_hand(bob.user), conversation))
    events = bob.say()
    assert end_of(events) == ("failed", "not_found")
    assert len(provider.recorded) == 1
    assert refusal(bob.get()) == (404, "not_found")
    assert bob.rows()[:4] == [0] * 4
    day = usage_of_day(world.deps, world.by_hand(bob.user), world.workspace)
    assert day.today.input_tokens == 10


@on_one_store
def test_a_key_session_that_is_revoked_withholds_memory_and_the_answer_is_not_kept(
    bob: Chat, provider: Provider
) -> None:
    provider.script[:] = [SEARCH, Say(LONG)]
    on_the_first(provider, lambda: bob.stage.revoke(bob.user))
    events = bob.say()
    assert end_of(events) == ("failed", "key_session_required")
    assert [each["status"] for each in data_of(events, "memory_given")] == ["attached", "unavailable"]
    assert MARKER not in provider.recorded[1].raw
    assert NOTE in provider.recorded[1].system[-1]
    bob.stage.open_session(bob.user)
    token = write_session_token(bob.stage.token(bob.user))
    again = replace(bob, headers={**bob.headers, "X-Key-Session": token})
    assert again.said() == [("person", "Hello")]
    assert again.state() == ("failed", "key_session_required")


@on_one_store
def test_a_consent_that_is_taken_back_stops_the_turn_before_the_next_call(
    bob: Chat, provider: Provider
) -> None:
    provider.script[:] = [SEARCH, Say(LONG)]
    on_the_first(provider, lambda: bob.stage.set_ai(False))
    assert end_of(bob.say()) == ("failed", "ai_disabled")
    assert len(provider.recorded) == 1
    assert bob.state() == ("failed", "ai_disabled")
    assert [each["usage"]["calls"] for each in data_of(bob.hear(), "turn_ended")] == [1]


@on_one_store
def test_a_token_that_is_revoked_ends_the_turn_before_the_next_call(bob: Chat, provider: Provider) -> None:
    world = bob.stage.world
    actor = world.by_hand(bob.user)

    def revoke() -> None:
        for each in list_tokens(world.deps, actor, world.workspace):
            revoke_token(world.deps, actor, world.workspace, TokenId(each.id))

    provider.script[:] = [SEARCH, Say(LONG)]
    on_the_first(provider, revoke)
    assert end_of(bob.say()) == ("failed", "not_authenticated")
    assert len(provider.recorded) == 1


# --- Two turns in one conversation ------------------------------------------------------------------------------


def test_a_newer_turn_takes_memory_and_capture_from_the_older_one(
    bob: Chat, elsewhere: Chat, provider: Provider
) -> None:
    """The newer one is another process's with the demonstration, which needs no answer of this provider."""
    provider.script[:] = [SEARCH, REMEMBER, Say("Late.")]
    with serving(bob.stage.world) as demonstration:
        newer = bob.at(f"{demonstration.url}/api/v1")
        on_the_first(provider, lambda: newer.say("And now?"))
        events = bob.say("First")
    assert [each["status"] for each in data_of(events, "memory_given")] == [
        "attached", "superseded", "superseded",
    ]  # fmt: skip
    assert NOTE in provider.recorded[1].system[-1]
    assert data_of(events, "tool_answered")[1] == {"name": "remember_in_memory", "refused": True}
    assert bob.stage.version() == 1
    assert [each["state"] for each in bob.turns()] == ["done", "done"]


def test_two_turns_at_once_are_both_answered_and_kept_each_in_its_place(
    bob: Chat, provider: Provider
) -> None:
    provider.script[:] = [Say(LONG), Say(LONG)]
    outcomes = at_once(lambda: bob.say("First"), lambda: bob.say("Second"))
    assert [end_of(each) for each in outcomes if isinstance(each, list)] == [("done", None)] * 2
    assert [each["turn"] for each in bob.turns()] == [1, 2]
    assert {str(bob.said(turn)[0][1]) for turn in (1, 2)} == {"First", "Second"}
    assert [bob.said(turn)[1:] for turn in (1, 2)] == [[("assistant", LONG)]] * 2

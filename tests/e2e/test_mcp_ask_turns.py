"""ask_assistant with the real runner: an ordinary turn, seen from the official client and from REST beside it."""

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from tests.conftest import World
from tests.contract.memory_stage import Stage, make_stage
from tests.e2e.assistant_calls import provided
from tests.e2e.assistant_wire.provider_server import Pause, Provider, Say, call, playing
from tests.e2e.assistant_wire.turns import assert_given
from tests.e2e.conftest import Live, serving
from tests.e2e.mcp_client import ERAS, connected, structured, text
from tests.e2e.mcp_client import call as call_tool

from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.ids import ConversationId
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.receipt import Receipt
from workspace_memory.services.conversations import list_conversations, list_receipts
from workspace_memory.services.messages import list_messages

requirement = pytest.mark.requirement
on_one_store = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
REMEMBER = call(
    "remember_in_memory", changes=[{"op": "add", "text": "likes tea", "target": "", "heading": ""}]
)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with playing() as running:
        yield running


@pytest.fixture
def live(world: World, provider: Provider) -> Iterator[Live]:
    with serving(world, settings=provided(provider)) as running:
        yield running


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


def ask(
    live: Live, stage: Stage, message: str = "When do we ship?", era: str = "auto", **more: object
) -> Mapping[str, object]:
    """What the Assistant has answered."""
    bob = live.world.bob
    headers = {"X-Key-Session": write_session_token(stage.token(bob))}
    arguments = {"message": message, **more}
    told = structured(
        call_tool(f"{live.url}/mcp", live.token(bob), "ask_assistant", arguments, era, headers=headers)
    )
    # The scripted provider ends each word with a blank.
    return {**told, "text": str(told["text"]).strip()}


def receipts(live: Live, told: Mapping[str, object]) -> list[Receipt]:
    world = live.world
    conversation = ConversationId(str(told["conversation_id"]))
    return list(list_receipts(world.deps, world.by_hand(world.bob), conversation).receipts)


@pytest.mark.parametrize("era", ERAS)
@on_one_store
@requirement("document:ask:admitted-like-any-turn")
@requirement("document:ask:takes-the-current-revision")
def test_it_is_an_ordinary_turn_with_the_current_revision(
    live: Live, stage: Stage, provider: Provider, era: str
) -> None:
    stage.save("# Team\n\n- We ship on Friday\n")
    provider.script[:] = [call("search_documents", query="tea"), Say("On Friday.")]
    told = ask(live, stage, era=era)
    assert (told["text"], told["memory_status"], told["memory_revisions"]) == ("On Friday.", "attached", [2])
    for request in provider.recorded:
        assert_given(request, revision=2)
    found = receipts(live, told)
    assert {(each.via.value, str(each.client_state), each.version) for each in found} == {
        ("mcp_ask", "unknown", 2)
    }
    assert [each.call_number for each in found] == [1, 2]


@on_one_store
def test_a_conversation_goes_on_by_its_id(live: Live, stage: Stage, provider: Provider) -> None:
    provider.script[:] = [Say("On Thursday."), Say("As I said.")]
    told = ask(live, stage)
    again = ask(live, stage, "Are you sure?", conversation_id=told["conversation_id"])
    assert again["conversation_id"] == told["conversation_id"]
    assert "On Thursday." in provider.recorded[1].messages
    world = live.world
    page = list_conversations(world.deps, world.by_hand(world.bob), world.workspace)
    assert [each.conversation.turns for each in page.conversations] == [2]


@requirement("document:ask:same-policy")
def test_level_contribute_captures_in_auto_and_proposes_in_read_only(
    live: Live, stage: Stage, provider: Provider
) -> None:
    live.world.set_level(live.world.bob, AccessLevel.CONTRIBUTE)
    provider.script[:] = [REMEMBER, Say("Remembered.")]
    assert ask(live, stage, "Remember it")["remembered_revision"] == 2
    stage.clear()
    stage.set_mode(Mode.READ_ONLY)
    provider.script[:] = [REMEMBER, Say("Proposed.")]
    told = ask(live, stage, "Remember it")
    assert "remembered_revision" not in told
    proposals: list[Mapping[str, object]] = told["proposals"]  # pyright: ignore[reportAssignmentType]
    assert [each["reason"] for each in proposals] == ["read_only"]
    stage.set_mode(Mode.OFF)
    assert ask(live, stage)["memory_status"] == "off"


@on_one_store
def test_level_read_may_ask_and_its_capture_is_refused(live: Live, stage: Stage, provider: Provider) -> None:
    live.world.set_level(live.world.bob, AccessLevel.READ)
    provider.script[:] = [REMEMBER, Say("I could not.")]
    told = ask(live, stage, "Remember it")
    assert (told["text"], told["proposals"]) == ("I could not.", [])
    assert "remembered_revision" not in told
    assert stage.version() == 1


@on_one_store
def test_without_consent_it_says_so_and_stores_no_turn(live: Live, stage: Stage) -> None:
    stage.set_ai(False)
    bob = live.world.bob
    headers = {"X-Key-Session": write_session_token(stage.token(bob))}
    answer = call_tool(
        f"{live.url}/mcp", live.token(bob), "ask_assistant", {"message": "Hello"}, headers=headers
    )
    assert text(answer).startswith("ai_disabled: ")


@on_one_store
def test_a_server_that_stops_answers_whoever_waits_and_keeps_what_was_said(
    world: World, stage: Stage, provider: Provider
) -> None:
    pause, asked = Pause("one two three four"), Event()
    provider.script[:] = [pause]
    provider.on_request = lambda _: asked.set()
    bob = world.bob
    headers = {"X-Key-Session": write_session_token(stage.token(bob))}
    with ThreadPoolExecutor() as threads:
        with serving(world, settings=provided(provider)) as running:
            waiting = threads.submit(
                call_tool, f"{running.url}/mcp", running.token(bob), "ask_assistant", {"message": "Hello"},
                headers=headers,
            )  # fmt: skip
            assert asked.wait(60)
        answer = waiting.result(60)
    pause.go_on.set()
    assert (answer.is_error, text(answer).startswith("turn_stopped: ")) == (True, True)
    [shown] = list_conversations(world.deps, world.by_hand(bob), world.workspace).conversations
    [turn] = list_messages(
        world.deps, world.by_hand(bob), shown.conversation.id, key_session=stage.token(bob)
    ).turns
    assert turn.turn.state.value == "stopped"


@on_one_store
def test_a_caller_who_goes_away_leaves_a_turn_that_ends(live: Live, stage: Stage, provider: Provider) -> None:
    pause, asked = Pause("one two three four"), Event()
    provider.script[:] = [pause]
    provider.on_request = lambda _: asked.set()
    bob = live.world.bob
    token, headers = live.token(bob), {"X-Key-Session": write_session_token(stage.token(bob))}

    async def leave() -> None:
        async with connected(f"{live.url}/mcp", token, headers=headers) as client:
            asking = asyncio.create_task(client.call_tool("ask_assistant", {"message": "Hello"}))
            await asyncio.to_thread(asked.wait, 60)
            asking.cancel()

    asyncio.run(leave())
    pause.go_on.set()
    world = live.world
    [shown] = list_conversations(world.deps, world.by_hand(bob), world.workspace).conversations
    told = ask(live, stage, "And now?", conversation_id=shown.conversation.id)
    assert told["text"] == "Done."

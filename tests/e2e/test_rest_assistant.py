"""Messages to the Assistant over real HTTP: the answer as server-sent events, and every way to be refused one.

`bob` talks with the demonstration, `wired` with a scripted provider that the settings name.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from tests.conftest import World
from tests.contract.memory_stage import Stage, make_stage
from tests.e2e.assistant_calls import (
    PROVIDER_KEY,
    Chat,
    chat_of,
    data_of,
    end_of,
    events_of,
    names,
    provided,
    text_of,
)
from tests.e2e.assistant_wire.provider_server import Provider, Say, call, playing
from tests.e2e.assistant_wire.turns import assert_given
from tests.e2e.conftest import serving
from tests.e2e.rest_calls import NOBODY, Rest, body_of, listed, refusal

from workspace_memory.crypto.session_sealing import new_session_token, write_session_token
from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.services.members import change_member
from workspace_memory.services.settings import change_settings
from workspace_memory.storage.database import Database, open_sqlite

requirement = pytest.mark.requirement


@pytest.fixture
def database(tmp_path: Path, migrated_file: Path) -> Iterator[Database]:
    """SQLite alone: what is stored is proved on both in tests/contract/test_turns.py."""
    shutil.copyfile(migrated_file, tmp_path / "memory.db")
    opened = open_sqlite(tmp_path / "memory.db")
    yield opened
    opened.close()


@pytest.fixture
def stage(rest: Rest) -> Stage:
    return make_stage(rest.live.world)


@pytest.fixture
def bob(rest: Rest, stage: Stage) -> Chat:
    return chat_of(rest, stage, rest.live.world.bob)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with playing() as running:
        yield running


@pytest.fixture
def wired(world: World, provider: Provider) -> Iterator[Chat]:
    with serving(world, settings=provided(provider)) as running:
        clients = Rest(running)
        yield chat_of(clients, make_stage(world), world.bob)
        clients.close()


def bearer(rest: Rest, user: UserId, **more: object) -> dict[str, str]:
    return {"Authorization": f"Bearer {rest.live.token(user, **more)}"}  # pyright: ignore[reportArgumentType]


# --- The answer ------------------------------------------------------------------------------------------------


def test_a_message_is_answered_as_events_in_their_order_with_ids(bob: Chat) -> None:
    events = bob.say("What do you know?")
    assert names(events) == ["turn_began", "memory_given", "text_added", "turn_ended"]
    places = [re.fullmatch(r"([0-9a-f]{8})\.(\d+)", event.id) for event in events]
    assert len({found[1] for found in places if found}) == 1
    assert [int(found[2]) for found in places if found] == list(range(1, len(events) + 1))
    assert "It was given revision 1" in text_of(events)
    assert end_of(events) == ("done", None)


def test_the_stream_is_not_kept_by_caches_nor_held_back_by_proxies(bob: Chat) -> None:
    answered = bob.send()
    assert answered.headers["cache-control"] == "no-store"
    assert answered.headers["x-accel-buffering"] == "no"


def test_the_demonstration_says_what_it_is_before_and_in_the_answer(rest: Rest, bob: Chat) -> None:
    there = body_of(rest.by(bob.user).get("/assistant"))
    assert (there["model"], there["demonstration"]) == ("demonstration", True)
    [began] = data_of(bob.say(), "turn_began")
    assert (began["turn"], began["model"], began["demonstration"]) == (1, "demonstration", True)


@requirement("document:recall:whole-text-in-every-eligible-turn")
@requirement("document:recall:before-every-model-call")
@requirement("document:recall:block-in-the-system-text")
def test_each_call_to_the_models_provider_is_given_the_whole_document_once(
    wired: Chat, provider: Provider
) -> None:
    provider.script[:] = [call("search_documents", query="tea"), Say("On Thursday.")]
    events = wired.say("When do we ship?")
    assert text_of(events) == "On Thursday."
    assert len(provider.recorded) == 2
    for request in provider.recorded:
        assert_given(request, revision=1)
        assert "# Team\n\n- We ship on Thursday\n" in request.system[-1]
    assert f"Bearer {PROVIDER_KEY}" in provider.recorded[0].headers


def test_the_events_and_the_receipts_say_the_same(wired: Chat, provider: Provider) -> None:
    provider.script[:] = [call("search_documents", query="tea"), Say("On Thursday.")]
    events = wired.say("When do we ship?")
    given = data_of(events, "memory_given")
    [began] = data_of(events, "turn_began")
    receipts = wired.receipts()
    assert [(each["call"], each["status"], each["revision"], each["receipt_id"]) for each in given] == [
        (each["call"], each["status"], each["revision"], each["id"]) for each in receipts
    ]
    assert {each["admission_id"] for each in receipts} == {began["admission_id"]}
    assert {(each["via"], each["model"]) for each in receipts} == {("assistant", "compatible:scripted")}


@requirement("document:admission:before-the-turn-runs")
def test_when_a_model_is_called_the_admission_stands_already(wired: Chat, provider: Provider) -> None:
    seen: list[list[int]] = []
    provider.on_request = lambda _: seen.append(wired.rows()[:3])
    wired.say()
    assert seen == [[1, 1, 1]]


@requirement("document:admission:model-supplies-no-authority")
@requirement("document:admission:id-set-by-the-server")
def test_a_capture_is_made_though_nothing_of_its_authority_was_ever_at_the_model(
    wired: Chat, provider: Provider
) -> None:
    edit = {"op": "add", "text": "likes tea", "target": "", "heading": ""}
    provider.script[:] = [call("remember_in_memory", changes=[edit]), Say("Done.")]
    events = wired.say("Remember it")
    assert data_of(events, "remembered") == [{"revision": 2}]
    [began] = data_of(events, "turn_began")
    token = wired.headers["X-Key-Session"]
    for secret in (began["admission_id"], token, wired.headers["Authorization"].split()[1], ".workspace/"):
        assert secret not in provider.everything()


def test_what_was_said_is_kept_and_read_again(wired: Chat, provider: Provider) -> None:
    provider.script[:] = [call("search_documents", query="tea"), Say("On Thursday.")]
    wired.say("When do we ship?")
    [turn] = wired.turns()
    assert wired.said() == [("person", "When do we ship?"), ("assistant", ""), ("assistant", "On Thursday.")]
    assert (turn["state"], turn["error"]) == ("done", None)
    assert body_of(wired.get())["title"] == "When do we ship?"


def test_the_next_turn_is_given_what_was_said_before(wired: Chat, provider: Provider) -> None:
    provider.script[:] = [Say("On Thursday."), Say("In Berlin.")]
    wired.say("When do we ship?")
    wired.say("And where?")
    assert "When do we ship?" in provider.recorded[1].messages
    assert "On Thursday." in provider.recorded[1].messages


def test_a_tools_answer_and_not_its_text_is_told(wired: Chat, provider: Provider) -> None:
    provider.script[:] = [call("read_document", path="notes/none.md"), Say("There is none.")]
    events = wired.say("Read it")
    assert names(events) == [
        "turn_began", "memory_given", "tool_called", "tool_answered", "memory_given", "text_added", "turn_ended",
    ]  # fmt: skip
    assert data_of(events, "tool_answered") == [{"name": "read_document", "refused": True}]


# --- X-Memory-State --------------------------------------------------------------------------------------------


def test_the_memory_state_decides_what_the_turn_is_given(bob: Chat) -> None:
    states = {
        "unknown": "attached",
        "saved;version=1": "attached",
        "saved;version=2": "stale",
        "pending": "pending",
        "conflict": "conflict",
    }
    for state, status in states.items():
        events = bob.say("Hello", state)
        assert [each["status"] for each in data_of(events, "memory_given")] == [status]
        assert ("It was given revision 1" in text_of(events)) is (status == "attached")
    assert [each["client_state"] for each in bob.receipts()] == list(states)


def test_a_malformed_or_repeated_state_begins_nothing(bob: Chat) -> None:
    for states in (["Saved"], ["saved;version=x"], ["saved; version=1"], [""], ["pending", "pending"]):
        assert refusal(bob.send("Hello", *states)) == (400, "MEMORY_STATE_INVALID")
    assert bob.rows() == [0] * 5


# --- Refused before anything is stored -------------------------------------------------------------------------


def test_without_consent_nothing_is_stored(bob: Chat) -> None:
    bob.stage.set_ai(False)
    assert refusal(bob.send()) == (403, "ai_disabled")
    assert bob.rows() == [0] * 5


def test_without_a_key_session_nothing_is_stored(bob: Chat) -> None:
    bare = {name: value for name, value in bob.headers.items() if name != "X-Key-Session"}
    assert refusal(replace(bob, headers=bare).send()) == (403, "key_session_required")
    assert bob.rows() == [0] * 5


def test_with_a_key_session_that_is_none_nothing_is_stored(bob: Chat) -> None:
    stage = bob.stage

    def refused(token: bytes) -> None:
        sent = replace(bob, headers={**bob.headers, "X-Key-Session": write_session_token(token)})
        assert refusal(sent.send()) == (403, "key_session_required")

    refused(new_session_token())
    evicted = stage.open_session(bob.user)
    stage.world.deps.key_store.drop(stage.sessions[bob.user])
    refused(evicted)
    revoked = stage.open_session(bob.user)
    stage.revoke(bob.user)
    refused(revoked)
    expired = stage.open_session(bob.user)
    stage.world.clock.move(timedelta(hours=13))
    refused(expired)
    assert bob.rows() == [0] * 5


def test_over_the_days_limit_nothing_more_is_stored(wired: Chat) -> None:
    world = wired.stage.world
    change_settings(world.deps, world.by_hand(world.alice), world.workspace, assistant_tokens_per_day=10)
    wired.say("This one goes over it")
    before = wired.rows()
    answered = wired.send("And this one is too much")
    assert refusal(answered) == (429, "assistant_limit_reached")
    assert int(answered.headers["retry-after"]) == 15 * 60 * 60
    assert wired.rows() == before


def test_a_conversation_that_is_not_ones_own_is_not_there(rest: Rest, bob: Chat) -> None:
    world = bob.stage.world
    made = rest.client(f"{rest.live.url}/api/v1/workspaces/{world.other_workspace}").post(
        "/conversations", headers=bearer(rest, world.mallory)
    )
    for conversation in (chat_of(rest, bob.stage, world.alice).conversation, str(body_of(made)["id"])):
        other, missing = (replace(bob, conversation=each) for each in (conversation, NOBODY))
        asks: list[Callable[[Chat], httpx2.Response]] = [
            Chat.send,
            Chat.stop,
            Chat.get,
            lambda chat: chat.get("/messages"),
            lambda chat: chat.get("/turns/1/events"),
        ]
        for ask in asks:
            assert refusal(ask(other)) == (404, "not_found")
            assert ask(other).content == ask(missing).content
    assert bob.rows() == [0] * 5


def test_a_viewer_may_ask_and_what_is_to_be_remembered_waits(rest: Rest, stage: Stage) -> None:
    carol = chat_of(rest, stage, stage.world.carol)
    events = carol.say("remember that Wi-Fi is acme-guest")
    assert [each["reason"] for each in data_of(events, "change_proposed")] == ["viewer"]
    assert stage.version() == 1


def test_a_deactivated_member_is_told_so(bob: Chat) -> None:
    world = bob.stage.world
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, bob.user, status=MemberStatus.DEACTIVATED
    )
    assert refusal(bob.send())[0] == 403
    assert bob.rows() == [0] * 5


def test_a_token_of_a_low_level_begins_no_turn_and_hears_and_stops_none(rest: Rest, bob: Chat) -> None:
    bob.say()
    before = bob.rows()
    for level in (AccessLevel.NONE, AccessLevel.READ):
        low = replace(bob, headers={**bob.headers, **bearer(rest, bob.user, max_level=level)})
        for answered in (low.send(), low.get("/turns/1/events"), low.stop(), low.get("/messages")):
            assert refusal(answered) == (403, "level_too_low")
    assert bob.rows() == before


def test_a_token_for_mcp_alone_is_none_here(rest: Rest, bob: Chat) -> None:
    sent = replace(bob, headers={**bob.headers, **bearer(rest, bob.user, surface=Surface.MCP)})
    assert refusal(sent.send())[0] in {401, 403}
    assert bob.rows() == [0] * 5


def test_what_is_no_message_begins_nothing(bob: Chat) -> None:
    for message in ("", " \n", "x" * (32 * 1024 + 1), "ä" * 20_000):
        assert refusal(bob.send(message)) == (400, "invalid_request")
    bare = bob.client.post(f"{bob.url}/messages", json={"message": "Hello"}, headers=dict(bob.headers))
    assert refusal(bare) == (400, "invalid_request")
    assert "Idempotency-Key" in bare.json()["detail"]
    assert bob.rows() == [0] * 5


# --- Sent again ------------------------------------------------------------------------------------------------


def test_sent_again_after_its_end_it_is_told_and_not_run_again(wired: Chat, provider: Provider) -> None:
    first = wired.say("Hello", key="one")
    before = wired.rows()
    assert wired.say("Hello", key="one") == first
    assert (len(provider.recorded), wired.rows()) == (1, before)


def test_another_message_under_a_used_key_is_refused(bob: Chat) -> None:
    bob.say("Hello", key="one")
    before = bob.rows()
    assert refusal(bob.send("Goodbye", key="one")) == (422, "idempotency_key_reused")
    assert refusal(bob.send("Hello", "pending", key="one")) == (422, "idempotency_key_reused")
    assert bob.rows() == before


# --- A browser's cookies ---------------------------------------------------------------------------------------


def test_of_several_cookies_the_one_for_the_conversations_workspace_counts(rest: Rest, stage: Stage) -> None:
    world = stage.world
    browser = rest.signed_in("bob@example.com")
    token = write_session_token(stage.open_session(world.bob, KeySessionWay.COOKIE))
    # By their names, which are ids of sessions, this one is the older.
    browser.cookies.set(f"wm-ks-{stage.sessions[world.bob]}", f"{world.workspace}.{token}")
    other = write_session_token(new_session_token())
    browser.cookies.set("wm-ks-ffffffff-ffff-7fff-bfff-ffffffffffff", f"{world.other_workspace}.{other}")
    talk = body_of(browser.post(f"/workspaces/{world.workspace}/conversations", json={}))["id"]
    sent: httpx2.Response = browser.post(
        f"/agents/assistant/{talk}/messages", json={"message": "Hello"}, headers={"Idempotency-Key": "one"}
    )
    assert end_of(events_of(sent)) == ("done", None)
    assert len(listed(browser.get(f"/agents/assistant/{talk}/messages"), "turns")) == 1

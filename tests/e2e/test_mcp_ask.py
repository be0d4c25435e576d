"""ask_assistant at the shared endpoint: an ordinary turn, waited for, and its answer. The turns are scripted."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp import types
from tests.conftest import World
from tests.contract.noted import Noted, noted_world
from tests.e2e.conftest import Live, serving
from tests.e2e.mcp_client import ERAS, LEGACY, MODERN, RawHttp, call, connected, structured, text, tool_names
from tests.e2e.scripted_turns import BEGAN, DONE, ScriptedTurns

from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.admission import Via
from workspace_memory.domain.client_state import UNKNOWN
from workspace_memory.domain.document_errors import AiDisabled, KeySessionRequired
from workspace_memory.domain.ids import ProposalId, TokenId, UserId, Version
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.turn import TurnState, TurnUsage
from workspace_memory.domain.turn_event import (
    ChangeProposed,
    MemoryGiven,
    Remembered,
    TextAdded,
    ToolAnswered,
    ToolCalled,
    TurnEnded,
)
from workspace_memory.mcp import ask_assistant
from workspace_memory.services.conversations import create_conversation, list_conversations
from workspace_memory.services.members import change_member
from workspace_memory.services.tokens import list_tokens, revoke_token
from workspace_memory.storage.database import Database, open_sqlite
from workspace_memory.storage.migrating import migrate

both_eras = pytest.mark.parametrize("era", ERAS)
MESSAGE: Mapping[str, object] = {"message": "When is the release?"}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """SQLite alone: the turns are scripted."""
    opened = open_sqlite(tmp_path / "memory.db")
    migrate(opened)
    yield opened
    opened.close()


@pytest.fixture
def turns() -> ScriptedTurns:
    return ScriptedTurns()


@pytest.fixture
def asking(world: World, turns: ScriptedTurns) -> Iterator[Live]:
    with serving(world, turns=turns) as running:
        yield running


@pytest.fixture
def noted(world: World) -> Noted:
    return noted_world(world)


def key(noted: Noted, user: UserId) -> dict[str, str]:
    return {"X-Key-Session": write_session_token(noted.session(user))}


def ask(
    asking: Live, noted: Noted, arguments: Mapping[str, object] = MESSAGE, era: str = "auto"
) -> types.CallToolResult:
    bob = asking.world.bob
    return call(
        f"{asking.url}/mcp", asking.token(bob), "ask_assistant", arguments, era, headers=key(noted, bob)
    )


def conversations(world: World, user: UserId) -> int:
    return len(list_conversations(world.deps, world.by_hand(user), world.workspace).conversations)


@both_eras
def test_the_answer_is_the_turns_text_with_its_conversation(
    asking: Live, noted: Noted, turns: ScriptedTurns, era: str
) -> None:
    told = structured(ask(asking, noted, era=era))
    assert (told["text"], told["demonstration"], told["proposals"]) == ("Hello", True, [])
    assert told["conversation_id"] == turns.requests[0].conversation
    assert "not instructions" in str(told["notice"])


def test_it_is_an_ordinary_turn_without_a_memory_state(
    asking: Live, noted: Noted, turns: ScriptedTurns
) -> None:
    bob = asking.world.bob
    token, session = asking.token(bob), noted.session(bob)
    headers = {"X-Key-Session": write_session_token(session), "X-Memory-State": "conflict"}
    call(f"{asking.url}/mcp", token, "ask_assistant", MESSAGE, headers=headers)
    (request,) = turns.requests
    assert (request.text, request.client_state, request.via) == ("When is the release?", UNKNOWN, Via.MCP_ASK)
    assert request.key_session == session


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_each_call_is_a_submission_of_its_own_though_its_id_repeats(
    asking: Live, noted: Noted, turns: ScriptedTurns, revision: str
) -> None:
    bob = asking.world.bob
    http, headers = RawHttp(f"{asking.url}/mcp", asking.token(bob)), key(noted, bob)
    for _ in range(2):
        http.call("ask_assistant", MESSAGE, era=revision, identifier=1, headers=headers)
    assert len({request.key for request in turns.requests}) == 2
    assert len({request.conversation for request in turns.requests}) == 2


def test_a_conversation_goes_on(asking: Live, noted: Noted, turns: ScriptedTurns) -> None:
    told = structured(ask(asking, noted))
    again = structured(ask(asking, noted, {**MESSAGE, "conversation_id": told["conversation_id"]}))
    assert again["conversation_id"] == told["conversation_id"]
    assert conversations(asking.world, asking.world.bob) == 1


@pytest.mark.parametrize("conversation", ["anothers", "no id", "\0", "019f0000-0000-7000-8000-000000000000"])
def test_anothers_conversation_is_none(asking: Live, noted: Noted, conversation: str) -> None:
    world = asking.world
    if conversation == "anothers":
        conversation = create_conversation(world.deps, world.by_hand(world.alice), world.workspace).id
    answer = ask(asking, noted, {**MESSAGE, "conversation_id": conversation})
    assert text(answer) == "not_found: There is no such conversation."


# --- What is told of the turn ----------------------------------------------------------------------------------


def test_memory_what_was_remembered_and_what_was_proposed_are_told(
    asking: Live, noted: Noted, turns: ScriptedTurns
) -> None:
    proposal = ProposalId("019f0000-0000-7000-8000-000000000001")
    turns.script = (
        BEGAN,
        MemoryGiven(1, RecallStatus.ATTACHED, Version(12), None),
        TextAdded("Let me "),
        TextAdded("look."),
        ToolCalled("remember_in_memory"),
        ToolAnswered("remember_in_memory", refused=False),
        Remembered(Version(13)),
        ChangeProposed(proposal, ProposalReason.SUSPICIOUS),
        MemoryGiven(2, RecallStatus.ATTACHED, Version(13), None),
        MemoryGiven(3, RecallStatus.ATTACHED, Version(13), None),
        TextAdded("Thursday."),
        DONE,
    )
    told = structured(ask(asking, noted))
    assert told["text"] == "Let me look.\n\nThursday."
    assert (told["memory_status"], told["memory_revisions"]) == ("attached", [12, 13])
    assert (told["remembered_revision"], "memory_note" in told) == (13, False)
    assert told["proposals"] == [{"id": proposal, "reason": "suspicious"}]


@pytest.mark.parametrize("status", [each for each in RecallStatus if each is not RecallStatus.ATTACHED])
def test_why_memory_was_not_given_is_told(
    asking: Live, noted: Noted, turns: ScriptedTurns, status: RecallStatus
) -> None:
    turns.script = (BEGAN, MemoryGiven(1, status, None, None), TextAdded("Hm."), DONE)
    told = structured(ask(asking, noted))
    assert (told["memory_status"], told["memory_revisions"]) == (status.value, [])
    assert str(told["memory_note"]).endswith(".")


@pytest.mark.parametrize(
    ("ended", "beginning"),
    [
        (
            TurnEnded(TurnState.FAILED, TurnUsage(), "provider_failed", "The provider is down."),
            "provider_failed: The",
        ),
        (TurnEnded(TurnState.FAILED, TurnUsage()), "turn_failed: "),
        (TurnEnded(TurnState.STOPPED, TurnUsage()), "turn_stopped: "),
        (TextAdded("and then"), "turn_interrupted: "),
    ],
)
def test_a_turn_that_does_not_end_well_is_an_error_that_names_its_conversation(
    asking: Live, noted: Noted, turns: ScriptedTurns, ended: Any, beginning: str
) -> None:
    turns.script = (BEGAN, TextAdded("Half"), Remembered(Version(4)), ended)
    answer = ask(asking, noted)
    assert (answer.is_error, text(answer).startswith(beginning)) == (True, True)
    assert "It has written revision 4 of the memory." in text(answer)
    assert turns.requests[0].conversation in text(answer)


# --- Who may, and what fails -----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [AccessLevel.READ, AccessLevel.PERSONAL, AccessLevel.CONTRIBUTE])
def test_from_level_read_on_the_assistant_may_be_asked(
    asking: Live, noted: Noted, level: AccessLevel
) -> None:
    asking.world.set_level(asking.world.bob, level)
    assert "ask_assistant" in tool_names(f"{asking.url}/mcp", asking.token(asking.world.bob))
    assert structured(ask(asking, noted))["text"] == "Hello"


def test_without_access_it_is_neither_offered_nor_answered(
    asking: Live, noted: Noted, turns: ScriptedTurns
) -> None:
    asking.world.set_level(asking.world.bob, AccessLevel.NONE)
    assert tool_names(f"{asking.url}/mcp", asking.token(asking.world.bob)) == []
    assert text(ask(asking, noted)).startswith("level_too_low: ")
    assert (turns.requests, conversations(asking.world, asking.world.bob)) == ([], 0)


def test_a_deactivated_member_is_told_so(asking: Live, noted: Noted, turns: ScriptedTurns) -> None:
    world = asking.world
    headers, token = key(noted, world.bob), asking.token(world.bob)
    change_member(
        world.deps, world.by_hand(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    answer = call(f"{asking.url}/mcp", token, "ask_assistant", MESSAGE, headers=headers)
    assert text(answer).startswith("forbidden: Not allowed: your membership is deactivated")
    assert turns.requests == []


def test_with_a_key_session_that_has_ended_no_conversation_is_begun(
    asking: Live, noted: Noted, turns: ScriptedTurns
) -> None:
    world = asking.world
    headers = key(noted, world.bob)
    world.clock.move(timedelta(hours=13))
    answer = call(f"{asking.url}/mcp", asking.token(world.bob), "ask_assistant", MESSAGE, headers=headers)
    assert text(answer).startswith("key_session_required: ")
    assert (turns.requests, conversations(world, world.bob)) == ([], 0)


def test_without_a_key_session_no_conversation_is_begun(
    asking: Live, noted: Noted, turns: ScriptedTurns
) -> None:
    answer = call(f"{asking.url}/mcp", asking.token(asking.world.bob), "ask_assistant", MESSAGE)
    assert text(answer).startswith("key_session_required: ")
    assert "workspace-memory key-session open" in text(answer)
    assert (turns.requests, conversations(asking.world, asking.world.bob)) == ([], 0)


@both_eras
@pytest.mark.parametrize("error", [AiDisabled(), KeySessionRequired()])
def test_what_the_ingress_refuses_is_said(
    asking: Live, noted: Noted, turns: ScriptedTurns, error: Any, era: str
) -> None:
    turns.refuses = error
    answer = ask(asking, noted, era=era)
    assert (answer.is_error, text(answer).startswith(f"{error.code}: ")) == (True, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "message: is missing; ask_assistant needs it."),
        ({"message": " \n"}, "message: must not be empty"),
        ({"message": 3}, "message: must be a text."),
        ({"message": "ä" * 17_000}, "message: must have at most 32,768 bytes in UTF-8"),
        ({"message": "tea \ud83d"}, "message: contains half of a surrogate pair"),
        ({"message": "x", "conversation_id": 3}, "conversation_id: must be a text."),
        ({"message": "x", "memory_state": "pending"}, "memory_state: ask_assistant has no argument"),
    ],
)
def test_wrong_arguments_begin_nothing(
    asking: Live, noted: Noted, turns: ScriptedTurns, arguments: Mapping[str, object], sentence: str
) -> None:
    bob = asking.world.bob
    http = RawHttp(f"{asking.url}/mcp", asking.token(bob))
    result = http.call("ask_assistant", arguments, headers=key(noted, bob)).json()["result"]
    assert result["content"][0]["text"].startswith(f"invalid_request: {sentence}")
    assert (turns.requests, conversations(asking.world, bob)) == ([], 0)


def test_a_token_that_is_revoked_meanwhile_ends_the_call(
    asking: Live, noted: Noted, turns: ScriptedTurns, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = asking.world
    bob = world.by_hand(world.bob)
    begin = turns.begin

    async def revoked_after_beginning(ask: Any, request: Any) -> Any:
        name = await begin(ask, request)
        for each in list_tokens(world.deps, bob, world.workspace):
            revoke_token(world.deps, bob, world.workspace, TokenId(each.id))
        return name

    monkeypatch.setattr(turns, "begin", revoked_after_beginning)
    assert text(ask(asking, noted)).startswith("not_authenticated: ")


def test_a_turn_that_takes_too_long_goes_on_without_the_caller(
    asking: Live, noted: Noted, turns: ScriptedTurns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_assistant, "WAIT_SECONDS_MAX", 0.05)

    async def never(*_: Any) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr(turns, "begin", never)
    answer = ask(asking, noted)
    assert (answer.is_error, text(answer).startswith("turn_running: ")) == (True, True)


def test_more_turns_than_threads_are_waited_for_at_once(
    asking: Live, noted: Noted, turns: ScriptedTurns, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = asking.world.bob
    token, headers, wanted = asking.token(bob), key(noted, bob), 20
    everybody = asyncio.Event()
    begin = turns.begin

    async def together(ask: Any, request: Any) -> Any:
        name = await begin(ask, request)
        if len(turns.requests) == wanted:
            everybody.set()
        await asyncio.wait_for(everybody.wait(), 60)
        return name

    monkeypatch.setattr(turns, "begin", together)

    async def run() -> list[types.CallToolResult]:
        async with connected(f"{asking.url}/mcp", token, headers=headers) as client:
            return await asyncio.gather(
                *(client.call_tool("ask_assistant", dict(MESSAGE)) for _ in range(wanted))
            )

    assert [structured(each)["text"] for each in asyncio.run(run())] == ["Hello"] * wanted


def test_an_unexpected_failure_and_the_message_are_not_logged(
    asking: Live, noted: Noted, turns: ScriptedTurns, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    turns.script = (BEGAN, TextAdded("canary-7712"), RuntimeError("canary-7712"))
    answer = ask(asking, noted, {"message": "canary-7712"})
    assert (answer.is_error, "canary" in text(answer)) == (True, False)
    logged = [record.getMessage() for record in caplog.records if record.name.startswith("workspace_memory")]
    assert any(line.startswith("ask_assistant failed: RuntimeError at ") for line in logged)
    assert [line for line in logged if "canary" in line] == []

"""The Python client of the Assistant against a running service, whose model is the demonstration.

A connection is cut by a transport that lets some events through and then breaks, or ends as if nothing were missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx2
import pytest
from tests.contract.memory_stage import Stage, make_stage
from tests.e2e.conftest import Live, serving
from tests.e2e.scripted_turns import BEGAN, ScriptedTurns

from workspace_memory.client import AnswerLost, WorkspaceMemory
from workspace_memory.client.turn_events import HeardTurn, event_json, event_of
from workspace_memory.crypto.session_sealing import write_session_token
from workspace_memory.domain.client_state import PENDING, saved
from workspace_memory.domain.document_errors import AiDisabled, KeySessionRequired
from workspace_memory.domain.errors import IdempotencyKeyReused, NotFound
from workspace_memory.domain.ids import ProposalId, ReceiptId, Version
from workspace_memory.domain.policy import Mode
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
    TurnEvent,
    TurnRetold,
)
from workspace_memory.services.settings import change_settings

EVERY_KIND: tuple[TurnEvent, ...] = (
    TurnRetold(),
    BEGAN,
    MemoryGiven(1, RecallStatus.ATTACHED, Version(7), ReceiptId("r")),
    MemoryGiven(2, RecallStatus.UNAVAILABLE, None, None),
    TextAdded("Grüße — 木曜日\n"),
    ToolCalled("read_document"),
    ToolAnswered("read_document", refused=True),
    Remembered(Version(8)),
    ChangeProposed(ProposalId("p"), ProposalReason.READ_ONLY),
    TurnEnded(TurnState.FAILED, TurnUsage(2, 30, 4, 512), "model_limit", "Later."),
)


class Cut(httpx2.SyncByteStream):
    """A stream that ends after some events: with an error, or without one."""

    def __init__(self, inner: httpx2.SyncByteStream, events: int, *, broken: bool) -> None:
        self._inner = inner
        self._events = events
        self._broken = broken

    def __iter__(self) -> Iterator[bytes]:
        passed = b""
        for chunk in self._inner:
            passed += chunk
            parts = passed.split(b"\n\n")
            if len(parts) > self._events:
                # Half of the next event goes through as well.
                yield b"\n\n".join(parts[: self._events]) + b"\n\nid: half"
                if self._broken:
                    raise httpx2.ReadError("cut")
                return

    def close(self) -> None:
        self._inner.close()


@dataclass
class Cutting(httpx2.BaseTransport):
    """Cuts each of the first streams after so many events, and keeps what was asked."""

    after: list[int]
    broken: bool = True
    requests: list[httpx2.Request] = field(default_factory=list[httpx2.Request])
    inner: httpx2.HTTPTransport = field(default_factory=lambda: httpx2.HTTPTransport(verify=False))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        response = self.inner.handle_request(request)
        if self.after and response.headers["content-type"].startswith("text/event-stream"):
            assert isinstance(response.stream, httpx2.SyncByteStream)
            response.stream = Cut(response.stream, self.after.pop(0), broken=self.broken)
        return response

    def close(self) -> None:
        self.inner.close()


@dataclass
class Talk:
    """alice's conversation over one client."""

    memory: WorkspaceMemory
    stage: Stage
    id: str

    @property
    def key_session(self) -> str:
        return write_session_token(self.stage.token(self.stage.world.alice))

    def events(self, message: str, *, key: str | None = None) -> list[TurnEvent]:
        return list(self.memory.send(self.id, message, key_session=self.key_session, key=key))

    def heard(self, message: str) -> HeardTurn:
        turn = HeardTurn()
        for event in self.events(message):
            turn.hear(event)
        return turn


def client(live: Live, transport: httpx2.BaseTransport | None = None) -> WorkspaceMemory:
    token = live.token(live.world.alice)
    return WorkspaceMemory(live.url, token, transport=transport, pause=lambda _: None)


@pytest.fixture
def stage(live: Live) -> Stage:
    return make_stage(live.world)


@pytest.fixture
def talk(live: Live, stage: Stage) -> Iterator[Talk]:
    with client(live) as memory:
        yield Talk(memory, stage, memory.begin_conversation().id)


def test_a_turn_is_heard_as_it_happens(talk: Talk) -> None:
    events = talk.events("remember that Wi-Fi is acme-guest")
    assert [type(each).__name__ for each in events if not isinstance(each, TextAdded)] == [
        *("TurnBegan", "MemoryGiven", "ToolCalled", "Remembered", "ToolAnswered", "MemoryGiven", "TurnEnded")
    ]
    turn = talk.heard("Hello")
    assert turn.text.startswith("This is a demonstration")
    assert turn.ended is not None
    assert turn.ended.state is TurnState.DONE


def test_what_was_said_is_listed_and_counted(talk: Talk) -> None:
    talk.heard("When do we release?")
    talk.heard("And who does it?")
    turns = list(talk.memory.list_turns(talk.id, key_session=talk.key_session))
    assert [each.messages[0].text for each in turns] == ["When do we release?", "And who does it?"]
    shown = talk.memory.get_conversation(talk.id)
    assert (shown.turns, shown.title) == (2, None)
    today = talk.memory.assistant().today
    assert (today.calls, today) == (2, shown.usage)


def test_conversations_are_listed_renamed_and_deleted(talk: Talk) -> None:
    talk.heard("When do we release?")
    key_session = talk.key_session
    talk.memory.rename_conversation(talk.id, "Releases", key_session=key_session)
    listed = talk.memory.list_conversations
    assert [each.title for each in listed(key_session=key_session)] == ["Releases"]
    assert [each.title for each in listed()] == [None]
    talk.memory.delete_conversation(talk.id)
    assert list(listed()) == []


def test_the_assistant_says_what_it_runs_with(talk: Talk) -> None:
    status = talk.memory.assistant()
    assert (status.model, status.demonstration, status.tokens_per_day) == ("demonstration", True, 2_000_000)
    world = talk.stage.world
    change_settings(world.deps, world.by_hand(world.alice), world.workspace, assistant_tokens_per_day=0)
    assert talk.memory.assistant().tokens_per_day == 0


@pytest.mark.parametrize("broken", [True, False])
@pytest.mark.parametrize("after", [[0], [1], [3], [1, 1, 1, 1, 5]])
def test_a_connection_that_is_lost_loses_and_repeats_nothing(
    live: Live, stage: Stage, broken: bool, after: list[int]
) -> None:
    cutting = Cutting(list(after), broken=broken)
    with client(live, cutting) as memory, client(live) as whole:
        talk = Talk(memory, stage, memory.begin_conversation().id)
        events = talk.events("remember that Wi-Fi is acme-guest")
        assert events == list(whole.hear(talk.id, 1, key_session=talk.key_session))
    sent = [each for each in cutting.requests if each.url.path.endswith("/messages")]
    assert cutting.after == []
    assert len({each.headers["idempotency-key"] for each in sent}) == 1
    assert len(sent) == len(after) + 1
    assert stage.version() == 2


def test_a_service_that_never_goes_on_is_given_up(live: Live, stage: Stage) -> None:
    with client(live, Cutting([0] * 9)) as memory, pytest.raises(AnswerLost):
        Talk(memory, stage, memory.begin_conversation().id).events("Hello")


def test_a_turn_that_is_told_by_another_process_begins_anew(live: Live, stage: Stage) -> None:
    # A second server on the same database has none of the first one's events.
    with serving(live.world) as second, client(live, Cutting([3])) as memory:
        talk = Talk(memory, stage, memory.begin_conversation().id)
        events: list[TurnEvent] = []
        for event in talk.memory.send(talk.id, "Hello", key_session=talk.key_session):
            events.append(event)
            if len(events) == 3:
                memory.url = second.url
    assert TurnRetold() in events
    turn = HeardTurn()
    for event in events:
        turn.hear(event)
    assert turn.text.count("This is a demonstration") == 1
    assert len(turn.given) == 1


def test_the_memory_state_is_the_callers(talk: Talk) -> None:
    for state, status in ((PENDING, RecallStatus.PENDING), (saved(Version(99)), RecallStatus.STALE)):
        events = list(talk.memory.send(talk.id, "Hello", key_session=talk.key_session, memory_state=state))
        [given] = [each for each in events if isinstance(each, MemoryGiven)]
        assert given.status is status


def test_the_same_key_tells_the_same_turn(talk: Talk) -> None:
    assert talk.events("Hello", key="one") == talk.events("Hello", key="one")
    assert talk.memory.get_conversation(talk.id).turns == 1
    with pytest.raises(IdempotencyKeyReused):
        talk.events("Something else", key="one")


def test_what_keeps_a_turn_from_beginning_is_raised_as_it_is(talk: Talk) -> None:
    with pytest.raises(KeySessionRequired):
        list(talk.memory.send(talk.id, "Hello", key_session="A" * 43))
    with pytest.raises(NotFound):
        list(talk.memory.send("nothing", "Hello", key_session=talk.key_session))
    talk.stage.set_ai(enabled=False)
    with pytest.raises(AiDisabled):
        talk.events("Hello")


def test_an_error_within_the_stream_is_raised_as_it_is(live: Live, stage: Stage) -> None:
    turns = ScriptedTurns(script=(BEGAN, NotFound("conversation")))
    with serving(live.world, turns=turns) as scripted, client(scripted) as memory, pytest.raises(NotFound):
        Talk(memory, stage, memory.begin_conversation().id).events("Hello")


def test_an_event_of_a_newer_service_is_passed_over(live: Live, stage: Stage) -> None:
    with serving(live.world, turns=ScriptedTurns(script=EVERY_KIND)) as scripted, client(scripted) as memory:
        events = Talk(memory, stage, memory.begin_conversation().id).events("Hello")
    assert events == list(EVERY_KIND)
    assert event_of("something_new", {}) is None


def test_a_turn_that_has_ended_is_left_alone_and_one_that_is_not_there_is_not_found(talk: Talk) -> None:
    events = talk.events("Hello", key="one")
    talk.memory.stop(talk.id, 1)
    assert talk.events("Hello", key="one") == events
    with pytest.raises(NotFound):
        talk.memory.stop(talk.id, 9)


def test_an_event_is_written_as_it_came() -> None:
    for event in EVERY_KIND:
        told = event_json(event)
        assert event_of(str(told.pop("event")), told) == event


def test_in_read_only_the_proposal_is_named(talk: Talk) -> None:
    talk.stage.set_mode(Mode.READ_ONLY)
    turn = talk.heard("remember that Wi-Fi is acme-guest")
    [proposal] = talk.memory.list_proposals()
    assert turn.proposals == [proposal.id]
    assert turn.remembered == []

"""Turns of the Assistant in the store: nothing before all is asked, one turn for one submission, sealed, counted."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest
from tests.conftest import World
from tests.contract.memory_stage import Stage, make_stage

from workspace_memory.domain.admission import Via
from workspace_memory.domain.assistant_errors import DailyLimitReached
from workspace_memory.domain.client_state import UNKNOWN, ClientState
from workspace_memory.domain.document_errors import AiDisabled, KeySessionRequired
from workspace_memory.domain.errors import IdempotencyKeyReused, InvalidRequest, NotFound
from workspace_memory.domain.ids import ConversationId, UserId
from workspace_memory.domain.message import MessageKind, NewMessage
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.turn import HISTORY_BYTES_MAX, LEASE, TurnName, TurnState, TurnUsage
from workspace_memory.services.assistant_usage import usage_of_conversation, usage_of_day
from workspace_memory.services.conversations import (
    delete_conversation,
    get_conversation,
    list_conversations,
    rename_conversation,
)
from workspace_memory.services.messages import MessagePage, list_messages
from workspace_memory.services.recall import recall
from workspace_memory.services.settings import change_settings
from workspace_memory.services.turns import (
    BegunTurn,
    Submission,
    begin_turn,
    end_turn,
    finish_turn,
    get_turn,
    renew_turn,
)

COST = TurnUsage(calls=2, input_tokens=900, output_tokens=100, memory_bytes=512)
ANSWER = "On Thursday."


def request(text: str) -> NewMessage:
    return NewMessage(MessageKind.REQUEST, f'{{"kind":"request","said":"{text}"}}', "test 1")


def response(text: str) -> NewMessage:
    return NewMessage(MessageKind.RESPONSE, f'{{"kind":"response","said":"{text}"}}', "test 1")


@dataclass
class Chat:
    """A conversation of a member on a stage."""

    stage: Stage
    user: UserId
    conversation: ConversationId
    keys: int = field(default=0)

    @property
    def world(self) -> World:
        return self.stage.world

    def begin(self, text: str, *, key: str | None = None, state: ClientState = UNKNOWN) -> BegunTurn:
        self.keys += 1
        submission = Submission(
            text=text,
            message=request(text),
            key=key or f"key {self.keys}",
            client_state=state,
            via=Via.ASSISTANT,
            model="demonstration",
        )
        return begin_turn(
            self.world.deps,
            self.stage.actor(self.user),
            self.conversation,
            submission,
            key_session=self.stage.token(self.user),
        )

    def finish(self, begun: BegunTurn, answer: str = ANSWER, usage: TurnUsage = COST) -> TurnState | None:
        return finish_turn(
            self.world.deps,
            self.stage.actor(self.user),
            begun.turn.name,
            [response(answer)],
            usage,
            key_session=self.stage.token(self.user),
        )

    def turn(self, text: str, answer: str = ANSWER, usage: TurnUsage = COST) -> BegunTurn:
        begun = self.begin(text)
        assert self.finish(begun, answer, usage)
        return begun

    def messages(self, after: int = 0, limit: int = 50) -> MessagePage:
        return list_messages(
            self.world.deps,
            self.stage.actor(self.user),
            self.conversation,
            key_session=self.stage.token(self.user),
            after=after,
            limit=limit,
        )

    def bodies(self) -> list[str | None]:
        return [each.body for turn in self.messages().turns for each in turn.messages]

    def state(self, begun: BegunTurn) -> TurnState:
        return get_turn(self.world.deps, self.stage.actor(self.user), begun.turn.name).state


@pytest.fixture
def chat(world: World) -> Chat:
    stage = make_stage(world)
    return Chat(stage, world.bob, stage.converse(world.bob))


def limit_tokens(chat: Chat, tokens: int) -> None:
    change_settings(
        chat.world.deps,
        chat.stage.actor(chat.world.alice),
        chat.world.workspace,
        assistant_tokens_per_day=tokens,
    )


def test_a_turn_keeps_the_message_and_then_the_answer(chat: Chat) -> None:
    begun = chat.begin("When do we release?")
    assert (begun.fresh, chat.state(begun)) == (True, TurnState.RUNNING)
    assert chat.bodies() == [request("When do we release?").body]
    chat.finish(begun)
    assert chat.state(begun) is TurnState.DONE
    assert chat.bodies() == [request("When do we release?").body, response(ANSWER).body]


def test_a_turn_is_given_the_turns_before(chat: Chat) -> None:
    chat.turn("one", "first")
    chat.turn("two", "second")
    history = [request("one"), response("first"), request("two"), response("second")]
    assert list(chat.begin("three").history) == [each.body for each in history]


def test_a_turn_is_given_whole_turns_up_to_a_bound(chat: Chat) -> None:
    chat.turn("long", "x" * (HISTORY_BYTES_MAX - 200))
    chat.turn("short", "y")
    assert list(chat.begin("now").history) == [request("short").body, response("y").body]
    assert len(chat.bodies()) == 5


def test_nothing_readable_is_stored(chat: Chat) -> None:
    chat.turn("a canary of the question", "a canary of the answer")
    with chat.world.deps.database.read() as tx:
        found = tx.conversations.get(chat.conversation)
        assert found is not None
        assert found.title is not None
        stored = tx.messages.of_turns(found, 1, 9)
    assert [each.sealed.ciphertext.find(b"canary") for each in stored] == [-1, -1]
    assert b"canary" not in found.title.ciphertext


def test_without_consent_nothing_is_stored(chat: Chat) -> None:
    chat.stage.token(chat.user)
    chat.stage.set_ai(False)
    with pytest.raises(AiDisabled):
        chat.begin("hello")
    assert_nothing_begun(chat)


def test_without_a_key_session_nothing_is_stored(chat: Chat) -> None:
    chat.stage.token(chat.user)
    chat.stage.revoke(chat.user)
    with pytest.raises(KeySessionRequired):
        chat.begin("hello")
    assert_nothing_begun(chat)


def test_with_a_session_whose_key_is_gone_nothing_is_stored(chat: Chat) -> None:
    chat.stage.token(chat.user)
    chat.world.deps.key_store.drop(chat.stage.sessions[chat.user])
    with pytest.raises(KeySessionRequired):
        chat.begin("hello")
    assert_nothing_begun(chat)


@pytest.mark.parametrize("text", ["", " \n", "a\0b", "\ud800", "x" * (32 * 1024 + 1)])
def test_what_is_no_message_is_refused(chat: Chat, text: str) -> None:
    with pytest.raises(InvalidRequest, match="message"):
        chat.begin(text)
    assert_nothing_begun(chat)


def assert_nothing_begun(chat: Chat) -> None:
    with chat.world.deps.database.read() as tx:
        found = tx.conversations.get(chat.conversation)
        assert found is not None
        assert (found.turns, found.title, tx.messages.next_sequence(found)) == (0, None, 1)
        assert tx.turns.of(found, limit=9) == []


def test_anothers_conversation_is_not_there(chat: Chat) -> None:
    other = Chat(chat.stage, chat.world.alice, chat.conversation)
    for call in (lambda: other.begin("hello"), other.messages):
        with pytest.raises(NotFound):
            call()


def test_a_submission_sent_again_gives_its_turn_again(chat: Chat) -> None:
    first = chat.begin("hello", key="one")
    again = chat.begin("hello", key="one")
    assert (again.turn.name, again.admission, again.credential, again.fresh) == (
        first.turn.name,
        first.admission,
        first.credential,
        False,
    )
    assert chat.bodies() == [request("hello").body]


def test_another_message_under_a_used_key_is_refused(chat: Chat) -> None:
    chat.begin("hello", key="one")
    with pytest.raises(IdempotencyKeyReused):
        chat.begin("something else", key="one")


def test_a_turn_whose_process_died_is_taken_up_again_under_its_admission(chat: Chat) -> None:
    chat.turn("before", "answered")
    first = chat.begin("hello", key="one")
    chat.world.clock.move(LEASE)
    again = chat.begin("hello", key="one")
    assert (again.fresh, again.admission, again.turn.name) == (True, first.admission, first.turn.name)
    assert list(again.history) == [request("before").body, response("answered").body]
    assert chat.finish(again)
    assert not chat.begin("hello", key="one").fresh


def test_a_renewed_turn_is_not_taken_up(chat: Chat) -> None:
    first = chat.begin("hello", key="one")
    chat.world.clock.move(LEASE / 2)
    assert renew_turn(chat.world.deps, chat.world.workspace, first.turn.name)
    chat.world.clock.move(LEASE / 2 + timedelta(seconds=1))
    assert not chat.begin("hello", key="one").fresh


def test_a_newer_turn_supersedes_the_one_before(chat: Chat) -> None:
    first = chat.begin("one")
    chat.begin("two")
    recalled = recall(
        chat.world.deps,
        chat.stage.actor(chat.user),
        chat.world.workspace,
        first.admission,
        credential=first.credential,
        key_session_token=chat.stage.token(chat.user),
    )
    assert recalled.status is RecallStatus.SUPERSEDED


def test_a_superseded_turn_still_keeps_its_answer_in_its_place(chat: Chat) -> None:
    first = chat.begin("one")
    chat.begin("two")
    chat.finish(first, "late")
    assert chat.bodies() == [request("one").body, response("late").body, request("two").body]


def test_an_ended_turn_is_not_ended_again(chat: Chat) -> None:
    begun = chat.turn("one")
    assert not chat.finish(begun, "another answer")
    assert not end_turn(chat.world.deps, chat.world.workspace, begun.turn.name, TurnState.FAILED, COST)
    assert not renew_turn(chat.world.deps, chat.world.workspace, begun.turn.name)
    assert chat.bodies()[-1] == response(ANSWER).body


def test_a_failed_turn_keeps_its_message_its_code_and_its_cost(chat: Chat) -> None:
    begun = chat.begin("one")
    assert end_turn(
        chat.world.deps,
        chat.world.workspace,
        begun.turn.name,
        TurnState.FAILED,
        COST,
        error="model_unavailable",
    )
    [shown] = chat.messages().turns
    assert (shown.turn.state, shown.turn.error, shown.turn.usage) == (
        TurnState.FAILED,
        "model_unavailable",
        COST,
    )
    assert len(shown.messages) == 1


def test_a_session_that_ended_meanwhile_keeps_no_answer(chat: Chat) -> None:
    begun = chat.begin("one")
    token = chat.stage.token(chat.user)
    chat.stage.revoke(chat.user)
    with pytest.raises(KeySessionRequired):
        finish_turn(
            chat.world.deps,
            chat.stage.actor(chat.user),
            begun.turn.name,
            [response("x")],
            COST,
            key_session=token,
        )
    assert chat.state(begun) is TurnState.RUNNING


def test_the_first_message_gives_the_title_and_the_next_do_not(chat: Chat) -> None:
    chat.turn("When do\nwe release?")
    chat.turn("And where?")
    assert titles(chat) == ["When do we release?"]


def test_a_title_needs_the_key_and_a_list_does_not(chat: Chat) -> None:
    chat.turn("When do we release?")
    page = list_conversations(chat.world.deps, chat.stage.actor(chat.user), chat.world.workspace)
    assert [each.title for each in page.conversations] == [None]


def titles(chat: Chat) -> list[str | None]:
    page = list_conversations(
        chat.world.deps,
        chat.stage.actor(chat.user),
        chat.world.workspace,
        key_session=chat.stage.token(chat.user),
    )
    return [each.title for each in page.conversations]


def test_a_conversation_is_renamed(chat: Chat) -> None:
    chat.turn("hello")
    actor, token = chat.stage.actor(chat.user), chat.stage.token(chat.user)
    rename_conversation(chat.world.deps, actor, chat.conversation, " Plans ", key_session=token)
    shown = get_conversation(chat.world.deps, actor, chat.conversation, key_session=token)
    assert shown.title == "Plans"


@pytest.mark.parametrize("title", ["", "  ", "x" * 101, "two\nlines", "a\0b"])
def test_what_is_no_title_is_refused(chat: Chat, title: str) -> None:
    actor, token = chat.stage.actor(chat.user), chat.stage.token(chat.user)
    with pytest.raises(InvalidRequest, match="title"):
        rename_conversation(chat.world.deps, actor, chat.conversation, title, key_session=token)


def test_a_deleted_conversation_is_gone_with_all_that_it_held(chat: Chat) -> None:
    begun = chat.begin("hello")
    delete_conversation(chat.world.deps, chat.stage.actor(chat.user), chat.conversation)
    assert not end_turn(chat.world.deps, chat.world.workspace, begun.turn.name, TurnState.DONE, COST)
    with pytest.raises(NotFound):
        chat.messages()
    with chat.world.deps.database.read() as tx:
        assert tx.admissions.get(chat.world.workspace, begun.admission) is None


def test_another_member_cannot_delete_it(chat: Chat) -> None:
    with pytest.raises(NotFound):
        delete_conversation(chat.world.deps, chat.stage.actor(chat.world.alice), chat.conversation)


def test_turns_are_counted_for_the_conversation_and_the_day(chat: Chat) -> None:
    chat.turn("one")
    chat.turn("two")
    actor = chat.stage.actor(chat.user)
    assert usage_of_conversation(chat.world.deps, actor, chat.conversation) == COST + COST
    assert usage_of_day(chat.world.deps, actor, chat.world.workspace).today == COST + COST


def test_memory_is_estimated_in_tokens(chat: Chat) -> None:
    assert replace(COST, memory_bytes=1024).memory_tokens == 300


def test_a_deleted_conversation_gives_no_tokens_back(chat: Chat) -> None:
    limit_tokens(chat, 1000)
    chat.turn("one")
    delete_conversation(chat.world.deps, chat.stage.actor(chat.user), chat.conversation)
    other = Chat(chat.stage, chat.user, chat.stage.converse(chat.user))
    with pytest.raises(DailyLimitReached):
        other.begin("two")


def test_over_the_limit_nothing_is_stored_until_the_next_day(chat: Chat) -> None:
    limit_tokens(chat, 1500)
    assert chat.begin("one").tokens_left == 1500
    chat.turn("two")
    assert chat.begin("three").tokens_left == 500
    chat.turn("four")
    with pytest.raises(DailyLimitReached) as caught:
        chat.begin("five")
    assert 0 < caught.value.retry_after <= 24 * 60 * 60
    assert len(chat.messages().turns) == 4
    chat.world.clock.move(timedelta(seconds=caught.value.retry_after))
    chat.stage.open_session(chat.user)
    assert chat.begin("six").fresh


def test_a_repetition_is_answered_over_the_limit_too(chat: Chat) -> None:
    limit_tokens(chat, 1000)
    begun = chat.begin("one", key="first")
    chat.finish(begun)
    assert chat.begin("one", key="first").turn.name == begun.turn.name


def test_zero_tokens_a_day_is_no_limit(chat: Chat) -> None:
    limit_tokens(chat, 0)
    chat.turn("one")
    assert chat.begin("two").tokens_left is None


def test_pages_of_messages_follow_each_other(chat: Chat) -> None:
    for text in ("one", "two", "three"):
        chat.turn(text)
    first = chat.messages(limit=2)
    assert ([each.turn.name.number for each in first.turns], first.next_after) == ([1, 2], 2)
    rest = chat.messages(after=2, limit=2)
    assert ([each.turn.name.number for each in rest.turns], rest.next_after) == ([3], None)


def test_a_turn_that_is_not_there_is_not_found(chat: Chat) -> None:
    with pytest.raises(NotFound):
        get_turn(chat.world.deps, chat.stage.actor(chat.user), TurnName(chat.conversation, 7))

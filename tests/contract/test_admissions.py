"""Admissions: a turn's authority, frozen at its beginning, and what a newer turn does to the one before."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select
from tests.conftest import World
from tests.contract.memory_rows import column, count, counts
from tests.contract.memory_stage import Stage, Turn, add, make_stage
from tests.contract.together import answers, at_once

from workspace_memory.crypto.errors import KeyStoreUnavailable
from workspace_memory.crypto.key_sessions import RamKeyStore
from workspace_memory.crypto.session_sealing import new_session_token
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import Admission
from workspace_memory.domain.client_state import CONFLICT, PENDING, UNKNOWN, ClientState, saved
from workspace_memory.domain.document_errors import (
    AdmissionRetired,
    AiDisabled,
    DeliveryRefused,
    KeySessionRequired,
    KeyStoreDown,
)
from workspace_memory.domain.errors import Forbidden, IdempotencyKeyReused, LevelTooLow, NotFound
from workspace_memory.domain.ids import ConversationId, UserId, Version, WorkspaceId
from workspace_memory.domain.policy import Mode
from workspace_memory.services.admissions import admit_turn
from workspace_memory.services.key_sessions import list_key_sessions
from workspace_memory.services.members import change_member
from workspace_memory.storage.document_tables import admissions, conversations

requirement = pytest.mark.requirement


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


def kept(stage: Stage, turn: Turn) -> Admission:
    with stage.world.deps.database.read() as tx:
        found = tx.admissions.get(stage.world.workspace, turn.admission)
    assert found is not None
    return found


def slot(stage: Stage, conversation: ConversationId) -> tuple[object, object]:
    with stage.world.deps.database.read() as tx:
        row = tx.connection.execute(
            select(conversations.c.slot_nonce, conversations.c.slot_expires_at).where(
                conversations.c.id == conversation
            )
        ).one()
    return bytes(row.slot_nonce), row.slot_expires_at


@requirement("document:admission:stored-for-every-turn")
def test_every_turn_has_an_admission_of_its_own(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    turns = [stage.admit(conversation=talk) for _ in range(3)]
    assert [kept(stage, turn).turn for turn in turns] == [1, 2, 3]
    assert len({turn.admission for turn in turns}) == count(stage.world, admissions) == 3


@requirement("document:admission:freezes-mode")
@requirement("document:admission:freezes-policy-revision")
@requirement("document:admission:freezes-clear-generation")
@requirement("document:admission:freezes-consent-revision")
@requirement("document:admission:freezes-key-session")
@requirement("document:admission:freezes-client-state")
def test_what_held_at_its_beginning_stays_in_the_admission(stage: Stage) -> None:
    stage.clear()
    turn = stage.admit(state=saved(Version(2)))
    session = stage.sessions[stage.world.bob]
    before = kept(stage, turn)
    stage.set_mode(Mode.OFF)
    stage.clear()
    stage.set_ai(False)
    stage.set_ai(True)
    stage.open_session(stage.world.bob)
    stage.world.clock.move(timedelta(minutes=5))
    stage.admit(conversation=turn.conversation, state=PENDING)
    after = kept(stage, turn)
    assert after == before
    assert (after.mode, after.policy_revision, after.clear_generation) == (Mode.AUTO, 1, 1)
    assert (after.consent_revision, after.key_session, after.client_state) == (1, session, saved(Version(2)))


@requirement("document:admission:freezes-client-state")
@pytest.mark.parametrize(
    "state", [UNKNOWN, PENDING, CONFLICT, saved(Version(0)), saved(Version(9_999_999_999))], ids=str
)
def test_every_memory_state_is_kept_as_it_was_stated(stage: Stage, state: ClientState) -> None:
    assert kept(stage, stage.admit(state=state)).client_state == state


@requirement("document:admission:expires-after-15-minutes")
@pytest.mark.parametrize("milliseconds", [-1, 0, 1])
def test_an_admission_ends_after_15_minutes_whatever_is_done_with_it(stage: Stage, milliseconds: int) -> None:
    turn = stage.shown()
    assert kept(stage, turn).expires_at == stage.world.clock.now() + timedelta(minutes=15)
    stage.world.clock.move(timedelta(minutes=14))
    stage.recall(turn)
    stage.world.clock.move(timedelta(minutes=1, milliseconds=milliseconds))
    if milliseconds < 0:
        assert stage.capture(turn, add("likes tea")).version == 2
        return
    with pytest.raises(AdmissionRetired, match="admission_not_expired"):
        stage.capture(turn, add("likes tea"))
    assert (stage.version(), stage.recall(turn).status) == (1, "superseded")


@requirement("document:admission:expires-after-15-minutes")
def test_sent_again_an_admission_is_not_prolonged(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    first = stage.admit(conversation=talk, key="turn")
    before = kept(stage, first)
    stage.world.clock.move(timedelta(minutes=10))
    stage.admit(conversation=talk, key="turn")
    assert kept(stage, first) == before
    assert slot(stage, talk)[1] == before.expires_at


@requirement("document:admission:nonce-in-the-delivery-slot")
def test_admission_and_delivery_slot_get_one_fresh_nonce(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    nonces: list[bytes] = []
    for _ in range(3):
        admission = kept(stage, stage.admit(conversation=talk))
        assert slot(stage, talk) == (admission.nonce, admission.expires_at)
        nonces.append(admission.nonce)
    assert len(set(nonces)) == 3
    assert min(map(len, nonces)) >= 16


@requirement("document:admission:nonce-in-the-delivery-slot")
def test_turns_that_are_admitted_at_once_leave_the_slot_to_the_last_one(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    stage.token(stage.world.bob)
    turns = answers(at_once(*[lambda: stage.admit(conversation=talk) for _ in range(6)]))
    newest = max((kept(stage, turn) for turn in turns), key=lambda each: each.turn)
    assert newest.turn == 6
    assert slot(stage, talk)[0] == newest.nonce
    statuses = sorted(str(stage.recall(turn).status) for turn in turns)
    assert statuses == ["attached", *["superseded"] * 5]


# --- The key of its key session ------------------------------------------------------------------------------


def evicted(stage: Stage) -> None:
    stage.world.deps.key_store.drop(stage.sessions[stage.world.bob])


def restarted(stage: Stage) -> None:
    stage.world.deps = replace(stage.world.deps, key_store=RamKeyStore(stage.world.clock.now))


@pytest.mark.parametrize("lose", [evicted, restarted])
def test_no_turn_is_admitted_with_a_session_whose_key_is_gone(
    stage: Stage, lose: Callable[[Stage], None]
) -> None:
    talk = stage.converse(stage.world.bob)
    first = stage.admit(conversation=talk, key="turn")
    lose(stage)
    before = counts(stage.world)
    with pytest.raises(KeySessionRequired):
        stage.admit(conversation=talk)
    assert counts(stage.world) == before
    # The turn before is still the one that holds the delivery slot, and is given again when it is sent again.
    assert slot(stage, talk)[0] == kept(stage, first).nonce
    assert stage.admit(conversation=talk, key="turn").admission == first.admission
    stage.open_session(stage.world.bob)
    assert stage.recall(stage.admit(conversation=talk)).status == "attached"


class BrokenStore(RamKeyStore):
    """A key store that does not answer."""

    def borrow(self, session_id: str, *, token: bytes, user: UserId, workspace: WorkspaceId) -> WorkspaceKey:  # noqa: ARG002
        raise KeyStoreUnavailable

    def held(self, session_ids: Collection[str]) -> frozenset[str]:  # noqa: ARG002
        raise KeyStoreUnavailable


def test_a_key_store_that_is_down_is_told_as_that_and_not_as_a_lost_key(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    stage.token(stage.world.bob)
    stage.world.deps = replace(stage.world.deps, key_store=BrokenStore(stage.world.clock.now))
    before = counts(stage.world)
    with pytest.raises(KeyStoreDown):
        stage.admit(conversation=talk)
    assert counts(stage.world) == before


def held_of_bob(stage: Stage) -> list[bool | None]:
    world = stage.world
    return [each.held for each in list_key_sessions(world.deps, world.by_hand(world.bob), world.workspace)]


def test_the_list_says_of_each_session_whether_its_key_is_held(stage: Stage) -> None:
    stage.open_session(stage.world.bob)
    evicted(stage)
    stage.open_session(stage.world.bob)
    assert held_of_bob(stage) == [True, False]
    restarted(stage)
    assert held_of_bob(stage) == [False, False]
    stage.world.deps = replace(stage.world.deps, key_store=BrokenStore(stage.world.clock.now))
    assert held_of_bob(stage) == [None, None]


def test_looking_at_the_list_keeps_no_session_alive(stage: Stage) -> None:
    stage.open_session(stage.world.bob)
    stage.world.clock.move(timedelta(minutes=29))
    assert held_of_bob(stage) == [True]
    stage.world.clock.move(timedelta(minutes=1))
    assert held_of_bob(stage) == [False]


@requirement("document:admission:resend-reuses-it")
def test_sent_again_at_once_a_turn_is_one_admission(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    stage.token(stage.world.bob)
    turns = answers(at_once(*[lambda: stage.admit(conversation=talk, key="turn") for _ in range(6)]))
    assert len(turns) == 6
    assert len({(turn.admission, turn.credential) for turn in turns}) == 1
    assert count(stage.world, admissions) == 1


@requirement("document:admission:resend-reuses-it")
def test_sent_again_after_everything_has_changed_a_turn_is_the_first_one(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    first = stage.admit(conversation=talk, key="turn")
    newer = stage.admit(conversation=talk, key="newer")
    stage.clear()
    stage.set_ai(False)
    stage.world.clock.move(timedelta(hours=1))
    again = stage.admit(conversation=talk, key="turn")
    assert (again.admission, again.credential) == (first.admission, first.credential)
    assert slot(stage, talk)[0] == kept(stage, newer).nonce


def test_another_request_under_the_same_key_is_refused(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    stage.admit(conversation=talk, key="turn")
    with pytest.raises(IdempotencyKeyReused):
        stage.admit(conversation=talk, key="turn", state=PENDING)
    # In another conversation the key is another one.
    assert stage.admit(key="turn").conversation != talk


def test_the_credential_is_in_no_table(stage: Stage) -> None:
    turn = stage.admit()
    for name in admissions.columns.keys():  # noqa: SIM118  a collection of columns, not a dict
        assert turn.credential not in [str(value) for value in column(stage.world, admissions, name)]
    # Nor does the database alone give it: another installation's secret makes another one of the same row.
    elsewhere = Stage(
        replace(stage.world, deps=replace(stage.world.deps, instance_secret=bytes(32))),
        stage.key,
        stage.tokens,
        stage.sessions,
    )
    with pytest.raises(DeliveryRefused):
        elsewhere.recall(turn)


def test_without_ai_nothing_is_admitted_and_the_slot_stays(stage: Stage) -> None:
    turn = stage.admit()
    before = slot(stage, turn.conversation)
    stage.set_ai(False)
    with pytest.raises(AiDisabled):
        stage.admit(conversation=turn.conversation)
    assert slot(stage, turn.conversation) == before


def test_a_turn_needs_an_open_key_session_of_its_own_sender(stage: Stage) -> None:
    world = stage.world
    talk = stage.converse(world.bob)
    for token in (None, new_session_token(), stage.token(world.alice)):
        with pytest.raises(KeySessionRequired):
            admit_turn(
                world.deps,
                stage.actor(world.bob),
                world.workspace,
                talk,
                key="turn",
                key_session_token=token,
                client_state=UNKNOWN,
            )
    assert count(world, admissions) == 0


def test_a_conversation_is_its_owners_and_stays_in_its_workspace(stage: Stage) -> None:
    world = stage.world
    talk = stage.converse(world.bob)
    for user, workspace in ((world.alice, world.workspace), (world.bob, world.other_workspace)):
        with pytest.raises(NotFound):
            admit_turn(
                world.deps,
                stage.actor(user),
                workspace,
                talk,
                key="turn",
                key_session_token=stage.token(user),
                client_state=UNKNOWN,
            )


def test_who_may_not_act_admits_nothing(stage: Stage) -> None:
    world = stage.world
    talk = stage.converse(world.bob)
    weak = world.by_hand(world.bob, max_level=AccessLevel.READ)

    def admit_as(actor: Actor) -> None:
        admit_turn(
            world.deps,
            actor,
            world.workspace,
            talk,
            key="turn",
            key_session_token=stage.token(world.bob),
            client_state=UNKNOWN,
        )

    with pytest.raises(LevelTooLow):
        admit_as(weak)
    with pytest.raises(Forbidden):
        admit_as(world.client(world.bob))
    change_member(
        world.deps, stage.actor(world.alice), world.workspace, world.bob, status=MemberStatus.DEACTIVATED
    )
    with pytest.raises(Forbidden):
        admit_as(stage.actor(world.bob))
    assert count(world, admissions) == 0

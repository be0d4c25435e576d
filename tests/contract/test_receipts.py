"""Receipts: which revision each model call was given, and each capture made; read by the conversation's owner."""

import pytest
from tests.conftest import World
from tests.contract.memory_rows import column
from tests.contract.memory_stage import Stage, add, make_stage

from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import ConversationId, UserId, Version
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.receipt import Receipt
from workspace_memory.services.conversations import list_receipts
from workspace_memory.storage.document_tables import memory_receipts

requirement = pytest.mark.requirement


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


def receipts(stage: Stage, conversation: ConversationId, user: UserId | None = None) -> list[Receipt]:
    by = stage.actor(user or stage.world.bob)
    return list(list_receipts(stage.world.deps, by, conversation).receipts)


@requirement("document:receipt:status-and-revision")
def test_a_receipt_says_what_was_found_under_which_policy(stage: Stage) -> None:
    turn = stage.admit()
    stage.recall(turn)
    stage.clear()
    stage.set_mode(Mode.READ_ONLY)
    stage.recall(turn)
    first, second = receipts(stage, turn.conversation)
    assert (first.status, first.version, first.bytes, first.mode) == (
        "attached",
        1,
        len(stage.text(Version(1)) or ""),
        "auto",
    )
    assert (first.policy_revision, first.clear_generation, first.call_number) == (1, 0, 1)
    assert (second.status, second.version, second.bytes, second.mode) == ("empty", 2, None, "read_only")
    assert (second.policy_revision, second.clear_generation, second.call_number) == (2, 1, 2)
    assert (first.admission, first.turn, first.via) == (turn.admission, 1, "automation")


def test_a_committed_capture_has_a_receipt_and_a_proposed_one_has_none(stage: Stage) -> None:
    turn = stage.shown()
    stage.capture(turn, add("likes tea"))
    kinds = [(each.kind, each.status, each.version) for each in receipts(stage, turn.conversation)]
    assert kinds == [("recall", "attached", 1), ("capture", "committed", 2)]
    stage.set_mode(Mode.READ_ONLY)
    waiting = stage.shown()
    stage.capture(waiting, add("likes coffee"))
    assert [each.kind for each in receipts(stage, waiting.conversation)] == ["recall"]


@requirement("document:receipt:holds-no-text")
def test_a_receipt_has_ids_numbers_and_statuses_alone(stage: Stage) -> None:
    stage.save("- CanaryOfMemory\n")
    turn = stage.shown()
    stage.capture(turn, add("CanaryOfCapture"))
    for name in memory_receipts.columns.keys():  # noqa: SIM118  a collection of columns, not a dict
        assert "Canary" not in repr(column(stage.world, memory_receipts, name))


@requirement("field:case-02:document")
def test_receipts_are_the_conversation_owners_alone(stage: Stage) -> None:
    world = stage.world
    turn = stage.shown()
    for user in (world.alice, world.carol, world.mallory):
        with pytest.raises(NotFound):
            receipts(stage, turn.conversation, user)
    with pytest.raises(NotFound):
        receipts(stage, ConversationId("no id"))


def test_receipts_of_many_turns_come_in_the_order_in_which_they_were_written(stage: Stage) -> None:
    talk = stage.converse(stage.world.bob)
    for _ in range(3):
        turn = stage.admit(conversation=talk)
        stage.recall(turn)
        stage.recall(turn)
    assert [(each.turn, each.call_number) for each in receipts(stage, talk)] == [
        (turn, call) for turn in (1, 2, 3) for call in (1, 2)
    ]


def test_the_receipts_of_the_newest_turns_are_found_without_reading_the_older_ones(stage: Stage) -> None:
    first = stage.shown()
    second = stage.admit(conversation=first.conversation)
    stage.recall(second)
    by = stage.actor(stage.world.bob)
    page = list_receipts(stage.world.deps, by, first.conversation, after_turn=1)
    assert [each.turn for each in page.receipts] == [2]

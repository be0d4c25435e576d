"""Captures: committed behind the fence, proposed, or nothing; once for each turn."""

import pytest
from tests.conftest import World
from tests.contract.memory_stage import Stage, add, make_stage

from workspace_memory.domain.client_state import PENDING
from workspace_memory.domain.document_errors import AdmissionRetired, CaptureWithheld, KeySessionRequired
from workspace_memory.domain.errors import IdempotencyKeyReused
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.services.captures import CaptureOutcome


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


def test_a_capture_in_auto_is_committed(stage: Stage) -> None:
    captured = stage.capture(stage.shown(), add("Marta owns Berlin"))
    assert captured.outcome is CaptureOutcome.COMMITTED
    assert captured.version == stage.version() == 2
    assert "- Marta owns Berlin" in (stage.text() or "")


def test_the_same_capture_again_gives_the_same_receipt(stage: Stage) -> None:
    turn = stage.shown()
    first = stage.capture(turn, add("Marta owns Berlin"))
    assert stage.capture(turn, add("Marta owns Berlin")) == first
    assert stage.version() == 2


def test_another_capture_of_the_same_turn_is_refused(stage: Stage) -> None:
    turn = stage.shown()
    stage.capture(turn, add("Marta owns Berlin"))
    with pytest.raises(IdempotencyKeyReused):
        stage.capture(turn, add("Paul owns Lyon"))


def test_a_capture_admitted_before_clear_is_refused(stage: Stage) -> None:
    turn = stage.shown()
    stage.clear()
    with pytest.raises(AdmissionRetired, match="clear_generation"):
        stage.capture(turn, add("likes tea"))
    assert stage.text() == ""


def test_a_capture_in_read_only_is_a_proposal(stage: Stage) -> None:
    stage.set_mode(Mode.READ_ONLY)
    captured = stage.capture(stage.shown(), add("likes tea"))
    assert (captured.outcome, captured.reason) == (CaptureOutcome.PROPOSED, ProposalReason.READ_ONLY)
    assert stage.version() == 1


def test_a_capture_in_off_does_nothing(stage: Stage) -> None:
    turn = stage.shown()
    stage.set_mode(Mode.OFF)
    assert stage.capture(turn, add("likes tea")).outcome is CaptureOutcome.OFF


def test_a_capture_against_an_older_version_is_a_proposal(stage: Stage) -> None:
    turn = stage.shown()
    stage.save("# Team\n\n- newer\n")
    captured = stage.capture(turn, add("likes tea"))
    assert (captured.outcome, captured.reason) == (CaptureOutcome.PROPOSED, ProposalReason.VERSION_CONFLICT)
    assert stage.text() == "# Team\n\n- newer\n"


def test_a_viewers_capture_is_a_proposal(stage: Stage) -> None:
    captured = stage.capture(stage.shown(stage.world.carol), add("likes tea"))
    assert captured.reason is ProposalReason.VIEWER


def test_a_turn_that_was_not_given_the_memory_captures_nothing(stage: Stage) -> None:
    with pytest.raises(CaptureWithheld, match="not_recalled"):
        stage.capture(stage.admit(), add("likes tea"))


def test_a_turn_with_a_pending_save_captures_nothing(stage: Stage) -> None:
    with pytest.raises(CaptureWithheld, match="pending"):
        stage.capture(stage.shown(state=PENDING), add("likes tea"))


def test_a_revoked_key_session_captures_nothing(stage: Stage) -> None:
    turn = stage.shown()
    stage.revoke(stage.world.bob)
    with pytest.raises(KeySessionRequired):
        stage.capture(turn, add("likes tea"))


def test_a_newer_turn_retires_the_capture_of_the_one_before(stage: Stage) -> None:
    turn = stage.shown()
    stage.admit(conversation=turn.conversation)
    with pytest.raises(AdmissionRetired, match="newest_turn"):
        stage.capture(turn, add("likes tea"))


def test_an_empty_memory_is_begun_by_a_capture(world: World) -> None:
    stage = make_stage(world, text=None)
    stage.capture(stage.shown(), add("likes tea"))
    assert stage.text() == "- likes tea\n"

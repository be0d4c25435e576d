"""What the state machine of tests/simulation found about recalls and captures, one claim each."""

from dataclasses import replace

import pytest
from tests.conftest import World
from tests.contract.agent_notes import Agent
from tests.contract.keyed import Keyed
from tests.contract.memory_stage import Stage, add, make_stage
from tests.contract.noted import noted_world

from workspace_memory.domain.document_errors import AdmissionRetired
from workspace_memory.domain.errors import IdempotencyKeyReused
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.services.captures import Captured, CaptureOutcome


def test_an_evicted_key_is_unavailable_also_where_nothing_was_written(world: World) -> None:
    stage = make_stage(world, text=None)
    turn = stage.admit()
    world.deps.key_store.drop(stage.sessions[turn.user])
    assert stage.recall(turn).status is RecallStatus.UNAVAILABLE


def test_an_evicted_key_is_unavailable_also_where_the_document_was_deleted(world: World) -> None:
    stage = make_stage(world)
    turn = stage.admit()
    stage.delete()
    world.deps.key_store.drop(stage.sessions[turn.user])
    assert stage.recall(turn).status is RecallStatus.UNAVAILABLE


def test_a_line_that_a_clear_took_away_is_not_said_to_stand_there_already(world: World) -> None:
    stage = make_stage(world, text="- likes tea\n")
    turn = stage.shown()
    stage.clear()
    with pytest.raises(AdmissionRetired, match="clear_generation"):
        stage.capture(turn, add("likes tea"))


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.READ_ONLY])
def test_a_capture_repeated_by_a_session_of_a_newer_key_gets_its_first_answer(
    world: World, mode: Mode
) -> None:
    keyed = Keyed(world)
    keyed.set_up(world.alice, world.bob)
    keyed.start(world.alice)
    keyed.grant(world.alice, world.bob)
    stage = Stage(world, keyed.key)
    stage.set_ai(True)
    if stage.policy().mode is not mode:
        stage.set_mode(mode)
    first = capture_then_rotate(stage, keyed)
    assert first.outcome is not CaptureOutcome.UNCHANGED


def test_a_note_that_is_sent_again_by_a_session_of_a_newer_key_is_written_once(world: World) -> None:
    noted = noted_world(world)
    first = Agent(noted, world.bob).put("notes/tea.md", "Green tea", key="one request")
    noted.begin_epoch()
    again = Agent(noted, world.bob)
    assert again.put("notes/tea.md", "Green tea", key="one request") == first
    with pytest.raises(IdempotencyKeyReused):
        again.put("notes/tea.md", "White tea", key="one request")


def capture_then_rotate(stage: Stage, keyed: Keyed) -> Captured:
    """Capture, let the key be rotated, and send the same again by a new session; the one answer of both."""
    turn = stage.shown()
    first = stage.capture(turn, add("likes tea"))
    keyed.rotate(stage.world.alice, [stage.world.alice, stage.world.bob])
    stage.key = keyed.key
    again = replace(turn, token=stage.open_session(turn.user))
    assert stage.capture(again, add("likes tea")) == first
    return first

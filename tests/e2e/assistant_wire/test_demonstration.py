"""The demonstration: what a fresh installation answers before a provider is set, with real services and no network."""

import pytest
from tests.conftest import World
from tests.contract.memory_stage import Stage, make_stage
from tests.e2e.assistant_wire.turns import run_assistant

from workspace_memory.assistant.demonstration import DEMONSTRATION
from workspace_memory.assistant.providers import make_models
from workspace_memory.domain.client_state import PENDING
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.turn import TurnState
from workspace_memory.domain.turn_event import ChangeProposed, Remembered, TextAdded, ToolCalled


def asked(stage: Stage, prompt: str) -> str:
    ran = run_assistant(stage, stage.admit(), (), prompt)
    assert ran.result.state is TurnState.DONE, ran.result.error
    assert ran.text.startswith("This is a demonstration")
    return ran.text


def test_it_says_what_it_is_and_shows_the_memory_that_it_was_given(stage: Stage) -> None:
    text = asked(stage, "What do you know?")
    assert "It was given revision 1" in text
    assert "“- We ship on Thursday”" in text
    assert "WORKSPACE_MEMORY_ASSISTANT_MODELS" in text


def test_it_quotes_a_few_lines_whole_and_of_many_the_last_ones(stage: Stage) -> None:
    stage.save("# Team\n\n- one\n- two\n")
    assert "revision 2 of the workspace memory, which reads: “- one”, “- two”." in asked(stage, "Hello")
    stage.save("# Team\n" + "".join(f"- line {number}\n" for number in range(1, 8)))
    text = asked(stage, "Hello")
    assert "the last 5 of its 7 lines read: “- line 3”, " in text
    assert "“- line 7”" in text
    assert "“- line 2”" not in text


def test_it_comes_in_pieces_and_each_time_the_same(stage: Stage) -> None:
    ran = run_assistant(stage, stage.admit(), (), "Hello")
    assert len([event for event in ran.events if isinstance(event, TextAdded)]) > 10
    assert asked(stage, "Hello") == ran.text


def test_it_says_why_memory_was_withheld(stage: Stage) -> None:
    ran = run_assistant(stage, stage.admit(state=PENDING), (), "Hello")
    assert "It was not given the workspace memory, because a change that the sender made" in ran.text


def test_it_says_when_there_is_no_memory(world: World) -> None:
    stage = make_stage(world, text=None)
    assert "There is no workspace memory" in asked(stage, "Hello")


@pytest.mark.parametrize(
    "prompt", ["remember that Wi-Fi is acme-guest", "Please remember Wi-Fi is acme-guest"]
)
def test_it_remembers_when_it_is_asked_to(stage: Stage, prompt: str) -> None:
    ran = run_assistant(stage, stage.admit(), (), prompt)
    assert Remembered(Version(2)) in ran.events
    assert "Remembered, as revision 2." in ran.text
    assert "It was given revision 2" in ran.text
    assert "- Wi-Fi is acme-guest" in (stage.text() or "")


def test_in_read_only_it_proposes(stage: Stage) -> None:
    stage.set_mode(Mode.READ_ONLY)
    ran = run_assistant(stage, stage.admit(), (), "remember that Wi-Fi is acme-guest")
    assert any(isinstance(event, ChangeProposed) for event in ran.events)
    assert "Proposed (read_only)" in ran.text
    assert stage.version() == 1


def test_it_says_what_is_refused(stage: Stage) -> None:
    text = asked(stage, "remember that the password is hunter2-Correct-Horse-99")
    assert "Not remembered (secret_refused)" in text


@pytest.mark.parametrize("prompt", ["search tea", "Find documents about tea"])
def test_it_searches_when_it_is_asked_to(stage: Stage, prompt: str) -> None:
    ran = run_assistant(stage, stage.admit(), (), prompt)
    called = [event.name for event in ran.events if isinstance(event, ToolCalled)]
    assert called == ["search_documents", "memory_search"]
    assert "It found no notes." in ran.text
    assert "It found no memory items." in ran.text
    assert "{" not in ran.text


def test_it_lists_what_a_search_found_and_nothing_that_was_not_asked_for(stage: Stage) -> None:
    by_hand = stage.world.by_hand(stage.world.bob)
    stage.world.save(by_hand, "The release is on Thursday")
    stage.world.save(by_hand, "The office closes at six")
    ran = run_assistant(stage, stage.admit(), (), "Find our notes about the release.")
    assert "It found 1 memory item:\n\n- The release is on Thursday" in ran.text
    assert "office" not in ran.text
    assert "{" not in ran.text


def test_it_is_labelled() -> None:
    models = make_models(())
    assert models.name == DEMONSTRATION
    assert models.is_demonstration

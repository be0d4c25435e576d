"""Texts that were sealed under a key that nobody holds any more: kept, told apart, and followed by new ones."""

import pytest
from tests.conftest import World
from tests.contract.agent_notes import Agent
from tests.contract.memory_stage import Stage, add, make_stage
from tests.contract.noted import Noted, noted_world

from workspace_memory.domain.document_errors import KeyLost
from workspace_memory.domain.ids import Version
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.services.documents import get_revision
from workspace_memory.services.proposals import get_proposal
from workspace_memory.services.seals import open_proposal, open_revision
from workspace_memory.services.session_keys import Keyring

TEXT = "- likes tea\n"


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world, Mode.AUTO, text=TEXT)


@pytest.fixture
def noted(world: World) -> Noted:
    return noted_world(world)


def ring(stage: Stage) -> Keyring:
    with stage.world.deps.database.read() as tx:
        return Keyring(stage.key, tx.workspace_keys.epochs(stage.world.workspace))


# --- The memory document -------------------------------------------------------------------------------------


def test_recall_of_a_lost_text_is_unavailable(stage: Stage) -> None:
    stage.begin_anew()
    recalled = stage.recall(stage.admit())
    assert recalled.status is RecallStatus.UNAVAILABLE
    # Decided, and not a failure on the way, which has no receipt.
    assert recalled.receipt is not None


def test_a_save_on_a_lost_version_is_recalled_and_captured_into_as_always(stage: Stage) -> None:
    stage.begin_anew()
    assert stage.save("- likes coffee\n").version == 2
    turn = stage.shown()
    assert stage.capture(turn, add("likes water")).version == 3
    assert stage.text() == "- likes coffee\n- likes water\n"


def test_a_clear_on_a_lost_version_works_as_always(stage: Stage) -> None:
    stage.begin_anew()
    assert stage.clear().version == 2
    assert stage.recall(stage.admit()).status is RecallStatus.EMPTY


def test_the_lost_version_stays_in_the_history_and_says_why_it_does_not_open(stage: Stage) -> None:
    world = stage.world
    before = get_revision(world.deps, stage.actor(world.carol), world.workspace, Version(1))
    stage.begin_anew()
    stage.save("- likes coffee\n")
    after = get_revision(world.deps, stage.actor(world.carol), world.workspace, Version(1))
    assert after == before
    with pytest.raises(KeyLost, match="nobody holds any more"):
        open_revision(ring(stage), world.workspace, after)


def test_a_proposal_under_a_lost_key_says_so(world: World) -> None:
    stage = make_stage(world, Mode.READ_ONLY)
    proposal = stage.capture(stage.shown(), add("likes tea")).proposal
    assert proposal is not None
    stage.begin_anew()
    found = get_proposal(world.deps, stage.actor(world.bob), world.workspace, proposal).proposal
    with pytest.raises(KeyLost):
        open_proposal(ring(stage), world.workspace, found)


# --- Notes ---------------------------------------------------------------------------------------------------


def test_a_lost_note_says_so_and_is_neither_moved_nor_restored(noted: Noted) -> None:
    Agent(noted, noted.world.bob).put("a.md", "one")
    noted.begin_epoch(anew=True)
    bob = Agent(noted, noted.world.bob)
    for attempt in (
        lambda: bob.read("a.md"),
        lambda: bob.move("a.md", "b.md", 1),
        lambda: bob.restore("a.md", 1, 1),
    ):
        with pytest.raises(KeyLost):
            attempt()
    assert bob.paths() == ["a.md"]


def test_a_lost_note_is_given_a_new_text_or_deleted(noted: Noted) -> None:
    for path in ("a.md", "b.md"):
        Agent(noted, noted.world.bob).put(path, "one")
    noted.begin_epoch(anew=True)
    bob = Agent(noted, noted.world.bob)
    assert bob.put("a.md", "two", 1).version == 2
    assert bob.read("a.md") == "two"
    bob.delete("b.md", 1)
    assert bob.paths() == ["a.md"]


def test_a_search_counts_lost_notes_as_unreadable(noted: Noted) -> None:
    Agent(noted, noted.world.bob).put("a.md", "green tea")
    noted.begin_epoch(anew=True)
    bob = Agent(noted, noted.world.bob)
    bob.put("b.md", "black tea")
    found = bob.search("tea")
    assert ([each.head.path for each in found.found], found.unreadable) == (["b.md"], 1)


def test_a_request_is_repeated_by_its_key_also_after_a_loss(noted: Noted) -> None:
    noted.begin_epoch(anew=True)
    bob = Agent(noted, noted.world.bob)
    first = bob.put("a.md", "one", key="k1")
    noted.begin_epoch()
    assert Agent(noted, noted.world.bob).put("a.md", "one", key="k1") == first

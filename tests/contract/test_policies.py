"""The memory policy: three facts, a default, compare and set, and what a change of the mode does not touch."""

import pytest
from tests.conftest import World
from tests.contract.memory_rows import column, counts
from tests.contract.memory_stage import Stage, add, make_stage
from tests.contract.together import answers, at_once, failures

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.document_errors import AdmissionRetired
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound, PolicyConflict
from workspace_memory.domain.ids import ClearGeneration, PolicyRevision
from workspace_memory.domain.policy import DEFAULT_POLICY, Mode, Policy
from workspace_memory.services.policies import change_policy, get_policy
from workspace_memory.storage.document_tables import memory_policies

requirement = pytest.mark.requirement


@requirement("document:policy:one-row-of-three-facts")
def test_the_policy_is_one_row_of_three_facts(world: World) -> None:
    stage = make_stage(world)
    stage.clear()
    stage.set_mode(Mode.OFF)
    assert stage.policy() == Policy(Mode.OFF, PolicyRevision(2), ClearGeneration(1))
    names = set(memory_policies.columns.keys())
    assert names == {"workspace_id", "mode", "policy_revision", "clear_generation"}
    assert column(world, memory_policies, "mode") == ["off"]


@requirement("document:policy:default-without-a-row")
def test_a_workspace_without_a_row_is_read_only(world: World) -> None:
    policy = get_policy(world.deps, world.by_hand(world.carol), world.workspace)
    assert policy == DEFAULT_POLICY == Policy(Mode.READ_ONLY, PolicyRevision(0), ClearGeneration(0))
    assert column(world, memory_policies, "mode") == []


@requirement("document:policy:ordinary-access-is-enough")
@requirement("document:policy:compare-and-set")
def test_every_active_member_changes_the_mode(world: World) -> None:
    for revision, user in enumerate((world.carol, world.bob, world.alice)):
        mode = (Mode.AUTO, Mode.OFF, Mode.READ_ONLY)[revision]
        changed = change_policy(
            world.deps, world.by_hand(user), world.workspace, mode, expected=PolicyRevision(revision)
        )
        assert changed == Policy(mode, PolicyRevision(revision + 1), ClearGeneration(0))


@requirement("document:policy:stale-revision-is-409")
def test_a_change_against_another_revision_changes_nothing(world: World) -> None:
    stage = make_stage(world)
    before = counts(world)
    for expected in (0, 2):
        with pytest.raises(PolicyConflict) as refused:
            change_policy(
                world.deps,
                world.by_hand(world.bob),
                world.workspace,
                Mode.OFF,
                expected=PolicyRevision(expected),
            )
        assert (refused.value.mode, refused.value.policy_revision) == ("auto", 1)
    assert (stage.policy().mode, counts(world)) == (Mode.AUTO, before)


@requirement("document:policy:compare-and-set")
def test_of_many_changes_at_once_against_one_revision_one_succeeds(world: World) -> None:
    stage = make_stage(world)
    by = [world.alice, world.bob, world.carol] * 2
    outcomes = at_once(
        *[
            lambda user=user, mode=mode: change_policy(
                world.deps, world.by_hand(user), world.workspace, mode, expected=PolicyRevision(1)
            )
            for user, mode in zip(by, [Mode.OFF, Mode.READ_ONLY] * 3, strict=True)
        ]
    )
    [won] = answers(outcomes)
    assert failures(outcomes) == [PolicyConflict] * 5
    assert stage.policy() == won


@requirement("document:policy:change-retires-admissions")
def test_a_change_retires_every_admission_of_every_conversation(world: World) -> None:
    stage = make_stage(world)
    turns = [stage.shown(user) for user in (world.alice, world.bob, world.bob)]
    stage.set_mode(Mode.OFF)
    stage.set_mode(Mode.AUTO)
    for turn in turns:
        with pytest.raises(AdmissionRetired, match="policy_revision"):
            stage.capture(turn, add("likes tea"))
    assert stage.version() == 1


def test_who_may_not_changes_no_mode(world: World) -> None:
    def change(actor: Actor) -> None:
        change_policy(
            world.deps,
            actor,
            world.workspace,
            Mode.AUTO,
            expected=PolicyRevision(0),
        )

    with pytest.raises(NotFound):
        change(world.by_hand(world.mallory))
    with pytest.raises(LevelTooLow):
        change(world.by_hand(world.bob, max_level=AccessLevel.PERSONAL))
    with pytest.raises(Forbidden):
        change(world.client(world.alice))
    assert column(world, memory_policies, "mode") == []


@requirement("document:policy:people-edit-in-every-mode")
@pytest.mark.parametrize("mode", Mode)
def test_people_write_in_every_mode(world: World, mode: Mode) -> None:
    stage: Stage = make_stage(world, mode)
    stage.save("second")
    stage.clear()
    stage.undo(stage.version())
    assert (stage.version(), stage.policy().mode) == (4, mode)

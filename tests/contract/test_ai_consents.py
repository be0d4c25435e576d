"""The AI consent: an administrator's, compared and set, and a switch apart from skills and from the mode."""

import pytest
from tests.conftest import World
from tests.contract.memory_rows import counts
from tests.contract.memory_stage import Stage, add, make_stage

from workspace_memory.domain.ai_consent import DEFAULT_CONSENT, AiConsent
from workspace_memory.domain.document_errors import AdmissionRetired, ConsentConflict
from workspace_memory.domain.errors import Forbidden, NotFound
from workspace_memory.domain.ids import ConsentRevision
from workspace_memory.domain.policy import Mode
from workspace_memory.services.ai_consents import change_ai_consent, get_ai_consent, set_skills_trust

requirement = pytest.mark.requirement


@pytest.fixture
def stage(world: World) -> Stage:
    return make_stage(world)


def consent(stage: Stage) -> AiConsent:
    world = stage.world
    return get_ai_consent(world.deps, world.by_hand(world.carol), world.workspace)


def trust(stage: Stage, trusted: bool) -> None:
    world = stage.world
    set_skills_trust(world.deps, world.by_hand(world.alice), world.workspace, trusted=trusted)


def test_without_a_decision_ai_is_off_and_no_skill_is_trusted(world: World) -> None:
    found = get_ai_consent(world.deps, world.by_hand(world.carol), world.workspace)
    assert found == DEFAULT_CONSENT == AiConsent(False, ConsentRevision(0), False)


@pytest.mark.parametrize("enabled", [True, False])
def test_a_consent_is_given_against_the_revision_that_was_read(stage: Stage, enabled: bool) -> None:
    world = stage.world
    before = counts(world)
    with pytest.raises(ConsentConflict) as refused:
        change_ai_consent(
            world.deps,
            world.by_hand(world.alice),
            world.workspace,
            enabled=enabled,
            expected=ConsentRevision(0),
        )
    assert (refused.value.enabled, refused.value.current) == (True, 1)
    assert counts(world) == before


@requirement("document:fence:consent-change-before-retires")
def test_a_consent_that_is_given_anew_is_another_one(stage: Stage) -> None:
    turn = stage.shown()
    stage.set_ai(False)
    stage.set_ai(True)
    assert consent(stage) == AiConsent(True, ConsentRevision(3), False)
    with pytest.raises(AdmissionRetired, match="consent_revision"):
        stage.capture(turn, add("likes tea"))
    stopped = stage.recall(turn)
    assert (stopped.status, stopped.stop) == ("no_access", True)


@requirement("document:skills:trust-is-independent-of-mode")
def test_skills_trust_and_mode_move_neither_each_other_nor_a_turn(stage: Stage) -> None:
    turn = stage.shown()
    before = stage.policy()
    trust(stage, True)
    assert (stage.policy(), consent(stage)) == (before, AiConsent(True, ConsentRevision(1), True))
    for mode in (Mode.OFF, Mode.READ_ONLY, Mode.AUTO):
        if stage.policy().mode is not mode:
            stage.set_mode(mode)
        assert consent(stage).skills_trusted
    trust(stage, False)
    assert stage.policy().mode is Mode.AUTO
    # It was the changes of the mode that retired the turn; trust alone retires none.
    with pytest.raises(AdmissionRetired, match="policy_revision"):
        stage.capture(turn, add("likes tea"))
    other = stage.shown()
    trust(stage, True)
    assert stage.capture(other, add("likes tea")).version == 2


def test_only_admins_decide(stage: Stage) -> None:
    world = stage.world
    for user in (world.bob, world.carol):
        with pytest.raises(Forbidden):
            change_ai_consent(
                world.deps, world.by_hand(user), world.workspace, enabled=False, expected=ConsentRevision(1)
            )
        with pytest.raises(Forbidden):
            set_skills_trust(world.deps, world.by_hand(user), world.workspace, trusted=True)
    with pytest.raises(NotFound):
        get_ai_consent(world.deps, world.by_hand(world.mallory), world.workspace)
    assert consent(stage) == AiConsent(True, ConsentRevision(1), False)

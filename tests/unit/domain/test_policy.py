"""The memory policy is changed against the revision that was read, and each change counts one."""

import pytest

from workspace_memory.domain.errors import PolicyConflict
from workspace_memory.domain.ids import ClearGeneration, PolicyRevision
from workspace_memory.domain.policy import DEFAULT_POLICY, Mode, Policy, change_mode

OTHERS = [(old, new) for old in Mode for new in Mode if old is not new]


def a_policy(mode: Mode = Mode.AUTO) -> Policy:
    return Policy(mode, PolicyRevision(7), ClearGeneration(3))


def test_without_a_row_the_policy_is_read_only_at_zero() -> None:
    assert Policy(Mode.READ_ONLY, PolicyRevision(0), ClearGeneration(0)) == DEFAULT_POLICY


def test_the_modes_are_three() -> None:
    assert [mode.value for mode in Mode] == ["off", "read_only", "auto"]


@pytest.mark.requirement("document:policy:change-advances-the-revision")
@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_every_change_of_the_mode_adds_one_to_the_revision(old: Mode, new: Mode) -> None:
    changed = change_mode(a_policy(old), new, expected=PolicyRevision(7))
    assert changed == Policy(new, PolicyRevision(8), ClearGeneration(3))


@pytest.mark.parametrize("mode", Mode)
def test_setting_the_mode_that_is_set_changes_nothing(mode: Mode) -> None:
    policy = a_policy(mode)
    assert change_mode(policy, mode, expected=PolicyRevision(7)) is policy


@pytest.mark.parametrize("expected", [0, 6, 8, -1])
@pytest.mark.parametrize("mode", Mode)
def test_another_revision_than_the_present_one_is_a_conflict(mode: Mode, expected: int) -> None:
    with pytest.raises(PolicyConflict):
        change_mode(a_policy(), mode, expected=PolicyRevision(expected))


def test_a_conflict_carries_the_present_policy() -> None:
    with pytest.raises(PolicyConflict) as conflict:
        change_mode(a_policy(), Mode.OFF, expected=PolicyRevision(6))
    assert conflict.value.facts() == {"mode": "auto", "policy_revision": 7, "clear_generation": 3}

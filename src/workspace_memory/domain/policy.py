"""The memory policy of a workspace: what automatic work may do with the memory document, and how that is changed.

Pure. Who may change it is decided in `services`, which compares and sets under the workspace lock. A changed revision
retires every admission that was taken before; people edit the document in every mode.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from workspace_memory.domain.errors import PolicyConflict
from workspace_memory.domain.ids import ClearGeneration, PolicyRevision


class Mode(StrEnum):
    """What the Assistant may do: nothing, read and propose, or read and write behind the commit fence."""

    OFF = "off"
    READ_ONLY = "read_only"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Policy:
    """The mode, the number of its changes, and the number of times that the memory was cleared."""

    mode: Mode
    revision: PolicyRevision
    clear_generation: ClearGeneration


DEFAULT_POLICY = Policy(Mode.READ_ONLY, PolicyRevision(0), ClearGeneration(0))
"""The policy of a workspace that has none stored."""


def change_mode(policy: Policy, mode: Mode, *, expected: PolicyRevision) -> Policy:
    """The policy in another mode, one revision on; the same policy when the mode is set already.

    Raises: PolicyConflict with the present policy when `expected` is not its revision, whatever the mode.
    """
    if expected != policy.revision:
        raise PolicyConflict(policy.mode, policy.revision, policy.clear_generation)
    if mode is policy.mode:
        return policy
    return replace(policy, mode=mode, revision=PolicyRevision(policy.revision + 1))

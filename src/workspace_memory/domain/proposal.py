"""Proposals: a change that was not written, sealed, for a person to apply or dismiss.

A proposal carries the clear generation that it was made under; a Clear advances the generation, and with that the
proposal is retired, without anything that has to be told. It is made against one version and applied against that
version or by a person who has looked at a newer one: the applied text is sealed by that person's client.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from workspace_memory.domain.document import DocumentKind, SealedText
from workspace_memory.domain.document_errors import ProposalSettled
from workspace_memory.domain.ids import (
    AdmissionId,
    ClearGeneration,
    ConversationId,
    DocumentId,
    ProposalId,
    UserId,
    Version,
)


class ProposalState(StrEnum):
    """What is stored; `retired` is computed."""

    OPEN = "open"
    APPLIED = "applied"
    DISMISSED = "dismissed"


class ProposalReason(StrEnum):
    """Why the change was not written at once."""

    READ_ONLY = "read_only"
    VERSION_CONFLICT = "version_conflict"
    VIEWER = "viewer"
    SUSPICIOUS = "suspicious"
    PROPOSED = "proposed"


RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Proposal:
    """`document` is None for the memory document and for a note that does not exist yet."""

    id: ProposalId
    owner: UserId
    conversation: ConversationId | None
    admission: AdmissionId | None
    kind: DocumentKind
    document: DocumentId | None
    path: str
    base: Version
    clear_generation: ClearGeneration
    sealed: SealedText
    reason: ProposalReason
    state: ProposalState
    shared: bool
    created_at: datetime
    decided_by: UserId | None = None
    decided_at: datetime | None = None
    applied_version: Version | None = None


def state_of(proposal: Proposal, generation: ClearGeneration) -> str:
    """open, applied, dismissed, or retired: one about the memory from before a Clear."""
    if proposal.state is not ProposalState.OPEN:
        return proposal.state.value
    older = proposal.kind is DocumentKind.MEMORY and proposal.clear_generation != generation
    return RETIRED if older else ProposalState.OPEN.value


def require_open(proposal: Proposal, generation: ClearGeneration) -> None:
    """Raise ProposalSettled unless the proposal still waits for a person."""
    state = state_of(proposal, generation)
    if state != ProposalState.OPEN:
        raise ProposalSettled(proposal_state=state)

"""Proposals as JSON."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    with_example,
)
from workspace_memory.api.schemas.encoded import Encoded, encode
from workspace_memory.domain.document import MEMORY_PATH, DocumentKind
from workspace_memory.domain.ids import ClearGeneration, ConversationId, ProposalId
from workspace_memory.domain.proposal import Proposal, ProposalReason, ProposalState, state_of
from workspace_memory.services.proposals import ProposalPage

_EXAMPLE = {
    "id": EXAMPLE_ID,
    "owner_id": EXAMPLE_ID,
    "conversation_id": EXAMPLE_ID,
    "admission_id": EXAMPLE_ID,
    "kind": "memory",
    "document_id": None,
    "path": MEMORY_PATH,
    "base_version": 7,
    "clear_generation": 1,
    "epoch": 1,
    "ciphertext": encode(bytes(48)),
    "reason": "read_only",
    "state": "open",
    "shared": False,
    "created_at": EXAMPLE_TIME,
    "decided_by": None,
    "decided_at": None,
    "applied_version": None,
}


class ProposalOut(Answer):
    """A change that waits for a person, sealed."""

    model_config = with_example(_EXAMPLE)

    id: str
    owner_id: str
    conversation_id: str | None
    admission_id: str | None = Field(description="The turn in which it was made; null for one by hand.")
    kind: DocumentKind
    document_id: str | None = Field(
        description="The note that it would change; null for the memory document."
    )
    path: str
    base_version: int = Field(description="The version that it was made against.")
    clear_generation: int
    epoch: int
    ciphertext: Encoded = Field(description='JSON, sealed: {"changes": […]}, or {"text": …} for a note.')
    reason: ProposalReason
    state: Literal["open", "applied", "dismissed", "retired"] = Field(
        description="retired: the memory was cleared since."
    )
    shared: bool
    created_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    applied_version: int | None


class ProposalPageOut(Answer):
    """Proposals newest first."""

    model_config = with_example({"proposals": [_EXAMPLE], "next_before": EXAMPLE_ID})

    proposals: list[ProposalOut]
    next_before: str | None = Field(description="`before` of the next page; null at the end.")


class ProposalQuery(Arguments):
    """Which proposals."""

    state: ProposalState | None = Field(
        default=None, description="open lists retired ones too; their `state` says so."
    )
    conversation_id: Annotated[Text, Field(min_length=36, max_length=36)] | None = Field(
        default=None, description="Only proposals that were made in this conversation."
    )
    before: Annotated[Text, Field(min_length=36, max_length=36)] | None = Field(
        default=None, description="Only proposals older than this one."
    )
    limit: int = Field(default=50, ge=1, le=200)

    def place(self) -> ProposalId | None:
        """As the services take it."""
        return None if self.before is None else ProposalId(self.before)

    def conversation(self) -> ConversationId | None:
        """As the services take it."""
        return None if self.conversation_id is None else ConversationId(self.conversation_id)


def proposal_out(proposal: Proposal, generation: ClearGeneration) -> ProposalOut:
    """A proposal as JSON, with its state by the present generation."""
    return ProposalOut.model_validate(
        {
            "id": proposal.id,
            "owner_id": proposal.owner,
            "conversation_id": proposal.conversation,
            "admission_id": proposal.admission,
            "kind": proposal.kind,
            "document_id": proposal.document,
            "path": proposal.path,
            "base_version": proposal.base,
            "clear_generation": proposal.clear_generation,
            "epoch": proposal.sealed.epoch,
            "ciphertext": proposal.sealed.ciphertext,
            "reason": proposal.reason,
            "state": state_of(proposal, generation),
            "shared": proposal.shared,
            "created_at": proposal.created_at,
            "decided_by": proposal.decided_by,
            "decided_at": proposal.decided_at,
            "applied_version": proposal.applied_version,
        }
    )


def proposal_page_out(page: ProposalPage) -> ProposalPageOut:
    """A page of proposals as JSON."""
    found = [proposal_out(each, page.clear_generation) for each in page.proposals]
    return ProposalPageOut(proposals=found, next_before=page.next_before)

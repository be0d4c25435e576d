"""What the service answers to `documents.py`, as frozen values. Sealed bytes arrive as bytes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from workspace_memory.client.key_answers import Binary
from workspace_memory.domain.document import DocumentKind, RevisionKind
from workspace_memory.domain.ids import (
    AdmissionId,
    ConversationId,
    DocumentId,
    ProposalId,
    ReceiptId,
    UserId,
    WorkspaceId,
)
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.receipt import ReceiptKind


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRevision:
    """One version, sealed. `ciphertext` is None in a list and for a deletion."""

    version: int
    kind: RevisionKind
    path: str
    author_id: UserId
    at: datetime
    clear_generation: int
    epoch: int | None
    bytes: int | None
    ciphertext: Binary | None
    sha256: Binary
    previous_sha256: Binary


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedDocument:
    """The memory document at one moment; `version` 0 when it was never written."""

    version: int
    live: bool
    clear_generation: int
    newest: SealedRevision | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRevisions:
    """A page of the history, newest first."""

    versions: tuple[SealedRevision, ...]
    next_before: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the server holds after a write."""

    version: int
    clear_generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPolicy:
    """The memory policy."""

    mode: Mode
    policy_revision: int
    clear_generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceAi:
    """Whether AI may work with the memory document, and whether skills are trusted."""

    enabled: bool
    consent_revision: int
    skills_trusted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedProposal:
    """A change that waits for a person, sealed."""

    id: ProposalId
    owner_id: UserId
    conversation_id: ConversationId | None
    kind: DocumentKind
    document_id: DocumentId | None
    path: str
    base_version: int
    clear_generation: int
    epoch: int
    ciphertext: Binary
    reason: ProposalReason
    state: Literal["open", "applied", "dismissed", "retired"]
    shared: bool
    created_at: datetime
    decided_by: UserId | None
    decided_at: datetime | None
    applied_version: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedProposals:
    """A page of proposals, newest first."""

    proposals: tuple[SealedProposal, ...]
    next_before: ProposalId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation of the caller's own, which has no title yet."""

    id: ConversationId
    workspace_id: WorkspaceId
    turns: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """A turn's authority. `credential` belongs to nobody else's eyes."""

    admission_id: AdmissionId
    credential: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What the next model call is given: a block, a note, or nothing; `stop` says to make none."""

    status: RecallStatus
    revision: int | None
    block: str | None
    note: str | None
    receipt_id: ReceiptId | None
    stop: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """What became of a capture."""

    outcome: Literal["committed", "proposed", "unchanged", "off"]
    revision: int | None
    proposal_id: ProposalId | None
    reason: ProposalReason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReceipt:
    """Which revision a model call was given, or a capture made."""

    id: ReceiptId
    kind: ReceiptKind
    admission_id: AdmissionId
    turn: int
    call: int
    at: datetime
    status: str
    revision: int | None
    bytes: int | None
    mode: Mode
    policy_revision: int
    clear_generation: int
    client_state: str
    via: str
    model: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReceipts:
    """A page of receipts, oldest first."""

    receipts: tuple[MemoryReceipt, ...]
    next_after: ReceiptId | None

"""Receipts: which revision a model call was given, and which one a capture made. They hold no text."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from workspace_memory.domain.admission import Via
from workspace_memory.domain.ids import (
    AdmissionId,
    ClearGeneration,
    ConversationId,
    PolicyRevision,
    ReceiptId,
    Version,
)
from workspace_memory.domain.policy import Mode

COMMITTED = "committed"
"""The status of a capture's receipt; a recall's receipt has the status of the recall."""


class ReceiptKind(StrEnum):
    """Of a recall before a model call, or of a capture."""

    RECALL = "recall"
    CAPTURE = "capture"


@dataclass(frozen=True, slots=True)
class Receipt:
    """`version` is the revision that was inspected or made, None where there is none; `bytes` its text's length."""

    id: ReceiptId
    kind: ReceiptKind
    conversation: ConversationId
    admission: AdmissionId
    turn: int
    call_number: int
    at: datetime
    status: str
    version: Version | None
    bytes: int | None
    mode: Mode
    policy_revision: PolicyRevision
    clear_generation: ClearGeneration
    client_state: str
    via: Via
    model: str | None

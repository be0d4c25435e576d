"""What a turn was admitted under: frozen at its beginning, and never renewed within it.

An admission is the whole authority of an automatic write. Retired and expired are no states of it: they are the
predicate of `fence.py` being false.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from workspace_memory.domain.client_state import ClientState
from workspace_memory.domain.ids import (
    AdmissionId,
    ClearGeneration,
    ConsentRevision,
    ConversationId,
    KeySessionId,
    PolicyRevision,
    UserId,
    Version,
    WorkspaceId,
)
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import RecallStatus

LIFETIME = timedelta(minutes=15)
NONCE_BYTES = 16


class AdmissionState(StrEnum):
    """Whether the turn's one capture has been committed."""

    OPEN = "open"
    COMMITTED = "committed"


class Via(StrEnum):
    """By which way a turn came."""

    ASSISTANT = "assistant"
    MCP_ASK = "mcp_ask"
    AUTOMATION = "automation"


@dataclass(frozen=True, slots=True)
class Admission:
    """One turn's authority, and what its latest recall found."""

    workspace: WorkspaceId
    id: AdmissionId
    conversation: ConversationId
    turn: int
    owner: UserId
    mode: Mode
    policy_revision: PolicyRevision
    clear_generation: ClearGeneration
    consent_revision: ConsentRevision
    key_session: KeySessionId | None
    nonce: bytes
    client_state: ClientState
    via: Via
    created_at: datetime
    expires_at: datetime
    state: AdmissionState = AdmissionState.OPEN
    calls: int = 0
    shown_status: RecallStatus | None = None
    shown_version: Version | None = None

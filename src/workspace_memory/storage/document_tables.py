"""The tables of the memory document and of notes, of turns and of what was decided under them.

None holds a text: a version is sealed, and what stands beside it is ids, numbers, times and hashes of ciphertext.
`memory_commit_fence` is where a capture whose authority is gone cannot be written; `fence.py` says why.
"""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    text,
)

from workspace_memory.domain.admission import AdmissionState, Via
from workspace_memory.domain.document import DocumentKind, RevisionKind
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.proposal import ProposalReason, ProposalState
from workspace_memory.domain.receipt import ReceiptKind
from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.tables import ID, UtcDateTime, one_of

memory_policies = Table(
    "memory_policies",
    metadata,
    # No row is the default policy: read_only, revision 0, generation 0.
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("mode", String(20), nullable=False),
    Column("policy_revision", Integer, nullable=False),
    Column("clear_generation", Integer, nullable=False),
    one_of("mode", Mode),
)

ai_consents = Table(
    "ai_consents",
    metadata,
    # No row is: not enabled, revision 0, skills not trusted.
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("enabled", Boolean(name="enabled"), nullable=False),
    Column("consent_revision", Integer, nullable=False),
    Column("skills_trusted", Boolean(name="skills_trusted"), nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("id", ID, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("path", Text, nullable=False),
    Column("version", Integer, nullable=False),
    # A tombstone keeps its row and its versions.
    Column("live", Boolean(name="live"), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    one_of("kind", DocumentKind),
    CheckConstraint("version >= 1", name="version"),
    Index(
        "uq_documents_memory",
        "workspace_id",
        unique=True,
        sqlite_where=text("kind = 'memory'"),
        postgresql_where=text("kind = 'memory'"),
    ),
    Index(
        "uq_documents_live_path",
        "workspace_id",
        "path",
        unique=True,
        sqlite_where=text("live"),
        postgresql_where=text("live"),
    ),
)

document_versions = Table(
    "document_versions",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("document_id", ID, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    # The path under which this version was sealed; a later move leaves it.
    Column("path", Text, nullable=False),
    Column("epoch", Integer),
    Column("sealed", LargeBinary),
    Column("sha256", LargeBinary),
    # The hash that the seal is bound to: of the version before, or 32 zero bytes.
    Column("previous_sha256", LargeBinary, nullable=False),
    # No foreign key: who wrote a version stays said, as an id, after the account is gone.
    Column("author_id", ID, nullable=False),
    Column("clear_generation", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "document_id"], ["documents.workspace_id", "documents.id"], ondelete="CASCADE"
    ),
    one_of("kind", RevisionKind),
    CheckConstraint("(kind = 'delete') = (sealed IS NULL)", name="tombstone"),
    CheckConstraint(
        "(sealed IS NULL) = (epoch IS NULL) AND (sealed IS NULL) = (sha256 IS NULL)", name="sealed"
    ),
)

conversations = Table(
    "conversations",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("id", ID, primary_key=True),
    Column("owner_id", ID, nullable=False),
    Column("turns", Integer, nullable=False, server_default=text("0")),
    Column("created_at", UtcDateTime, nullable=False),
    # The delivery slot: each turn overwrites it in the transaction of its admission.
    Column("slot_nonce", LargeBinary),
    Column("slot_expires_at", UtcDateTime),
    # The title of a conversation with the Assistant, sealed like a message.
    Column("title_epoch", Integer),
    Column("title_sealed", LargeBinary),
    # A conversation is its owner's own and ends with the membership.
    ForeignKeyConstraint(
        ["workspace_id", "owner_id"], ["members.workspace_id", "members.user_id"], ondelete="CASCADE"
    ),
    Index("ix_conversations_id", "id"),
    Index("ix_conversations_owner", "workspace_id", "owner_id", "id"),
)

admissions = Table(
    "admissions",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("id", ID, primary_key=True),
    Column("conversation_id", ID, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("owner_id", ID, nullable=False),
    Column("mode", String(20), nullable=False),
    Column("policy_revision", Integer, nullable=False),
    Column("clear_generation", Integer, nullable=False),
    Column("consent_revision", Integer, nullable=False),
    Column("key_session_id", ID),
    # What the credential is derived from, with the instance's secret: this alone opens nothing.
    Column("nonce", LargeBinary, nullable=False),
    Column("client_state", String(60), nullable=False),
    Column("via", String(20), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    # "Retired" and "expired" are never stored: they are the fence's predicate being false.
    Column("state", String(20), nullable=False),
    Column("key_hash", LargeBinary),
    Column("request_hash", LargeBinary),
    # What the latest recall found.
    Column("calls", Integer, nullable=False, server_default=text("0")),
    Column("shown_status", String(20)),
    Column("shown_version", Integer),
    ForeignKeyConstraint(
        ["workspace_id", "conversation_id"],
        ["conversations.workspace_id", "conversations.id"],
        ondelete="CASCADE",
    ),
    one_of("mode", Mode),
    one_of("via", Via),
    one_of("state", AdmissionState),
    Index("uq_admissions_key", "workspace_id", "conversation_id", "key_hash", unique=True),
)

memory_commit_fence = Table(
    "memory_commit_fence",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("admission_id", ID, primary_key=True),
    # CHECK (ok = 1) alone would admit NULL.
    Column("ok", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    # A keyed MAC: a plain hash of a one-line edit can be guessed.
    Column("body_mac", LargeBinary, nullable=False),
    Column("committed_at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "admission_id"], ["admissions.workspace_id", "admissions.id"], ondelete="CASCADE"
    ),
    CheckConstraint("ok = 1", name="ok"),
)

memory_receipts = Table(
    "memory_receipts",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("id", ID, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("conversation_id", ID, nullable=False),
    Column("admission_id", ID, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("call_number", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("status", String(20), nullable=False),
    Column("version", Integer),
    Column("bytes", Integer),
    Column("mode", String(20), nullable=False),
    Column("policy_revision", Integer, nullable=False),
    Column("clear_generation", Integer, nullable=False),
    Column("client_state", String(60), nullable=False),
    Column("via", String(20), nullable=False),
    Column("model", Text),
    ForeignKeyConstraint(
        ["workspace_id", "admission_id"], ["admissions.workspace_id", "admissions.id"], ondelete="CASCADE"
    ),
    one_of("kind", ReceiptKind),
    Index("ix_memory_receipts_conversation", "workspace_id", "conversation_id", "id"),
)

proposals = Table(
    "proposals",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("id", ID, primary_key=True),
    Column("owner_id", ID, nullable=False),
    Column("conversation_id", ID),
    Column("admission_id", ID),
    Column("kind", String(20), nullable=False),
    # The note that it would change; NULL for the memory document and for a new note.
    Column("document_id", ID),
    Column("path", Text, nullable=False),
    Column("base_version", Integer, nullable=False),
    Column("clear_generation", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    # The keyed MAC of the capture that it came from, so that a repeated capture makes no second one.
    Column("body_mac", LargeBinary),
    Column("reason", String(20), nullable=False),
    # "Retired" is never stored: it is an older generation than the present one.
    Column("state", String(20), nullable=False),
    Column("shared", Boolean(name="shared"), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("decided_by", ID),
    Column("decided_at", UtcDateTime),
    Column("applied_version", Integer),
    one_of("kind", DocumentKind),
    one_of("reason", ProposalReason),
    one_of("state", ProposalState),
    Index("uq_proposals_admission", "workspace_id", "admission_id", unique=True),
    Index("ix_proposals_state", "workspace_id", "state", "id"),
)

"""The tables of governance: the audit log, the licences of workspaces, the counts of rates."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.tables import ID, UtcDateTime

audit_events = Table(
    "audit_events",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    # No foreign keys: who did something stays said after the account is gone, as an id without a name.
    Column("actor_id", ID),
    Column("action", String(50), nullable=False),
    Column("subject_id", ID),
    Column("facts", Text, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Index("ix_audit_events_action", "workspace_id", "action", "number"),
)

licences = Table(
    "licences",
    metadata,
    # The instance's own key is a setting.
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("licence_key", Text, nullable=False),
    Column("stored_at", UtcDateTime, nullable=False),
)

rate_counts = Table(
    "rate_counts",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    # A token's id, or a user's where there is no token.
    Column("subject_id", ID, primary_key=True),
    Column("kind", String(20), primary_key=True),
    # The number of the minute or hour since 1970 that is counted; an older one is counted over.
    Column("period", BigInteger, nullable=False),
    Column("calls", Integer, nullable=False),
)

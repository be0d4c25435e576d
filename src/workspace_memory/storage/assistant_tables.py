"""The tables of the Assistant: its turns with their cost, the sealed messages, and what each day has cost.

A title and a message are sealed like a document; beside them stand numbers, times and codes.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Date,
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

from workspace_memory.domain.message import MessageKind
from workspace_memory.domain.turn import TurnState
from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.tables import ID, UtcDateTime, one_of

assistant_turns = Table(
    "assistant_turns",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("conversation_id", ID, primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("admission_id", ID, nullable=False),
    # "Interrupted" is never stored: it is a running turn whose lease is over.
    Column("state", String(20), nullable=False),
    Column("model", Text, nullable=False),
    Column("began_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    Column("lease_until", UtcDateTime, nullable=False),
    Column("error", String(60)),
    # The keyed MAC of the submission, and the epoch of the key that made it.
    Column("body_mac", LargeBinary, nullable=False),
    Column("body_epoch", Integer, nullable=False),
    Column("calls", Integer, nullable=False, server_default=text("0")),
    Column("input_tokens", Integer, nullable=False, server_default=text("0")),
    Column("output_tokens", Integer, nullable=False, server_default=text("0")),
    Column("memory_bytes", Integer, nullable=False, server_default=text("0")),
    ForeignKeyConstraint(
        ["workspace_id", "conversation_id"],
        ["conversations.workspace_id", "conversations.id"],
        ondelete="CASCADE",
    ),
    ForeignKeyConstraint(
        ["workspace_id", "admission_id"], ["admissions.workspace_id", "admissions.id"], ondelete="CASCADE"
    ),
    one_of("state", TurnState),
    CheckConstraint("(state = 'running') = (ended_at IS NULL)", name="ended"),
)

conversation_messages = Table(
    "conversation_messages",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("conversation_id", ID, primary_key=True),
    # Bound into the seal; 0 is the title's.
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    # Which program and version wrote the body's form.
    Column("framework", String(60), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "conversation_id"],
        ["conversations.workspace_id", "conversations.id"],
        ondelete="CASCADE",
    ),
    one_of("kind", MessageKind),
    CheckConstraint("sequence >= 1", name="sequence"),
    Index("ix_conversation_messages_turn", "workspace_id", "conversation_id", "turn", "sequence"),
)

assistant_days = Table(
    "assistant_days",
    metadata,
    # Apart from the turns, so that a deleted conversation gives nothing back.
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("calls", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("memory_bytes", BigInteger, nullable=False),
)

"""The tables of keys, every one of them sealed: users' own keys, workspace keys by epoch, grants, key sessions.

No key stands here in the clear, and no token of a key session: only its hash.
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
)

from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.storage.metadata import metadata
from workspace_memory.storage.tables import ID, UtcDateTime, one_of

user_keys = Table(
    "user_keys",
    metadata,
    Column("user_id", ID, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    # Advances with each new wrapping: a changed passphrase, a new recovery key.
    Column("version", Integer, nullable=False),
    Column("x25519_public", LargeBinary, nullable=False),
    Column("ed25519_public", LargeBinary, nullable=False),
    # Argon2id's salt and cost, as bound into the wrapping.
    Column("salt", LargeBinary, nullable=False),
    Column("memory_kib", Integer, nullable=False),
    Column("iterations", Integer, nullable=False),
    Column("lanes", Integer, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
    Column("recovery_wrapped", LargeBinary, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

workspace_key_epochs = Table(
    "workspace_key_epochs",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("maker_id", ID, nullable=False),
    Column("check_value", LargeBinary, nullable=False),
    Column("check_signature", LargeBinary, nullable=False),
    # The key of the epoch before, sealed under this one; null where nobody held that one any more.
    Column("older_sealed", LargeBinary),
    # Somebody who had this key has left, so that the next holder's client makes a new one.
    Column("rotation_due", Boolean(name="rotation_due"), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    CheckConstraint("epoch > 1 OR older_sealed IS NULL", name="older"),
    CheckConstraint("epoch >= 1", name="epoch"),
)

key_grants = Table(
    "key_grants",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("member_id", ID, primary_key=True),
    Column("granter_id", ID, nullable=False),
    # The member's public key that the grant was made for.
    Column("member_public", LargeBinary, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    # The granter's key that made the signature: who granted may be gone.
    Column("granter_public", LargeBinary, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "member_id"], ["members.workspace_id", "members.user_id"], ondelete="CASCADE"
    ),
    ForeignKeyConstraint(
        ["workspace_id", "epoch"],
        ["workspace_key_epochs.workspace_id", "workspace_key_epochs.epoch"],
        ondelete="CASCADE",
    ),
    Index("ix_key_grants_member", "workspace_id", "member_id"),
)

key_sessions = Table(
    "key_sessions",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("id", ID, primary_key=True),
    Column("user_id", ID, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("token_hash", LargeBinary, nullable=False),
    Column("name", Text, nullable=False),
    Column("way", String(20), nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "user_id"], ["members.workspace_id", "members.user_id"], ondelete="CASCADE"
    ),
    one_of("way", KeySessionWay),
    Index("ix_key_sessions_user", "workspace_id", "user_id"),
)

key_session_revocations = Table(
    "key_session_revocations",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    # No foreign key: a revocation outlives what it revokes.
    Column("key_session_id", ID, primary_key=True),
    Column("revoked_at", UtcDateTime, nullable=False),
    Column("revoked_by", ID),
)

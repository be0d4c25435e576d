"""Every table, constraint and index of accounts, tenancy and items (`search_tables.py` has the search index).

Each primary key and unique constraint begins with `workspace_id`, except for accounts and instance tables; no
foreign key crosses workspaces; ids come from the application. So a workspace can be moved or sharded as a whole.
CHECK constraints repeat the rules of the domain: a bug in the code above them cannot store what may not be.
"""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    TypeDecorator,
    text,
)

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import ASSISTANT_TOKENS_PER_DAY, AccountStatus, LinkPurpose
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.item import Kind, Scope, Status, WriteMode
from workspace_memory.storage.metadata import metadata

ID = String(36)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC time. SQLite keeps the text of it without an offset, PostgreSQL a timestamptz."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC; a naive time is a bug and raises."""
        if value is None:
            return None
        if value.tzinfo is None:
            msg = "a stored time must be aware"
            raise ValueError(msg)
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Back to an aware UTC time."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


def one_of(column: str, values: type[StrEnum]) -> CheckConstraint:
    """A CHECK that admits the members of an enumeration; also NULL where the column does."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


instance = Table(
    "instance",
    metadata,
    Column("name", String(50), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", ID, primary_key=True),
    Column("email", Text, nullable=False),
    Column("email_key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("status", String(20), nullable=False, server_default=AccountStatus.ACTIVE),
    Column("password_hash", Text),
    Column("created_at", UtcDateTime, nullable=False),
    one_of("status", AccountStatus),
)

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)

workspace_settings = Table(
    "workspace_settings",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("default_access", String(20), nullable=False, server_default=AccessLevel.PERSONAL),
    Column("write_mode", String(20), nullable=False, server_default=WriteMode.APPROVAL),
    Column(
        "assistant_tokens_per_day",
        Integer,
        nullable=False,
        server_default=text(str(ASSISTANT_TOKENS_PER_DAY)),
    ),
    CheckConstraint("default_access IN ('none', 'read', 'personal', 'contribute')", name="default_access"),
    one_of("write_mode", WriteMode),
)

members = Table(
    "members",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", ID, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("status", String(20), nullable=False, server_default=MemberStatus.ACTIVE),
    Column("memory_access", String(20), nullable=False, server_default=AccessLevel.INHERIT),
    Column("created_at", UtcDateTime, nullable=False),
    one_of("role", Role),
    one_of("status", MemberStatus),
    one_of("memory_access", AccessLevel),
    Index("ix_members_user_id", "user_id"),
)

mcp_servers = Table(
    "mcp_servers",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("chatgpt_tools", Boolean(name="chatgpt_tools"), nullable=False, server_default=text("false")),
    Column("created_at", UtcDateTime, nullable=False),
)

access_tokens = Table(
    "access_tokens",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("id", ID, primary_key=True),
    Column("user_id", ID, nullable=False),
    Column("name", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False),
    Column("max_level", String(20), nullable=False),
    Column("surface", String(20), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("last_used_at", UtcDateTime),
    Column("expires_at", UtcDateTime),
    Column("revoked_at", UtcDateTime),
    ForeignKeyConstraint(
        ["workspace_id", "user_id"], ["members.workspace_id", "members.user_id"], ondelete="CASCADE"
    ),
    CheckConstraint("max_level IN ('none', 'read', 'personal', 'contribute')", name="max_level"),
    one_of("surface", Surface),
    # Not unique by constraint, which would have to begin with the workspace: 256 random bits are unique by themselves.
    Index("ix_access_tokens_token_hash", "token_hash"),
    Index("ix_access_tokens_member", "workspace_id", "user_id"),
)

links = Table(
    "links",
    metadata,
    Column("id", ID, primary_key=True),
    Column("purpose", String(20), nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("email", Text),
    Column("user_id", ID, ForeignKey("users.id", ondelete="CASCADE")),
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE")),
    Column("role", String(20)),
    # NULL is the operator. A link ends with the account that made it.
    Column("created_by", ID, ForeignKey("users.id", ondelete="CASCADE")),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("redeemed_at", UtcDateTime),
    one_of("purpose", LinkPurpose),
    one_of("role", Role),
    Index("ix_links_workspace_id", "workspace_id"),
    Index("ix_links_user_id", "user_id"),
)

sign_in_sessions = Table(
    "sign_in_sessions",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("user_id", ID, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("last_seen_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Index("ix_sign_in_sessions_user_id", "user_id"),
)

sign_in_failures = Table(
    "sign_in_failures",
    metadata,
    # A hash of the e-mail address or of the network address: neither stands here in the clear.
    Column("subject_hash", LargeBinary, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("blocked_until", UtcDateTime, nullable=False),
)

memory_items = Table(
    "memory_items",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("id", ID, primary_key=True),
    Column("scope", String(20), nullable=False),
    Column("owner_id", ID),
    Column("kind", String(20), nullable=False),
    Column("content", Text, nullable=False),
    Column("content_key", LargeBinary, nullable=False),
    Column("tags", Text, nullable=False),
    Column("tag_keys", Text, nullable=False),
    Column("status", String(20), nullable=False),
    Column("source", Text, nullable=False),
    Column("author_id", ID, ForeignKey("users.id", ondelete="SET NULL")),
    Column("approver_id", ID, ForeignKey("users.id", ondelete="SET NULL")),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("review_by", Date),
    Column("version", Integer, nullable=False),
    Column("replaces_id", ID),
    Column("reason", Text),
    # The version of the item `replaces_id` that a change was proposed against.
    Column("replaces_version", Integer),
    # Why it is held for review, as JSON: the rule and the phrase.
    Column("held", Text),
    # The token that made it, without a foreign key: what a client saved can be found after the token is gone.
    Column("token_id", ID),
    # A membership that ends takes its personal items along.
    ForeignKeyConstraint(
        ["workspace_id", "owner_id"], ["members.workspace_id", "members.user_id"], ondelete="CASCADE"
    ),
    one_of("scope", Scope),
    one_of("kind", Kind),
    one_of("status", Status),
    CheckConstraint("(scope = 'personal') = (owner_id IS NOT NULL)", name="owner"),
    CheckConstraint("length(content) BETWEEN 1 AND 2000", name="content"),
    CheckConstraint("version >= 1", name="version"),
    Index("ix_memory_items_list", "workspace_id", "scope", "owner_id", "status", "created_at", "id"),
    Index("ix_memory_items_content_key", "workspace_id", "content_key"),
    # Few rows, which are counted at every save.
    Index(
        "ix_memory_items_waiting",
        "workspace_id",
        "status",
        sqlite_where=text("status <> 'active'"),
        postgresql_where=text("status <> 'active'"),
    ),
    Index("ix_memory_items_author_id", "author_id"),
    Index("ix_memory_items_approver_id", "approver_id"),
)

memory_item_history = Table(
    "memory_item_history",
    metadata,
    Column("workspace_id", ID, primary_key=True),
    Column("item_id", ID, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("content", Text, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("tags", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("changed_by", ID),
    Column("changed_at", UtcDateTime, nullable=False),
    Column("token_id", ID),
    ForeignKeyConstraint(
        ["workspace_id", "item_id"], ["memory_items.workspace_id", "memory_items.id"], ondelete="CASCADE"
    ),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("workspace_id", ID, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", ID, primary_key=True),
    Column("key_hash", LargeBinary, primary_key=True),
    Column("request_hash", LargeBinary, nullable=False),
    # Ids and states only, so that a forgotten text does not live on in the answer that announced it.
    Column("answer", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)

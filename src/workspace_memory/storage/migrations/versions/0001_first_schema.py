"""First schema: accounts, tenancy, items and their search index"""

import sqlalchemy as sa
from alembic import op

from workspace_memory.storage.tables import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.create_table(
        "instance",
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_instance")),
    )
    op.create_table(
        "search_documents",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("item_id", sa.String(length=36), nullable=False),
        sa.Column("created_at_us", sa.BigInteger(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("forms", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "list_key", "number", name=op.f("pk_search_documents")),
        sa.UniqueConstraint("workspace_id", "item_id", name=op.f("uq_search_documents_workspace_id_item_id")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "search_postings",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column(
            "term",
            sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("segment", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("numbers", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint(
            "workspace_id", "list_key", "term", "segment", name=op.f("pk_search_postings")
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "search_segments",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column("segment", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("numbers", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "list_key", "segment", name=op.f("pk_search_segments")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "search_vocabulary",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("list_key", sa.String(length=36), nullable=False),
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "list_key", "shard", name=op.f("pk_search_vocabulary")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sign_in_failures",
        sa.Column("subject_hash", sa.LargeBinary(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("blocked_until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("subject_hash", name=op.f("pk_sign_in_failures")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("email_key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=20), server_default="active", nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("status IN ('active', 'deactivated')", name=op.f("ck_users_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email_key", name=op.f("uq_users_email_key")),
    )
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(), nullable=False),
        sa.Column("request_hash", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_idempotency_keys_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "user_id", "key_hash", name=op.f("pk_idempotency_keys")),
    )
    op.create_table(
        "links",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("user_id", sa.String(length=36), nullable=True),
        sa.Column("workspace_id", sa.String(length=36), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=True),
        sa.Column("created_by", sa.String(length=36), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("redeemed_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(
            "purpose IN ('setup', 'invitation', 'password_reset')", name=op.f("ck_links_purpose")
        ),
        sa.CheckConstraint("role IN ('admin', 'editor', 'viewer')", name=op.f("ck_links_role")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_links_created_by"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_links_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_links_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_links_token_hash")),
    )
    with op.batch_alter_table("links", schema=None) as batch_op:
        batch_op.create_index("ix_links_user_id", ["user_id"], unique=False)
        batch_op.create_index("ix_links_workspace_id", ["workspace_id"], unique=False)

    op.create_table(
        "mcp_servers",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "chatgpt_tools",
            sa.Boolean(name="chatgpt_tools"),
            server_default=sa.text("(false)"),
            nullable=False,
        ),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_mcp_servers_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_mcp_servers")),
    )
    op.create_table(
        "members",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=20), server_default="active", nullable=False),
        sa.Column("memory_access", sa.String(length=20), server_default="inherit", nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "memory_access IN ('inherit', 'none', 'read', 'personal', 'contribute')",
            name=op.f("ck_members_memory_access"),
        ),
        sa.CheckConstraint("role IN ('admin', 'editor', 'viewer')", name=op.f("ck_members_role")),
        sa.CheckConstraint("status IN ('active', 'deactivated')", name=op.f("ck_members_status")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_members_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_members_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "user_id", name=op.f("pk_members")),
    )
    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.create_index("ix_members_user_id", ["user_id"], unique=False)

    op.create_table(
        "sign_in_sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("last_seen_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sign_in_sessions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sign_in_sessions")),
    )
    with op.batch_alter_table("sign_in_sessions", schema=None) as batch_op:
        batch_op.create_index("ix_sign_in_sessions_user_id", ["user_id"], unique=False)

    op.create_table(
        "workspace_settings",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("default_access", sa.String(length=20), server_default="personal", nullable=False),
        sa.Column("write_mode", sa.String(length=20), server_default="approval", nullable=False),
        sa.CheckConstraint(
            "default_access IN ('none', 'read', 'personal', 'contribute')",
            name=op.f("ck_workspace_settings_default_access"),
        ),
        sa.CheckConstraint(
            "write_mode IN ('approval', 'auto')", name=op.f("ck_workspace_settings_write_mode")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_workspace_settings_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_workspace_settings")),
    )
    op.create_table(
        "access_tokens",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("max_level", sa.String(length=20), nullable=False),
        sa.Column("surface", sa.String(length=20), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("last_used_at", UtcDateTime(), nullable=True),
        sa.Column("expires_at", UtcDateTime(), nullable=True),
        sa.Column("revoked_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(
            "max_level IN ('none', 'read', 'personal', 'contribute')", name=op.f("ck_access_tokens_max_level")
        ),
        sa.CheckConstraint("surface IN ('all', 'mcp')", name=op.f("ck_access_tokens_surface")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "user_id"],
            ["members.workspace_id", "members.user_id"],
            name=op.f("fk_access_tokens_workspace_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_access_tokens")),
    )
    with op.batch_alter_table("access_tokens", schema=None) as batch_op:
        batch_op.create_index("ix_access_tokens_member", ["workspace_id", "user_id"], unique=False)
        batch_op.create_index("ix_access_tokens_token_hash", ["token_hash"], unique=False)

    op.create_table(
        "memory_items",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("scope", sa.String(length=20), nullable=False),
        sa.Column("owner_id", sa.String(length=36), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("content_key", sa.LargeBinary(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("tag_keys", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("author_id", sa.String(length=36), nullable=True),
        sa.Column("approver_id", sa.String(length=36), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("review_by", sa.Date(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("replaces_id", sa.String(length=36), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(scope = 'personal') = (owner_id IS NOT NULL)", name=op.f("ck_memory_items_owner")
        ),
        sa.CheckConstraint("kind IN ('fact', 'preference', 'note')", name=op.f("ck_memory_items_kind")),
        sa.CheckConstraint("scope IN ('personal', 'organization')", name=op.f("ck_memory_items_scope")),
        sa.CheckConstraint(
            "status IN ('active', 'pending', 'rejected')", name=op.f("ck_memory_items_status")
        ),
        sa.CheckConstraint("length(content) BETWEEN 1 AND 2000", name=op.f("ck_memory_items_content")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_memory_items_version")),
        sa.ForeignKeyConstraint(
            ["approver_id"], ["users.id"], name=op.f("fk_memory_items_approver_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_memory_items_author_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "owner_id"],
            ["members.workspace_id", "members.user_id"],
            name=op.f("fk_memory_items_workspace_id_owner_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_memory_items_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_memory_items")),
    )
    with op.batch_alter_table("memory_items", schema=None) as batch_op:
        batch_op.create_index("ix_memory_items_approver_id", ["approver_id"], unique=False)
        batch_op.create_index("ix_memory_items_author_id", ["author_id"], unique=False)
        batch_op.create_index("ix_memory_items_content_key", ["workspace_id", "content_key"], unique=False)
        batch_op.create_index(
            "ix_memory_items_list",
            ["workspace_id", "scope", "owner_id", "status", "created_at", "id"],
            unique=False,
        )

    op.create_table(
        "memory_item_history",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("item_id", sa.String(length=36), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("changed_by", sa.String(length=36), nullable=True),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "item_id"],
            ["memory_items.workspace_id", "memory_items.id"],
            name=op.f("fk_memory_item_history_workspace_id_item_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "item_id", "version", name=op.f("pk_memory_item_history")),
    )
    for statement in HISTORY_TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)


# History is append-only: no version is ever changed, and none goes before its item, which takes all of them along.
HISTORY_TRIGGERS = {
    "sqlite": (
        """
        CREATE TRIGGER memory_item_history_update BEFORE UPDATE ON memory_item_history
        BEGIN SELECT RAISE(ABORT, 'history is append-only'); END
        """,
        """
        CREATE TRIGGER memory_item_history_delete BEFORE DELETE ON memory_item_history
        WHEN EXISTS (SELECT 1 FROM memory_items WHERE workspace_id = OLD.workspace_id AND id = OLD.item_id)
        BEGIN SELECT RAISE(ABORT, 'history is append-only'); END
        """,
    ),
    "postgresql": (
        """
        CREATE FUNCTION memory_item_history_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' OR EXISTS (
                SELECT 1 FROM memory_items WHERE workspace_id = OLD.workspace_id AND id = OLD.item_id
            ) THEN
                RAISE EXCEPTION 'history is append-only';
            END IF;
            RETURN OLD;
        END $$
        """,
        """
        CREATE TRIGGER memory_item_history_is_append_only BEFORE UPDATE OR DELETE ON memory_item_history
        FOR EACH ROW EXECUTE FUNCTION memory_item_history_is_append_only()
        """,
    ),
}

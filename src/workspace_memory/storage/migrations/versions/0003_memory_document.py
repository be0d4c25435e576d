"""The memory document: policy, sealed documents, turns with their fence and receipts, proposals, and keys"""

import sqlalchemy as sa
from alembic import op

from workspace_memory.storage.tables import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    op.create_table(
        "ai_consents",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("enabled", sa.Boolean(name="enabled"), nullable=False),
        sa.Column("consent_revision", sa.Integer(), nullable=False),
        sa.Column("skills_trusted", sa.Boolean(name="skills_trusted"), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_ai_consents_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_ai_consents")),
    )
    op.create_table(
        "documents",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("live", sa.Boolean(name="live"), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('memory', 'note')", name=op.f("ck_documents_kind")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_documents_version")),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_documents_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_documents")),
    )
    op.create_index(
        "uq_documents_live_path",
        "documents",
        ["workspace_id", "path"],
        unique=True,
        sqlite_where=sa.text("live"),
        postgresql_where=sa.text("live"),
    )
    op.create_index(
        "uq_documents_memory",
        "documents",
        ["workspace_id"],
        unique=True,
        sqlite_where=sa.text("kind = 'memory'"),
        postgresql_where=sa.text("kind = 'memory'"),
    )
    op.create_table(
        "key_session_revocations",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("key_session_id", sa.String(length=36), nullable=False),
        sa.Column("revoked_at", UtcDateTime(), nullable=False),
        sa.Column("revoked_by", sa.String(length=36), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_key_session_revocations_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "key_session_id", name=op.f("pk_key_session_revocations")),
    )
    op.create_table(
        "memory_policies",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("policy_revision", sa.Integer(), nullable=False),
        sa.Column("clear_generation", sa.Integer(), nullable=False),
        sa.CheckConstraint("mode IN ('off', 'read_only', 'auto')", name=op.f("ck_memory_policies_mode")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_memory_policies_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_memory_policies")),
    )
    op.create_table(
        "proposals",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("owner_id", sa.String(length=36), nullable=False),
        sa.Column("conversation_id", sa.String(length=36), nullable=True),
        sa.Column("admission_id", sa.String(length=36), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("document_id", sa.String(length=36), nullable=True),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("base_version", sa.Integer(), nullable=False),
        sa.Column("clear_generation", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("body_mac", sa.LargeBinary(), nullable=True),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("shared", sa.Boolean(name="shared"), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("decided_by", sa.String(length=36), nullable=True),
        sa.Column("decided_at", UtcDateTime(), nullable=True),
        sa.Column("applied_version", sa.Integer(), nullable=True),
        sa.CheckConstraint("kind IN ('memory', 'note')", name=op.f("ck_proposals_kind")),
        sa.CheckConstraint(
            "reason IN ('read_only', 'version_conflict', 'viewer', 'suspicious', 'proposed')",
            name=op.f("ck_proposals_reason"),
        ),
        sa.CheckConstraint("state IN ('open', 'applied', 'dismissed')", name=op.f("ck_proposals_state")),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_proposals_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_proposals")),
    )
    op.create_index("ix_proposals_state", "proposals", ["workspace_id", "state", "id"], unique=False)
    op.create_index("uq_proposals_admission", "proposals", ["workspace_id", "admission_id"], unique=True)
    op.create_table(
        "user_keys",
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("x25519_public", sa.LargeBinary(), nullable=False),
        sa.Column("ed25519_public", sa.LargeBinary(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("memory_kib", sa.Integer(), nullable=False),
        sa.Column("iterations", sa.Integer(), nullable=False),
        sa.Column("lanes", sa.Integer(), nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.Column("recovery_wrapped", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_user_keys_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_user_keys")),
    )
    op.create_table(
        "workspace_key_epochs",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("maker_id", sa.String(length=36), nullable=False),
        sa.Column("check_value", sa.LargeBinary(), nullable=False),
        sa.Column("check_signature", sa.LargeBinary(), nullable=False),
        sa.Column("older_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("rotation_due", sa.Boolean(name="rotation_due"), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "(epoch = 1) = (older_sealed IS NULL)", name=op.f("ck_workspace_key_epochs_older")
        ),
        sa.CheckConstraint("epoch >= 1", name=op.f("ck_workspace_key_epochs_epoch")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_workspace_key_epochs_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "epoch", name=op.f("pk_workspace_key_epochs")),
    )
    op.create_table(
        "conversations",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("owner_id", sa.String(length=36), nullable=False),
        sa.Column("turns", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("slot_nonce", sa.LargeBinary(), nullable=True),
        sa.Column("slot_expires_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "owner_id"],
            ["members.workspace_id", "members.user_id"],
            name=op.f("fk_conversations_workspace_id_owner_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_conversations")),
    )
    op.create_index("ix_conversations_id", "conversations", ["id"], unique=False)
    op.create_index(
        "ix_conversations_owner", "conversations", ["workspace_id", "owner_id", "id"], unique=False
    )
    op.create_table(
        "document_versions",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("document_id", sa.String(length=36), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.Column("sha256", sa.LargeBinary(), nullable=True),
        sa.Column("previous_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("author_id", sa.String(length=36), nullable=False),
        sa.Column("clear_generation", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "(kind = 'delete') = (sealed IS NULL)", name=op.f("ck_document_versions_tombstone")
        ),
        sa.CheckConstraint(
            "kind IN ('save', 'clear', 'undo', 'capture', 'delete', 'move', 'restore')",
            name=op.f("ck_document_versions_kind"),
        ),
        sa.CheckConstraint(
            "(sealed IS NULL) = (epoch IS NULL) AND (sealed IS NULL) = (sha256 IS NULL)",
            name=op.f("ck_document_versions_sealed"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "document_id"],
            ["documents.workspace_id", "documents.id"],
            name=op.f("fk_document_versions_workspace_id_document_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "document_id", "version", name=op.f("pk_document_versions")),
    )
    op.create_table(
        "key_grants",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("member_id", sa.String(length=36), nullable=False),
        sa.Column("granter_id", sa.String(length=36), nullable=False),
        sa.Column("member_public", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("granter_public", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "epoch"],
            ["workspace_key_epochs.workspace_id", "workspace_key_epochs.epoch"],
            name=op.f("fk_key_grants_workspace_id_epoch"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "member_id"],
            ["members.workspace_id", "members.user_id"],
            name=op.f("fk_key_grants_workspace_id_member_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "epoch", "member_id", name=op.f("pk_key_grants")),
    )
    op.create_index("ix_key_grants_member", "key_grants", ["workspace_id", "member_id"], unique=False)
    op.create_table(
        "key_sessions",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("way IN ('cookie', 'header')", name=op.f("ck_key_sessions_way")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "user_id"],
            ["members.workspace_id", "members.user_id"],
            name=op.f("fk_key_sessions_workspace_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_key_sessions")),
    )
    op.create_index("ix_key_sessions_user", "key_sessions", ["workspace_id", "user_id"], unique=False)
    op.create_table(
        "admissions",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("conversation_id", sa.String(length=36), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.String(length=36), nullable=False),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("policy_revision", sa.Integer(), nullable=False),
        sa.Column("clear_generation", sa.Integer(), nullable=False),
        sa.Column("consent_revision", sa.Integer(), nullable=False),
        sa.Column("key_session_id", sa.String(length=36), nullable=True),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.Column("client_state", sa.String(length=60), nullable=False),
        sa.Column("via", sa.String(length=20), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(), nullable=True),
        sa.Column("request_hash", sa.LargeBinary(), nullable=True),
        sa.Column("calls", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("shown_status", sa.String(length=20), nullable=True),
        sa.Column("shown_version", sa.Integer(), nullable=True),
        sa.CheckConstraint("mode IN ('off', 'read_only', 'auto')", name=op.f("ck_admissions_mode")),
        sa.CheckConstraint("state IN ('open', 'committed')", name=op.f("ck_admissions_state")),
        sa.CheckConstraint("via IN ('assistant', 'mcp_ask', 'automation')", name=op.f("ck_admissions_via")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "conversation_id"],
            ["conversations.workspace_id", "conversations.id"],
            name=op.f("fk_admissions_workspace_id_conversation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_admissions")),
    )
    op.create_index(
        "uq_admissions_key", "admissions", ["workspace_id", "conversation_id", "key_hash"], unique=True
    )
    op.create_table(
        "memory_commit_fence",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("admission_id", sa.String(length=36), nullable=False),
        sa.Column("ok", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body_mac", sa.LargeBinary(), nullable=False),
        sa.Column("committed_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("ok = 1", name=op.f("ck_memory_commit_fence_ok")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "admission_id"],
            ["admissions.workspace_id", "admissions.id"],
            name=op.f("fk_memory_commit_fence_workspace_id_admission_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "admission_id", name=op.f("pk_memory_commit_fence")),
    )
    op.create_table(
        "memory_receipts",
        sa.Column("workspace_id", sa.String(length=36), nullable=False),
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("conversation_id", sa.String(length=36), nullable=False),
        sa.Column("admission_id", sa.String(length=36), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("call_number", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("bytes", sa.Integer(), nullable=True),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("policy_revision", sa.Integer(), nullable=False),
        sa.Column("clear_generation", sa.Integer(), nullable=False),
        sa.Column("client_state", sa.String(length=60), nullable=False),
        sa.Column("via", sa.String(length=20), nullable=False),
        sa.Column("model", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('recall', 'capture')", name=op.f("ck_memory_receipts_kind")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "admission_id"],
            ["admissions.workspace_id", "admissions.id"],
            name=op.f("fk_memory_receipts_workspace_id_admission_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_memory_receipts")),
    )
    op.create_index(
        "ix_memory_receipts_conversation",
        "memory_receipts",
        ["workspace_id", "conversation_id", "id"],
        unique=False,
    )
    for statement in VERSION_TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)


# Versions are append-only: none is ever changed, and none goes before its document, which takes all of them along.
VERSION_TRIGGERS = {
    "sqlite": (
        """
        CREATE TRIGGER document_versions_update BEFORE UPDATE ON document_versions
        BEGIN SELECT RAISE(ABORT, 'document versions are append-only'); END
        """,
        """
        CREATE TRIGGER document_versions_delete BEFORE DELETE ON document_versions
        WHEN EXISTS (SELECT 1 FROM documents WHERE workspace_id = OLD.workspace_id AND id = OLD.document_id)
        BEGIN SELECT RAISE(ABORT, 'document versions are append-only'); END
        """,
    ),
    "postgresql": (
        """
        CREATE FUNCTION document_versions_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' OR EXISTS (
                SELECT 1 FROM documents WHERE workspace_id = OLD.workspace_id AND id = OLD.document_id
            ) THEN
                RAISE EXCEPTION 'document versions are append-only';
            END IF;
            RETURN OLD;
        END $$
        """,
        """
        CREATE TRIGGER document_versions_are_append_only BEFORE UPDATE OR DELETE ON document_versions
        FOR EACH ROW EXECUTE FUNCTION document_versions_are_append_only()
        """,
    ),
}

"""The commit fence in SQL: one predicate over the facts of this moment, in a row that cannot be written when false.

Runs under the workspace lock, in the transaction of the write that it guards. `domain/fence.py` has the same clauses
by the same names and says afterwards which one was broken. The row's column is NOT NULL CHECK (ok = 1) and the
predicate stands in VALUES behind COALESCE: a CHECK admits NULL, and INSERT … SELECT of no row raises nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    exists,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy.exc import IntegrityError

from workspace_memory.domain.access import ROLES_FOR, Action, MemberStatus
from workspace_memory.domain.account import AccountStatus
from workspace_memory.domain.admission import AdmissionState
from workspace_memory.domain.ai_consent import DEFAULT_CONSENT
from workspace_memory.domain.ids import AdmissionId, KeySessionId, UserId, Version, WorkspaceId
from workspace_memory.domain.policy import DEFAULT_POLICY, Mode
from workspace_memory.storage.document_tables import (
    admissions,
    ai_consents,
    conversations,
    memory_commit_fence,
    memory_policies,
)
from workspace_memory.storage.key_tables import key_session_revocations, key_sessions
from workspace_memory.storage.tables import ID, UtcDateTime, members, users

_user = bindparam("fence_user", type_=ID)
_workspace = bindparam("fence_workspace", type_=ID)
_admission = bindparam("fence_admission", type_=ID)
_session = bindparam("fence_session", type_=ID)
_now = bindparam("fence_now", type_=UtcDateTime())

_a, _c, _p, _k = admissions.c, conversations.c, memory_policies.c, key_sessions.c

_revoked = exists().where(
    key_session_revocations.c.workspace_id == _a.workspace_id,
    key_session_revocations.c.key_session_id == _a.key_session_id,
)

CLAUSES: Mapping[str, ColumnElement[bool]] = {
    "owner": _a.owner_id == _user,
    "workspace": _a.workspace_id == _workspace,
    "not_committed": _a.state == AdmissionState.OPEN.value,
    "admitted_in_auto": _a.mode == Mode.AUTO.value,
    "mode_auto": func.coalesce(_p.mode, DEFAULT_POLICY.mode.value) == Mode.AUTO.value,
    "policy_revision": func.coalesce(_p.policy_revision, DEFAULT_POLICY.revision) == _a.policy_revision,
    "clear_generation": func.coalesce(_p.clear_generation, DEFAULT_POLICY.clear_generation)
    == _a.clear_generation,
    "ai_enabled": ai_consents.c.enabled.is_(True),
    "consent_revision": func.coalesce(ai_consents.c.consent_revision, DEFAULT_CONSENT.revision)
    == _a.consent_revision,
    "newest_turn": _c.slot_nonce == _a.nonce,
    "member_active": and_(
        members.c.status == MemberStatus.ACTIVE.value, users.c.status == AccountStatus.ACTIVE.value
    ),
    "member_may_write": members.c.role.in_(sorted(ROLES_FOR[Action.WRITE_DOCUMENT])),
    "same_key_session": and_(_a.key_session_id == _session, _k.id.is_not(None)),
    "key_session_not_revoked": ~_revoked,
    "key_session_not_expired": _now < _k.expires_at,
    "admission_begun": _a.created_at <= _now,
    "admission_not_expired": _now < _a.expires_at,
    "slot_not_expired": _now < _c.slot_expires_at,
}

FACTS = (
    admissions.join(conversations, and_(_c.workspace_id == _a.workspace_id, _c.id == _a.conversation_id))
    .outerjoin(memory_policies, _p.workspace_id == _a.workspace_id)
    .outerjoin(ai_consents, ai_consents.c.workspace_id == _a.workspace_id)
    .outerjoin(members, and_(members.c.workspace_id == _a.workspace_id, members.c.user_id == _a.owner_id))
    .outerjoin(users, users.c.id == members.c.user_id)
    .outerjoin(
        key_sessions,
        and_(_k.workspace_id == _a.workspace_id, _k.id == _a.key_session_id, _k.user_id == _a.owner_id),
    )
)

HOLDS = case((and_(*CLAUSES.values()), 1), else_=0)

_PREDICATE = (
    select(HOLDS)
    .select_from(FACTS)
    .where(_a.id == _admission, _a.workspace_id == _workspace)
    .scalar_subquery()
)

# OR ROLLBACK on SQLite: after a violated CHECK its transaction is open still, and a COMMIT would keep the write.
_INSERT = (
    insert(memory_commit_fence)
    .prefix_with("OR ROLLBACK", dialect="sqlite")
    .values(
        workspace_id=_workspace,
        admission_id=_admission,
        ok=func.coalesce(_PREDICATE, literal(0)),
        version=bindparam("fence_version"),
        body_mac=bindparam("fence_body_mac"),
        committed_at=_now,
    )
)


class FenceBroken(Exception):
    """The predicate is false. The transaction is lost, and nothing of it may be kept."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What a capture wrote, as its repetition is told."""

    version: Version
    body_mac: bytes
    at: datetime


class CommitFence:
    """Rows of `memory_commit_fence`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def committed(self, workspace: WorkspaceId, admission: AdmissionId) -> Committed | None:
        """What the admission's capture wrote, or None."""
        row = self._connection.execute(
            select(memory_commit_fence).where(
                memory_commit_fence.c.workspace_id == workspace,
                memory_commit_fence.c.admission_id == admission,
            )
        ).first()
        return None if row is None else Committed(Version(row.version), bytes(row.body_mac), row.committed_at)

    def pass_through(
        self,
        *,
        user: UserId,
        workspace: WorkspaceId,
        admission: AdmissionId,
        session: KeySessionId,
        version: Version,
        body_mac: bytes,
        now: datetime,
    ) -> None:
        """Write the fence row of a capture. Raises: FenceBroken."""
        if self._connection.dialect.name == "sqlite":
            self._require_checks()
        try:
            self._connection.execute(
                _INSERT,
                {
                    "fence_user": user,
                    "fence_workspace": workspace,
                    "fence_admission": admission,
                    "fence_session": session,
                    "fence_version": version,
                    "fence_body_mac": body_mac,
                    "fence_now": now,
                },
            )
        except IntegrityError:
            raise FenceBroken from None

    def _require_checks(self) -> None:
        # A connection on which SQLite was told to ignore CHECKs has no fence.
        if self._connection.exec_driver_sql("PRAGMA ignore_check_constraints").scalar() != 0:
            raise FenceBroken

"""The admissions of turns."""

from sqlalchemy import Connection, Row, insert, select, update

from workspace_memory.domain.admission import Admission, AdmissionState, Via
from workspace_memory.domain.client_state import parse_memory_state
from workspace_memory.domain.conversation import Conversation
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
    is_id,
)
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.storage.document_tables import admissions


class Admissions:
    """Rows of `admissions`; write under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, admission: Admission, *, key_hash: bytes | None, request_hash: bytes | None) -> None:
        """Store a turn's admission."""
        self._connection.execute(
            insert(admissions).values(
                workspace_id=admission.workspace,
                id=admission.id,
                conversation_id=admission.conversation,
                turn=admission.turn,
                owner_id=admission.owner,
                mode=admission.mode.value,
                policy_revision=admission.policy_revision,
                clear_generation=admission.clear_generation,
                consent_revision=admission.consent_revision,
                key_session_id=admission.key_session,
                nonce=admission.nonce,
                client_state=str(admission.client_state),
                via=admission.via.value,
                created_at=admission.created_at,
                expires_at=admission.expires_at,
                state=admission.state.value,
                key_hash=key_hash,
                request_hash=request_hash,
            )
        )

    def get(self, workspace: WorkspaceId, admission: AdmissionId) -> Admission | None:
        """An admission by its id."""
        if not is_id(admission):
            return None
        row = self._connection.execute(
            select(admissions).where(admissions.c.workspace_id == workspace, admissions.c.id == admission)
        ).first()
        return None if row is None else _admission(row)

    def by_key(self, conversation: Conversation, key_hash: bytes) -> tuple[Admission, bytes] | None:
        """The admission made under an idempotency key, and the hash of the request that made it."""
        row = self._connection.execute(
            select(admissions).where(
                admissions.c.workspace_id == conversation.workspace,
                admissions.c.conversation_id == conversation.id,
                admissions.c.key_hash == key_hash,
            )
        ).first()
        return None if row is None else (_admission(row), row.request_hash)

    def note_recall(self, admission: Admission, status: RecallStatus, version: Version | None) -> int:
        """Write down what a recall found; the number of the call within the turn."""
        call = admission.calls + 1
        self._connection.execute(
            update(admissions)
            .where(admissions.c.workspace_id == admission.workspace, admissions.c.id == admission.id)
            .values(calls=call, shown_status=status.value, shown_version=version)
        )
        return call

    def commit(self, workspace: WorkspaceId, admission: AdmissionId) -> bool:
        """Mark the admission's one capture as written; False when it was not open."""
        changed = self._connection.execute(
            update(admissions)
            .where(
                admissions.c.workspace_id == workspace,
                admissions.c.id == admission,
                admissions.c.state == AdmissionState.OPEN.value,
            )
            .values(state=AdmissionState.COMMITTED.value)
        )
        return changed.rowcount == 1


def _admission(row: Row[tuple[object, ...]]) -> Admission:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    session, status, version = facts["key_session_id"], facts["shown_status"], facts["shown_version"]
    return Admission(
        workspace=WorkspaceId(facts["workspace_id"]),
        id=AdmissionId(facts["id"]),
        conversation=ConversationId(facts["conversation_id"]),
        turn=facts["turn"],
        owner=UserId(facts["owner_id"]),
        mode=Mode(facts["mode"]),
        policy_revision=PolicyRevision(facts["policy_revision"]),
        clear_generation=ClearGeneration(facts["clear_generation"]),
        consent_revision=ConsentRevision(facts["consent_revision"]),
        key_session=None if session is None else KeySessionId(session),
        nonce=bytes(facts["nonce"]),
        client_state=parse_memory_state([facts["client_state"]]),
        via=Via(facts["via"]),
        created_at=facts["created_at"],
        expires_at=facts["expires_at"],
        state=AdmissionState(facts["state"]),
        calls=facts["calls"],
        shown_status=None if status is None else RecallStatus(status),
        shown_version=None if version is None else Version(version),
    )

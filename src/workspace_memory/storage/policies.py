"""The memory policy and the AI consent of a workspace; no row means the default."""

from collections.abc import Mapping

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from workspace_memory.domain.ai_consent import DEFAULT_CONSENT, AiConsent
from workspace_memory.domain.ids import ClearGeneration, ConsentRevision, PolicyRevision, WorkspaceId
from workspace_memory.domain.policy import DEFAULT_POLICY, Mode, Policy
from workspace_memory.storage.document_tables import ai_consents, memory_policies

_POLICY = select(memory_policies).where(memory_policies.c.workspace_id == bindparam("workspace"))
_CONSENT = select(ai_consents).where(ai_consents.c.workspace_id == bindparam("workspace"))


class Policies:
    """Rows of `memory_policies` and `ai_consents`; write under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, workspace: WorkspaceId) -> Policy:
        """The policy in force."""
        row = self._connection.execute(_POLICY, {"workspace": workspace}).first()
        if row is None:
            return DEFAULT_POLICY
        return Policy(
            Mode(row.mode), PolicyRevision(row.policy_revision), ClearGeneration(row.clear_generation)
        )

    def set(self, workspace: WorkspaceId, policy: Policy) -> None:
        """Store a policy."""
        self._put(
            memory_policies,
            workspace,
            {
                "mode": policy.mode.value,
                "policy_revision": policy.revision,
                "clear_generation": policy.clear_generation,
            },
        )

    def advance_clear_generation(self, workspace: WorkspaceId) -> ClearGeneration:
        """Add one to the clear generation; the new one. Mode and policy revision stay."""
        policy = self.get(workspace)
        generation = ClearGeneration(policy.clear_generation + 1)
        self.set(workspace, Policy(policy.mode, policy.revision, generation))
        return generation

    def consent(self, workspace: WorkspaceId) -> AiConsent:
        """The AI consent in force."""
        row = self._connection.execute(_CONSENT, {"workspace": workspace}).first()
        if row is None:
            return DEFAULT_CONSENT
        return AiConsent(row.enabled, ConsentRevision(row.consent_revision), row.skills_trusted)

    def set_consent(self, workspace: WorkspaceId, consent: AiConsent) -> None:
        """Store the AI consent."""
        self._put(
            ai_consents,
            workspace,
            {
                "enabled": consent.enabled,
                "consent_revision": consent.revision,
                "skills_trusted": consent.skills_trusted,
            },
        )

    def _put(self, table: Table, workspace: WorkspaceId, values: Mapping[str, object]) -> None:
        # Not an upsert, which the databases spell apart: the workspace lock is held.
        changed = self._connection.execute(
            update(table).where(table.c.workspace_id == workspace).values(**values)
        )
        if changed.rowcount == 0:
            self._connection.execute(insert(table).values(workspace_id=workspace, **values))

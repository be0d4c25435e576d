"""What the commit fence is about, read at one moment: for the proposal's own check, and to name a broken clause."""

from workspace_memory.domain.access import MemberStatus
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.fence import FenceFacts
from workspace_memory.domain.ids import AdmissionId, KeySessionId, WorkspaceId
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction


def read_fence_facts(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceId,
    admission: AdmissionId,
    presented: KeySessionId,
) -> FenceFacts:
    """The facts as they are in this transaction. Raises: NotFound when the admission is gone."""
    found = tx.admissions.get(workspace, admission)
    conversation = None if found is None else tx.conversations.get(found.conversation)
    if found is None or conversation is None:
        raise NotFound("admission")
    standing = tx.members.standing(workspace, found.owner)
    session = None if found.key_session is None else tx.key_sessions.get(workspace, found.key_session)
    own = session if session is not None and session.user == found.owner else None
    return FenceFacts(
        user=actor.user,
        workspace=workspace,
        now=deps.clock.now(),
        admission=found,
        policy=tx.policies.get(workspace),
        consent=tx.policies.consent(workspace),
        conversation=conversation,
        presented=presented,
        session_expires_at=None if own is None else own.expires_at,
        session_revoked=found.key_session is not None
        and tx.key_sessions.is_revoked(workspace, found.key_session),
        role=None if standing is None else standing.role,
        status=MemberStatus.ACTIVE if standing is not None and standing.active else MemberStatus.DEACTIVATED,
    )

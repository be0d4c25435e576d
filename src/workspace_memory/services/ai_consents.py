"""Whether AI may work with the workspace's memory, and whether its skills are trusted: an administrator's decisions."""

from dataclasses import replace

from workspace_memory.domain.access import Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.ai_consent import AiConsent, change_consent
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.ids import ConsentRevision, WorkspaceId
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action, require_membership
from workspace_memory.services.deps import Deps


def get_ai_consent(deps: Deps, actor: Actor, workspace: WorkspaceId) -> AiConsent:
    """What is decided, for every member. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        return tx.policies.consent(workspace)


def change_ai_consent(
    deps: Deps, actor: Actor, workspace: WorkspaceId, *, enabled: bool, expected: ConsentRevision
) -> AiConsent:
    """Turn workspace AI on or off against the revision that was read; admissions from before are retired.

    Raises: ConsentConflict, NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.GIVE_CONSENT)
        before = tx.policies.consent(workspace)
        after = change_consent(before, enabled=enabled, expected=expected)
        if after != before:
            tx.policies.set_consent(workspace, after)
            record(
                deps,
                tx,
                workspace,
                AuditAction.AI_CONSENT_CHANGED,
                actor,
                enabled=int(after.enabled),
                consent_revision=after.revision,
            )
        return after


def set_skills_trust(deps: Deps, actor: Actor, workspace: WorkspaceId, *, trusted: bool) -> AiConsent:
    """Trust the workspace's skills or not; nothing else is touched. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.TRUST_SKILLS)
        before = tx.policies.consent(workspace)
        after = replace(before, skills_trusted=trusted)
        if after != before:
            tx.policies.set_consent(workspace, after)
            record(
                deps,
                tx,
                workspace,
                AuditAction.SKILLS_TRUST_CHANGED,
                actor,
                trusted=int(after.skills_trusted),
            )
        return after

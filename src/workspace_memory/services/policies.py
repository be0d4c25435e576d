"""The memory policy: read by every member, changed by every member, compared and set."""

from workspace_memory.domain.access import Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.ids import PolicyRevision, WorkspaceId
from workspace_memory.domain.policy import Mode, Policy, change_mode
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action, require_membership
from workspace_memory.services.deps import Deps


def get_policy(deps: Deps, actor: Actor, workspace: WorkspaceId) -> Policy:
    """The policy in force, for every member. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        return tx.policies.get(workspace)


def change_policy(
    deps: Deps, actor: Actor, workspace: WorkspaceId, mode: Mode, *, expected: PolicyRevision
) -> Policy:
    """Set the mode against the revision that was read, and so retire every admission taken before.

    It turns nothing else on: no AI, no key session, no skills. The mode that is set already, against the present
    revision, changes nothing. Raises: PolicyConflict, NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.CHANGE_MODE)
        before = tx.policies.get(workspace)
        after = change_mode(before, mode, expected=expected)
        if after != before:
            tx.policies.set(workspace, after)
            record(
                deps,
                tx,
                workspace,
                AuditAction.MEMORY_POLICY_CHANGED,
                actor,
                mode_from=before.mode.value,
                mode_to=after.mode.value,
                policy_revision=after.revision,
            )
        return after

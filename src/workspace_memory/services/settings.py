"""What holds for all members: the default access level and the write mode of company memory."""

from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.account import WorkspaceSettings
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.item import WriteMode
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action, require_membership
from workspace_memory.services.deps import Deps


def get_settings(deps: Deps, actor: Actor, workspace: WorkspaceId) -> WorkspaceSettings:
    """The settings in force, for every member. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        return tx.workspaces.settings(workspace)


def change_settings(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    default_access: AccessLevel | None = None,
    write_mode: WriteMode | None = None,
) -> WorkspaceSettings:
    """Set what is given, None leaves it: an admin. In force from the next call of every client on.

    Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest.
    """
    if default_access is AccessLevel.INHERIT:
        raise InvalidRequest("default_access", "must be one of none, read, personal, contribute")
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.CHANGE_SETTINGS)
        before = tx.workspaces.settings(workspace)
        after = WorkspaceSettings(default_access or before.default_access, write_mode or before.write_mode)
        if after != before:
            tx.workspaces.set_settings(workspace, after)
            record(
                deps,
                tx,
                workspace,
                AuditAction.MEMORY_SETTINGS_CHANGED,
                actor,
                default_access_from=before.default_access.value,
                default_access_to=after.default_access.value,
                write_mode_from=before.write_mode.value,
                write_mode_to=after.write_mode.value,
            )
        return after

"""What holds for all members: the default access level, the write mode of company memory, the Assistant's limit."""

from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.account import ASSISTANT_TOKENS_MAX, WorkspaceSettings
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
    assistant_tokens_per_day: int | None = None,
) -> WorkspaceSettings:
    """Set what is given, None leaves it: an admin. In force from the next call of every client on.

    Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest.
    """
    if default_access is AccessLevel.INHERIT:
        raise InvalidRequest("default_access", "must be one of none, read, personal, contribute")
    if assistant_tokens_per_day is not None and not 0 <= assistant_tokens_per_day <= ASSISTANT_TOKENS_MAX:
        raise InvalidRequest(
            "assistant_tokens_per_day", f"must be from 0, for no limit, to {ASSISTANT_TOKENS_MAX}"
        )
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.CHANGE_SETTINGS)
        before = tx.workspaces.settings(workspace)
        after = WorkspaceSettings(
            default_access or before.default_access,
            write_mode or before.write_mode,
            before.assistant_tokens_per_day if assistant_tokens_per_day is None else assistant_tokens_per_day,
        )
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
                assistant_tokens_from=before.assistant_tokens_per_day,
                assistant_tokens_to=after.assistant_tokens_per_day,
            )
        return after

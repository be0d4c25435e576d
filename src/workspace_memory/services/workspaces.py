"""Workspaces: listed, made, renamed, deleted."""

from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, Action, may, require_level
from workspace_memory.domain.account import Workspace
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import Forbidden, InvalidRequest, NotFound
from workspace_memory.domain.ids import ServerId, WorkspaceId
from workspace_memory.services.accounts import add_workspace
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.services.screening import screened_name
from workspace_memory.services.session_keys import drop_keys
from workspace_memory.storage.members import Standing


@dataclass(frozen=True, slots=True)
class MadeWorkspace:
    """A new workspace and its first MCP server."""

    workspace: Workspace
    server: ServerId


def list_workspaces(deps: Deps, actor: Actor) -> list[Workspace]:
    """The workspaces that the actor's credential reaches, oldest first."""
    with deps.database.read() as tx:
        return [w for w in tx.workspaces.of_user(actor.user) if actor.workspace in (None, w.id)]


def list_workspaces_here(deps: Deps) -> list[Workspace]:
    """Every workspace of the installation, for somebody who holds the data folder."""
    with deps.database.read() as tx:
        return tx.workspaces.all()


def get_workspace(deps: Deps, actor: Actor, workspace: WorkspaceId) -> Workspace:
    """One workspace. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        found = tx.workspaces.get(workspace)
    if found is None:
        raise NotFound("workspace")
    return found


def make_workspace(deps: Deps, actor: Actor, *, name: str) -> MadeWorkspace:
    """A new workspace of which the actor is the admin: by a signed-in admin of any workspace.

    Raises: Forbidden, InvalidRequest.
    """
    if actor.workspace is not None:
        raise Forbidden(need="a token belongs to one workspace; sign in to make another")
    require_level(actor.max_level, AccessLevel.CONTRIBUTE)
    name = screened_name(deps, name)
    with deps.database.begin() as tx:
        # An account that is deleted or deactivated at this moment must not become the only admin.
        tx.lock_instance()
        standings = [tx.members.standing(w, actor.user) for w in tx.members.workspaces_of(actor.user)]
        if not any(_is_active_admin(each) for each in standings):
            raise Forbidden(need="only an admin of a workspace may make another one")
        workspace, server = add_workspace(deps, tx, name=name, admin=actor.user, actor=actor)
        made = tx.workspaces.get(workspace)
    if made is None:
        raise NotFound("workspace")
    return MadeWorkspace(made, server)


def _is_active_admin(standing: Standing | None) -> bool:
    return standing is not None and standing.active and may(standing.role, Action.CHANGE_SETTINGS)


def rename_workspace(deps: Deps, actor: Actor, workspace: WorkspaceId, *, name: str) -> Workspace:
    """Give a workspace another name: an admin. Raises: NotFound, Forbidden, InvalidRequest."""
    name = screened_name(deps, name)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.CHANGE_SETTINGS)
        tx.workspaces.rename(workspace, name)
        record(deps, tx, workspace, AuditAction.WORKSPACE_RENAMED, actor)
        renamed = tx.workspaces.get(workspace)
    if renamed is None:
        raise NotFound("workspace")
    return renamed


def delete_workspace(deps: Deps, actor: Actor, workspace: WorkspaceId, *, confirm_name: str) -> None:
    """Delete a workspace with everything in it: an admin who repeats its name.

    Raises: NotFound, Forbidden, InvalidRequest when the name differs.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.CHANGE_SETTINGS)
        found = tx.workspaces.get(workspace)
        if found is None:
            raise NotFound("workspace")
        if confirm_name != found.name:
            raise InvalidRequest(
                "confirm_name", "must repeat the workspace's name, since everything in it is deleted"
            )
        # Their rows go with the workspace; whoever finds none has no key either.
        opened = tx.key_sessions.open_ones(workspace, now=deps.clock.now())
        tx.search.remove_workspace(workspace)
        tx.workspaces.delete(workspace)
    drop_keys(deps.key_store, *opened)
    deps.database.forget_deleted()

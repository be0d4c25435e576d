"""MCP servers of a workspace: the addresses that AI clients are given. An id never changes."""

from workspace_memory.domain.access import Action
from workspace_memory.domain.account import McpServer
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import ServerId, WorkspaceId
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import find_membership, require_action, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.services.screening import screened_name
from workspace_memory.storage.database import Transaction


def resolve_workspace(deps: Deps, actor: Actor) -> Membership:
    """What the actor is, at this moment, in the one workspace of its token. Raises: NotFound."""
    if actor.workspace is None:
        raise NotFound("workspace")
    with deps.database.read() as tx:
        return find_membership(tx, actor, actor.workspace)


def list_servers(deps: Deps, actor: Actor, workspace: WorkspaceId) -> list[McpServer]:
    """The workspace's servers, for every member. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        return tx.servers.all(workspace)


def get_server(deps: Deps, actor: Actor, workspace: WorkspaceId, server: ServerId) -> McpServer:
    """One of the workspace's servers, for every member. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        return _require_server(tx, workspace, server)


def list_servers_here(deps: Deps, workspace: WorkspaceId) -> list[McpServer]:
    """The workspace's servers, for somebody who holds the data folder."""
    with deps.database.read() as tx:
        return tx.servers.all(workspace)


def add_server(deps: Deps, actor: Actor, workspace: WorkspaceId, *, name: str) -> McpServer:
    """Another endpoint of the workspace: an admin. Raises: NotFound, Forbidden, InvalidRequest."""
    name = screened_name(deps, name)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_SERVERS)
        server = ServerId(deps.new_id())
        tx.servers.add(workspace=workspace, server=server, name=name, at=deps.clock.now())
        record(deps, tx, workspace, AuditAction.SERVER_ADDED, actor, server=server)
        return _require_server(tx, workspace, server)


def change_server(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    server: ServerId,
    *,
    name: str | None = None,
    chatgpt_tools: bool | None = None,
) -> McpServer:
    """Rename a server or switch ChatGPT's pair of tools; None leaves it.

    Raises: NotFound, Forbidden, InvalidRequest, SecretRefused, StructureRefused.
    """
    name = None if name is None else screened_name(deps, name)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_SERVERS)
        found = _require_server(tx, workspace, server)
        tx.servers.change(
            workspace,
            server,
            name=name or found.name,
            chatgpt_tools=found.chatgpt_tools if chatgpt_tools is None else chatgpt_tools,
        )
        changed = _require_server(tx, workspace, server)
        if changed != found:
            switched = changed.chatgpt_tools is not found.chatgpt_tools
            record(
                deps,
                tx,
                workspace,
                AuditAction.SERVER_CHANGED,
                actor,
                server=server,
                renamed="yes" if changed.name != found.name else None,
                chatgpt_tools=("on" if changed.chatgpt_tools else "off") if switched else None,
            )
        return changed


def delete_server(deps: Deps, actor: Actor, workspace: WorkspaceId, server: ServerId) -> None:
    """Delete a server; clients that use its address get "not found". Raises: NotFound, Forbidden."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_SERVERS)
        _require_server(tx, workspace, server)
        tx.servers.delete(workspace, server)
        record(deps, tx, workspace, AuditAction.SERVER_DELETED, actor, server=server)


def _require_server(tx: Transaction, workspace: WorkspaceId, server: ServerId) -> McpServer:
    found = tx.servers.get(workspace, server)
    if found is None:
        raise NotFound("MCP server")
    return found

"""MCP servers of a workspace over REST, with the full address that clients are given."""

from urllib.parse import urlsplit

from fastapi import Response

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.callers import Asking
from workspace_memory.api.edge import Edge
from workspace_memory.api.routing import ServerPath, WorkspacePath, errors, new_router
from workspace_memory.api.schemas.configurations import ConfigurationsOut, configurations_out
from workspace_memory.api.schemas.workspaces import ServerChangeIn, ServerIn, ServerOut, ServersOut
from workspace_memory.domain.account import McpServer
from workspace_memory.domain.address import is_loopback, server_url
from workspace_memory.domain.errors import (
    Forbidden,
    LevelTooLow,
    NotFound,
    SecretRefused,
    StructureRefused,
)
from workspace_memory.services.servers import (
    add_server,
    change_server,
    delete_server,
    get_server,
    list_servers,
)

SERVERS = "/workspaces/{workspace_id}/servers"

router = new_router("MCP servers")


@router.get(
    SERVERS, summary="List MCP servers", response_model=ServersOut, responses=errors(NotFound, Forbidden)
)
def read_servers(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """The workspace's MCP servers with their addresses, for every member."""
    found = caller.ask(list_servers, workspace_id)
    return answer(ServersOut(servers=[_server_out(each, caller.edge) for each in found]))


@router.post(
    SERVERS,
    summary="Add an MCP server",
    status_code=201,
    response_model=ServerOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, SecretRefused, StructureRefused),
)
def create_server(caller: Asking, workspace_id: WorkspacePath, body: ServerIn) -> Response:
    """Another endpoint of the workspace: admins."""
    return answer(_server_out(caller.ask(add_server, workspace_id, name=body.name), caller.edge), status=201)


@router.get(
    f"{SERVERS}/{{server_id}}",
    summary="Get an MCP server",
    response_model=ServerOut,
    responses=errors(NotFound, Forbidden),
)
def read_server(caller: Asking, workspace_id: WorkspacePath, server_id: ServerPath) -> Response:
    """One MCP server with its address, for every member."""
    return answer(_server_out(caller.ask(get_server, workspace_id, server_id), caller.edge))


@router.get(
    f"{SERVERS}/{{server_id}}/configurations",
    summary="Get the configurations of AI clients",
    response_model=ConfigurationsOut,
    responses=errors(NotFound, Forbidden),
)
def read_configurations(caller: Asking, workspace_id: WorkspacePath, server_id: ServerPath) -> Response:
    """What each AI client needs to reach this MCP server, for every member; the token is put in by whoever asks.

    The same that `workspace-memory connect CLIENT` prints.
    """
    server = caller.ask(get_server, workspace_id, server_id)
    # A path of the machine is nothing to those who use the service from afar.
    data = caller.edge.data if is_loopback(urlsplit(caller.edge.address).hostname or "") else ""
    return answer(configurations_out(server, caller.edge.address, data=data))


@router.patch(
    f"{SERVERS}/{{server_id}}",
    summary="Change an MCP server",
    response_model=ServerOut,
    responses=errors(NotFound, Forbidden, LevelTooLow, SecretRefused, StructureRefused),
)
def edit_server(
    caller: Asking, workspace_id: WorkspacePath, server_id: ServerPath, body: ServerChangeIn
) -> Response:
    """Rename a server, or switch ChatGPT's pair of tools: admins. The address stays."""
    server = caller.ask(
        change_server, workspace_id, server_id, name=body.name, chatgpt_tools=body.chatgpt_tools
    )
    return answer(_server_out(server, caller.edge))


@router.delete(
    f"{SERVERS}/{{server_id}}",
    summary="Delete an MCP server",
    status_code=204,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def remove_server(caller: Asking, workspace_id: WorkspacePath, server_id: ServerPath) -> Response:
    """Delete a server: admins. Clients that use its address get "not found"; the memory stays."""
    caller.ask(delete_server, workspace_id, server_id)
    return no_content()


def _server_out(server: McpServer, edge: Edge) -> ServerOut:
    return ServerOut(
        id=server.id,
        name=server.name,
        url=server_url(edge.address, server.id),
        chatgpt_tools=server.chatgpt_tools,
        created_at=server.created_at,
    )

"""MCP servers: the endpoints of a workspace."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from workspace_memory.domain.account import McpServer
from workspace_memory.domain.ids import ServerId, WorkspaceId, is_id
from workspace_memory.storage.tables import mcp_servers

# Made once: building a statement costs more than running it, and this one runs at every call over MCP.
_GET = select(mcp_servers).where(
    mcp_servers.c.workspace_id == bindparam("workspace"), mcp_servers.c.id == bindparam("server")
)


class Servers:
    """Rows of `mcp_servers`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, *, workspace: WorkspaceId, server: ServerId, name: str, at: datetime) -> None:
        """Insert a server."""
        self._connection.execute(
            insert(mcp_servers).values(
                workspace_id=workspace, id=server, name=name, chatgpt_tools=False, created_at=at
            )
        )

    def get(self, workspace: WorkspaceId, server: ServerId) -> McpServer | None:
        """The server of this workspace with this id; another workspace's is None."""
        if not is_id(server):
            return None
        row = self._connection.execute(_GET, {"workspace": workspace, "server": server}).first()
        if row is None:
            return None
        return McpServer(row.workspace_id, row.id, row.name, row.chatgpt_tools, row.created_at)

    def all(self, workspace: WorkspaceId) -> list[McpServer]:
        """The workspace's servers, oldest first."""
        rows = self._connection.execute(
            select(mcp_servers)
            .where(mcp_servers.c.workspace_id == workspace)
            .order_by(mcp_servers.c.created_at, mcp_servers.c.id)
        )
        return [
            McpServer(row.workspace_id, row.id, row.name, row.chatgpt_tools, row.created_at) for row in rows
        ]

    def change(self, workspace: WorkspaceId, server: ServerId, *, name: str, chatgpt_tools: bool) -> None:
        """Set the name and the switch for ChatGPT's pair of tools."""
        self._connection.execute(
            update(mcp_servers)
            .where(mcp_servers.c.workspace_id == workspace, mcp_servers.c.id == server)
            .values(name=name, chatgpt_tools=chatgpt_tools)
        )

    def delete(self, workspace: WorkspaceId, server: ServerId) -> None:
        """Delete the server; its address answers "not found" from then on."""
        self._connection.execute(
            delete(mcp_servers).where(mcp_servers.c.workspace_id == workspace, mcp_servers.c.id == server)
        )

"""The calls about workspaces and their MCP servers."""

from workspace_memory.client.answers import MadeWorkspace, Server, Servers, Workspace, Workspaces
from workspace_memory.client.connection import Connection, segment


class PlaceCalls(Connection):
    """Workspaces, and the servers of the client's workspace."""

    def list_workspaces(self) -> tuple[Workspace, ...]:
        """The workspaces that the credential reaches, oldest first."""
        return self._read(Workspaces, "GET", "/workspaces").workspaces

    def make_workspace(self, name: str) -> MadeWorkspace:
        """A new workspace with the caller as its admin. Raises: Forbidden, InvalidRequest."""
        return self._read(MadeWorkspace, "POST", "/workspaces", body={"name": name})

    def get_workspace(self) -> Workspace:
        """The client's workspace. Raises: NotFound, Forbidden."""
        return self._read(Workspace, "GET", self._place)

    def rename_workspace(self, name: str) -> Workspace:
        """Give the workspace another name. Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest."""
        return self._read(Workspace, "PATCH", self._place, body={"name": name})

    def delete_workspace(self, *, confirm_name: str) -> None:
        """Delete the workspace with everything in it. Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest."""
        self._do("DELETE", self._place, body={"confirm_name": confirm_name})

    def list_servers(self) -> tuple[Server, ...]:
        """The workspace's MCP servers, oldest first. Raises: NotFound, Forbidden."""
        return self._read(Servers, "GET", f"{self._place}/servers").servers

    def get_server(self, server: str) -> Server:
        """One MCP server. Raises: NotFound, Forbidden."""
        return self._read(Server, "GET", self._server(server))

    def add_server(self, name: str) -> Server:
        """Another MCP server. Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest."""
        return self._read(Server, "POST", f"{self._place}/servers", body={"name": name})

    def change_server(
        self, server: str, *, name: str | None = None, chatgpt_tools: bool | None = None
    ) -> Server:
        """Set what is given. Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest."""
        change = {"name": name, "chatgpt_tools": chatgpt_tools}
        body = {field: value for field, value in change.items() if value is not None}
        return self._read(Server, "PATCH", self._server(server), body=body)

    def delete_server(self, server: str) -> None:
        """Delete an MCP server. Raises: NotFound, Forbidden, LevelTooLow."""
        self._do("DELETE", self._server(server))

    @property
    def _place(self) -> str:
        return f"/workspaces/{segment(self.workspace)}"

    def _server(self, server: str) -> str:
        return f"{self._place}/servers/{segment(server)}"

"""The tools of the local user, behind stdio. Apart from `stdio.py`, since it imports everything down to the store."""

from collections.abc import Mapping

from workspace_memory.domain.ids import ServerId
from workspace_memory.mcp.entry import Credentials, Entry, enter
from workspace_memory.mcp.failures import UnknownTool
from workspace_memory.mcp.refusals import note_unknown_tool
from workspace_memory.mcp.tools import call_tool, offered_tools
from workspace_memory.services.running import Runner
from workspace_memory.tools.answers import Answer


class ToolsOfLocalUser:
    """Comes in anew at every call: a level may change while a client runs."""

    def __init__(self, runner: Runner, *, token: str, server: ServerId) -> None:
        self._runner = runner
        self._credentials = Credentials(token, server)

    def offered(self) -> tuple[Mapping[str, object], ...]:
        """The tools at this moment's level. Raises: as `enter`."""
        return offered_tools(self._enter())

    def call(self, name: str, arguments: Mapping[str, object]) -> Answer:
        """Call one. Raises: as `enter`; UnknownTool."""
        entry = self._enter()
        try:
            return call_tool(self._runner, entry, name, arguments)
        except UnknownTool:
            note_unknown_tool(self._runner, entry, name)
            raise

    def _enter(self) -> Entry:
        return enter(self._runner, self._credentials)

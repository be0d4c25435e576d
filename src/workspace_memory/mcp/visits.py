"""A visit: one request of a caller who has come in, at a server's address or at the shared one.

Both addresses have the same rules of HTTP and of the protocol (`endpoint.py`, `sdk.py`, `direct.py`); which tools there
are and what calls do is all that differs, and it stands behind this.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from workspace_memory.mcp.entry import Credentials, Entry
from workspace_memory.mcp.refusals import note_unknown_tool
from workspace_memory.mcp.tools import call_tool, offered_tools
from workspace_memory.services.running import Runner
from workspace_memory.tools.answers import Answer
from workspace_memory.tools.schemas import Definition


@dataclass(frozen=True, slots=True)
class Later:
    """An answer that takes long: it is waited for in the event loop, so that it holds no thread."""

    wait: Callable[[], Awaitable[Answer]]


class Visit(Protocol):
    """What a caller finds. Everything here blocks."""

    def offered(self) -> tuple[Definition, ...]:
        """The tools of this caller, in a fixed order; none without access."""
        ...

    def call(self, name: str, arguments: Mapping[str, object]) -> Answer | Later:
        """Call a tool. Raises: UnknownTool; every other failure is an answer."""
        ...

    def note_unknown(self, name: str) -> None:
        """Note the call of a tool that there is not."""
        ...


ComeIn = Callable[[Credentials], Visit]
"""Authenticates and resolves. Blocks. Raises: NotAuthenticated, NotFound."""


@dataclass(frozen=True, slots=True)
class ServerVisit:
    """At `/mcp/{server_id}`. `address` is the service's own, for links."""

    runner: Runner
    entry: Entry
    address: str

    def offered(self) -> tuple[Definition, ...]:
        """As `offered_tools`."""
        return offered_tools(self.entry)

    def call(self, name: str, arguments: Mapping[str, object]) -> Answer:
        """As `call_tool`."""
        return call_tool(self.runner, self.entry, name, arguments, address=self.address)

    def note_unknown(self, name: str) -> None:
        """In the audit log."""
        note_unknown_tool(self.runner, self.entry, name)

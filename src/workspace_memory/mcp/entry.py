"""Coming in: from a token and a server's id to who calls, where, and at which access level at this moment.

Asked anew at every request, whatever a connection was allowed before. The use case behind a tool reads the level
once more, in its own transaction; what is read here only chooses which tools there are.
"""

from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.account import McpServer
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.ids import ServerId, WorkspaceId
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.running import Runner
from workspace_memory.services.servers import resolve_server


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request brings: the secret of a token, and the id in the address, which may be any text."""

    token: str
    server: ServerId


@dataclass(frozen=True, slots=True)
class Entry:
    """A caller at a server of the caller's own workspace. `active` is whether the membership gives access at all."""

    actor: Actor
    server: McpServer
    level: AccessLevel
    active: bool

    @property
    def workspace(self) -> WorkspaceId:
        """The workspace in which every call at this server acts."""
        return self.server.workspace


def enter(runner: Runner, credentials: Credentials) -> Entry:
    """Authenticate and resolve. Blocks.

    Raises: NotAuthenticated; NotFound for an unknown server and for another workspace's alike.
    """
    # No source is given: the token's own name becomes the provenance, and nothing that a model or client says.
    actor = runner(authenticate_token, credentials.token, channel=Channel.CLIENT)
    server, membership = runner(resolve_server, actor, credentials.server)
    return Entry(actor, server, membership.level, membership.status is MemberStatus.ACTIVE)

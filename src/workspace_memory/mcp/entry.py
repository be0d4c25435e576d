"""Coming in: from a token and an address to who calls, where, and at which access level at this moment.

Asked anew at every request, whatever a connection was allowed before. The use case behind a tool reads the level
once more, in its own transaction; what is read here only chooses which tools there are.
"""

from dataclasses import dataclass, field
from typing import Protocol

from workspace_memory.domain.access import AccessLevel, MemberStatus
from workspace_memory.domain.account import McpServer
from workspace_memory.domain.actor import Actor, Channel, Membership
from workspace_memory.domain.ids import ServerId, WorkspaceId
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.entering import enter_server
from workspace_memory.services.running import Runner
from workspace_memory.services.servers import resolve_workspace


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request brings: the secret of a token, the id in the address, which may be any text, key sessions.

    `server` is None at the shared address; `key_sessions` are the values of each X-Key-Session header.
    """

    token: str = field(repr=False)
    server: ServerId | None
    key_sessions: tuple[str, ...] = field(default=(), repr=False)


class Caller(Protocol):
    """Who calls, and where."""

    @property
    def actor(self) -> Actor:
        """Who calls."""
        ...

    @property
    def workspace(self) -> WorkspaceId:
        """The workspace in which the call acts."""
        ...


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


@dataclass(frozen=True, slots=True)
class SharedEntry:
    """A caller at the shared address, in the one workspace of the token."""

    actor: Actor
    membership: Membership

    @property
    def workspace(self) -> WorkspaceId:
        """The workspace in which every call acts."""
        return self.membership.workspace


def enter(runner: Runner, credentials: Credentials) -> Entry:
    """Authenticate and resolve. Blocks.

    Raises: NotAuthenticated; NotFound for an unknown server and for another workspace's alike.
    """
    entered = runner(enter_server, credentials.token, credentials.server or ServerId(""))
    membership = entered.membership
    active = membership.status is MemberStatus.ACTIVE
    return Entry(entered.actor, entered.server, membership.level, active)


def enter_shared(runner: Runner, credentials: Credentials) -> SharedEntry:
    """The same at the shared address. Blocks. Raises: NotAuthenticated; NotFound for who is no member any more."""
    # No source is given: the token's own name becomes the provenance, and nothing that a model or client says.
    actor = runner(authenticate_token, credentials.token, channel=Channel.CLIENT)
    return SharedEntry(actor, runner(resolve_workspace, actor))

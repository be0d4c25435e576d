"""Coming in at an MCP server: from a token and an address to who calls, where, and at which level at this moment.

As `authenticate_token` and then the server and the membership, in one transaction and by one statement, since it
stands before every call over MCP.
"""

from dataclasses import dataclass, replace

from workspace_memory.crypto.tokens import secret_hash
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import McpServer
from workspace_memory.domain.actor import Actor, Channel, Membership
from workspace_memory.domain.errors import NotAuthenticated, NotFound
from workspace_memory.domain.ids import ServerId
from workspace_memory.services.authentication import actor_of
from workspace_memory.services.authorization import membership_of
from workspace_memory.services.deps import Deps
from workspace_memory.services.licences import has_memory


@dataclass(frozen=True, slots=True)
class Entered:
    """A caller at a server of the token's own workspace; also one whose membership is deactivated."""

    actor: Actor
    server: McpServer
    membership: Membership


def enter_server(deps: Deps, secret: str, server: ServerId) -> Entered:
    """Authenticate an AI client, and read what it finds at this server at this moment.

    Without a licence the level is none, so that no tool is offered.
    Raises: NotAuthenticated; NotFound for an unknown server and for another workspace's alike.
    """
    with deps.database.read() as tx:
        entry = tx.entries.find(secret_hash(secret), server, at=deps.clock.now())
        if entry is None:
            raise NotAuthenticated
        # No source is given: the token's own name becomes the provenance, and nothing that a model or client says.
        actor = actor_of(deps, entry.token, channel=Channel.CLIENT)
        if entry.server is None:
            raise NotFound("MCP server")
        membership = membership_of(actor, entry.server.workspace, entry.standing)
        if not has_memory(deps, tx, entry.server.workspace):
            membership = replace(membership, level=AccessLevel.NONE)
        return Entered(actor, entry.server, membership)

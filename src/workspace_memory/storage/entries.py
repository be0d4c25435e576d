"""Coming in at an MCP server by token: the token, the server and the member's standing, by one statement.

It runs at every call over MCP. What a valid token is stands in `tokens.py`, what decides about rights in `members.py`.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, bindparam, select

from workspace_memory.domain.account import McpServer, Token
from workspace_memory.domain.ids import ServerId, is_id
from workspace_memory.storage.members import STANDING, Standing, standing_of
from workspace_memory.storage.prepared import Prepared, as_time
from workspace_memory.storage.tables import access_tokens, mcp_servers, members, users, workspace_settings
from workspace_memory.storage.tokens import TOKEN, VALID, token_of

_HERE = access_tokens.c.workspace_id
_server = [mcp_servers.c.id, mcp_servers.c.name, mcp_servers.c.chatgpt_tools, mcp_servers.c.created_at]
_ENTRY = Prepared(
    select(*TOKEN, *STANDING, *_server)
    .select_from(access_tokens)
    .join(users, users.c.id == access_tokens.c.user_id)
    # A token goes with its membership.
    .join(members, and_(members.c.workspace_id == _HERE, members.c.user_id == access_tokens.c.user_id))
    .outerjoin(workspace_settings, workspace_settings.c.workspace_id == _HERE)
    .outerjoin(
        mcp_servers, and_(mcp_servers.c.workspace_id == _HERE, mcp_servers.c.id == bindparam("server"))
    )
    .where(*VALID)
)


@dataclass(frozen=True, slots=True)
class TokenEntry:
    """A valid token, what its member is, and the server asked for, if it is of the token's workspace."""

    token: Token
    standing: Standing
    server: McpServer | None


class Entries:
    """Reads what decides about a call over MCP."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, token_hash: bytes, server: ServerId, *, at: datetime) -> TokenEntry | None:
        """By the token's hash; None when it is revoked, has expired or its account is deactivated."""
        asked = server if is_id(server) else ""
        for row in _ENTRY.rows(self._connection, token_hash=token_hash, server=asked, at=at):
            token = token_of(row[: len(TOKEN)])
            standing = standing_of(row[len(TOKEN) : -len(_server)])
            found, name, chatgpt_tools, created_at = row[-len(_server) :]
            if found is None:
                return TokenEntry(token, standing, None)
            there = McpServer(token.workspace, found, name, bool(chatgpt_tools), as_time(created_at))
            return TokenEntry(token, standing, there)
        return None

"""Workspaces, MCP servers and tokens as JSON."""

from datetime import datetime
from typing import Self

from pydantic import Field, StrictBool, model_validator

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    UtcTime,
    with_example,
)
from workspace_memory.api.schemas.people import Name
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import Token, Workspace
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import ServerId, TokenId, UserId, WorkspaceId

_WORKSPACE_EXAMPLE = {"id": EXAMPLE_ID, "name": "Tea shop", "created_at": EXAMPLE_TIME}
_SERVER_URL = f"https://memory.example.com/mcp/{EXAMPLE_ID}"
_SERVER_EXAMPLE = {
    "id": EXAMPLE_ID,
    "name": "Memory",
    "url": _SERVER_URL,
    "chatgpt_tools": False,
    "created_at": EXAMPLE_TIME,
}
TOKEN_EXAMPLE = {
    "id": EXAMPLE_ID,
    "user_id": EXAMPLE_ID,
    "name": "Claude Code",
    "max_level": "personal",
    "surface": "mcp",
    "created_at": EXAMPLE_TIME,
    "last_used_at": None,
    "expires_at": None,
    "revoked_at": None,
}


class WorkspaceOut(Answer):
    """A workspace."""

    model_config = with_example(_WORKSPACE_EXAMPLE)

    id: WorkspaceId
    name: str
    created_at: datetime


class WorkspacesOut(Answer):
    """The workspaces that the credential reaches, oldest first."""

    model_config = with_example({"workspaces": [_WORKSPACE_EXAMPLE]})

    workspaces: list[WorkspaceOut]


class WorkspaceIn(Arguments):
    """A workspace's name."""

    model_config = with_example({"name": "Tea shop"})

    name: Name


class MadeWorkspaceOut(Answer):
    """A new workspace and its first MCP server."""

    model_config = with_example(
        {"workspace": _WORKSPACE_EXAMPLE, "server_id": EXAMPLE_ID, "server_url": _SERVER_URL}
    )

    workspace: WorkspaceOut
    server_id: ServerId
    server_url: str


class ConfirmIn(Arguments):
    """The name of what is to be deleted with everything in it."""

    model_config = with_example({"confirm_name": "Tea shop"})

    confirm_name: Text = Field(max_length=1_000, description="The workspace's name, repeated.")


class ServerOut(Answer):
    """An MCP server of a workspace."""

    model_config = with_example(_SERVER_EXAMPLE)

    id: ServerId = Field(description="Never changes, since some clients cannot edit an address.")
    name: str
    url: str = Field(description="The full address that clients are configured with.")
    chatgpt_tools: bool = Field(description="Whether ChatGPT's pair search and fetch is offered too.")
    created_at: datetime


class ServersOut(Answer):
    """The workspace's MCP servers, oldest first."""

    model_config = with_example({"servers": [_SERVER_EXAMPLE]})

    servers: list[ServerOut]


class ServerIn(Arguments):
    """A new MCP server."""

    model_config = with_example({"name": "Laptop"})

    name: Name


class ServerChangeIn(Arguments):
    """What to set; what is left out stays."""

    model_config = with_example({"chatgpt_tools": True})

    name: Name | None = None
    chatgpt_tools: StrictBool | None = Field(default=None, description="Offer ChatGPT's pair of tools too.")

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if self.name is None and self.chatgpt_tools is None:
            raise ValueError("must set name or chatgpt_tools")
        return self


class TokenIn(Arguments):
    """A new personal access token."""

    model_config = with_example({"name": "Claude Code", "max_level": "personal", "surface": "mcp"})

    name: Name
    max_level: AccessLevel = Field(
        description="The most that this token may do, whatever its owner may: none, read, personal or contribute."
    )
    surface: Surface = Field(default=Surface.ALL, description="mcp: for AI clients alone; all: for REST too.")
    expires_at: UtcTime | None = Field(default=None, description="With its zone; null is never.")


class TokenOut(Answer):
    """A token, without its secret."""

    model_config = with_example(TOKEN_EXAMPLE)

    id: TokenId
    user_id: UserId
    name: str
    max_level: AccessLevel
    surface: Surface
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None


class MadeTokenOut(Answer):
    """A new token with its secret, which is shown in this answer and never again."""

    model_config = with_example({"token": TOKEN_EXAMPLE, "secret": "wm_pat_3q2-7w"})

    token: TokenOut
    secret: str


class TokenQuery(Arguments):
    """Whose tokens."""

    user_id: Text | None = Field(
        default=None,
        max_length=100,
        description="For admins: another member's. Without it the caller's own.",
        examples=[EXAMPLE_ID],
    )


class TokensOut(Answer):
    """A member's tokens, newest first."""

    model_config = with_example({"tokens": [TOKEN_EXAMPLE]})

    tokens: list[TokenOut]


def workspace_out(workspace: Workspace) -> WorkspaceOut:
    """A workspace for an answer."""
    return WorkspaceOut(id=workspace.id, name=workspace.name, created_at=workspace.created_at)


def token_out(token: Token) -> TokenOut:
    """A token for an answer."""
    return TokenOut(
        id=token.id,
        user_id=token.user,
        name=token.name,
        max_level=token.max_level,
        surface=token.surface,
        created_at=token.created_at,
        last_used_at=token.last_used_at,
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
    )

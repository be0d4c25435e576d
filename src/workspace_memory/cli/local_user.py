"""The one local user of `workspace-memory mcp`: found, or made at the first start.

Made are an account without a password, a workspace and an MCP server. The token that the tools are called with is
kept in the data folder, readable for its owner alone, so that a start writes nothing: a token per process would
leave a dead row behind each killed one. It is for MCP alone and can be revoked like any other; the next start then
makes a new one.
"""

import getpass
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

from workspace_memory.cli.executable import typed
from workspace_memory.cli.local import Opened, opened
from workspace_memory.cli.opening import check_scanner
from workspace_memory.cli.target import load_settings
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import McpServer, Workspace
from workspace_memory.domain.actor import Actor, Channel, Surface
from workspace_memory.domain.errors import AlreadySetUp, InvalidRequest, NotAuthenticated, NotFound
from workspace_memory.mcp.stdio import LocalUser
from workspace_memory.services.accounts import set_up_here
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.servers import list_servers_here
from workspace_memory.services.this_machine import act_here
from workspace_memory.services.tokens import make_token_here
from workspace_memory.services.workspaces import list_workspaces

LOCAL_EMAIL = "local@localhost"
TOKEN_NAME = "stdio"
TOKEN_FOLDER = "stdio"


@contextmanager
def local_user(*, data: Path | None, account: str, workspace: str) -> Generator[LocalUser]:
    """Open the data folder and give its local user. Raises: DomainError with a sentence for the AI client."""
    try:
        settings = load_settings(data=data)
        check_scanner(settings)
    except click.ClickException as error:
        raise InvalidRequest("", error.message) from None
    with opened(settings, make=True) as way:
        actor, secret = _local_actor(way, account)
        place = _workspace(way, actor, workspace)
        server = _server(way, place)
        file = settings.data / TOKEN_FOLDER / f"{place.id}.{actor.user}"
        if secret is None:
            secret = _kept_token(way, file, actor, place)
        else:
            _keep(file, secret)
        yield LocalUser(way.runner, secret, server.id)


def _local_actor(way: Opened, email: str) -> tuple[Actor, str | None]:
    """Who the client acts for, and the token's secret when the account was made just now."""
    actor = way.runner(act_here, email)
    if actor is not None:
        return actor, None
    secret: str | None = None
    try:
        made = way.runner(
            set_up_here,
            email=LOCAL_EMAIL,
            name=_user_name(),
            token_name=TOKEN_NAME,
            token_surface=Surface.MCP,
        )
        secret = None if made.token is None else made.token.secret
    except AlreadySetUp:
        pass  # another client was started at the same moment
    actor = way.runner(act_here, email)
    if actor is None:
        raise NotFound("account")
    return actor, secret


def _workspace(way: Opened, actor: Actor, wanted: str) -> Workspace:
    reached = way.runner(list_workspaces, actor)
    found = [
        each
        for each in reached
        if not wanted or wanted == each.id or wanted.casefold() == each.name.casefold()
    ]
    if not found:
        raise NotFound("workspace")
    return found[0]


def _server(way: Opened, workspace: Workspace) -> McpServer:
    servers = way.runner(list_servers_here, workspace.id)
    if not servers:
        raise NotFound(f"MCP server; '{typed('server add NAME')}' makes one")
    return servers[0]


def _kept_token(way: Opened, file: Path, actor: Actor, workspace: Workspace) -> str:
    """The secret of the local token, made anew when there is none that is valid."""
    try:
        secret = file.read_text("ascii").strip()
        way.runner(authenticate_token, secret, channel=Channel.CLIENT)
    except (OSError, ValueError, NotAuthenticated):
        made = way.runner(
            make_token_here,
            workspace.id,
            actor.user,
            name=TOKEN_NAME,
            max_level=AccessLevel.CONTRIBUTE,
            surface=Surface.MCP,
        )
        secret = made.secret
        _keep(file, secret)
    return secret


def _keep(file: Path, secret: str) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Written beside and moved: another process never reads half of it.
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(secret + "\n")
    beside.replace(file)


def _user_name() -> str:
    try:
        return getpass.getuser() or "Local user"
    except (OSError, KeyError, ImportError):
        return "Local user"

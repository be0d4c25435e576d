"""Workspaces, members and tokens for a benchmark, made before the server starts.

Through the service functions that the command line uses on a local data folder: making them is not what is
measured, and the database must be empty, so that nobody's own memory is ever touched.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.errors import AlreadySetUp
from workspace_memory.domain.ids import ServerId, UserId, WorkspaceId
from workspace_memory.services.accounts import invite_here, redeem_link, set_up_here
from workspace_memory.services.deps import Deps
from workspace_memory.services.opening import open_folder, open_server
from workspace_memory.services.tokens import make_token_here
from workspace_memory.services.workspaces import make_workspace

_PASSWORD = "made for one benchmark run"


class DatabaseInUse(Exception):
    """The given database has accounts already."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """A workspace, its MCP server, its admin's token, and a token for each further member."""

    name: str
    workspace: WorkspaceId
    server: ServerId
    curator_token: str
    member_tokens: Sequence[str] = ()

    def mcp_url(self, url: str) -> str:
        """The address of the workspace's MCP server."""
        return f"{url}/mcp/{self.server}"


def make_tenants(
    folder: Path, names: Sequence[str], *, database_url: str = "", members: int = 0
) -> list[Tenant]:
    """One workspace for each name; `members` viewers in the first. Raises: DatabaseInUse, DomainError."""
    with opened(folder, database_url) as deps:
        try:
            first = set_up_here(deps, email="alice@example.com", name="alice", workspace_name=names[0])
        except AlreadySetUp:
            raise DatabaseInUse("the database has accounts already; a benchmark needs an empty one") from None
        viewers = [_join(deps, first.workspace, f"carol{number}@example.com") for number in range(members)]
        member_tokens = [_token(deps, first.workspace, viewer) for viewer in viewers]
        curator = _token(deps, first.workspace, first.user)
        tenants = [Tenant(names[0], first.workspace, first.server, curator, member_tokens)]
        actor = Actor(first.user, Channel.PERSON, "benchmark")
        for name in names[1:]:
            made = make_workspace(deps, actor, name=name)
            token = _token(deps, made.workspace.id, first.user)
            tenants.append(Tenant(name, made.workspace.id, made.server, token))
        return tenants


@contextmanager
def opened(folder: Path, database_url: str) -> Generator[Deps]:
    """The data folder, or the PostgreSQL database, as the commands on this machine use it."""
    made = open_server(database_url, public_url="") if database_url else open_folder(folder, public_url="")
    try:
        yield made.deps
    finally:
        made.close()


def _join(deps: Deps, workspace: WorkspaceId, email: str) -> UserId:
    link = invite_here(deps, workspace, email=email, role=Role.VIEWER)
    return redeem_link(deps, link.secret, password=_PASSWORD).user


def _token(deps: Deps, workspace: WorkspaceId, user: UserId) -> str:
    made = make_token_here(deps, workspace, user, name="benchmark", max_level=AccessLevel.CONTRIBUTE)
    return made.secret

"""The commands' questions answered by a running server, over REST, as the account behind the token."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import date, datetime

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.remote_governance import RemoteGovernance
from workspace_memory.cli.remote_moving import batches_for_requests, import_row, text_of
from workspace_memory.cli.remote_rows import member_id, remote_item_row, remote_member_row, remote_token_row
from workspace_memory.cli.rows import (
    ImportRow,
    InvitationRow,
    ItemPage,
    ItemRow,
    LinkRow,
    MadeTokenRow,
    MemberRow,
    RevisionRow,
    SavedRow,
    ServerRow,
    TokenRow,
    WorkspaceRow,
)
from workspace_memory.client import (
    FoundItem,
    MadeLink,
    Server,
    Workspace,
    WorkspaceMemory,
)
from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import LinkPurpose
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.exchange import Batch, Format, Parsed
from workspace_memory.domain.item import Kind, Scope, Status
from workspace_memory.domain.workspace_key import KeyDue


@contextmanager
def opened_remotely(url: str, token: str, *, workspace: str) -> Generator["RemoteMemory"]:
    """The memory behind a server's address and a token. Raises: Refused for a workspace that it does not reach."""
    with WorkspaceMemory(url, token) as client:
        yield RemoteMemory(client, workspace)


def choose_workspace(client: WorkspaceMemory, workspace: str) -> None:
    """Make sure that a token reaches the workspace that was named, if any. Raises: Refused."""
    if workspace:
        reached = client.list_workspaces()
        if not any(workspace == each.id or workspace.casefold() == each.name.casefold() for each in reached):
            raise Refused(
                f"This token does not reach a workspace '{workspace}'; a token belongs to one workspace."
            )


class RemoteMemory:
    """One account on a running server. A token belongs to one workspace, so `workspace` can only confirm it."""

    def __init__(self, client: WorkspaceMemory, workspace: str) -> None:
        self._client = client
        choose_workspace(client, workspace)

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._client.url

    def workspace_id(self) -> str:
        """The token's workspace."""
        return self._client.workspace

    def add_item(
        self,
        content: str,
        *,
        kind: str | None,
        scope: str,
        tags: Sequence[str],
        replaces: str | None,
        review_by: date | None,
    ) -> SavedRow:
        """Save a text by hand."""
        saved = self._client.save_item(
            content,
            kind=None if kind is None else Kind(kind),
            scope=Scope(scope),
            tags=tags,
            replaces=replaces,
            review_by=review_by,
        )
        return SavedRow(
            saved.outcome, remote_item_row(saved.item), [remote_item_row(each) for each in saved.similar]
        )

    def find_items(
        self,
        query: str,
        *,
        scope: str | None,
        kind: str | None,
        tag: str | None,
        status: str,
        limit: int,
        cursor: str | None,
    ) -> ItemPage:
        """Ranked for a query, newest first without one."""
        page = self._client.page_items(
            query=query,
            scope=None if scope is None else Scope(scope),
            status=Status(status),
            kind=None if kind is None else Kind(kind),
            tag=tag,
            limit=limit,
            cursor=cursor,
        )
        return ItemPage([_found_row(each, searched=bool(query)) for each in page.items], page.next_cursor)

    def forget_item(self, item: str) -> None:
        """Delete an item by hand."""
        self._client.delete_item(item)

    def item_history(self, item: str) -> Sequence[RevisionRow]:
        """Every version of an item, newest first."""
        return [
            RevisionRow(
                version=each.version,
                content=each.content,
                kind=each.kind.value,
                tags=list(each.tags),
                changed_at=each.changed_at,
                changed_by=each.changed_by,
                source=each.source,
            )
            for each in self._client.item_history(item)
        ]

    def make_token(
        self, *, name: str, max_level: str, mcp_only: bool, expires_at: datetime | None
    ) -> MadeTokenRow:
        """A new token that may do no more than the one in use."""
        made = self._client.make_token(
            name,
            max_level=AccessLevel(max_level),
            surface=Surface.MCP if mcp_only else Surface.ALL,
            expires_at=expires_at,
        )
        token = made.token
        return MadeTokenRow(
            token=made.secret,
            id=token.id,
            name=token.name,
            max_level=token.max_level.value,
            surface=token.surface.value,
            expires_at=token.expires_at,
        )

    def list_tokens(self) -> Sequence[TokenRow]:
        """The own tokens, newest first."""
        return [remote_token_row(each) for each in self._client.list_tokens()]

    def revoke_token(self, token: str) -> None:
        """Make a token useless at once."""
        self._client.revoke_token(token)

    def list_workspaces(self) -> Sequence[WorkspaceRow]:
        """The token's workspace."""
        return [_workspace_row(each) for each in self._client.list_workspaces()]

    def make_workspace(self, name: str) -> tuple[WorkspaceRow, ServerRow]:
        """Refused by the server: a token belongs to one workspace."""
        made = self._client.make_workspace(name)
        server = ServerRow(made.server_id, "", made.server_url, made.workspace.created_at)
        return _workspace_row(made.workspace), server

    def rename_workspace(self, name: str) -> WorkspaceRow:
        """Give the workspace another name."""
        return _workspace_row(self._client.rename_workspace(name))

    def delete_workspace(self, confirm_name: str) -> None:
        """Delete the workspace with everything in it."""
        self._client.delete_workspace(confirm_name=confirm_name)

    def list_servers(self) -> Sequence[ServerRow]:
        """The workspace's MCP servers."""
        return [_server_row(each) for each in self._client.list_servers()]

    def add_server(self, name: str) -> ServerRow:
        """Another MCP server."""
        return _server_row(self._client.add_server(name))

    def rename_server(self, server: str, name: str) -> ServerRow:
        """Give a server another name."""
        return _server_row(self._client.change_server(server, name=name))

    def delete_server(self, server: str) -> None:
        """Delete a server."""
        self._client.delete_server(server)

    def invite(self, email: str, *, role: str) -> LinkRow:
        """An invitation link."""
        return _link_row(self._client.invite(email, Role(role)), LinkPurpose.INVITATION, email)

    def list_invitations(self) -> Sequence[InvitationRow]:
        """The invitations that can still be redeemed, newest first."""
        return [
            InvitationRow(each.id, each.email, each.role, each.created_at, each.expires_at)
            for each in self._client.list_invitations()
        ]

    def withdraw_invitation(self, invitation: str) -> None:
        """Make an open invitation useless."""
        self._client.withdraw_invitation(invitation)

    def reset_password(self, email: str) -> LinkRow:
        """A password-reset link for a member."""
        made = self._client.make_password_reset(member_id(self._client, email))
        return _link_row(made, LinkPurpose.PASSWORD_RESET, email)

    def set_active(self, email: str, *, active: bool) -> KeyDue:
        """Activate or deactivate the membership in the token's workspace; what follows with its key."""
        status = MemberStatus.ACTIVE if active else MemberStatus.DEACTIVATED
        return self._client.change_member(member_id(self._client, email), status=status).key_due

    def list_members(self) -> Sequence[MemberRow]:
        """The members of the workspace."""
        return [remote_member_row(each) for each in self._client.list_members()]

    @property
    def governance(self) -> RemoteGovernance:
        """How people govern the workspace."""
        return RemoteGovernance(self._client)

    def batches(self, parsed: Parsed) -> Sequence[Batch]:
        """As one request can carry them."""
        return batches_for_requests(parsed)

    def export_items(
        self,
        *,
        scope: str,
        form: str,
        write: Callable[[bytes], object],
        progress: Callable[[int, int], object],
    ) -> int:
        """The file as the server writes it."""
        exported = self._client.export_memory(Scope(scope), markdown=form == "markdown")
        write(exported.content)
        progress(exported.items, exported.items)
        return exported.items

    def plan_import(self, batch: Batch, *, scope: str | None, approve: bool, planned: int) -> ImportRow:
        """The dry run of a batch."""
        return self._import(batch, scope, approve=approve, dry_run=True, planned=planned)

    def import_batch(self, batch: Batch, *, scope: str | None, approve: bool) -> ImportRow:
        """Import a batch in one request."""
        return self._import(batch, scope, approve=approve, dry_run=False)

    def _import(
        self, batch: Batch, scope: str | None, *, approve: bool, dry_run: bool, planned: int = 0
    ) -> ImportRow:
        done = self._client.import_memory(
            text_of(batch),
            form=Format.WORKSPACE_MEMORY,
            scope=None if scope is None else Scope(scope),
            approve=approve,
            dry_run=dry_run,
            planned=planned,
        )
        return import_row(done, batch)


def _found_row(item: FoundItem, *, searched: bool) -> ItemRow:
    return remote_item_row(item, score=item.score if searched else None)


def _workspace_row(workspace: Workspace) -> WorkspaceRow:
    return WorkspaceRow(workspace.id, workspace.name, workspace.created_at)


def _server_row(server: Server) -> ServerRow:
    return ServerRow(server.id, server.name, server.url, server.created_at)


def _link_row(link: MadeLink, purpose: LinkPurpose, email: str) -> LinkRow:
    return LinkRow(link.url, purpose.value, email, link.expires_at)

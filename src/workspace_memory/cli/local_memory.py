"""The commands' questions answered on this machine, as the account that the operator acts for.

Whoever holds the data folder could read it anyway; still, every question about items goes through the same
authorization as over the network, so that a command shows what that account may see and nothing else.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import cached_property

from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.item_rows import item_row, member_row, token_row
from workspace_memory.cli.local import Opened, waits_for_set_up
from workspace_memory.cli.local_governance import LocalGovernance
from workspace_memory.cli.rows import (
    ImportRow,
    InvitationRow,
    ItemPage,
    LinkRow,
    MadeTokenRow,
    MemberRow,
    RevisionRow,
    SavedRow,
    ServerRow,
    TokenRow,
    WorkspaceRow,
)
from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.account import McpServer, Workspace
from workspace_memory.domain.actor import Actor, Surface
from workspace_memory.domain.address import link_url, server_url
from workspace_memory.domain.exchange import Batch, Parsed
from workspace_memory.domain.ids import ItemId, LinkId, ServerId, TokenId
from workspace_memory.domain.item import Kind, Scope, Status, draft
from workspace_memory.domain.workspace_key import KeyDue
from workspace_memory.services.accounts import (
    MadeLink,
    deactivate_account_here,
    invite_here,
    list_invitations,
    make_password_reset_here,
    withdraw_invitation,
)
from workspace_memory.services.finding import Query, find_items
from workspace_memory.services.items import delete_item, item_history
from workspace_memory.services.saving import save_item
from workspace_memory.services.servers import add_server, change_server, delete_server, list_servers
from workspace_memory.services.this_machine import act_here, address_here, key_due_here, list_members_here
from workspace_memory.services.tokens import MadeToken, list_tokens_here, make_token_here, revoke_token_here
from workspace_memory.services.transfer import ExportForm, Imported, import_items, plan_import, write_export
from workspace_memory.services.workspaces import (
    delete_workspace,
    list_workspaces,
    make_workspace,
    rename_workspace,
)


class LocalMemory:
    """One account of the local installation, in one of its workspaces (by name or id; the only one by default)."""

    def __init__(self, opened: Opened, *, account: str, workspace: str) -> None:
        self._runner = opened.runner
        self._place = opened.place
        self._data = opened.data
        self._account = account
        self._wanted = workspace

    @property
    def address(self) -> str:
        """The address of the running `serve`, or of one that would be started with these settings."""
        return self._address

    @cached_property
    def _address(self) -> str:
        return self._runner(address_here)

    @cached_property
    def actor(self) -> Actor:
        """Who the commands act for."""
        actor = self._runner(act_here, self._account)
        if actor is None:
            raise Refused(waits_for_set_up(self._place, self._data))
        return actor

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace that the calls act on."""
        reached = self._runner(list_workspaces, self.actor)
        if not self._wanted:
            if len(reached) == 1:
                return reached[0]
            if not reached:
                raise Refused(
                    f"This account belongs to no workspace. '{typed('workspace create NAME')}' makes one."
                )
            names = ", ".join(f"'{each.name}'" for each in reached)
            raise Refused(f"There are {len(reached)} workspaces: {names}. Name one with --workspace.")
        found = [each for each in reached if each.id == self._wanted]
        found = found or [each for each in reached if each.name.casefold() == self._wanted.casefold()]
        if len(found) > 1:
            raise Refused(f"{len(found)} workspaces have the name '{self._wanted}'. Give the id of one.")
        if not found:
            raise Refused(
                f"This account reaches no workspace '{self._wanted}'. See '{typed('workspace list')}'."
            )
        return found[0]

    def workspace_id(self) -> str:
        """Its id."""
        return self.workspace.id

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
        said = None if kind is None else Kind(kind)
        checked = draft(content, kind=said, scope=Scope(scope), tags=tags, review_by=review_by)
        saved = self._runner(
            save_item,
            self.actor,
            self.workspace.id,
            checked,
            replaces=None if replaces is None else ItemId(replaces),
        )
        return SavedRow(saved.outcome.value, item_row(saved.item), [item_row(each) for each in saved.similar])

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
        wanted = Query(
            text=query,
            scope=None if scope is None else Scope(scope),
            kind=None if kind is None else Kind(kind),
            tag=tag,
            status=Status(status),
            limit=limit,
            cursor=cursor,
        )
        page = self._runner(find_items, self.actor, self.workspace.id, wanted)
        return ItemPage(
            [item_row(each.item, score=each.score if query else None) for each in page.found],
            page.next_cursor,
        )

    def forget_item(self, item: str) -> None:
        """Delete an item by hand."""
        self._runner(delete_item, self.actor, self.workspace.id, ItemId(item))

    def item_history(self, item: str) -> Sequence[RevisionRow]:
        """Every version of an item, newest first."""
        revisions = self._runner(item_history, self.actor, self.workspace.id, ItemId(item))
        return [
            RevisionRow(
                version=each.version,
                content=each.content,
                kind=each.kind.value,
                tags=list(each.tags),
                changed_at=each.changed_at,
                changed_by=each.changed_by_name,
                source=each.source,
            )
            for each in revisions
        ]

    def make_token(
        self, *, name: str, max_level: str, mcp_only: bool, expires_at: datetime | None
    ) -> MadeTokenRow:
        """A new access token of the account."""
        made = self._runner(
            make_token_here,
            self.workspace.id,
            self.actor.user,
            name=name,
            max_level=AccessLevel(max_level),
            surface=Surface.MCP if mcp_only else Surface.ALL,
            expires_at=expires_at,
        )
        return made_token_row(made)

    def list_tokens(self) -> Sequence[TokenRow]:
        """The account's tokens, newest first."""
        found = self._runner(list_tokens_here, self.workspace.id, self.actor.user)
        return [token_row(each) for each in found]

    def revoke_token(self, token: str) -> None:
        """Revoke any token of the workspace."""
        self._runner(revoke_token_here, self.workspace.id, TokenId(token))

    def list_workspaces(self) -> Sequence[WorkspaceRow]:
        """The account's workspaces, oldest first."""
        return [_workspace_row(each) for each in self._runner(list_workspaces, self.actor)]

    def make_workspace(self, name: str) -> tuple[WorkspaceRow, ServerRow]:
        """A new workspace of which the account is the admin."""
        made = self._runner(make_workspace, self.actor, name=name)
        [server] = self._runner(list_servers, self.actor, made.workspace.id)
        return _workspace_row(made.workspace), self._server_row(server)

    def rename_workspace(self, name: str) -> WorkspaceRow:
        """Give the workspace another name."""
        return _workspace_row(self._runner(rename_workspace, self.actor, self.workspace.id, name=name))

    def delete_workspace(self, confirm_name: str) -> None:
        """Delete the workspace with everything in it."""
        self._runner(delete_workspace, self.actor, self.workspace.id, confirm_name=confirm_name)

    def list_servers(self) -> Sequence[ServerRow]:
        """The workspace's MCP servers."""
        return [self._server_row(each) for each in self._runner(list_servers, self.actor, self.workspace.id)]

    def add_server(self, name: str) -> ServerRow:
        """Another MCP server."""
        return self._server_row(self._runner(add_server, self.actor, self.workspace.id, name=name))

    def rename_server(self, server: str, name: str) -> ServerRow:
        """Give a server another name."""
        return self._server_row(
            self._runner(change_server, self.actor, self.workspace.id, ServerId(server), name=name)
        )

    def delete_server(self, server: str) -> None:
        """Delete a server."""
        self._runner(delete_server, self.actor, self.workspace.id, ServerId(server))

    def invite(self, email: str, *, role: str) -> LinkRow:
        """An invitation link, made by the operator."""
        return self._link_row(self._runner(invite_here, self.workspace.id, email=email, role=Role(role)))

    def list_invitations(self) -> Sequence[InvitationRow]:
        """The invitations that can still be redeemed, newest first."""
        return [
            InvitationRow(each.id, each.email or "", each.role or "", each.created_at, each.expires_at)
            for each in self._runner(list_invitations, self.actor, self.workspace.id)
        ]

    def withdraw_invitation(self, invitation: str) -> None:
        """Make an open invitation useless."""
        self._runner(withdraw_invitation, self.actor, self.workspace.id, LinkId(invitation))

    def reset_password(self, email: str) -> LinkRow:
        """A password-reset link, made by the operator for any account."""
        made = self._runner(make_password_reset_here, email)
        return LinkRow(
            link_url(self.address, made.secret), made.link.purpose.value, email, made.link.expires_at
        )

    def set_active(self, email: str, *, active: bool) -> KeyDue:
        """Activate or deactivate the account, everywhere; what follows with the key of this workspace."""
        self._runner(deactivate_account_here, email, active=active)
        return self._runner(key_due_here, self.workspace.id)

    def list_members(self) -> Sequence[MemberRow]:
        """The members of the workspace."""
        return [member_row(each) for each in self._runner(list_members_here, self.workspace.id)]

    @property
    def governance(self) -> LocalGovernance:
        """How people govern the workspace."""
        return LocalGovernance(self._runner, actor=lambda: self.actor, workspace=lambda: self.workspace.id)

    def batches(self, parsed: Parsed) -> Sequence[Batch]:
        """As the file has them."""
        return parsed.batches()

    def export_items(
        self,
        *,
        scope: str,
        form: str,
        write: Callable[[bytes], object],
        progress: Callable[[int, int], object],
    ) -> int:
        """A whole export, read in blocks."""
        return write_export(
            self._runner,
            self.actor,
            self.workspace.id,
            Scope(scope),
            write,
            form=ExportForm(form),
            progress=progress,
        )

    def plan_import(self, batch: Batch, *, scope: str | None, approve: bool, planned: int) -> ImportRow:
        """The dry run of a batch."""
        wanted = None if scope is None else Scope(scope)
        return _import_row(
            self._runner(
                plan_import,
                self.actor,
                self.workspace.id,
                batch,
                scope=wanted,
                approve=approve,
                planned=planned,
            )
        )

    def import_batch(self, batch: Batch, *, scope: str | None, approve: bool) -> ImportRow:
        """Import a batch in one transaction."""
        wanted = None if scope is None else Scope(scope)
        return _import_row(
            self._runner(import_items, self.actor, self.workspace.id, batch, scope=wanted, approve=approve)
        )

    def _server_row(self, server: McpServer) -> ServerRow:
        return ServerRow(server.id, server.name, server_url(self.address, server.id), server.created_at)

    def _link_row(self, made: MadeLink) -> LinkRow:
        return LinkRow(
            link_url(self.address, made.secret),
            made.link.purpose.value,
            made.link.email,
            made.link.expires_at,
        )


def made_token_row(made: MadeToken) -> MadeTokenRow:
    """A new token as commands show it, this once with its secret."""
    token = made.token
    return MadeTokenRow(
        token=made.secret,
        id=token.id,
        name=token.name,
        max_level=token.max_level.value,
        surface=token.surface.value,
        expires_at=token.expires_at,
    )


def _import_row(imported: Imported) -> ImportRow:
    return ImportRow(
        scope=imported.scope.value,
        status=imported.status.value,
        restores=imported.restores,
        new=imported.new,
        already_there=imported.already_there,
        over_quota=imported.over_quota,
        held=imported.held,
        problems=[(each.where, each.reason) for each in imported.problems],
    )


def _workspace_row(workspace: Workspace) -> WorkspaceRow:
    return WorkspaceRow(workspace.id, workspace.name, workspace.created_at)

"""What the commands ask for: `local_memory.py` answers on this machine, `remote_memory.py` over REST."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol

from workspace_memory.cli.governance import Governance
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
from workspace_memory.domain.workspace_key import KeyDue

if TYPE_CHECKING:
    from workspace_memory.domain.exchange import Batch, Parsed


class Memory(Protocol):
    """One account in one workspace. Raises: DomainError or ApiError, each with a sentence for the person."""

    @property
    def address(self) -> str:
        """The address of the service."""
        ...

    def workspace_id(self) -> str:
        """The workspace that the calls act on."""
        ...

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
        ...

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
        ...

    def forget_item(self, item: str) -> None:
        """Delete an item."""
        ...

    def item_history(self, item: str) -> Sequence[RevisionRow]:
        """Every version of an item, newest first."""
        ...

    def make_token(
        self, *, name: str, max_level: str, mcp_only: bool, expires_at: datetime | None
    ) -> MadeTokenRow:
        """A new access token of this account."""
        ...

    def list_tokens(self) -> Sequence[TokenRow]:
        """This account's tokens, newest first."""
        ...

    def revoke_token(self, token: str) -> None:
        """Make a token useless at once."""
        ...

    def list_workspaces(self) -> Sequence[WorkspaceRow]:
        """The workspaces that this account reaches."""
        ...

    def make_workspace(self, name: str) -> tuple[WorkspaceRow, ServerRow]:
        """A new workspace with its first MCP server."""
        ...

    def rename_workspace(self, name: str) -> WorkspaceRow:
        """Give the workspace another name."""
        ...

    def delete_workspace(self, confirm_name: str) -> None:
        """Delete the workspace with everything in it."""
        ...

    def list_servers(self) -> Sequence[ServerRow]:
        """The workspace's MCP servers."""
        ...

    def add_server(self, name: str) -> ServerRow:
        """Another MCP server."""
        ...

    def rename_server(self, server: str, name: str) -> ServerRow:
        """Give a server another name; its address stays."""
        ...

    def delete_server(self, server: str) -> None:
        """Delete a server."""
        ...

    def invite(self, email: str, *, role: str) -> LinkRow:
        """An invitation link."""
        ...

    def list_invitations(self) -> Sequence[InvitationRow]:
        """The invitations that can still be redeemed, newest first."""
        ...

    def withdraw_invitation(self, invitation: str) -> None:
        """Make an open invitation useless."""
        ...

    def reset_password(self, email: str) -> LinkRow:
        """A password-reset link."""
        ...

    def set_active(self, email: str, *, active: bool) -> KeyDue:
        """Activate or deactivate a person; what follows with the key of this workspace."""
        ...

    def list_members(self) -> Sequence[MemberRow]:
        """The members of the workspace."""
        ...

    @property
    def governance(self) -> Governance:
        """How people govern the workspace: review, levels, erasing, audit, licence, clients."""
        ...

    def batches(self, parsed: "Parsed") -> Sequence["Batch"]:
        """The parts in which files are imported, with the proof of an export where it can be handed on."""
        ...

    def export_items(
        self,
        *,
        scope: str,
        form: str,
        write: Callable[[bytes], object],
        progress: Callable[[int, int], object],
    ) -> int:
        """Write an export; the number of its items."""
        ...

    def plan_import(self, batch: "Batch", *, scope: str | None, approve: bool, planned: int) -> ImportRow:
        """What an import of the batch would do, after `planned` new items of the batches before it."""
        ...

    def import_batch(self, batch: "Batch", *, scope: str | None, approve: bool) -> ImportRow:
        """Import the batch."""
        ...

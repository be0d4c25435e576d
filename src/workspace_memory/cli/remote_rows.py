"""Items, members and tokens of the REST interface as the rows that commands show."""

from collections.abc import Sequence

from workspace_memory.cli.rows import HeldRow, ItemRow, MemberRow, TokenRow
from workspace_memory.client import Item, Member, Token, WorkspaceMemory
from workspace_memory.domain.account import email_key
from workspace_memory.domain.errors import NotFound


def member_id(client: WorkspaceMemory, email: str) -> str:
    """The id of the member with this address. Raises: NotFound."""
    return member_ids(client, [email])[0]


def member_ids(client: WorkspaceMemory, emails: Sequence[str]) -> list[str]:
    """The ids of the members with these addresses. Raises: NotFound."""
    known = {email_key(member.email): member.user_id for member in client.list_members()}
    for email in emails:
        if email_key(email) not in known:
            raise NotFound(f"member: {email}")
    return [known[email_key(email)] for email in emails]


def remote_item_row(item: Item, *, score: float | None = None) -> ItemRow:
    """An item of the REST interface as commands show it."""
    return ItemRow(
        id=item.id,
        content=item.content,
        kind=item.kind.value,
        scope=item.scope.value,
        tags=list(item.tags),
        status=item.status.value,
        author=None if item.author is None else item.author.name,
        source=item.source,
        version=item.version,
        created_at=item.created_at,
        updated_at=item.updated_at,
        score=score,
        approver=None if item.approver is None else item.approver.name,
        review_by=item.review_by,
        replaces=item.replaces,
        reason=item.reason,
        held=None if item.held is None else HeldRow(item.held.rule, item.held.phrase),
    )


def remote_member_row(member: Member) -> MemberRow:
    """A member of the REST interface as commands show it."""
    return MemberRow(
        id=member.user_id,
        email=member.email,
        name=member.name,
        role=member.role.value,
        status=member.status.value,
        memory_access=member.memory_access.value,
    )


def remote_token_row(token: Token) -> TokenRow:
    """A token of the REST interface as commands show it."""
    return TokenRow(
        id=token.id,
        name=token.name,
        max_level=token.max_level.value,
        surface=token.surface.value,
        created_at=token.created_at,
        last_used_at=token.last_used_at,
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
    )

"""Items, members and tokens of the domain as the rows that commands show."""

from workspace_memory.cli.rows import HeldRow, ItemRow, MemberRow, TokenRow
from workspace_memory.domain.account import Member, Token
from workspace_memory.domain.item import MemoryItem


def item_row(item: MemoryItem, *, score: float | None = None) -> ItemRow:
    """An item as commands show it."""
    return ItemRow(
        id=item.id,
        content=item.content,
        kind=item.kind.value,
        scope=item.scope.value,
        tags=list(item.tags),
        status=item.status.value,
        author=item.author_name,
        source=item.source,
        version=item.version,
        created_at=item.created_at,
        updated_at=item.updated_at,
        score=score,
        approver=item.approver_name,
        review_by=item.review_by,
        replaces=item.replaces,
        reason=item.reason,
        held=None if item.held is None else HeldRow(item.held.rule, item.held.phrase),
    )


def member_row(member: Member) -> MemberRow:
    """A member as commands show it."""
    return MemberRow(
        id=member.user,
        email=member.email,
        name=member.name,
        role=member.role.value,
        status=member.status.value,
        memory_access=member.memory_access.value,
    )


def token_row(token: Token) -> TokenRow:
    """A token as commands show it."""
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

"""One-time links: set-up, invitation, password reset. Only hashes are kept."""

from datetime import datetime

from sqlalchemy import Connection, Row, delete, insert, select, update

from workspace_memory.domain.access import Role
from workspace_memory.domain.account import Link, LinkPurpose, email_key
from workspace_memory.domain.ids import LinkId, UserId, WorkspaceId, is_id
from workspace_memory.storage.tables import links


class Links:
    """Rows of `links`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, link: Link, token_hash: bytes) -> None:
        """Insert a link."""
        self._connection.execute(
            insert(links).values(
                id=link.id,
                purpose=link.purpose.value,
                token_hash=token_hash,
                email=link.email,
                user_id=link.user,
                workspace_id=link.workspace,
                role=None if link.role is None else link.role.value,
                created_by=link.created_by,
                created_at=link.created_at,
                expires_at=link.expires_at,
            )
        )

    def valid(self, token_hash: bytes, *, at: datetime) -> Link | None:
        """The link with this hash, unless it was redeemed or has expired."""
        row = self._connection.execute(
            select(links).where(
                links.c.token_hash == token_hash, links.c.redeemed_at.is_(None), links.c.expires_at > at
            )
        ).first()
        return None if row is None else _link(row)

    def redeem(self, link: LinkId, *, at: datetime) -> bool:
        """Use the link up; False when somebody else was faster."""
        result = self._connection.execute(
            update(links).where(links.c.id == link, links.c.redeemed_at.is_(None)).values(redeemed_at=at)
        )
        return result.rowcount == 1

    def open_of_workspace(self, workspace: WorkspaceId, *, at: datetime) -> list[Link]:
        """Invitations of a workspace that can still be redeemed, newest first."""
        rows = self._connection.execute(
            select(links)
            .where(
                links.c.workspace_id == workspace,
                links.c.purpose == LinkPurpose.INVITATION.value,
                links.c.redeemed_at.is_(None),
                links.c.expires_at > at,
            )
            .order_by(links.c.created_at.desc(), links.c.id.desc())
        )
        return [_link(row) for row in rows]

    def withdraw_setup(self) -> None:
        """Delete the set-up links, since a newer one replaces them."""
        self._connection.execute(delete(links).where(links.c.purpose == LinkPurpose.SETUP.value))

    def withdraw_invitations(self, workspace: WorkspaceId, email: str) -> None:
        """Delete the open invitations of an address, since a newer one replaces them."""
        for link in self._connection.execute(
            select(links.c.id, links.c.email).where(
                links.c.workspace_id == workspace,
                links.c.purpose == LinkPurpose.INVITATION.value,
                links.c.redeemed_at.is_(None),
            )
        ).all():
            if link.email is not None and email_key(link.email) == email_key(email):
                self._connection.execute(delete(links).where(links.c.id == link.id))

    def withdraw(self, workspace: WorkspaceId, link: LinkId) -> bool:
        """Delete one open invitation of the workspace; False when there is none."""
        if not is_id(link):
            return False
        result = self._connection.execute(
            delete(links).where(
                links.c.id == link,
                links.c.workspace_id == workspace,
                links.c.purpose == LinkPurpose.INVITATION.value,
                links.c.redeemed_at.is_(None),
            )
        )
        return result.rowcount == 1

    def withdraw_resets(self, user: UserId) -> None:
        """Delete the password-reset links of an account."""
        self._connection.execute(
            delete(links).where(links.c.user_id == user, links.c.purpose == LinkPurpose.PASSWORD_RESET.value)
        )


def _link(row: Row[tuple[object, ...]]) -> Link:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return Link(
        id=facts["id"],
        purpose=LinkPurpose(facts["purpose"]),
        email=facts["email"],
        user=facts["user_id"],
        workspace=facts["workspace_id"],
        role=None if facts["role"] is None else Role(facts["role"]),
        created_by=facts["created_by"],
        created_at=facts["created_at"],
        expires_at=facts["expires_at"],
    )

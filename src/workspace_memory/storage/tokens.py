"""Personal access tokens. Only hashes are kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import AccountStatus, Token
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import TokenId, UserId, WorkspaceId, is_id
from workspace_memory.storage.prepared import Prepared, as_time
from workspace_memory.storage.tables import access_tokens, users

# In the order in which `token_of` takes them.
TOKEN = [
    access_tokens.c[name]
    for name in (
        *("workspace_id", "id", "user_id", "name", "max_level", "surface"),
        *("created_at", "last_used_at", "expires_at", "revoked_at"),
    )
]
# What a valid token is, of the account `users`.
VALID = (
    users.c.status == AccountStatus.ACTIVE.value,
    access_tokens.c.token_hash == bindparam("token_hash"),
    access_tokens.c.revoked_at.is_(None),
    or_(access_tokens.c.expires_at.is_(None), access_tokens.c.expires_at > bindparam("at")),
)
_VALID = Prepared(
    select(*TOKEN).select_from(access_tokens).join(users, users.c.id == access_tokens.c.user_id).where(*VALID)
)


@dataclass(frozen=True, slots=True)
class NewToken:
    """What is stored of a token that is being made."""

    workspace: WorkspaceId
    id: TokenId
    user: UserId
    name: str
    token_hash: bytes
    max_level: AccessLevel
    surface: Surface
    created_at: datetime
    expires_at: datetime | None


class Tokens:
    """Rows of `access_tokens`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, token: NewToken) -> None:
        """Insert a token."""
        self._connection.execute(
            insert(access_tokens).values(
                workspace_id=token.workspace,
                id=token.id,
                user_id=token.user,
                name=token.name,
                token_hash=token.token_hash,
                max_level=token.max_level.value,
                surface=token.surface.value,
                created_at=token.created_at,
                expires_at=token.expires_at,
            )
        )

    def valid(self, token_hash: bytes, *, at: datetime) -> Token | None:
        """The token with this hash, unless it is revoked, has expired or its account is deactivated."""
        rows = _VALID.rows(self._connection, token_hash=token_hash, at=at)
        return token_of(rows[0]) if rows else None

    def get(self, workspace: WorkspaceId, token: TokenId) -> Token | None:
        """The token with this id."""
        if not is_id(token):
            return None
        row = self._connection.execute(
            select(*TOKEN).where(access_tokens.c.workspace_id == workspace, access_tokens.c.id == token)
        ).first()
        return None if row is None else token_of(row)

    def of_user(self, workspace: WorkspaceId, user: UserId) -> list[Token]:
        """A member's tokens, newest first, revoked ones too."""
        rows = self._connection.execute(
            select(*TOKEN)
            .where(access_tokens.c.workspace_id == workspace, access_tokens.c.user_id == user)
            .order_by(access_tokens.c.created_at.desc(), access_tokens.c.id.desc())
        )
        return [token_of(row) for row in rows]

    def of_workspace(self, workspace: WorkspaceId) -> list[Token]:
        """Every token of the workspace, by member, newest first, revoked ones too."""
        rows = self._connection.execute(
            select(*TOKEN)
            .where(access_tokens.c.workspace_id == workspace)
            .order_by(access_tokens.c.user_id, access_tokens.c.created_at.desc(), access_tokens.c.id.desc())
        )
        return [token_of(row) for row in rows]

    def touch(self, workspace: WorkspaceId, token: TokenId, *, at: datetime) -> None:
        """Remember when the token was last used."""
        self._connection.execute(
            update(access_tokens)
            .where(access_tokens.c.workspace_id == workspace, access_tokens.c.id == token)
            .values(last_used_at=at)
        )

    def revoke(self, workspace: WorkspaceId, token: TokenId, *, at: datetime) -> None:
        """Make the token useless from now on."""
        self._connection.execute(
            update(access_tokens)
            .where(
                access_tokens.c.workspace_id == workspace,
                access_tokens.c.id == token,
                access_tokens.c.revoked_at.is_(None),
            )
            .values(revoked_at=at)
        )

    def delete_of_user(self, user: UserId) -> None:
        """Delete all tokens of an account, in every workspace."""
        self._connection.execute(delete(access_tokens).where(access_tokens.c.user_id == user))


def token_of(row: Sequence[Any]) -> Token:
    """A row of `TOKEN`."""
    workspace, token, user, name, max_level, surface, created_at, *times = row
    last_used_at, expires_at, revoked_at = (None if time is None else as_time(time) for time in times)
    return Token(
        workspace=workspace,
        id=token,
        user=user,
        name=name,
        max_level=AccessLevel(max_level),
        surface=Surface(surface),
        created_at=as_time(created_at),
        last_used_at=last_used_at,
        expires_at=expires_at,
        revoked_at=revoked_at,
    )

"""Personal access tokens. Only hashes are kept."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, bindparam, delete, insert, or_, select, update

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import AccountStatus, Token
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import TokenId, UserId, WorkspaceId, is_id
from workspace_memory.storage.tables import access_tokens, users

_COLUMNS = [column for column in access_tokens.c if column.name != "token_hash"]

# Made once: building a statement costs more than running it, and this one runs at every call.
_VALID = (
    select(*_COLUMNS)
    .join(users, users.c.id == access_tokens.c.user_id)
    .where(
        users.c.status == AccountStatus.ACTIVE.value,
        access_tokens.c.token_hash == bindparam("token_hash"),
        access_tokens.c.revoked_at.is_(None),
        or_(access_tokens.c.expires_at.is_(None), access_tokens.c.expires_at > bindparam("at")),
    )
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
        row = self._connection.execute(_VALID, {"token_hash": token_hash, "at": at}).first()
        return None if row is None else _token(row)

    def get(self, workspace: WorkspaceId, token: TokenId) -> Token | None:
        """The token with this id."""
        if not is_id(token):
            return None
        row = self._connection.execute(
            select(*_COLUMNS).where(access_tokens.c.workspace_id == workspace, access_tokens.c.id == token)
        ).first()
        return None if row is None else _token(row)

    def of_user(self, workspace: WorkspaceId, user: UserId) -> list[Token]:
        """A member's tokens, newest first, revoked ones too."""
        rows = self._connection.execute(
            select(*_COLUMNS)
            .where(access_tokens.c.workspace_id == workspace, access_tokens.c.user_id == user)
            .order_by(access_tokens.c.created_at.desc(), access_tokens.c.id.desc())
        )
        return [_token(row) for row in rows]

    def of_workspace(self, workspace: WorkspaceId) -> list[Token]:
        """Every token of the workspace, by member, newest first, revoked ones too."""
        rows = self._connection.execute(
            select(*_COLUMNS)
            .where(access_tokens.c.workspace_id == workspace)
            .order_by(access_tokens.c.user_id, access_tokens.c.created_at.desc(), access_tokens.c.id.desc())
        )
        return [_token(row) for row in rows]

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


def _token(row: Row[tuple[object, ...]]) -> Token:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return Token(
        workspace=facts["workspace_id"],
        id=facts["id"],
        user=facts["user_id"],
        name=facts["name"],
        max_level=AccessLevel(facts["max_level"]),
        surface=Surface(facts["surface"]),
        created_at=facts["created_at"],
        last_used_at=facts["last_used_at"],
        expires_at=facts["expires_at"],
        revoked_at=facts["revoked_at"],
    )

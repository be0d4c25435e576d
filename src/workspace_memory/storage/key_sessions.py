"""Key sessions as the authority knows them, and their durable revocations. The keys themselves are in RAM."""

from datetime import datetime

from sqlalchemy import Connection, Row, bindparam, delete, insert, select

from workspace_memory.domain.ids import Epoch, KeySessionId, UserId, WorkspaceId, is_id
from workspace_memory.domain.key_session import KeySession, KeySessionWay
from workspace_memory.storage.key_tables import key_session_revocations, key_sessions

_SESSION = select(key_sessions, key_session_revocations.c.revoked_at.is_not(None).label("revoked")).outerjoin(
    key_session_revocations,
    (key_session_revocations.c.workspace_id == key_sessions.c.workspace_id)
    & (key_session_revocations.c.key_session_id == key_sessions.c.id),
)
_BY_TOKEN = _SESSION.where(
    key_sessions.c.workspace_id == bindparam("workspace"),
    key_sessions.c.user_id == bindparam("user"),
    key_sessions.c.token_hash == bindparam("token_hash"),
)


class KeySessions:
    """Rows of `key_sessions` and `key_session_revocations`; revoke under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, session: KeySession) -> None:
        """Store an opened session."""
        self._connection.execute(
            insert(key_sessions).values(
                workspace_id=session.workspace,
                id=session.id,
                user_id=session.user,
                epoch=session.epoch,
                token_hash=session.token_hash,
                name=session.name,
                way=session.way.value,
                opened_at=session.opened_at,
                expires_at=session.expires_at,
            )
        )

    def get(self, workspace: WorkspaceId, session: KeySessionId) -> KeySession | None:
        """A session by its id, also an expired or revoked one."""
        if not is_id(session):
            return None
        row = self._connection.execute(
            _SESSION.where(key_sessions.c.workspace_id == workspace, key_sessions.c.id == session)
        ).first()
        return None if row is None else _session(row)

    def by_token(self, workspace: WorkspaceId, user: UserId, token_hash: bytes) -> KeySession | None:
        """The session of this user in this workspace whose token has this hash."""
        names = {"workspace": workspace, "user": user, "token_hash": token_hash}
        row = self._connection.execute(_BY_TOKEN, names).first()
        return None if row is None else _session(row)

    def open_ones(
        self, workspace: WorkspaceId, *, now: datetime, user: UserId | None = None
    ) -> list[KeySession]:
        """Sessions that are neither expired nor revoked, of one user or of all, newest first."""
        statement = _SESSION.where(
            key_sessions.c.workspace_id == workspace,
            key_sessions.c.expires_at > now,
            key_session_revocations.c.revoked_at.is_(None),
        )
        if user is not None:
            statement = statement.where(key_sessions.c.user_id == user)
        return [
            _session(row) for row in self._connection.execute(statement.order_by(key_sessions.c.id.desc()))
        ]

    def forget_ended(self, workspace: WorkspaceId, *, before: datetime) -> None:
        """Drop the rows of sessions that ended before a time, so that they do not pile up."""
        self._connection.execute(
            delete(key_sessions).where(
                key_sessions.c.workspace_id == workspace, key_sessions.c.expires_at < before
            )
        )

    def is_revoked(self, workspace: WorkspaceId, session: KeySessionId) -> bool:
        """Whether a session was revoked, also one whose own row is gone."""
        row = self._connection.execute(
            select(key_session_revocations.c.revoked_at).where(
                key_session_revocations.c.workspace_id == workspace,
                key_session_revocations.c.key_session_id == session,
            )
        ).first()
        return row is not None

    def revoke(
        self, workspace: WorkspaceId, session: KeySessionId, *, by: UserId | None, at: datetime
    ) -> None:
        """End a session for good; once more changes nothing."""
        if not self.is_revoked(workspace, session):
            self._connection.execute(
                insert(key_session_revocations).values(
                    workspace_id=workspace, key_session_id=session, revoked_at=at, revoked_by=by
                )
            )


def _session(row: Row[tuple[object, ...]]) -> KeySession:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return KeySession(
        workspace=WorkspaceId(facts["workspace_id"]),
        id=KeySessionId(facts["id"]),
        user=UserId(facts["user_id"]),
        epoch=Epoch(facts["epoch"]),
        token_hash=bytes(facts["token_hash"]),
        name=facts["name"],
        way=KeySessionWay(facts["way"]),
        opened_at=facts["opened_at"],
        expires_at=facts["expires_at"],
        revoked=bool(facts["revoked"]),
    )

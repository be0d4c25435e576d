"""Signed-in browser or command-line sessions, and the counts of failed sign-ins."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, or_, select, update

from workspace_memory.domain.account import AccountStatus
from workspace_memory.domain.ids import UserId
from workspace_memory.storage.tables import sign_in_failures, sign_in_sessions, users


class SignIns:
    """Rows of `sign_in_sessions` and `sign_in_failures`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, token_hash: bytes, user: UserId, *, at: datetime, expires_at: datetime) -> None:
        """Insert a session."""
        self._connection.execute(
            insert(sign_in_sessions).values(
                token_hash=token_hash, user_id=user, created_at=at, last_seen_at=at, expires_at=expires_at
            )
        )

    def valid(
        self, token_hash: bytes, *, at: datetime, idle_since: datetime
    ) -> tuple[UserId, datetime] | None:
        """The active user of a session and when it was last seen, unless it expired or was idle for too long."""
        row = self._connection.execute(
            select(sign_in_sessions.c.user_id, sign_in_sessions.c.last_seen_at)
            .join(users, users.c.id == sign_in_sessions.c.user_id)
            .where(
                users.c.status == AccountStatus.ACTIVE.value,
                sign_in_sessions.c.token_hash == token_hash,
                sign_in_sessions.c.expires_at > at,
                sign_in_sessions.c.last_seen_at > idle_since,
            )
        ).first()
        return None if row is None else (row.user_id, row.last_seen_at)

    def touch(self, token_hash: bytes, *, at: datetime) -> None:
        """Remember that the session was used."""
        self._connection.execute(
            update(sign_in_sessions)
            .where(sign_in_sessions.c.token_hash == token_hash)
            .values(last_seen_at=at)
        )

    def owner(self, token_hash: bytes) -> UserId | None:
        """Whose session it is, also one that is over."""
        row = self._connection.execute(
            select(sign_in_sessions.c.user_id).where(sign_in_sessions.c.token_hash == token_hash)
        ).first()
        return None if row is None else row.user_id

    def end(self, token_hash: bytes) -> None:
        """End one session."""
        self._connection.execute(delete(sign_in_sessions).where(sign_in_sessions.c.token_hash == token_hash))

    def of_user(
        self, user: UserId, *, at: datetime, idle_since: datetime
    ) -> list[tuple[bytes, datetime, datetime, datetime]]:
        """An account's sessions that go on, the last used first: hash, when it began, was last seen and expires."""
        rows = self._connection.execute(
            select(
                sign_in_sessions.c.token_hash,
                sign_in_sessions.c.created_at,
                sign_in_sessions.c.last_seen_at,
                sign_in_sessions.c.expires_at,
            )
            .where(
                sign_in_sessions.c.user_id == user,
                sign_in_sessions.c.expires_at > at,
                sign_in_sessions.c.last_seen_at > idle_since,
            )
            .order_by(sign_in_sessions.c.last_seen_at.desc(), sign_in_sessions.c.token_hash)
        )
        return [(row.token_hash, row.created_at, row.last_seen_at, row.expires_at) for row in rows]

    def end_all(self, user: UserId, *, but: bytes = b"") -> None:
        """End every session of an account, or every one but this."""
        self._connection.execute(
            delete(sign_in_sessions).where(
                sign_in_sessions.c.user_id == user, sign_in_sessions.c.token_hash != but
            )
        )

    def end_expired(self, user: UserId, *, at: datetime, idle_since: datetime) -> None:
        """Delete an account's sessions that are of no use any more."""
        over = or_(sign_in_sessions.c.expires_at <= at, sign_in_sessions.c.last_seen_at <= idle_since)
        self._connection.execute(delete(sign_in_sessions).where(sign_in_sessions.c.user_id == user, over))

    def failures(self, subject_hash: bytes) -> tuple[int, datetime] | None:
        """How often sign-in failed in a row, and until when the next attempt has to wait."""
        row = self._connection.execute(
            select(sign_in_failures.c.failures, sign_in_failures.c.blocked_until).where(
                sign_in_failures.c.subject_hash == subject_hash
            )
        ).first()
        return None if row is None else (row.failures, row.blocked_until)

    def set_failures(self, subject_hash: bytes, failures: int, *, blocked_until: datetime) -> None:
        """Count a failure."""
        values = {"failures": failures, "blocked_until": blocked_until}
        result = self._connection.execute(
            update(sign_in_failures).where(sign_in_failures.c.subject_hash == subject_hash).values(**values)
        )
        if result.rowcount == 0:
            self._connection.execute(insert(sign_in_failures).values(subject_hash=subject_hash, **values))

    def forget_failures(self, *, blocked_before: datetime) -> None:
        """Drop counts whose delay ended so long ago that they are over."""
        self._connection.execute(
            delete(sign_in_failures).where(sign_in_failures.c.blocked_until < blocked_before)
        )

    def clear_failures(self, subject_hash: bytes) -> None:
        """Forget the failures after a success."""
        self._connection.execute(
            delete(sign_in_failures).where(sign_in_failures.c.subject_hash == subject_hash)
        )

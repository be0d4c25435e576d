"""The audit log: events are appended, never changed. `domain/audit.py` chains them.

Triggers refuse UPDATE and DELETE; the log goes with its workspace. Whoever can drop a trigger can change a row all
the same, which is what the chain is for: a row that cannot even be read is given as UNREADABLE, and fits no hash.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from sqlalchemy import Connection, Row, TypeDecorator, case, insert, select, type_coerce
from sqlalchemy.engine import Dialect
from sqlalchemy.types import NullType

from workspace_memory.domain.audit import GENESIS, AuditAction, AuditEvent, AuditHead, link
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.storage.governance_tables import audit_events

# A number that is a text, which SQLite would keep, sorts behind every number.
_NUMBER_MAX = 2**31 - 1
_FIRST, _LAST = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)


class _AnyTime(TypeDecorator[datetime]):
    """A time as it stands in the column; None where it is none, which must not stop the rows around it."""

    impl = NullType
    cache_ok = True

    def process_result_value(self, value: object, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """An aware UTC time."""
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value)
            except ValueError:
                return None
            return value.replace(tzinfo=UTC) if value.tzinfo is None else None
        return value.astimezone(UTC) if isinstance(value, datetime) else None


# PostgreSQL keeps times, such as infinity, for which Python has no value.
_at = audit_events.c.at
_EVENT = select(
    *[column for column in audit_events.c if column is not _at],
    type_coerce(case((_at.between(_FIRST, _LAST), _at)), _AnyTime).label("at"),
)


class AuditLog:
    """Rows of `audit_events`. Append only under the workspace lock, which gives the events their order."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        # Read once per transaction: under the lock nobody else appends.
        self._heads: dict[WorkspaceId, AuditHead] = {}

    def add(
        self,
        workspace: WorkspaceId,
        action: AuditAction,
        *,
        at: datetime,
        actor: UserId | None,
        subject: UserId | None = None,
        facts: Mapping[str, str | int] | None = None,
    ) -> None:
        """Append an event to the workspace's chain."""
        head = self._heads.get(workspace) or self.head(workspace)
        event = link(
            head, workspace=workspace, at=at, actor=actor, action=action, subject=subject, facts=facts
        )
        self._connection.execute(
            insert(audit_events).values(
                workspace_id=event.workspace,
                number=event.number,
                at=event.at,
                actor_id=event.actor,
                action=event.action.value,
                subject_id=event.subject,
                facts=_written(event.facts),
                previous=event.previous,
                hash=event.hash,
            )
        )
        self._heads[workspace] = AuditHead(event.number, event.hash)

    def head(self, workspace: WorkspaceId) -> AuditHead:
        """The newest event's number and hash."""
        row = self._connection.execute(
            select(audit_events.c.number, audit_events.c.hash)
            .where(audit_events.c.workspace_id == workspace, audit_events.c.number <= _NUMBER_MAX)
            .order_by(audit_events.c.number.desc())
            .limit(1)
        ).first()
        if row is None:
            return AuditHead(0, GENESIS)
        # What was tampered with must not stop the work; the chain is broken there already.
        return AuditHead(int(row.number), row.hash if isinstance(row.hash, bytes) else GENESIS)

    def page(
        self,
        workspace: WorkspaceId,
        *,
        before: int | None,
        limit: int,
        action: AuditAction | None = None,
        actor: UserId | None = None,
        subject: UserId | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[AuditEvent]:
        """Events newest first, from the number `before` (exclusive) on; None means any."""
        column = audit_events.c
        statement = _EVENT.where(column.workspace_id == workspace, column.number <= _NUMBER_MAX)
        if before is not None:
            statement = statement.where(column.number < before)
        if action is not None:
            statement = statement.where(column.action == action.value)
        if actor is not None:
            statement = statement.where(column.actor_id == actor)
        if subject is not None:
            statement = statement.where(column.subject_id == subject)
        if since is not None:
            statement = statement.where(column.at >= since)
        if until is not None:
            statement = statement.where(column.at < until)
        rows = self._connection.execute(statement.order_by(column.number.desc()).limit(limit))
        return [_event(row) for row in rows]

    def following(self, workspace: WorkspaceId, *, after: int | None, limit: int) -> list[AuditEvent]:
        """Events oldest first, from the number `after` (exclusive) on, None from the first: to check the chain."""
        statement = _EVENT.where(audit_events.c.workspace_id == workspace)
        if after is not None:
            statement = statement.where(audit_events.c.number > after)
        rows = self._connection.execute(statement.order_by(audit_events.c.number).limit(limit))
        return [_event(row) for row in rows]


def _event(row: Row[tuple[object, ...]]) -> AuditEvent:
    columns = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    action, at = columns["action"], columns["at"]
    facts = _facts(columns["facts"])
    people = [columns["actor_id"], columns["subject_id"]]
    hashes = [columns["previous"], columns["hash"]]
    readable = (
        action in set(AuditAction)
        and at is not None
        and facts is not None
        and all(each is None or isinstance(each, str) for each in people)
        and all(isinstance(each, bytes) for each in hashes)
    )
    actor, subject = (each if isinstance(each, str) else None for each in people)
    previous, own = (each if isinstance(each, bytes) else b"" for each in hashes)
    return AuditEvent(
        workspace=columns["workspace_id"],
        number=columns["number"],
        at=at or _FIRST,
        actor=None if actor is None else UserId(actor),
        action=AuditAction(action) if readable else AuditAction.UNREADABLE,
        subject=None if subject is None else UserId(subject),
        facts=facts or {},
        previous=previous,
        hash=own,
    )


def _facts(text: object) -> Mapping[str, str | int] | None:
    """The facts, if they are written as this product writes them: a name that stands twice would hide one value."""
    try:
        value: object = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    facts = cast("dict[str, object]", value)
    plain = all(isinstance(fact, (str, int)) for fact in facts.values())
    if not plain or _written(cast("dict[str, str | int]", facts)) != text:
        return None
    return cast("dict[str, str | int]", facts)


def _written(facts: Mapping[str, str | int]) -> str:
    return json.dumps(dict(facts), ensure_ascii=False)

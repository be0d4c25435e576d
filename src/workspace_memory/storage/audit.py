"""The audit log: events are appended, never changed. `domain/audit.py` chains them.

Triggers refuse UPDATE and DELETE; the log goes with its workspace. Whoever can drop a trigger can change a row all
the same, which is what the chain is for: a row that cannot even be read is given as UNREADABLE, and fits no hash.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, Row, insert, select

from workspace_memory.domain.audit import GENESIS, AuditAction, AuditEvent, AuditHead, link
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.storage.governance_tables import audit_events


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
                facts=json.dumps(dict(event.facts), ensure_ascii=False),
                previous=event.previous,
                hash=event.hash,
            )
        )
        self._heads[workspace] = AuditHead(event.number, event.hash)

    def head(self, workspace: WorkspaceId) -> AuditHead:
        """The newest event's number and hash."""
        row = self._connection.execute(
            select(audit_events.c.number, audit_events.c.hash)
            .where(audit_events.c.workspace_id == workspace)
            .order_by(audit_events.c.number.desc())
            .limit(1)
        ).first()
        return AuditHead(0, GENESIS) if row is None else AuditHead(row.number, row.hash)

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
        statement = select(audit_events).where(column.workspace_id == workspace)
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
        statement = select(audit_events).where(audit_events.c.workspace_id == workspace)
        if after is not None:
            statement = statement.where(audit_events.c.number > after)
        rows = self._connection.execute(statement.order_by(audit_events.c.number).limit(limit))
        return [_event(row) for row in rows]


def _event(row: Row[tuple[object, ...]]) -> AuditEvent:
    columns = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    action: str = columns["action"]
    facts = _facts(columns["facts"])
    readable = action in set(AuditAction) and facts is not None
    return AuditEvent(
        workspace=columns["workspace_id"],
        number=columns["number"],
        at=columns["at"],
        actor=columns["actor_id"],
        action=AuditAction(action) if readable else AuditAction.UNREADABLE,
        subject=columns["subject_id"],
        facts=facts or {},
        previous=columns["previous"],
        hash=columns["hash"],
    )


def _facts(text: str) -> Mapping[str, str | int] | None:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    facts = cast("dict[str, object]", value)
    plain = all(isinstance(fact, (str, int)) for fact in facts.values())
    return cast("dict[str, str | int]", facts) if plain else None

"""What waits for a person: pending items, oldest first, and items whose date of review has come."""

from datetime import date, datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, tuple_

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.item import MemoryItem, Scope, Status
from workspace_memory.storage.items import ITEM, Viewer, item_of
from workspace_memory.storage.tables import memory_items


class Reviews:
    """Reads of `memory_items` for whoever decides: personal items for their owner, company items for curators."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def waiting(
        self,
        workspace: WorkspaceId,
        viewer: Viewer,
        *,
        scope: Scope | None,
        after: tuple[datetime, ItemId] | None,
        limit: int,
    ) -> list[MemoryItem]:
        """Pending items that the viewer decides about, oldest first, from the position `after` (exclusive) on."""
        column = memory_items.c
        statement = ITEM.where(_waiting(workspace, viewer))
        if scope is not None:
            statement = statement.where(column.scope == scope.value)
        if after is not None:
            statement = statement.where(tuple_(column.created_at, column.id) > after)
        rows = self._connection.execute(statement.order_by(column.created_at, column.id).limit(limit))
        return [item_of(row, viewer) for row in rows]

    def due(self, workspace: WorkspaceId, viewer: Viewer, *, today: date, limit: int) -> list[MemoryItem]:
        """Active items whose review date has come, the longest overdue first."""
        column = memory_items.c
        rows = self._connection.execute(
            ITEM.where(_due(workspace, viewer, today)).order_by(column.review_by, column.id).limit(limit)
        )
        return [item_of(row, viewer) for row in rows]

    def count_waiting(self, workspace: WorkspaceId, viewer: Viewer) -> int:
        """How many pending items the viewer decides about."""
        return self._count(_waiting(workspace, viewer))

    def count_due(self, workspace: WorkspaceId, viewer: Viewer, *, today: date) -> int:
        """How many active items are due that the viewer may confirm."""
        return self._count(_due(workspace, viewer, today))

    def _count(self, condition: ColumnElement[bool]) -> int:
        counted = select(func.count()).select_from(memory_items).where(condition)
        return self._connection.execute(counted).scalar_one()


def _waiting(workspace: WorkspaceId, viewer: Viewer) -> ColumnElement[bool]:
    column = memory_items.c
    pending = column.status == Status.PENDING.value
    return and_(column.workspace_id == workspace, pending, _decided_by(viewer))


def _due(workspace: WorkspaceId, viewer: Viewer, today: date) -> ColumnElement[bool]:
    column = memory_items.c
    due = and_(column.status == Status.ACTIVE.value, column.review_by <= today)
    return and_(column.workspace_id == workspace, due, _decided_by(viewer))


def _decided_by(viewer: Viewer) -> ColumnElement[bool]:
    own = and_(memory_items.c.scope == Scope.PERSONAL.value, memory_items.c.owner_id == viewer.user)
    return or_(own, memory_items.c.scope == Scope.ORGANIZATION.value) if viewer.curator else own

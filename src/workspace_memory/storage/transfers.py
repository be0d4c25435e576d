"""What moving memory in and out needs of the item tables beyond `items.py`: order, histories, ids that are taken.

No text is read here without a viewer: ids come from here, the items themselves from `items.Items.get_many`, whose
WHERE is the visibility rule. Histories are asked for by the ids of items that were found visible.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, insert, select, text, tuple_, update

from workspace_memory.domain.exchange_jsonl import HISTORY_MAX, Revision
from workspace_memory.domain.ids import ItemId, ItemVersion, UserId, WorkspaceId
from workspace_memory.domain.item import Kind, MemoryItem, Scope
from workspace_memory.storage.tables import instance, memory_item_history, memory_items

_KEEP = text("INSERT INTO instance (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING")


class Transfers:
    """Reads of `memory_items` in the order of an export, and whole histories."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ids_in_order(
        self,
        workspace: WorkspaceId,
        scope: Scope,
        owner: UserId | None,
        *,
        after: tuple[datetime, ItemId] | None = None,
        limit: int | None = None,
    ) -> list[ItemId]:
        """Ids of company items, or of one member's personal ones, oldest first, after a place (exclusive)."""
        statement = (
            select(memory_items.c.id)
            .where(memory_items.c.workspace_id == workspace, memory_items.c.scope == scope.value)
            .order_by(memory_items.c.created_at, memory_items.c.id)
            .limit(limit)
        )
        if owner is not None:
            statement = statement.where(memory_items.c.owner_id == owner)
        if after is not None:
            statement = statement.where(tuple_(memory_items.c.created_at, memory_items.c.id) > after)
        return list(self._connection.execute(statement).scalars())

    def histories(
        self, workspace: WorkspaceId, items: Sequence[ItemId]
    ) -> dict[ItemId, tuple[Revision, ...]]:
        """The latest 50 versions of each item, oldest first."""
        history = memory_item_history.c
        rows = self._connection.execute(
            select(memory_item_history)
            .where(history.workspace_id == workspace, history.item_id.in_(items))
            .order_by(history.item_id, history.version)
        )
        found: dict[ItemId, list[Revision]] = {}
        for row in rows:
            found.setdefault(row.item_id, []).append(
                Revision(
                    version=ItemVersion(row.version),
                    content=row.content,
                    kind=Kind(row.kind),
                    tags=tuple(cast("list[str]", json.loads(row.tags))),
                    source=row.source,
                    changed_at=row.changed_at,
                    changed_by=row.changed_by,
                )
            )
        return {item: tuple(revisions[-HISTORY_MAX:]) for item, revisions in found.items()}

    def taken_ids(self, workspace: WorkspaceId, items: Sequence[ItemId]) -> set[ItemId]:
        """Those of the ids that some item of the workspace has, whoever may see it."""
        rows = self._connection.execute(
            select(memory_items.c.id).where(
                memory_items.c.workspace_id == workspace, memory_items.c.id.in_(items)
            )
        )
        return set(rows.scalars())

    def put_back(self, item: MemoryItem, revisions: Sequence[Revision]) -> None:
        """Complete an item that `items.Items.add` has just inserted: its earlier versions, and its own times.

        A decision on an item changes the item and not its history, so that its last version may be older.
        """
        columns = memory_items.c
        self._connection.execute(
            update(memory_items)
            .where(columns.workspace_id == item.workspace, columns.id == item.id)
            .values(updated_at=item.updated_at, source=item.source)
        )
        rows = [
            {
                "workspace_id": item.workspace,
                "item_id": item.id,
                "version": revision.version,
                "content": revision.content,
                "kind": revision.kind.value,
                "tags": json.dumps(revision.tags, ensure_ascii=False),
                "source": revision.source,
                "changed_by": revision.changed_by,
                "changed_at": revision.changed_at,
            }
            for revision in revisions
            if revision.version != item.version
        ]
        if rows:
            self._connection.execute(insert(memory_item_history), rows)

    def keep_instance_value(self, name: str, value: bytes) -> bytes:
        """Keep a fact of the installation unless there is one; give the one that is kept.

        Two workspaces may make the key of the installation at the same moment, and no lock is held in common.
        """
        self._connection.execute(_KEEP, {"name": name, "value": value})
        return self._connection.execute(select(instance.c.value).where(instance.c.name == name)).scalar_one()

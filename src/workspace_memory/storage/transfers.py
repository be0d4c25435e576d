"""What moving memory in and out needs of the item tables beyond `items.py`: order, histories, ids that are taken.

No text is read here without a viewer: ids come from here, the items themselves from `items.Items.get_many`, whose
WHERE is the visibility rule. Histories are asked for by the ids of items that were found visible.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, select, text, tuple_

from workspace_memory.domain.exchange_jsonl import HISTORY_MAX, Revision
from workspace_memory.domain.ids import ItemId, ItemVersion, UserId, WorkspaceId
from workspace_memory.domain.item import Kind, MemoryItem, Scope
from workspace_memory.storage.items import HistoryRow, Items, history_row
from workspace_memory.storage.tables import instance, memory_item_history, memory_items

_KEEP = text("INSERT INTO instance (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING")


@dataclass(frozen=True, slots=True)
class PutBack:
    """An item as it was, and its versions; who puts it back stands for an account that nobody knows any more."""

    item: MemoryItem
    history: Sequence[Revision]
    put_back_by: UserId


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

    def put_back(self, items: Sequence[PutBack]) -> None:
        """Insert items as they were, each with its history.

        A decision on an item changes the item and not its history, so that its last version may be older.
        """
        store = Items(self._connection)
        store.insert([each.item for each in items])
        store.insert_history([row for each in items for row in _history_rows(each)])

    def keep_instance_value(self, name: str, value: bytes) -> bytes:
        """Keep a fact of the installation unless there is one; give the one that is kept.

        Two workspaces may make the key of the installation at the same moment, and no lock is held in common.
        """
        self._connection.execute(_KEEP, {"name": name, "value": value})
        return self._connection.execute(select(instance.c.value).where(instance.c.name == name)).scalar_one()


def _history_rows(each: PutBack) -> Iterator[HistoryRow]:
    item, changed_by = each.item, each.put_back_by
    present = next((one for one in each.history if one.version == item.version), None)
    if present is not None:
        item = replace(item, updated_at=present.changed_at, source=present.source)
        changed_by = present.changed_by or changed_by
    for one in each.history:
        if one is not present:
            yield history_row(_as_it_was(item, one), one.changed_by, None)
    yield history_row(item, changed_by, item.token)


def _as_it_was(item: MemoryItem, revision: Revision) -> MemoryItem:
    return replace(
        item,
        version=revision.version,
        content=revision.content,
        kind=revision.kind,
        tags=revision.tags,
        source=revision.source,
        updated_at=revision.changed_at,
    )

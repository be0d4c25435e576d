"""Memory items and their history.

Every read goes through `visible_to`: somebody else's personal item is filtered out in the WHERE, so that it is
absent in the same way as an item that never was. The search index is kept by `services/items.py` in the same
transaction; `search.py` holds it.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import ItemId, ItemVersion, TokenId, UserId, WorkspaceId, is_id
from workspace_memory.domain.item import (
    Held,
    ItemRevision,
    Kind,
    MemoryItem,
    Scope,
    Status,
    check_tags,
    content_key,
    tag_key,
)
from workspace_memory.storage.tables import memory_item_history, memory_items, users

_author = users.alias("author")
_approver = users.alias("approver")
_changer = users.alias("changer")

ITEM = (
    select(memory_items, _author.c.name.label("author_name"), _approver.c.name.label("approver_name"))
    .outerjoin(_author, _author.c.id == memory_items.c.author_id)
    .outerjoin(_approver, _approver.c.id == memory_items.c.approver_id)
)


# Made once: to put a statement together anew costs more than to run it.
_INSERT_ITEM = insert(memory_items)
_INSERT_HISTORY = insert(memory_item_history)

HistoryRow = dict[str, object]
"""Values of a row of `memory_item_history` by column."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose eyes an item is looked up with. `curator` sees what is pending or rejected in company memory."""

    user: UserId
    curator: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """Which visible items are wanted; None and empty mean "any"."""

    scope: Scope | None = None
    status: Status | None = Status.ACTIVE
    kind: Kind | None = None
    tag: str | None = None


class Items:
    """Rows of `memory_items` and `memory_item_history`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, item: MemoryItem, *, changed_by: UserId) -> None:
        """Insert an item with its first history row, both made by the item's token."""
        self.add_many([item], changed_by=changed_by)

    def add_many(self, items: Sequence[MemoryItem], *, changed_by: UserId) -> None:
        """Insert items, each with its first history row, both made by the item's token."""
        self.insert(items)
        self.insert_history([history_row(item, changed_by, item.token) for item in items])

    def insert(self, items: Sequence[MemoryItem]) -> None:
        """Insert items without any history row, which the caller then owes them."""
        if items:
            self._connection.execute(_INSERT_ITEM, [_item_row(item) for item in items])

    def insert_history(self, rows: Sequence[HistoryRow]) -> None:
        """Insert history rows as `history_row` makes them; their items must be there."""
        if rows:
            self._connection.execute(_INSERT_HISTORY, rows)

    def change(self, item: MemoryItem, *, changed_by: UserId | None, token: TokenId | None) -> None:
        """Write an item's new version and append it to the history, with who wrote that version."""
        self.decide(item)
        self.insert_history([history_row(item, changed_by, token)])

    def decide(self, item: MemoryItem) -> None:
        """Write what was decided about an item (status, approver, reason, review date): no new version of it."""
        self._connection.execute(
            update(memory_items)
            .where(memory_items.c.workspace_id == item.workspace, memory_items.c.id == item.id)
            .values(**_changeable(item))
        )

    def delete(self, workspace: WorkspaceId, item: ItemId) -> None:
        """Delete an item and its history."""
        self._connection.execute(
            delete(memory_items).where(memory_items.c.workspace_id == workspace, memory_items.c.id == item)
        )

    def delete_personal(self, workspace: WorkspaceId, owner: UserId) -> int:
        """Delete all personal items of a member with their history, without reading them; how many there were."""
        result = self._connection.execute(
            delete(memory_items).where(
                memory_items.c.workspace_id == workspace,
                memory_items.c.scope == Scope.PERSONAL.value,
                memory_items.c.owner_id == owner,
            )
        )
        return result.rowcount

    def get_visible(self, workspace: WorkspaceId, item: ItemId, viewer: Viewer) -> MemoryItem | None:
        """The item, or None when it is missing or not visible: nothing tells the two apart."""
        if not is_id(item):
            return None
        row = self._connection.execute(
            ITEM.where(
                memory_items.c.workspace_id == workspace, memory_items.c.id == item, visible_to(viewer)
            )
        ).first()
        return None if row is None else item_of(row, viewer)

    def get_many(
        self, workspace: WorkspaceId, items: Sequence[ItemId], viewer: Viewer
    ) -> dict[ItemId, MemoryItem]:
        """The visible ones among these items, by id."""
        if not items:
            return {}
        rows = self._connection.execute(
            ITEM.where(
                memory_items.c.workspace_id == workspace, memory_items.c.id.in_(items), visible_to(viewer)
            )
        )
        return {item.id: item for item in (item_of(row, viewer) for row in rows)}

    def page(
        self,
        workspace: WorkspaceId,
        viewer: Viewer,
        wanted: Filter,
        *,
        before: tuple[datetime, ItemId] | None,
        limit: int,
    ) -> list[MemoryItem]:
        """Visible items, newest first, from the position `before` (exclusive) on."""
        statement = ITEM.where(memory_items.c.workspace_id == workspace, visible_to(viewer), _matches(wanted))
        if before is not None:
            statement = statement.where(tuple_(memory_items.c.created_at, memory_items.c.id) < before)
        rows = self._connection.execute(
            statement.order_by(memory_items.c.created_at.desc(), memory_items.c.id.desc()).limit(limit)
        )
        return [item_of(row, viewer) for row in rows]

    def with_same_text(
        self,
        workspace: WorkspaceId,
        scope: Scope,
        content: str,
        viewer: Viewer,
        *,
        replaces: ItemId | None = None,
        without: Collection[ItemId] = (),
    ) -> MemoryItem | None:
        """The visible item of this scope with the same normalised text: an active one before others.

        Proposals to replace an item are looked at only where `replaces` names that item, and when rejected.
        `without` are items that may have the text.
        """
        row = self._connection.execute(
            ITEM.where(
                memory_items.c.content_key == content_key(content),
                memory_items.c.id.not_in(without),
                _may_be_the_same(workspace, scope, viewer, replaces),
            )
            .order_by(*_ACTIVE_FIRST)
            .limit(1)
        ).first()
        return None if row is None else item_of(row, viewer)

    def with_same_texts(
        self, workspace: WorkspaceId, scope: Scope, keys: Collection[bytes], viewer: Viewer
    ) -> dict[bytes, MemoryItem]:
        """As `with_same_text` for many texts, by their `content_key`; a text that nobody has is not among them."""
        if not keys:
            return {}
        rows = self._connection.execute(
            ITEM.where(
                memory_items.c.content_key.in_(keys), _may_be_the_same(workspace, scope, viewer, None)
            ).order_by(*_ACTIVE_FIRST)
        )
        found: dict[bytes, MemoryItem] = {}
        for row in rows:
            found.setdefault(bytes(row.content_key), item_of(row, viewer))
        return found

    def count(self, workspace: WorkspaceId) -> int:
        """All items of the workspace, whatever their scope and status."""
        return self._connection.execute(
            select(func.count()).select_from(memory_items).where(memory_items.c.workspace_id == workspace)
        ).scalar_one()

    def count_visible(self, workspace: WorkspaceId, viewer: Viewer, wanted: Filter) -> int:
        """How many visible items match: what others keep for themselves is not counted."""
        return self._connection.execute(
            select(func.count())
            .select_from(memory_items)
            .where(memory_items.c.workspace_id == workspace, visible_to(viewer), _matches(wanted))
        ).scalar_one()

    def count_personal(self, workspace: WorkspaceId, owner: UserId) -> int:
        """A member's personal items, whatever their status."""
        return self._connection.execute(
            select(func.count())
            .select_from(memory_items)
            .where(
                memory_items.c.workspace_id == workspace,
                memory_items.c.scope == Scope.PERSONAL.value,
                memory_items.c.owner_id == owner,
            )
        ).scalar_one()

    def history(self, workspace: WorkspaceId, item: ItemId) -> list[ItemRevision]:
        """Every version of the item, newest first. Ask `get_visible` before."""
        rows = self._connection.execute(
            select(memory_item_history, _changer.c.name.label("changed_by_name"))
            .outerjoin(_changer, _changer.c.id == memory_item_history.c.changed_by)
            .where(memory_item_history.c.workspace_id == workspace, memory_item_history.c.item_id == item)
            .order_by(memory_item_history.c.version.desc())
        )
        return [
            ItemRevision(
                version=row.version,
                content=row.content,
                kind=Kind(row.kind),
                tags=_tags(row.tags),
                changed_at=row.changed_at,
                changed_by_name=row.changed_by_name,
                source=row.source,
            )
            for row in rows
        ]


def visible_to(viewer: Viewer) -> ColumnElement[bool]:
    """THE visibility rule: own personal items; active company items; own proposals; for curators all company items."""
    personal = and_(memory_items.c.scope == Scope.PERSONAL.value, memory_items.c.owner_id == viewer.user)
    company = memory_items.c.scope == Scope.ORGANIZATION.value
    if not viewer.curator:
        company = and_(
            company,
            or_(memory_items.c.status == Status.ACTIVE.value, memory_items.c.author_id == viewer.user),
        )
    return or_(personal, company)


_ACTIVE_FIRST = (memory_items.c.status, memory_items.c.created_at, memory_items.c.id)


def _may_be_the_same(
    workspace: WorkspaceId, scope: Scope, viewer: Viewer, replaces: ItemId | None
) -> ColumnElement[bool]:
    return and_(
        or_(memory_items.c.replaces_id == replaces, memory_items.c.status == Status.REJECTED.value),
        memory_items.c.workspace_id == workspace,
        memory_items.c.scope == scope.value,
        visible_to(viewer),
    )


def _matches(wanted: Filter) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.scope is not None:
        conditions.append(memory_items.c.scope == wanted.scope.value)
    if wanted.status is not None:
        conditions.append(memory_items.c.status == wanted.status.value)
    if wanted.kind is not None:
        conditions.append(memory_items.c.kind == wanted.kind.value)
    if wanted.tag is not None:
        try:
            check_tags([wanted.tag])
        except InvalidRequest:
            return false()  # no item can have it
        conditions.append(memory_items.c.tag_keys.contains(f"\n{tag_key(wanted.tag)}\n", autoescape=True))
    return and_(True, *conditions)


def history_row(item: MemoryItem, changed_by: UserId | None, token: TokenId | None) -> HistoryRow:
    """The history row of the item's present version."""
    return {
        "workspace_id": item.workspace,
        "item_id": item.id,
        "version": item.version,
        "content": item.content,
        "kind": item.kind.value,
        "tags": json.dumps(item.tags, ensure_ascii=False),
        "source": item.source,
        "changed_by": changed_by,
        "changed_at": item.updated_at,
        "token_id": token,
    }


def _item_row(item: MemoryItem) -> dict[str, object]:
    return {
        "workspace_id": item.workspace,
        "id": item.id,
        "scope": item.scope.value,
        "owner_id": item.owner,
        "created_at": item.created_at,
        "author_id": item.author,
        "replaces_id": item.replaces,
        "replaces_version": item.replaces_version,
        "token_id": item.token,
        **_changeable(item),
    }


def _changeable(item: MemoryItem) -> dict[str, object]:
    return {
        "kind": item.kind.value,
        "content": item.content,
        "content_key": content_key(item.content),
        "tags": json.dumps(item.tags, ensure_ascii=False),
        # Each key between line ends, which no tag can hold, so that a filter by one whole tag is a plain LIKE.
        "tag_keys": "".join(f"\n{tag_key(tag)}\n" for tag in item.tags),
        "status": item.status.value,
        "source": item.source,
        "approver_id": item.approver,
        "updated_at": item.updated_at,
        "review_by": item.review_by,
        "version": item.version,
        "reason": item.reason,
        "held": None if item.held is None else json.dumps([item.held.rule, item.held.phrase]),
    }


def _tags(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def item_of(row: Row[tuple[object, ...]], viewer: Viewer) -> MemoryItem:
    """A row of `ITEM` as this viewer may see it: why a company item is held is for its reviewers alone."""
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    scope = Scope(facts["scope"])
    reviews = scope is Scope.PERSONAL or viewer.curator
    return MemoryItem(
        workspace=facts["workspace_id"],
        id=facts["id"],
        scope=scope,
        owner=facts["owner_id"],
        kind=Kind(facts["kind"]),
        content=facts["content"],
        tags=_tags(facts["tags"]),
        status=Status(facts["status"]),
        source=facts["source"],
        author=facts["author_id"],
        author_name=facts["author_name"],
        approver=facts["approver_id"],
        approver_name=facts["approver_name"],
        created_at=facts["created_at"],
        updated_at=facts["updated_at"],
        review_by=facts["review_by"],
        version=ItemVersion(facts["version"]),
        replaces=facts["replaces_id"],
        reason=facts["reason"],
        replaces_version=facts["replaces_version"],
        held=_held(facts["held"]) if reviews else None,
        token=facts["token_id"],
    )


def _held(text: str | None) -> Held | None:
    if text is None:
        return None
    rule, phrase = json.loads(text)
    return Held(rule, phrase)

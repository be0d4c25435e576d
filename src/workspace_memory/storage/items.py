"""Memory items and their history.

Every read goes through `visible_to`: somebody else's personal item is filtered out in the WHERE, so that it is
absent in the same way as an item that never was. The search index is kept by `services/items.py` in the same
transaction; `search.py` holds it.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    false,
    func,
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
from workspace_memory.storage.prepared import Prepared, PreparedInsert, as_date, as_time
from workspace_memory.storage.search_sql import Single, Statement
from workspace_memory.storage.tables import memory_item_history, memory_items, users

_author = users.alias("author")
_approver = users.alias("approver")
_changer = users.alias("changer")

# In the order in which `item_of` takes them.
ITEM = (
    select(
        *(
            memory_items.c[name]
            for name in (
                *("workspace_id", "id", "scope", "owner_id", "kind", "content", "tags", "status", "source"),
                *("author_id", "approver_id", "created_at", "updated_at", "review_by", "version"),
                *("replaces_id", "reason", "replaces_version", "held", "token_id"),
            )
        ),
        _author.c.name.label("author_name"),
        _approver.c.name.label("approver_name"),
    )
    .outerjoin(_author, _author.c.id == memory_items.c.author_id)
    .outerjoin(_approver, _approver.c.id == memory_items.c.approver_id)
)


# Made once: to put a statement together anew costs more than to run it.
_INSERT_ITEM = PreparedInsert(memory_items)
_INSERT_HISTORY = PreparedInsert(memory_item_history)

HistoryRow = dict[str, Single | None]
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
        _INSERT_ITEM.run(self._connection, [_item_row(item) for item in items])

    def insert_history(self, rows: Sequence[HistoryRow]) -> None:
        """Insert history rows as `history_row` makes them; their items must be there."""
        _INSERT_HISTORY.run(self._connection, rows)

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
        return self.get_many(workspace, [item], viewer).get(item)

    def get_many(
        self, workspace: WorkspaceId, items: Sequence[ItemId], viewer: Viewer
    ) -> dict[ItemId, MemoryItem]:
        """The visible ones among these items, by id."""
        if not items:
            return {}
        statement = _many(viewer.curator)
        rows = statement.rows(self._connection, workspace=workspace, items=items, viewer=viewer.user)
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
        rows = _same_text(viewer.curator, replaces is not None).rows(
            self._connection,
            workspace=workspace,
            content_key=content_key(content),
            scope=scope.value,
            viewer=viewer.user,
            replaces=replaces or "",
            limit=len(without) + 1,
        )
        found = (item_of(row, viewer) for row in rows)
        return next((item for item in found if item.id not in without), None)

    def with_same_texts(
        self, workspace: WorkspaceId, scope: Scope, keys: Collection[bytes], viewer: Viewer
    ) -> dict[bytes, MemoryItem]:
        """As `with_same_text` for many texts, by their `content_key`; a text that nobody has is not among them."""
        if not keys:
            return {}
        rows = self._connection.execute(
            ITEM.add_columns(memory_items.c.content_key)
            .where(memory_items.c.content_key.in_(keys), _may_be_the_same(viewer.curator, replacing=False))
            .order_by(*_ACTIVE_FIRST),
            {"workspace": workspace, "scope": scope.value, "viewer": viewer.user},
        )
        found: dict[bytes, MemoryItem] = {}
        for row in rows:
            found.setdefault(bytes(row.content_key), item_of(row, viewer))
        return found

    def count(self, workspace: WorkspaceId) -> int:
        """All items of the workspace, whatever their scope and status."""
        ((count,),) = _COUNT.rows(self._connection, workspace=workspace)
        return int(count)

    def count_waiting(self, workspace: WorkspaceId) -> int:
        """Those that are not active, whatever their scope: pending and rejected ones."""
        ((count,),) = _COUNT_WAITING.rows(self._connection, workspace)
        return int(count)

    def count_visible(self, workspace: WorkspaceId, viewer: Viewer, wanted: Filter) -> int:
        """How many visible items match: what others keep for themselves is not counted."""
        return self._connection.execute(
            select(func.count())
            .select_from(memory_items)
            .where(memory_items.c.workspace_id == workspace, visible_to(viewer), _matches(wanted))
        ).scalar_one()

    def count_personal(self, workspace: WorkspaceId, owner: UserId) -> int:
        """A member's personal items, whatever their status."""
        ((count,),) = _COUNT_PERSONAL.rows(self._connection, workspace=workspace, owner=owner)
        return int(count)

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


_SCOPES = {scope.value: scope for scope in Scope}
_KINDS = {kind.value: kind for kind in Kind}
_STATUSES = {status.value: status for status in Status}
# The viewer of a statement that is made once: the rule below is written for the user of the moment.
_WHOEVER = cast("UserId", bindparam("viewer"))
_HERE = memory_items.c.workspace_id == bindparam("workspace")


@cache
def _many(curator: bool) -> Prepared:
    """Items by their ids: every search reads its items so."""
    wanted = memory_items.c.id.in_(bindparam("items", expanding=True))
    return Prepared(ITEM.where(_HERE, wanted, visible_to(Viewer(_WHOEVER, curator=curator))))


_ACTIVE_FIRST = (memory_items.c.status, memory_items.c.created_at, memory_items.c.id)


def _may_be_the_same(curator: bool, *, replacing: bool) -> ColumnElement[bool]:
    """Of `workspace` and `scope`, visible to `viewer`; `replacing` also looks at proposals for the item `replaces`."""
    proposed = memory_items.c.replaces_id == (bindparam("replaces") if replacing else None)
    return and_(
        or_(proposed, memory_items.c.status == Status.REJECTED.value),
        _HERE,
        memory_items.c.scope == bindparam("scope"),
        visible_to(Viewer(_WHOEVER, curator=curator)),
    )


@cache
def _same_text(curator: bool, replacing: bool) -> Prepared:
    """Items by their normalised text."""
    return Prepared(
        ITEM.where(
            memory_items.c.content_key == bindparam("content_key"),
            _may_be_the_same(curator, replacing=replacing),
        )
        .order_by(*_ACTIVE_FIRST)
        .limit(bindparam("limit"))
    )


_COUNT = Prepared(select(func.count()).select_from(memory_items).where(_HERE))
# The first condition as a constant lets either database take the partial index, the second has SQLite prefer it.
_COUNT_WAITING = Statement(
    "SELECT count(*) FROM memory_items WHERE workspace_id = ? AND status <> 'active'"
    " AND status IN ('pending', 'rejected')"
)
_COUNT_PERSONAL = Prepared(
    select(func.count())
    .select_from(memory_items)
    .where(
        _HERE,
        memory_items.c.scope == Scope.PERSONAL.value,
        memory_items.c.owner_id == bindparam("owner"),
    )
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
        "tags": _tags_text(item.tags),
        "source": item.source,
        "changed_by": changed_by,
        "changed_at": item.updated_at,
        "token_id": token,
    }


def _item_row(item: MemoryItem) -> dict[str, Single | None]:
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


def _changeable(item: MemoryItem) -> dict[str, Single | None]:
    return {
        "kind": item.kind.value,
        "content": item.content,
        "content_key": content_key(item.content),
        "tags": _tags_text(item.tags),
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


def _tags_text(tags: Sequence[str]) -> str:
    return json.dumps(tags, ensure_ascii=False) if tags else "[]"


def _tags(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def item_of(row: Sequence[Any], viewer: Viewer) -> MemoryItem:
    """A row of `ITEM`, perhaps with more columns behind it, as this viewer may see it.

    Why a company item is held is for its reviewers alone.
    """
    workspace, item, scope, owner, kind, content, tags, status, source = row[:9]
    author, approver, created_at, updated_at, review_by, version = row[9:15]
    replaces, reason, replaces_version, held, token, author_name, approver_name = row[15:22]
    created = as_time(created_at)
    return MemoryItem(
        workspace=workspace,
        id=item,
        scope=_SCOPES[scope],
        owner=owner,
        kind=_KINDS[kind],
        content=content,
        tags=_tags(tags),
        status=_STATUSES[status],
        source=source,
        author=author,
        author_name=author_name,
        approver=approver,
        approver_name=approver_name,
        created_at=created,
        # Most texts were never changed, and a search reads twenty times.
        updated_at=created if updated_at == created_at else as_time(updated_at),
        review_by=None if review_by is None else as_date(review_by),
        version=ItemVersion(version),
        replaces=replaces,
        reason=reason,
        replaces_version=replaces_version,
        held=None if held is None else _held(held, viewer, scope),
        token=token,
    )


def _held(text: str, viewer: Viewer, scope: str) -> Held | None:
    if scope != Scope.PERSONAL and not viewer.curator:
        return None
    rule, phrase = json.loads(text)
    return Held(rule, phrase)

"""The calls about memory items."""

import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from workspace_memory.client.answers import (
    BulkLine,
    BulkLines,
    FoundItem,
    History,
    Item,
    MemoryStatus,
    Page,
    Revision,
    Saved,
    if_match,
)
from workspace_memory.client.connection import Connection, segment
from workspace_memory.domain.item import Kind, Scope, Status

PAGE_ITEMS = 50
BATCH_ITEMS_MAX = 500
# Below the service's bound of 384 KiB, with room for what surrounds the items.
BATCH_BYTES_MAX = 380_000


@dataclass(frozen=True, slots=True)
class NewItem:
    """A text for `add_items`; without a kind a note."""

    content: str
    kind: Kind | None = None
    scope: Scope = Scope.PERSONAL
    tags: Sequence[str] = ()
    review_by: date | None = None

    def to_json(self) -> dict[str, object]:
        """The members of the request."""
        return {
            "content": self.content,
            "kind": None if self.kind is None else self.kind.value,
            "scope": self.scope.value,
            "tags": list(self.tags),
            "review_by": None if self.review_by is None else self.review_by.isoformat(),
        }


class ItemCalls(Connection):
    """Save, find, change and delete memory items of the client's workspace."""

    def memory_status(self) -> MemoryStatus:
        """The caller's role and level, counts, settings in force and limits. Raises: NotFound, Forbidden."""
        return self._read(MemoryStatus, "GET", f"{self._memory}/status")

    def save_item(
        self,
        content: str,
        *,
        kind: Kind | None = None,
        scope: Scope = Scope.PERSONAL,
        tags: Sequence[str] = (),
        review_by: date | None = None,
        replaces: str | None = None,
        idempotency_key: str | None = None,
    ) -> Saved:
        """Save a text, or a new version of the item `replaces`. Safe against a broken connection.

        Without a kind it is a note, or of the kind of the item that it replaces.

        Raises: InvalidRequest, NotFound, Forbidden, LevelTooLow, QuotaExceeded, IdempotencyKeyReused.
        """
        body = NewItem(content, kind, scope, tags, review_by).to_json()
        if replaces is not None:
            body["replaces"] = replaces
        key = {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        return self._read(Saved, "POST", self._items, body=body, headers=key, repeatable=True)

    def add_items(self, items: Sequence[NewItem]) -> tuple[BulkLine, ...]:
        """Save up to 500 texts (and 384 KiB) at once, all or none; `in_batches` cuts more into pieces.

        Raises: as `save_item`, naming which text.
        """
        body = {"items": [each.to_json() for each in items]}
        # The same text in the same scope is not saved twice, so that a repetition is harmless.
        return self._read(BulkLines, "POST", f"{self._items}/bulk", body=body, repeatable=True).items

    def search_items(
        self,
        query: str,
        *,
        scope: Scope | None = None,
        kind: Kind | None = None,
        tag: str | None = None,
        limit: int = 20,
    ) -> tuple[FoundItem, ...]:
        """The active items that match best, the best first, at most 50. Raises: NotFound, Forbidden, LevelTooLow."""
        return self.page_items(query=query, scope=scope, kind=kind, tag=tag, limit=limit).items

    def list_items(
        self,
        *,
        query: str = "",
        scope: Scope | None = None,
        status: Status = Status.ACTIVE,
        kind: Kind | None = None,
        tag: str | None = None,
    ) -> Iterator[FoundItem]:
        """Every item that matches, page after page, newest first or ranked. Raises: as `page_items`."""
        cursor: str | None = None
        while True:
            page = self.page_items(
                query=query, scope=scope, status=status, kind=kind, tag=tag, limit=PAGE_ITEMS, cursor=cursor
            )
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    def page_items(
        self,
        *,
        query: str = "",
        scope: Scope | None = None,
        status: Status = Status.ACTIVE,
        kind: Kind | None = None,
        tag: str | None = None,
        limit: int = 20,
        cursor: str | None = None,
    ) -> Page:
        """One page of items. Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest for a foreign cursor."""
        params = {
            "query": query or None,
            "scope": scope,
            "status": status,
            "kind": kind,
            "tag": tag,
            "limit": limit,
            "cursor": cursor,
        }
        return self._read(Page, "GET", self._items, params=params)

    def get_item(self, item: str) -> Item:
        """One item. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(Item, "GET", self._item(item))

    def edit_item(
        self,
        item: str,
        *,
        shown: int,
        content: str | None = None,
        kind: Kind | None = None,
        tags: Sequence[str] | None = None,
        review_by: date | None = None,
    ) -> Item:
        """Change what is given, against the version that was shown.

        Raises: VersionMismatch, InvalidRequest, NotFound, Forbidden, LevelTooLow.
        """
        change = {
            "content": content,
            "kind": kind,
            "tags": None if tags is None else list(tags),
            "review_by": None if review_by is None else review_by.isoformat(),
        }
        body = {name: value for name, value in change.items() if value is not None}
        return self._read(Item, "PATCH", self._item(item), body=body, headers=if_match(shown))

    def delete_item(self, item: str, *, shown: int | None = None) -> None:
        """Delete an item, with `shown` only that version. Raises: VersionMismatch, NotFound, Forbidden, LevelTooLow."""
        self._do("DELETE", self._item(item), headers={} if shown is None else if_match(shown))

    def item_history(self, item: str) -> tuple[Revision, ...]:
        """Every version of an item, newest first. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(History, "GET", f"{self._item(item)}/history").revisions

    @property
    def _memory(self) -> str:
        return f"/workspaces/{segment(self.workspace)}/memory"

    @property
    def _items(self) -> str:
        return f"{self._memory}/items"

    def _item(self, item: str) -> str:
        return f"{self._items}/{segment(item)}"


def in_batches(items: Iterable[NewItem]) -> Iterator[list[NewItem]]:
    """Cut items into lists that `add_items` takes: at most 500 and within the service's bound for a body."""
    batch: list[NewItem] = []
    size = 0
    for each in items:
        bytes_of_item = len(json.dumps(each.to_json(), ensure_ascii=False).encode("utf-8", "replace")) + 1
        if batch and (len(batch) == BATCH_ITEMS_MAX or size + bytes_of_item > BATCH_BYTES_MAX):
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += bytes_of_item
    if batch:
        yield batch

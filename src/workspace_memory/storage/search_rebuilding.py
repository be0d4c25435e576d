"""Making the search index anew from the items, after an upgrade that finds them by other terms than before.

An item keeps its number, since its vectors are kept under it.
"""

import json
import logging
from itertools import groupby

from sqlalchemy import Connection, delete, select, update

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.storage.search_tables import (
    search_documents,
    search_postings,
    search_segments,
    search_trigrams,
)
from workspace_memory.storage.search_writing import IndexEntry, SearchWriter
from workspace_memory.storage.tables import memory_items

# A posting is read and written once for so many items; more of them would cost memory and gain little.
BATCH_ITEMS = 1_000

_logger = logging.getLogger(__name__)


def make_index_anew(connection: Connection) -> None:
    """For every list of every workspace, in the caller's transaction; it takes about a second for 3,000 items."""
    lists = connection.execute(
        select(search_segments.c.workspace_id, search_segments.c.list_key).distinct().order_by("workspace_id")
    ).all()
    if lists:
        _logger.info("making the search index anew; with very many items this takes some minutes")
    for workspace, some in groupby(lists, lambda each: WorkspaceId(each.workspace_id)):
        for _, list_key in some:
            _make_anew(connection, workspace, list_key)


def _make_anew(connection: Connection, workspace: WorkspaceId, list_key: str) -> None:
    for table in (search_postings, search_trigrams):
        of_list = (table.c.workspace_id == workspace, table.c.list_key == list_key)
        connection.execute(delete(table).where(*of_list))
    # All of them are posted.
    segments = search_segments.c
    connection.execute(
        update(search_segments)
        .where(segments.workspace_id == workspace, segments.list_key == list_key)
        .values(waiting="")
    )
    writer = SearchWriter(connection)
    after = newest_us = -1
    while batch := _entries(connection, workspace, list_key, after):
        newest_us = writer.make_anew(workspace, list_key, batch, newest_us)
        after, _ = batch[-1]


def _entries(
    connection: Connection, workspace: WorkspaceId, list_key: str, after: int
) -> list[tuple[int, IndexEntry]]:
    """The next items of the list, by number."""
    documents, items = search_documents.c, memory_items.c
    rows = connection.execute(
        select(documents.number, items.id, items.content, items.tags, items.created_at)
        .join(memory_items, (items.workspace_id == documents.workspace_id) & (items.id == documents.item_id))
        .where(documents.workspace_id == workspace, documents.list_key == list_key, documents.number > after)
        .order_by(documents.number)
        .limit(BATCH_ITEMS)
    )
    return [
        (number, IndexEntry(ItemId(item), content, json.loads(tags), created_at))
        for number, item, content, tags, created_at in rows
    ]

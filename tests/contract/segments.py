"""Segments of the search index: so small that a few items fill several of them, and without anything that waits."""

import pytest
from sqlalchemy import select

from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage import search, search_numbers, search_writing, similar_search
from workspace_memory.storage import search_segments as segments_of_a_list
from workspace_memory.storage.database import Database
from workspace_memory.storage.search_tables import TABLES, search_segments, search_trigrams
from workspace_memory.storage.search_writing import SearchWriter


def post_waiting(database: Database) -> None:
    """Give whatever waits its postings, so that rows can be compared."""
    lists = select(search_segments.c.workspace_id, search_segments.c.list_key).distinct()
    with database.begin() as tx:
        for workspace, list_key in tx.connection.execute(lists).all():
            SearchWriter(tx.connection).post_waiting(WorkspaceId(workspace), list_key)


def index_rows(database: Database, workspace: WorkspaceId) -> dict[str, list[tuple[object, ...]]]:
    """Every row of a workspace's index without its id; the words of a trigram in the order of the alphabet."""
    with database.read() as tx:
        found = {
            table.name: [
                tuple(row)[1:]
                for row in tx.connection.execute(select(table).where(table.c.workspace_id == workspace))
            ]
            for table in TABLES
        }
    trigrams = found[search_trigrams.name]
    found[search_trigrams.name] = [(*key, " ".join(sorted(words.split()))) for *key, words in trigrams]
    return {name: sorted(rows) for name, rows in found.items()}


def use_segments_of(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small segments, so that a test need not save thousands of items."""
    monkeypatch.setattr(search_numbers, "_BITMAP_BYTES", size // 8)
    monkeypatch.setattr(search_numbers, "_SPARSE_MAX", size // 16 - 1)
    for module in (search_numbers, search, segments_of_a_list, search_writing, similar_search):
        monkeypatch.setattr(module, "SEGMENT_SIZE", size)

"""Segments of the search index so small that a few items fill several of them."""

import pytest

from workspace_memory.storage import search, search_numbers, search_writing, similar_search


def use_segments_of(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small segments, so that a test need not save thousands of items."""
    monkeypatch.setattr(search_numbers, "_BITMAP_BYTES", size // 8)
    monkeypatch.setattr(search_numbers, "_SPARSE_MAX", size // 16 - 1)
    for module in (search_numbers, search, search_writing, similar_search):
        monkeypatch.setattr(module, "SEGMENT_SIZE", size)

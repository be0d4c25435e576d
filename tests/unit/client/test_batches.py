"""Cutting many items into what one request takes."""

import json

from workspace_memory.api.request_bounds import BODY_BYTES_MAX
from workspace_memory.client.items import NewItem, in_batches


def test_at_most_500_items_go_at_once() -> None:
    sizes = [len(batch) for batch in in_batches(NewItem(str(n)) for n in range(1_201))]
    assert sizes == [500, 500, 201]


def test_a_batch_of_the_longest_texts_fits_into_a_body() -> None:
    batches = list(in_batches(NewItem("茶" * 2_000) for _ in range(200)))
    assert sum(map(len, batches)) == 200
    for batch in batches:
        body = json.dumps({"items": [each.to_json() for each in batch]}, ensure_ascii=False)
        assert len(body.encode()) <= BODY_BYTES_MAX


def test_nothing_gives_no_batch() -> None:
    assert list(in_batches([])) == []

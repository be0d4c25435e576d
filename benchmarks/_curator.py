"""A curator who adds company memory by hand: the bulk route of the REST interface.

Company items that come from a curator are active at once; those from AI clients wait for review.
"""

import json
from collections.abc import Iterator, Sequence
from typing import cast

import httpx2

from _tenants import Tenant

BATCH_MAX = 500
# Below the 384 KiB that the route takes, so that a batch of long texts fits too.
BATCH_BYTES_MAX = 256 * 1024
ANSWER_SECONDS = 120.0


class CuratorRefused(Exception):
    """The server did not accept a batch; the message has its answer."""


def add_company_items(url: str, tenant: Tenant, texts: Sequence[str]) -> list[str]:
    """Add the texts as active company items; the id of each, in order. Raises: CuratorRefused.

    A text that the workspace has already is answered with the id of the item that holds it.
    """
    address = f"{url}/api/v1/workspaces/{tenant.workspace}/memory/items/bulk"
    ids: list[str] = []
    with httpx2.Client(
        headers={"Authorization": f"Bearer {tenant.curator_token}"}, timeout=ANSWER_SECONDS
    ) as client:
        for batch in batches(texts):
            items = [{"content": text, "scope": "organization"} for text in batch]
            answer = client.post(address, json={"items": items})
            if answer.is_error:
                raise CuratorRefused(f"{answer.status_code} {answer.text[:500]}")
            lines = cast("list[dict[str, str]]", answer.json()["items"])
            ids += [line["id"] for line in lines]
    if len(ids) != len(texts):
        raise CuratorRefused(f"{len(texts)} texts were sent, {len(ids)} were answered")
    return ids


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in batches that the route accepts."""
    batch: list[str] = []
    size = 0
    for text in texts:
        # Room for the other fields and the quotation marks around each text.
        needed = len(json.dumps(text)) + 64
        if batch and (len(batch) == BATCH_MAX or size + needed > BATCH_BYTES_MAX):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += needed
    if batch:
        yield batch

"""Similar items: named to whoever saves or reviews, never merged."""

from collections.abc import Sequence
from itertools import islice

from workspace_memory.domain.actor import Membership
from workspace_memory.domain.ids import ItemId
from workspace_memory.domain.item import MemoryItem, Scope
from workspace_memory.domain.similarity import are_similar, words_of
from workspace_memory.services.items import COMPANY_LIST
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.items import Viewer

SIMILAR_MAX = 3


def similar_items(
    tx: Transaction,
    membership: Membership,
    eyes: Viewer,
    scope: Scope,
    content: str,
    *,
    without: ItemId | None = None,
) -> Sequence[MemoryItem]:
    """Active items that say nearly the same, among those that the caller may see in this scope: at most three."""
    lists = [membership.user if scope is Scope.PERSONAL else COMPANY_LIST]
    hits = tx.search.search(membership.workspace, lists, content, limit=SIMILAR_MAX * 2, widen=False)
    found = tx.items.get_many(membership.workspace, [hit.item for hit in hits if hit.item != without], eyes)
    words = words_of(content)
    similar = (hit for hit in hits if hit.item in found and are_similar(words, frozenset(hit.words.split())))
    return [found[hit.item] for hit in islice(similar, SIMILAR_MAX)]

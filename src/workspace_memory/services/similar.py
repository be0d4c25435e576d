"""Similar items: named to whoever saves or reviews, never merged."""

from collections.abc import Sequence

from workspace_memory.domain.actor import Membership
from workspace_memory.domain.ids import ItemId
from workspace_memory.domain.item import MemoryItem, Scope
from workspace_memory.domain.similarity import words_of
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
    list_key = membership.user if scope is Scope.PERSONAL else COMPANY_LIST
    similar = tx.search.similar(membership.workspace, list_key, words_of(content))
    found = tx.items.get_many(membership.workspace, [item for item in similar if item != without], eyes)
    return [found[item] for item in similar if item in found][:SIMILAR_MAX]

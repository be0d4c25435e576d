"""Which items of a list say nearly the same as a text: asked at every save, so that only its own words are looked up.

`search.py` finds the same items by many times the work: it also looks for beginnings, parts and neighbours of words.
`domain/similarity.py` decides what is similar, and how many words such an item shares at least. Where many items
share so many, those are read that share the rarest. The few that wait for their postings are compared in any case.
"""

from collections.abc import Collection, Iterable, Mapping, Set

from sqlalchemy import Connection

from workspace_memory.domain.ids import ItemId, WorkspaceId
from workspace_memory.domain.ranking import Tally, Vote, highest, importance, members, rarity
from workspace_memory.domain.similarity import are_similar, shared_words_min
from workspace_memory.storage.search_numbers import SEGMENT_SIZE, as_bits
from workspace_memory.storage.search_segments import Segments
from workspace_memory.storage.search_sql import Statement

# So many are compared in full; at most three are named in the end.
CANDIDATES = 26
# A vote needs no finer weight to tell the few items that share most of the words from those that share some.
_UNITS = 1 << 7

_POSTINGS = Statement(
    "SELECT term, segment, numbers FROM search_postings WHERE workspace_id = ? AND list_key = ? AND term IN (?*)"
)
_DOCUMENTS = Statement(
    "SELECT number, item_id, words FROM search_documents"
    " WHERE workspace_id = ? AND list_key = ? AND number IN (?*)"
)


def find_similar(
    connection: Connection, workspace: WorkspaceId, list_key: str, words: Set[str]
) -> list[ItemId]:
    """See `SearchIndex.similar`."""
    rows = _POSTINGS.rows(connection, workspace, list_key, sorted(words))
    segments = sorted({segment for _, segment, _ in rows})
    slots = {segment: slot for slot, segment in enumerate(segments)}
    numbers = [
        segments[place // SEGMENT_SIZE] * SEGMENT_SIZE + place % SEGMENT_SIZE
        for place in _candidates(_items_of_words(rows, slots), shared_words_min(words))
    ]
    numbers += Segments(connection, workspace, list_key).waiting
    if not numbers:
        return []
    similar: list[tuple[float, int, ItemId]] = []
    for number, item, text in _DOCUMENTS.rows(connection, workspace, list_key, numbers):
        others = frozenset(text.split())
        if are_similar(words, others):
            similar.append((len(words & others) / len(words | others), number, ItemId(item)))
    # The newer of two that are as alike, which has the higher number.
    return [item for _, _, item in sorted(similar, reverse=True)]


def _items_of_words(rows: Iterable[tuple[str, int, bytes]], slots: Mapping[int, int]) -> Mapping[str, int]:
    """The items of each word as bits, the segments in a row."""
    found: dict[str, int] = {}
    for word, segment, numbers in rows:
        found[word] = found.get(word, 0) | as_bits(numbers) << slots[segment] * SEGMENT_SIZE
    return found


def _candidates(found: Mapping[str, int], shared_min: int) -> Collection[int]:
    """Items that share so many of the words; where they are very many, those that share the rarest."""
    if not found:
        return ()
    enough = Tally([Vote(items, 1.0) for items in found.values()], units=len(found)).at_least(shared_min)
    if enough.bit_count() <= CANDIDATES:
        return list(members(enough))
    most = max(items.bit_count() for items in found.values())
    votes = [
        Vote(items & enough, importance(word) * rarity(most, items.bit_count()))
        for word, items in found.items()
    ]
    certain, ties = Tally(votes, units=_UNITS).best(CANDIDATES)
    return [*members(certain), *highest(ties, CANDIDATES - certain.bit_count())]

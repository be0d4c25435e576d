"""Blending: what the words and the meaning of an item count together in a search.

Pure. Words come from `ranking.py`, similarities of meaning from a model (`embedding.py`). Each is divided by the best
of the query, so that no model's scale matters. docs/explanation/search.md has the measurements behind the constants.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NewType

from workspace_memory.domain.terms import query_terms

MeaningShare = NewType("MeaningShare", float)
"""The part of a score that meaning decides, 0 to 1."""

# A code or a single word is looked for by its letters more than by what it means; in a question both count alike.
SHARES_OF_SHORT_QUERIES = {0: 0.2, 1: 0.2, 2: 0.3}
SHARE_OF_A_SENTENCE = 0.5
# Below this an item that has none of the words is not found: every text is a little like every other one.
SIMILARITY_MIN = 0.3

Place = tuple[str, int]
"""Where an item stands: its list, and its number there, which is the higher the newer the item is."""

# A digit, or a mark between two letters that prose does not have there: INV-20931, foo_bar, main.py, a/b.
_CODE = re.compile(r"\d|\w[_./\\:@#+=]+\w|\w[+#]")


def meaning_share(query: str) -> MeaningShare:
    """How much meaning counts for this query: by how many of its words are words, and no codes."""
    plain = " ".join(run for run in query.split() if not _CODE.search(run))
    words = len(query_terms(plain).words)
    return MeaningShare(SHARES_OF_SHORT_QUERIES.get(words, SHARE_OF_A_SENTENCE))


def blend(
    by_words: Sequence[tuple[Place, float]], similarities: Mapping[Place, float], share: MeaningShare
) -> list[tuple[Place, float]]:
    """Items with their scores, best first; among equals the order of `by_words`, then the newer one.

    `by_words` is what the words found, best first, with scores. `similarities` are cosines, of items among them and
    of others. An item whose vector is not made yet, or whose similarity is no number, is judged by its words alone.
    """
    # One that is not finite would make every score of the answer the like, which is no JSON either.
    similarities = {item: each for item, each in similarities.items() if math.isfinite(each)}
    best_by_words = max((score for _, score in by_words), default=0.0)
    closest = max(similarities.values(), default=0.0)
    if closest <= 0:
        return list(by_words)
    places = {item: place for place, (item, _) in enumerate(by_words)}
    words = {item: score / (best_by_words or 1.0) for item, score in by_words}
    # With a share for words even where they find nothing, so that a score stays comparable between queries.
    whole = max(best_by_words, closest)
    blended: dict[Place, float] = {}
    for item in words.keys() | similarities.keys():
        word = words.get(item, 0.0)
        similarity = similarities.get(item)
        if item not in words and (similarity is None or similarity < SIMILARITY_MIN):
            continue
        meaning = word if similarity is None else max(similarity, 0.0) / closest
        blended[item] = whole * ((1 - share) * word + share * meaning)
    newest_first = sorted(blended, reverse=True)
    ordered = sorted(newest_first, key=lambda item: (-blended[item], places.get(item, len(places))))
    return [(item, blended[item]) for item in ordered]

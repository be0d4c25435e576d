"""Whether two texts say nearly the same, so that a person or client can be pointed to the one that exists.

A hint only: nothing is merged or replaced because of it.
"""

import math
from collections.abc import Set

from workspace_memory.domain.terms import indexed

SHARED_OF_SHORTER = 0.6
SHARED_OF_BOTH = 0.3
SHARED_WORDS_MIN = 2


def words_of(text: str) -> frozenset[str]:
    """The words by which texts are compared."""
    return frozenset(indexed(text).words)


def shared_words_min(words: Set[str]) -> int:
    """How many of its words a text shares at least with any other one that is similar."""
    return max(SHARED_WORDS_MIN, math.ceil(SHARED_OF_BOTH * len(words)))


def are_similar(one: Set[str], other: Set[str]) -> bool:
    """At least two shared words that make up most of the shorter text and a good part of both."""
    shared = len(one & other)
    if shared < SHARED_WORDS_MIN:
        return False
    return (
        shared / min(len(one), len(other)) >= SHARED_OF_SHORTER
        and shared / (len(one) + len(other) - shared) >= SHARED_OF_BOTH
    )

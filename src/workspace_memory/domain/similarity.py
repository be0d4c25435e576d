"""Whether two texts say nearly the same, so that a person or client can be pointed to the one that exists.

A hint only: nothing is merged or replaced because of it.
"""

from workspace_memory.domain.terms import indexed

SHARED_OF_SHORTER = 0.6
SHARED_OF_BOTH = 0.3
SHARED_WORDS_MIN = 2


def are_similar(one: str, other: str) -> bool:
    """At least two shared words that make up most of the shorter text and a good part of both."""
    left, right = set(indexed(one).words), set(indexed(other).words)
    shared = len(left & right)
    if shared < SHARED_WORDS_MIN:
        return False
    return (
        shared / min(len(left), len(right)) >= SHARED_OF_SHORTER
        and shared / len(left | right) >= SHARED_OF_BOTH
    )

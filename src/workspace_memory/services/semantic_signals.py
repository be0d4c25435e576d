"""The semantic signal of a search, where it is switched on: what a question means, beside its words.

Whatever fails here, the words alone answer: a search never fails because of a model.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from workspace_memory.domain.blending import SIMILARITY_MIN, MeaningShare, Place, blend, meaning_share
from workspace_memory.domain.embedding import (
    Embedder,
    EmbedderUnusable,
    EmbeddingFailed,
    LibraryUnusable,
    Vector,
)
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.search import FIRST_CANDIDATES, Hit

# A service that does not answer is not asked again for so long; each search would wait for it.
PAUSE_SECONDS = 30.0
# How many by words and by meaning are blended: these first, the first block of `storage/search.py` and the nearest, and
# all that a search ranks where a page lies deeper and more can be there. The page does not decide what stands where,
# or an item could come on two pages.
CANDIDATES = ((FIRST_CANDIDATES, 100), (1_000, 1_000))
# The next page, a query that is typed letter by letter and back, several clients that ask the same.
REMEMBERED_QUERIES_MAX = 256

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question as a vector of a space, and how much it counts."""

    space: str
    vector: Vector
    share: MeaningShare


class SemanticSignal:
    """An embedder with its pauses after failures, and its latest answers; thread-safe."""

    def __init__(self, embedder: Embedder, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.embedder = embedder
        self._monotonic = monotonic
        self._failing = ""
        self._logged: set[str] = set()
        self._pauses_until = 0.0
        self._remembered: OrderedDict[str, Meaning] = OrderedDict()

    def meaning_of(self, query: str) -> Meaning | None:
        """The meaning of a question; None while the embedder fails, and where it does not take this one."""
        if self.pauses:
            return None
        with suppress(KeyError):
            known = self._remembered[query]
            self._remembered.move_to_end(query)
            return known
        try:
            meaning = Meaning(self.embedder.space(), self.embedder.embed_query(query), meaning_share(query))
        except EmbeddingFailed as failure:
            if not failure.of_text:
                self.failed(failure.code)
            return None
        self.worked()
        self._remembered[query] = meaning
        with suppress(KeyError):  # another thread may have taken the oldest
            if len(self._remembered) > REMEMBERED_QUERIES_MAX:
                self._remembered.popitem(last=False)
        return meaning

    @property
    def pauses(self) -> bool:
        """Whether it has just failed and is left alone for a while."""
        return self._monotonic() < self._pauses_until

    def failed(self, code: str) -> None:
        """Pause, and log each kind of failure once until it works again."""
        self._pauses_until = self._monotonic() + PAUSE_SECONDS
        if code not in self._logged:
            self._logged.add(code)
            _logger.warning("semantic_failed: %s; searches go by words alone meanwhile", code)
        self._failing = code

    def worked(self) -> None:
        """Log that it works again, where it had failed."""
        if self._failing:
            self._failing = ""
            self._logged.clear()
            _logger.info("semantic_works_again")

    @property
    def failing(self) -> str:
        """The code of the failure that lasts; empty while it works."""
        return self._failing

    def make_ready(self) -> None:
        """Load the model now. Raises: InvalidRequest with what to do."""
        try:
            self.embedder.make_ready()
        except LibraryUnusable as unusable:
            setting, reason = "WORKSPACE_MEMORY_SEMANTIC", str(unusable)
        except EmbedderUnusable as unusable:
            setting, reason = "WORKSPACE_MEMORY_SEMANTIC_FOLDER", str(unusable)
        else:
            return
        raise InvalidRequest(setting, reason)


def search_lists(
    tx: Transaction,
    workspace: WorkspaceId,
    list_keys: Sequence[str],
    query: str,
    *,
    limit: int,
    meaning: Meaning | None,
) -> list[Hit]:
    """The best `limit` items of these lists by their words, and by their meaning where it is known."""
    if meaning is None:
        return tx.search.search(workspace, list_keys, query, limit=limit)
    by_place: dict[Place, Hit] = {}
    found: dict[Place, float] = {}
    for by_words, nearest in CANDIDATES:
        hits = tx.search.search(workspace, list_keys, query, limit=by_words)
        by_place.update((hit.place, hit) for hit in hits)
        similarities = tx.vectors.similarities(
            workspace,
            list_keys,
            meaning.space,
            meaning.vector,
            others=[hit.place for hit in hits],
            nearest=nearest,
        )
        for place, score in blend([(hit.place, hit.score) for hit in hits], similarities, meaning.share):
            found.setdefault(place, score)
        if len(found) >= limit or (len(hits) < by_words and not _may_have_more(similarities, nearest)):
            break
    best = list(islice(found.items(), limit))
    others = tx.vectors.items_at(workspace, [place for place, _ in best if place not in by_place])
    return [
        by_place[place]._replace(score=score) if place in by_place else Hit(others[place], score, "", place)
        for place, score in best
    ]


def _may_have_more(similarities: Mapping[Place, float], nearest: int) -> bool:
    """Whether others than the nearest items may be near enough to be found: not, where most of these are too far."""
    return sum(similarity >= SIMILARITY_MIN for similarity in similarities.values()) >= nearest / 2

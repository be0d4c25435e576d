"""Making the vectors of items, in the background: nobody who saves waits for it.

What is to be done is no queue but a difference: the numbers in use of each list, less those that have a vector in the
model's space. So nothing is lost when the process ends at any moment, and another model, or one that is switched on
later, finds its work in the same way.
"""

import logging
import random
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from workspace_memory.domain.embedding import EmbeddingFailed, Vector
from workspace_memory.domain.errors import DomainError, NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.ranking import members
from workspace_memory.services.deps import Deps
from workspace_memory.services.semantic_signals import PAUSE_SECONDS, SemanticSignal
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.vectors import Lack

# A command that opens the folder for a moment should not load a model.
START_SECONDS = 2.0
LOOK_SECONDS = 1.0
# With a look that takes long on a large installation, at most a twentieth of the time goes into looking.
LOOKS_APART = 20
ITEMS_OF_A_LOOK = 512
BATCH = 32
LOG_SECONDS = 10.0

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SemanticProgress:
    """Of how many active items of the installation a vector is there. `failing` is a code, empty while it works."""

    embedder: str
    items: int
    vectors: int
    failing: str


def semantic_progress_here(deps: Deps) -> SemanticProgress | None:
    """How far the work is, for whoever holds the data folder; None where the signal is off.

    Raises: InvalidRequest where the model cannot be loaded.
    """
    signal = deps.semantic
    if signal is None:
        return None
    signal.make_ready()
    try:
        space = signal.embedder.space()
    except EmbeddingFailed as failure:
        signal.failed(failure.code)
        return SemanticProgress(signal.embedder.name, 0, 0, failure.code)
    with deps.database.read() as tx:
        items, missing = _counts(tx.vectors.lacking(space))
    return SemanticProgress(signal.embedder.name, items, items - missing, signal.failing)


class VectorWork:
    """The thread that makes vectors, one for each process that has the installation open."""

    def __init__(self, deps: Deps, signal: SemanticSignal) -> None:
        self._deps = deps
        self._signal = signal
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="vectors", daemon=True)
        # By list the numbers of texts that the model does not take, as a set of bits.
        self._refused: dict[tuple[WorkspaceId, str], int] = {}
        self._cleared = False
        self._behind = False
        self._logged_at = 0.0

    def start(self) -> None:
        """Begin in a moment."""
        self._thread.start()

    def stop(self) -> None:
        """End after the batch in hand; what is missing then is made next time."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def work_once(self) -> int:
        """Make the vectors of up to 512 items of one list; how many were missing before.

        Raises: EmbeddingFailed, DomainError, Contention.
        """
        space = self._signal.embedder.space()
        with self._deps.database.read() as tx:
            lacks = [self._without_refused(lack) for lack in tx.vectors.lacking(space)]
        items, missing = _counts(lacks)
        self._log(items, missing)
        if not missing:
            self._clear_others(space)
            return 0
        # By chance, so that several processes rarely do the same, and one full list does not hold up all others.
        lack = random.choice([lack for lack in lacks if lack.missing])  # noqa: S311
        numbers = list(members(lack.missing))
        start = random.randrange(max(len(numbers) - ITEMS_OF_A_LOOK, 0) + 1)  # noqa: S311
        chosen = numbers[start : start + ITEMS_OF_A_LOOK]
        for first in range(0, len(chosen), BATCH):
            if self._ended.is_set():
                break
            self._make(lack, space, chosen[first : first + BATCH])
        return missing

    def _without_refused(self, lack: Lack) -> Lack:
        refused = self._refused.get((lack.workspace, lack.list_key), 0)
        return replace(lack, missing=lack.missing & ~refused)

    def _make(self, lack: Lack, space: str, numbers: Sequence[int]) -> None:
        """Read, embed, write: the model is asked outside of any transaction."""
        place = (lack.workspace, lack.list_key, space)
        with self._deps.database.read() as tx:
            texts = tx.vectors.texts_without(*place, numbers)
        if not texts:
            return
        vectors = self._vectors(lack, texts)
        try:
            with self._deps.database.begin() as tx:
                tx.lock_workspace(lack.workspace)
                # What was edited, forgotten or erased meanwhile must not get a vector of its old text.
                now = tx.vectors.texts_without(*place, list(texts))
                same = {
                    number: vectors[number]
                    for number, text in now.items()
                    if number in vectors and text == texts[number]
                }
                tx.vectors.put(*place, same)
        except NotFound:
            return  # the workspace was deleted meanwhile

    def _vectors(self, lack: Lack, texts: Mapping[int, str]) -> dict[int, Vector]:
        """The vectors of those texts that the model takes; the others are left out until the process ends."""
        try:
            vectors = self._signal.embedder.embed(list(texts.values()))
        except EmbeddingFailed as failure:
            if not failure.of_text:
                raise
            if len(texts) > 1:
                each = [self._vectors(lack, {number: text}) for number, text in texts.items()]
                return {number: vector for some in each for number, vector in some.items()}
            [number] = texts
            here = (lack.workspace, lack.list_key)
            self._refused[here] = self._refused.get(here, 0) | 1 << number
            _logger.warning("semantic_text_refused: %s; this item is found by its words alone", failure.code)
            return {}
        self._signal.worked()
        return dict(zip(texts, vectors, strict=True))

    def _clear_others(self, space: str) -> None:
        """Delete the vectors of another model, once: several processes that disagree must not do so for ever."""
        if self._cleared:
            return
        with self._deps.database.read() as tx:
            others = tx.vectors.other_spaces(space)
        for workspace, list_key, other in others:
            with self._deps.database.begin() as tx:
                tx.lock_workspace(workspace)
                tx.vectors.remove_space(workspace, list_key, other)
        self._cleared = True

    def _work(self) -> None:
        pause = START_SECONDS
        while not self._ended.wait(pause):
            began = time.monotonic()
            try:
                missing = 0 if self._signal.pauses else self.work_once()
                pause = 0.0 if missing else self._rest(began)
            except EmbeddingFailed as failure:
                self._signal.failed(failure.code)
                pause = PAUSE_SECONDS
            except (DomainError, Contention):
                pause = LOOK_SECONDS  # somebody was in the way
            except Exception as error:
                if self._ended.is_set():
                    return  # the database is being closed
                # By type alone: its text may quote a row.
                _logger.warning("vectors_failed: %s", type(error).__name__)
                pause = PAUSE_SECONDS

    @staticmethod
    def _rest(began: float) -> float:
        return max(LOOK_SECONDS, (time.monotonic() - began) * LOOKS_APART)

    def _log(self, items: int, missing: int) -> None:
        done = self._behind and not missing
        if done or (missing and time.monotonic() - self._logged_at >= LOG_SECONDS):
            self._logged_at = time.monotonic()
            _logger.info("semantic_vectors: %d of %d items", items - missing, items)
        self._behind = bool(missing)


def _counts(lacks: Iterable[Lack]) -> tuple[int, int]:
    items = missing = 0
    for lack in lacks:
        items += lack.items
        missing += lack.missing.bit_count()
    return items, missing

"""Making the vectors of items, in the background: nobody who saves waits for it.

What is to be done is no queue but a difference: the numbers in use of each list, less those that have a vector in the
model's space. So nothing is lost when the process ends at any moment, and another model, or one that is switched on
later, finds its work in the same way. A text that the model refuses is noted, and tried again later and later; at once
where a process starts, since somebody may have set the model up anew.
"""

import logging
import random
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from workspace_memory.domain.embedding import (
    EmbeddingFailed,
    Vector,
    failure_in_words,
    refusal_in_words,
    retry_pause,
)
from workspace_memory.domain.errors import DomainError, NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.ranking import members
from workspace_memory.services.deps import Deps
from workspace_memory.services.semantic_signals import PAUSE_SECONDS, SemanticSignal
from workspace_memory.storage.dialect import Contention
from workspace_memory.storage.vectors import Lack, Refusal

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
class RefusedTexts:
    """How many texts the model refused for the same reason: a code, and the same in words.

    They wait to be tried again, the first of them from `next_try_at` on.
    """

    code: str
    reason: str
    texts: int
    next_try_at: datetime


@dataclass(frozen=True, slots=True)
class SemanticProgress:
    """Of how many active items of the installation a vector is there.

    `failing` is a code, empty while it works, and `failing_reason` the same in words.

    `refused` are those without one that the model did not take, most frequent reason first.
    """

    embedder: str
    items: int
    vectors: int
    failing: str
    refused: Sequence[RefusedTexts] = ()
    failing_reason: str = ""


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
        return _progress(signal, 0, 0, ())
    with deps.database.read() as tx:
        items, missing = _counts(tx.vectors.lacking(space))
        refused = _by_reason(tx.vectors.refusals(space), deps.clock.now())
    return _progress(signal, items, items - missing, refused)


def _progress(
    signal: SemanticSignal, items: int, vectors: int, refused: Sequence[RefusedTexts]
) -> SemanticProgress:
    failing = signal.failing
    words = failure_in_words(failing) if failing else ""
    return SemanticProgress(signal.embedder.name, items, vectors, failing, refused, words)


class VectorWork:
    """The thread that makes vectors, one for each process that has the installation open."""

    def __init__(self, deps: Deps, signal: SemanticSignal) -> None:
        self._deps = deps
        self._signal = signal
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="vectors", daemon=True)
        self._tries = _OwnTries()
        self._cleared = False
        self._behind = False
        self._logged_at = 0.0
        self._logged = (0, 0)

    def start(self) -> None:
        """Begin in a moment."""
        self._thread.start()

    def stop(self) -> None:
        """End after the batch in hand; what is missing then is made next time."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def work_once(self) -> int:
        """Make the vectors of up to 512 items of one list; how many were missing before, less what waits.

        Raises: EmbeddingFailed, DomainError, Contention.
        """
        space = self._signal.embedder.space()
        with self._deps.database.read() as tx:
            refused = self._tries.divide(tx.vectors.refusals(space), self._deps.clock.now())
            lacks = list(tx.vectors.lacking(space))
        items, without = _counts(lacks)
        lacks = [refused.without_waiting(lack) for lack in lacks]
        _, missing = _counts(lacks)
        self._log(items, items - without, missing)
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
            self._make(lack, space, chosen[first : first + BATCH], refused.due_in(lack))
        return missing

    def _make(self, lack: Lack, space: str, numbers: Sequence[int], tried_before: int) -> None:
        """Read, embed, write: the model is asked outside of any transaction.

        Those `tried_before`, a set of bits, go one by one: together with others they would fail these too.
        """
        place = (lack.workspace, lack.list_key, space)
        with self._deps.database.read() as tx:
            texts = tx.vectors.texts_without(*place, numbers)
        if not texts:
            return
        made = _Made()
        fresh = {number: text for number, text in texts.items() if not tried_before >> number & 1}
        for batch in (fresh, *({number: texts[number]} for number in texts.keys() - fresh.keys())):
            self._embed(batch, made)
        self._tries.note(lack, made.refused, self._deps.clock.now())
        for reason in (reason for number, reason in made.refused.items() if number in fresh):
            _logger.warning("semantic_text_refused: %s; found by its words alone until it is taken", reason)
        try:
            with self._deps.database.begin() as tx:
                tx.lock_workspace(lack.workspace)
                # What was edited, forgotten or erased meanwhile must not get a vector of its old text.
                now = tx.vectors.texts_without(*place, list(texts))
                same = {number for number, text in now.items() if text == texts[number]}
                tx.vectors.put(
                    *place, {number: made.vectors[number] for number in made.vectors.keys() & same}
                )
                refused = {number: made.refused[number] for number in made.refused.keys() & same}
                tx.vectors.refuse(*place, refused, at=self._deps.clock.now())
        except NotFound:
            return  # the workspace was deleted meanwhile

    def _embed(self, texts: Mapping[int, str], made: "_Made") -> None:
        """Add the vectors of those texts that the model takes, and why it refuses the others."""
        if not texts:
            return
        try:
            vectors = self._signal.embedder.embed(list(texts.values()))
        except EmbeddingFailed as failure:
            if not failure.of_text:
                raise
            if len(texts) == 1:
                made.refused.update(dict.fromkeys(texts, failure.code))
            else:
                for number, text in texts.items():
                    self._embed({number: text}, made)
            return
        self._signal.worked()
        made.vectors.update(zip(texts, vectors, strict=True))

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
                missing = self._paused() if self._signal.pauses else self.work_once()
                pause = 0.0 if missing else self._rest(began)
            except EmbeddingFailed as failure:
                self._signal.failed(failure.code)
                self._paused()
                pause = PAUSE_SECONDS
            except (DomainError, Contention):
                pause = LOOK_SECONDS  # somebody was in the way
            except Exception as error:
                if self._ended.is_set():
                    return  # the database is being closed
                # By type alone: its text may quote a row.
                _logger.warning("vectors_failed: %s", type(error).__name__)
                self._paused()
                pause = PAUSE_SECONDS

    def _paused(self) -> int:
        """Do nothing, and keep nothing in RAM: nobody looks meanwhile whether it was deleted."""
        self._deps.database.signs.keep({})
        return 0

    @staticmethod
    def _rest(began: float) -> float:
        return max(LOOK_SECONDS, (time.monotonic() - began) * LOOKS_APART)

    def _log(self, items: int, vectors: int, missing: int) -> None:
        """The counts of `SemanticProgress`, every ten seconds and when nothing is left to do; the same ones once."""
        done = self._behind and not missing
        counts = (vectors, items)
        late = time.monotonic() - self._logged_at >= LOG_SECONDS
        if counts != self._logged and (done or (missing and late)):
            self._logged_at = time.monotonic()
            self._logged = counts
            _logger.info("semantic_vectors: %d of %d items", *counts)
        self._behind = bool(missing)


def _counts(lacks: Iterable[Lack]) -> tuple[int, int]:
    items = missing = 0
    for lack in lacks:
        items += lack.items
        missing += lack.missing.bit_count()
    return items, missing


@dataclass(slots=True)
class _Made:
    """What became of the texts of one batch, by number: a vector, or the code that says why there is none."""

    vectors: dict[int, Vector] = field(default_factory=dict[int, Vector])
    refused: dict[int, str] = field(default_factory=dict[int, str])


class _Refused:
    """By list the numbers of refused texts as sets of bits: those that wait, and those that are due."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[WorkspaceId, str], int] = {}
        self._due: dict[tuple[WorkspaceId, str], int] = {}

    def add(self, refusal: Refusal, *, due: bool) -> None:
        """Count it as one or the other."""
        sets, here = (self._due if due else self._waiting), (refusal.workspace, refusal.list_key)
        sets[here] = sets.get(here, 0) | 1 << refusal.number

    def without_waiting(self, lack: Lack) -> Lack:
        """What is missing there and may be tried now."""
        return replace(lack, missing=lack.missing & ~self._waiting.get((lack.workspace, lack.list_key), 0))

    def due_in(self, lack: Lack) -> int:
        """Those of the list that are tried again."""
        return self._due.get((lack.workspace, lack.list_key), 0)


_Place = tuple[WorkspaceId, str, int]
"""Workspace, list and number of a refused text."""


class _OwnTries:
    """When this process itself tried texts that were refused, by its own clock.

    The times in the database may be another clock's, or this one's before it was set: alone they could make a text due
    at every look, or never.
    """

    def __init__(self) -> None:
        self._inherited: set[_Place] | None = None
        self._tried: dict[_Place, datetime] = {}

    def note(self, lack: Lack, numbers: Iterable[int], now: datetime) -> None:
        """These of the list were just refused again, or for the first time."""
        places = [(lack.workspace, lack.list_key, number) for number in numbers]
        self._tried.update(dict.fromkeys(places, now))
        if self._inherited:
            self._inherited.difference_update(places)

    def divide(self, refusals: Iterable[Refusal], now: datetime) -> _Refused:
        """Which of them wait, and which are due."""
        by_place = {(each.workspace, each.list_key, each.number): each for each in refusals}
        if self._inherited is None:
            # What was refused before this process came is due: it may have been started because of that.
            self._inherited = set(by_place)
        self._inherited &= by_place.keys()
        self._tried = {place: at for place, at in self._tried.items() if place in by_place}
        refused = _Refused()
        for place, refusal in by_place.items():
            times = (refusal.tried_at, self._tried.get(place, refusal.tried_at))
            waited = all(_next_try(at, refusal.tries, now) <= now for at in times)
            refused.add(refusal, due=waited or place in self._inherited)
        return refused


def _next_try(tried_at: datetime, tries: int, now: datetime) -> datetime:
    """When a text that was refused so many times is tried again, the last time at `tried_at`.

    At once where that time lies too far ahead: a clock has been set back since.
    """
    pause = retry_pause(tries)
    return now if tried_at - now >= pause else tried_at + pause


def _by_reason(refusals: Iterable[Refusal], now: datetime) -> list[RefusedTexts]:
    times: dict[str, list[datetime]] = {}
    for refusal in refusals:
        times.setdefault(refusal.reason, []).append(_next_try(refusal.tried_at, refusal.tries, now))
    most_first = sorted(times.items(), key=lambda each: (-len(each[1]), each[0]))
    return [RefusedTexts(code, refusal_in_words(code), len(each), min(each)) for code, each in most_first]

"""The way of every call to a data folder: carried out here when this process owns the folder, forwarded if not.

It decides who owns when. A process that finds no owner takes `owner.lock`, opens the services and listens.
One that finds an owner forwards. When a connection breaks, the next call tries the lock first thing: the
kernel has dropped it if the owner died. A `serve` takes `serve.lock` before that and asks the present owner
to hand over. It never decides whether a change was made: a call that was begun and not answered is repeated
only when its function is registered as repeatable, else it is OwnerLost.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, Generic, ParamSpec, TypeVar, cast

from workspace_memory.folder.calls import CallRegistry
from workspace_memory.folder.errors import (
    AnotherServeRuns,
    FolderBusy,
    FolderClosed,
    OtherVersionOwns,
    OwnerLost,
)
from workspace_memory.folder.forwarding import Forwarder, LostAfterBegin, NotBegun
from workspace_memory.folder.gate import Gate
from workspace_memory.folder.listener import ENDING, HANDED_OVER, HANDING_OVER, REFUSED, SERVING, STILL_BUSY
from workspace_memory.folder.lock import OWNER_LOCK, SERVE_LOCK, FolderLock, prepare_folder
from workspace_memory.folder.ownership import LocalServices, Ownership, RunHere, run_once

CALL_SECONDS_MAX = 10.0
ANSWER_SECONDS_MAX = 60.0
IN_FLIGHT_SECONDS_MAX = 5.0

# How long the others keep their hands off the lock when an owner has said that a `serve` is coming.
_STAY_BACK_SECONDS = 1.0
# A call that kills its owner must not be repeated through every process in turn.
_REPEATS_MAX = 2
_FIRST_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.05

_Deps = TypeVar("_Deps")
_P = ParamSpec("_P")
_R = TypeVar("_R")


class FolderGateway(Generic[_Deps]):
    """Calls service functions on a data folder, wherever its owner is. Thread-safe.

    Opens nothing until the first call. `version` is the program's: processes of two versions do not share a
    folder. `run_here` carries out a call where the services are open. Raises: FolderUnusable.
    """

    def __init__(
        self,
        data_dir: Path,
        open_local: Callable[[], LocalServices[_Deps]],
        *,
        registry: CallRegistry,
        version: str,
        run_here: RunHere[_Deps] = run_once,
        call_seconds_max: float = CALL_SECONDS_MAX,
        answer_seconds_max: float = ANSWER_SECONDS_MAX,
        in_flight_seconds_max: float = IN_FLIGHT_SECONDS_MAX,
    ) -> None:
        self._folder = prepare_folder(data_dir)
        self._open_local = open_local
        self._registry = registry
        self._version = version
        self._run_here: RunHere[_Deps] = run_here
        self._call_seconds_max = call_seconds_max
        self._answer_seconds_max = answer_seconds_max
        self._in_flight_seconds_max = in_flight_seconds_max
        self._owner_lock = FolderLock(self._folder, OWNER_LOCK)
        self._serve_lock = FolderLock(self._folder, SERVE_LOCK)
        self._forwarder = Forwarder(self._folder, version=version)
        self._forwarding = Gate()
        self._closing = threading.Event()
        self._transition = threading.Lock()  # held while ownership begins or ends; guards the two below
        self._ownership: Ownership[_Deps] | None = None  # also read without the lock: its gate decides
        self._serves = False
        self._stay_back_until = 0.0  # a monotonic time; a lost update costs a moment of waiting

    @property
    def owns(self) -> bool:
        """Whether this process owns the folder at the moment; only a `serve` can rely on it."""
        return self._ownership is not None

    def call(
        self, function: Callable[Concatenate[_Deps, _P], _R], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> _R:
        """Call a registered service function with this folder's `deps` as its first argument.

        Raises: what the function raises (domain errors as themselves, others as OwnerFailed when forwarded);
        FolderBusy when it could not be begun in time and was not; OwnerLost when nobody knows;
        MessageTooLarge, OtherVersionOwns, FolderClosed, FolderUnusable; LookupError when the function is not
        registered.
        """
        name = self._registry.name_of(function)
        ownership = self._ownership
        if ownership is not None and ownership.gate.enter():
            try:
                return ownership.run(function, *args, **kwargs)
            finally:
                ownership.gate.leave()
        return self._call_when_possible(name, function, args, kwargs)

    def own_as_serve(self) -> LocalServices[_Deps]:
        """Become the owner for good, as `serve`: nobody can ask a `serve` for the folder.

        Raises: AnotherServeRuns at once; FolderBusy when the present owner does not hand over in time.
        """
        if not self._serve_lock.try_acquire():
            raise AnotherServeRuns(str(self._folder), self._serve_lock.holder_pid())
        self._serves = True
        try:
            return self._own_by_asking()
        except BaseException:
            self._serves = False
            self._serve_lock.release()
            raise

    def close(self) -> None:
        """Finish calls in flight (bounded), close the services if they are open here, remove the socket."""
        self._closing.set()
        # First of all: a `serve` that starts while this one ends then waits for it instead of being refused.
        self._serve_lock.release()
        self._forwarding.close(seconds=self._in_flight_seconds_max)
        with self._transition:
            ownership, self._ownership = self._ownership, None
            if ownership is not None:
                ownership.gate.close(seconds=self._in_flight_seconds_max)
                ownership.end()
            self._owner_lock.release()
        self._forwarder.close()

    def _call_when_possible(
        self,
        name: str,
        function: Callable[Concatenate[_Deps, _P], _R],
        args: tuple[object, ...],
        kwargs: dict[str, object],
    ) -> _R:
        """Forward, take over or wait, whichever leads to an answer first."""
        request = self._registry.encode_call(name, args, kwargs)
        pause = _Pause(self._closing, self._call_seconds_max)
        repeats = 0
        while True:
            ownership = self._ownership
            if ownership is not None and ownership.gate.enter():
                try:
                    return cast("Callable[..., _R]", ownership.run)(function, *args, **kwargs)
                finally:
                    ownership.gate.leave()
            if ownership is None:
                try:
                    return cast("_R", self._forward(name, request, begin_by=pause.deadline))
                except LostAfterBegin as ending:
                    # A silent owner may still be at work: repeating would only add to what it cannot manage.
                    if ending.silent or not self._registry.is_repeatable(name) or repeats == _REPEATS_MAX:
                        raise OwnerLost(silent=ending.silent) from None
                    repeats += 1
                    pause = _Pause(self._closing, self._call_seconds_max)
                    continue
                except NotBegun as ending:
                    if ending.reason == HANDING_OVER:
                        self._stay_back()
                except OtherVersionOwns:
                    # Or it did, and was killed: then the lock is free.
                    if self._try_to_own(pause.deadline) is None:
                        raise
                    continue
                if time.monotonic() >= self._stay_back_until and self._try_to_own(pause.deadline):
                    continue
            if not pause.wait():
                raise self._busy()

    def _forward(self, name: str, request: bytes, *, begin_by: float) -> object:
        if not self._forwarding.enter():
            raise FolderClosed
        try:
            kind, answer = self._forwarder.call(
                request, begin_by=begin_by, answer_seconds_max=self._answer_seconds_max
            )
        finally:
            self._forwarding.leave()
        # There is an owner: when this one ends, no `serve` is on its way any more that would have to be let
        # first.
        self._stay_back_until = 0.0
        return self._registry.decode_answer(name, kind, answer)

    def _own_by_asking(self) -> LocalServices[_Deps]:
        pause = _Pause(self._closing, self._call_seconds_max)
        while True:
            ownership = self._try_to_own(pause.deadline)
            if ownership is not None:
                return ownership.services
            try:
                if self._forwarder.ask_for_hand_over(until=pause.deadline) and not pause.is_over():
                    continue  # at once: the lock is free, and others are looking for it
            except NotBegun:
                pass
            if not pause.wait():
                raise self._busy()

    def _try_to_own(self, deadline: float) -> "Ownership[_Deps] | None":
        """This process's ownership, begun now if need be; None while another process holds the lock."""
        if not self._transition.acquire(timeout=max(deadline - time.monotonic(), 0)):
            raise self._busy()
        try:
            if self._closing.is_set():
                raise FolderClosed
            if self._ownership is None and self._owner_lock.try_acquire():
                try:
                    self._ownership = Ownership(
                        self._folder,
                        version=self._version,
                        registry=self._registry,
                        open_local=self._open_local,
                        run_here=self._run_here,
                        hand_over=self._hand_over,
                    )
                except BaseException:
                    self._owner_lock.release()
                    raise
            return self._ownership
        finally:
            self._transition.release()

    def _hand_over(self, still_wanted: Callable[[], bool]) -> tuple[bytes, bytes]:
        """Give up the folder for a starting `serve`; asked in the thread of its connection."""
        # Not waiting for the lock: its holder may be `close`, which waits for this very connection.
        if not self._transition.acquire(timeout=_STAY_BACK_SECONDS):
            return REFUSED, STILL_BUSY
        try:
            ownership = self._ownership
            if ownership is None:
                return REFUSED, HANDING_OVER
            if self._serves:
                return REFUSED, SERVING
            ownership.refusal = HANDING_OVER
            if not ownership.gate.close(seconds=self._in_flight_seconds_max) or not still_wanted():
                # Closing the database under a running call would lose it; `serve` asks again until its own
                # bound.
                ownership.refusal = ENDING
                ownership.gate.reopen()
                return REFUSED, STILL_BUSY
            self._stay_back()
            self._ownership = None
            ownership.end()
            self._owner_lock.release()
            return HANDED_OVER, b""
        finally:
            self._transition.release()

    def _stay_back(self) -> None:
        self._stay_back_until = time.monotonic() + _STAY_BACK_SECONDS

    def _busy(self) -> FolderBusy:
        return FolderBusy(str(self._folder), self._owner_lock.holder_pid())


class _Pause:
    """Short waits that grow, up to a bound in all; ended by the closing of the gateway."""

    def __init__(self, closing: threading.Event, seconds: float) -> None:
        self._closing = closing
        self._next = _FIRST_PAUSE_SECONDS
        self.deadline = time.monotonic() + seconds

    def is_over(self) -> bool:
        """Whether the bound has passed."""
        return time.monotonic() >= self.deadline

    def wait(self) -> bool:
        """Wait a moment; False when the bound has passed. Raises: FolderClosed."""
        left = self.deadline - time.monotonic()
        if self._closing.wait(min(self._next, max(left, 0))):
            raise FolderClosed
        self._next = min(self._next * 2, _LONGEST_PAUSE_SECONDS)
        return left > 0

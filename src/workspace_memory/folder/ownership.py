"""What the owner of a folder holds, the open services and the listener, and the order in which it lets go.

Opening: services, then listener. Ending: the gate closes to new calls, calls in flight finish, then listener
and services close. `owner.lock` is held around all of it, so that two processes never have the database open.
When to open and when to end is decided in `gateway.py`.
"""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar

from workspace_memory.folder.calls import CallRegistry
from workspace_memory.folder.gate import Gate
from workspace_memory.folder.listener import ENDING, REFUSED, Listener
from workspace_memory.folder.lock import unusable

_LAST_ANSWERS_SECONDS = 1.0

_logger = logging.getLogger(__name__)

_Deps_co = TypeVar("_Deps_co", covariant=True)
_Deps = TypeVar("_Deps")
_P = ParamSpec("_P")
_R = TypeVar("_R")


class LocalServices(Protocol[_Deps_co]):
    """The opened services of a folder: what the service functions get as their first argument, and its end."""

    @property
    def deps(self) -> _Deps_co:
        """The first argument of every service function."""
        ...

    def close(self) -> None:
        """Close the database and whatever else was opened; perhaps in another thread than the one that opened."""
        ...


class RunHere(Protocol[_Deps]):
    """How this process calls a service function, such as again and again while the database is locked."""

    def __call__(
        self,
        deps: _Deps,
        function: Callable[Concatenate[_Deps, _P], _R],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _R:
        """Call the function with `deps` before the given arguments."""
        ...


def run_once(
    deps: _Deps, function: Callable[Concatenate[_Deps, _P], _R], /, *args: _P.args, **kwargs: _P.kwargs
) -> _R:
    """The plainest way to call a service function."""
    return function(deps, *args, **kwargs)


class Ownership(Generic[_Deps]):
    """Opened services that answer local and forwarded calls. The caller holds `owner.lock` all the time.

    Raises: what `open_local` raises; FolderUnusable when no socket can be opened.
    """

    def __init__(
        self,
        folder: Path,
        *,
        version: str,
        registry: CallRegistry,
        open_local: Callable[[], LocalServices[_Deps]],
        run_here: RunHere[_Deps],
        hand_over: Callable[[Callable[[], bool]], tuple[bytes, bytes]],
    ) -> None:
        self.gate = Gate()
        self.refusal = ENDING  # what callers are told once the gate is closed
        self.services = open_local()
        self.deps = self.services.deps
        self._registry = registry
        self._run_here = run_here
        self._hand_over = hand_over
        try:
            self._listener = Listener(folder, version=version, answerer=self)
        except BaseException as error:
            self.services.close()
            if isinstance(error, OSError):
                raise unusable(folder, error) from error
            raise

    def run(
        self, function: Callable[Concatenate[_Deps, _P], _R], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> _R:
        """A call of this process itself. The caller is inside the gate."""
        return self._run_here(self.deps, function, *args, **kwargs)

    def answer_call(self, request: bytes, *, begin: Callable[[], None]) -> tuple[bytes, bytes]:
        """A forwarded call; see `listener.Answerer`."""
        if not self.gate.enter():
            return REFUSED, self.refusal
        try:
            begin()
            return self._registry.answer(partial(self._run_here, self.deps), request)
        finally:
            # Not after the answer has been sent: a peer that reads slowly must not hold up a hand-over.
            self.gate.leave()

    def hand_over(self, *, still_wanted: Callable[[], bool]) -> tuple[bytes, bytes]:
        """A starting `serve` asks for the folder; see `listener.Answerer`."""
        return self._hand_over(still_wanted)

    def end(self) -> None:
        """Close listener and services. The gate is closed already. Raises nothing: the lock must be dropped next."""
        for close in (lambda: self._listener.close(seconds=_LAST_ANSWERS_SECONDS), self.services.close):
            try:
                close()
            except Exception as error:
                _logger.error("the folder did not close in order: %s", type(error).__name__)

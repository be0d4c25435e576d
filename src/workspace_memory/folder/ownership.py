"""What the owner of a folder holds, the open services and the listener, and the order in which it lets go.

Opening: services, then listener. Ending: the gate closes to new calls, calls in flight finish, then listener
and services close. `owner.lock` is held around all of it, so that two processes never have the database open.
When to open and when to end is decided in `gateway.py`.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from workspace_memory.folder.calls import CallRegistry
from workspace_memory.folder.gate import Gate
from workspace_memory.folder.listener import ENDING, REFUSED, Listener
from workspace_memory.folder.lock import unusable

_LAST_ANSWERS_SECONDS = 1.0

_logger = logging.getLogger(__name__)

_Deps_co = TypeVar("_Deps_co", covariant=True)
_Deps = TypeVar("_Deps")


class LocalServices(Protocol[_Deps_co]):
    """The opened services of a folder: what the service functions get as their first argument, and its end."""

    @property
    def deps(self) -> _Deps_co:
        """The first argument of every service function."""
        ...

    def close(self) -> None:
        """Close the database and whatever else was opened; perhaps in another thread than the one that opened."""
        ...


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
        hand_over: Callable[[Callable[[], bool]], tuple[bytes, bytes]],
    ) -> None:
        self.gate = Gate()
        self.refusal = ENDING  # what callers are told once the gate is closed
        self.services = open_local()
        self.deps = self.services.deps
        self._registry = registry
        self._hand_over = hand_over
        try:
            self._listener = Listener(folder, version=version, answerer=self)
        except BaseException as error:
            self.services.close()
            if isinstance(error, OSError):
                raise unusable(folder, error) from error
            raise

    def answer_call(self, request: bytes, *, begin: Callable[[], None]) -> tuple[bytes, bytes]:
        """A forwarded call; see `listener.Answerer`."""
        if not self.gate.enter():
            return REFUSED, self.refusal
        try:
            begin()
            return self._registry.answer(self.deps, request)
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

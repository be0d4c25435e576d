"""Running a use case: again after contention, for at most ten seconds, then `busy`.

A use case is one transaction, so that running it again after it was rolled back is the same as running it later.
"""

import random
import time
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import Busy
from workspace_memory.services.deps import Deps
from workspace_memory.services.rate_limits import count_call, rate_of
from workspace_memory.storage.dialect import Contention

PATIENCE_SECONDS = 10.0

P = ParamSpec("P")
R = TypeVar("R")


class Runner(Protocol):
    """Runs a use case: here by `functools.partial(run, deps)`, or in the process that owns the data folder."""

    def __call__(
        self, use_case: Callable[Concatenate[Deps, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Call the use case with this installation's Deps before the given arguments. Blocks."""
        ...


def run(deps: Deps, use_case: Callable[Concatenate[Deps, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `use_case(deps, …)`; every edge goes through here, so that rates are counted here, once for each call.

    Raises: Busy when other transactions were in the way for ten seconds; RateLimited; what the use case raises.
    """
    rate = rate_of(use_case)
    if rate is not None:
        actor = args[0] if args else kwargs.get("actor")
        if isinstance(actor, Actor):
            count_call(rate, deps, actor)
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    pause = 0.005
    while True:
        try:
            return use_case(deps, *args, **kwargs)
        except Contention:
            if time.monotonic() + pause > give_up_at:
                raise Busy from None
            time.sleep(pause * (0.5 + random.random()))  # noqa: S311  spreads the waiters, guards nothing
            pause = min(pause * 2, 0.5)

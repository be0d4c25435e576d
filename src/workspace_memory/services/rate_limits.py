"""Rate limits: each call of a kind is counted per token before the use case runs, outside its transaction.

A use case is marked with `@rated(…)`; `running.run` counts it once, however often contention makes it run. Signed-in
people are not counted, tokens are, on every surface. A request that carries many items is one call.
"""

from collections.abc import Callable
from typing import TypeVar

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import RateLimited
from workspace_memory.domain.rate import MINUTE_SECONDS, Rate, period_of, seconds_left
from workspace_memory.services.deps import Deps

F = TypeVar("F", bound=Callable[..., object])

_rates: dict[Callable[..., object], Rate] = {}


def rated(rate: Rate) -> Callable[[F], F]:
    """Let the calls of this use case, whose first argument after `deps` is the actor, be counted as of this kind."""

    def mark(use_case: F) -> F:
        _rates[use_case] = rate
        return use_case

    return mark


def rate_of(use_case: Callable[..., object]) -> Rate | None:
    """The kind that a use case is counted as."""
    return _rates.get(use_case)


def count_call(rate: Rate, deps: Deps, actor: Actor) -> None:
    """Count one call of this kind. Raises: RateLimited when the token has used up its calls of this minute."""
    limit = deps.rates.of(rate)
    if limit == 0 or actor.token is None or actor.workspace is None:
        return
    now = deps.clock.now()
    calls = deps.database.count_call(actor.workspace, actor.token, rate.value, period_of(now, MINUTE_SECONDS))
    if calls > limit:
        raise RateLimited(retry_after=seconds_left(now, MINUTE_SECONDS))

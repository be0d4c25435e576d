"""How a tool reaches the use cases: as somebody who was proved a moment ago, or by a token that is proved each time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.services.authentication import authenticate_token
from workspace_memory.services.deps import Deps
from workspace_memory.services.running import Runner

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class AskAs:
    """For one short call: as an actor whom the request has just proved."""

    runner: Runner
    actor: Actor

    def __call__(
        self, use_case: Callable[Concatenate[Deps, Actor, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run the use case. Raises: what it raises."""
        return self.runner(use_case, self.actor, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class AskByToken:
    """For what may take long: a token that is revoked meanwhile ends it at the next use case."""

    runner: Runner
    token: str = field(repr=False)

    def __call__(
        self, use_case: Callable[Concatenate[Deps, Actor, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Prove the token, and run the use case. Raises: NotAuthenticated; what the use case raises."""
        actor = self.runner(authenticate_token, self.token, channel=Channel.CLIENT)
        return self.runner(use_case, actor, *args, **kwargs)

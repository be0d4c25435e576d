"""Short ways to run a turn of the Assistant against the scripted provider, with real services and an admitted turn."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.contract.memory_stage import Stage, Turn
from tests.e2e.assistant_wire.provider_server import Provider, Recorded

from workspace_memory.assistant.authority import TurnAuthority
from workspace_memory.assistant.model_choices import ModelChoice, ProviderKind
from workspace_memory.assistant.providers import make_models
from workspace_memory.assistant.turn_loop import TurnJob, TurnResult, run_turn
from workspace_memory.domain.turn_event import MemoryGiven, TextAdded, TurnEvent
from workspace_memory.services.running import run
from workspace_memory.tools.calling import Tool
from workspace_memory.tools.documents import LIST_DOCUMENTS, READ_DOCUMENT, SEARCH_DOCUMENTS
from workspace_memory.tools.memory_search import MEMORY_SEARCH

KEY = "provider-key-of-a-test"
TOOLS: Sequence[Tool] = (LIST_DOCUMENTS, SEARCH_DOCUMENTS, READ_DOCUMENT, MEMORY_SEARCH)
MARKER = "<workspace_memory "
NOTE = "Workspace memory was not provided"


def choice(provider: Provider, kind: ProviderKind, name: str = "scripted") -> ModelChoice:
    """A model that is reached at the scripted provider."""
    below = "" if kind in {ProviderKind.ANTHROPIC, ProviderKind.GOOGLE} else "/v1"
    return ModelChoice(kind, name, provider.url + below, KEY)


@dataclass
class Ran:
    """What a turn was: its events, and what came last."""

    events: list[TurnEvent]
    result: TurnResult
    slept: list[float] = field(default_factory=list[float])

    @property
    def text(self) -> str:
        """The answer."""
        return "".join(event.text for event in self.events if isinstance(event, TextAdded))

    @property
    def given(self) -> list[MemoryGiven]:
        """What each request was given."""
        return [event for event in self.events if isinstance(event, MemoryGiven)]

    @property
    def stored(self) -> str:
        """Everything that would be stored."""
        return "\n".join(self.result.messages)


def authority(stage: Stage, turn: Turn) -> TurnAuthority:
    """The authority of an admitted turn of the stage."""

    def ask(use_case: Any, /, *args: Any, **kwargs: Any) -> Any:
        return run(stage.world.deps, partial(use_case), stage.actor(turn.user), *args, **kwargs)

    return TurnAuthority(ask, stage.world.workspace, turn.admission, turn.credential, turn.token)


def run_assistant(
    stage: Stage,
    turn: Turn,
    choices: Sequence[ModelChoice],
    prompt: str = "Hello",
    *,
    history: Sequence[str] = (),
    tools: Sequence[Tool] = TOOLS,
    tokens_max: int = 100_000,
) -> Ran:
    """Run a whole turn; pauses before another try are recorded and not waited for."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def all_of_it() -> Ran:
        models = make_models(choices)
        job = TurnJob(authority(stage, turn), models, history, prompt, tools, tokens_max, sleep)
        events: list[TurnEvent] = []
        result: TurnResult | None = None
        try:
            async for event in run_turn(job):
                if isinstance(event, TurnResult):
                    result = event
                else:
                    events.append(event)
        finally:
            await models.close()
        assert result is not None
        return Ran(events, result, slept)

    return asyncio.run(all_of_it())


def blocks(request: Recorded) -> int:
    """How many blocks of memory a request holds, wherever they stand."""
    return request.raw.count(MARKER)


def assert_given(request: Recorded, *, revision: int) -> None:
    """The request has exactly one block, of this revision, as the last of its system text."""
    assert blocks(request) == 1
    last = request.system[-1]
    block = last[last.index("Saved workspace memory, revision") :]
    assert block.startswith(f"Saved workspace memory, revision {revision}.")
    code = block.split(MARKER)[1].split(">")[0]
    assert last.endswith(f"\n</workspace_memory {code}>")
    assert MARKER not in request.messages

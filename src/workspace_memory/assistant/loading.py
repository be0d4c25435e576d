"""The Assistant as the composition root has it: settings checked at once, everything heavy loaded when needed.

The framework and the providers' clients take a second to load, which nobody should wait for who never asks anything.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING

from workspace_memory.assistant.model_choices import DEMONSTRATION, ModelChoice, choices_of
from workspace_memory.domain.turn import TurnName
from workspace_memory.domain.turn_event import EventId, TurnEvent
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import Ask, TurnRequest
from workspace_memory.settings import Settings
from workspace_memory.tools.calling import Tool

if TYPE_CHECKING:
    from workspace_memory.assistant.runner import AssistantRunner


def make_assistant(run: Runner, settings: Settings) -> "Assistant":
    """The Assistant of the settings. Raises: InvalidRequest for settings that cannot be used."""
    return Assistant(run, choices_of(settings), _tools)


class Assistant:
    """A `services.turn_running.TurnRunner` that loads the real one at the first turn."""

    def __init__(
        self, run: Runner, choices: tuple[ModelChoice, ...], tools: Callable[[], tuple[Tool, ...]]
    ) -> None:
        self._run = run
        self._choices = choices
        self._tools = tools
        self._loading = threading.Lock()
        self._runner: AssistantRunner | None = None

    @property
    def model(self) -> str:
        """What turns run with."""
        return str(self._choices[0]) if self._choices else DEMONSTRATION

    @property
    def is_demonstration(self) -> bool:
        """Whether a script answers."""
        return not self._choices

    async def begin(self, ask: Ask, request: TurnRequest) -> TurnName:
        """Admit and begin."""
        return await (await self._loaded()).begin(ask, request)

    async def events(
        self, ask: Ask, turn: TurnName, *, key_session: bytes | None, after: EventId | None = None
    ) -> AsyncGenerator[tuple[EventId, TurnEvent]]:
        """The turn's events."""
        runner = await self._loaded()
        async for each in runner.events(ask, turn, key_session=key_session, after=after):
            yield each

    async def stop(self, ask: Ask, turn: TurnName) -> None:
        """End a running turn."""
        await (await self._loaded()).stop(ask, turn)

    async def close(self) -> None:
        """Stop all that runs."""
        if self._runner is not None:
            await self._runner.close()

    async def _loaded(self) -> "AssistantRunner":
        return self._runner or await asyncio.to_thread(self._load)

    def _load(self) -> "AssistantRunner":
        import pydantic_ai  # noqa: PLC0415

        from workspace_memory.assistant.providers import make_models  # noqa: PLC0415
        from workspace_memory.assistant.runner import AssistantRunner  # noqa: PLC0415

        # It would print an advertisement on the terminal in the middle of the first answer.
        pydantic_ai.BANNER_ENABLED = False
        with self._loading:
            if self._runner is None:
                self._runner = AssistantRunner(self._run, make_models(self._choices), self._tools())
            return self._runner


def _tools() -> tuple[Tool, ...]:
    from workspace_memory.tools.catalogue import DOCUMENT_TOOLS  # noqa: PLC0415
    from workspace_memory.tools.memory_search import MEMORY_SEARCH  # noqa: PLC0415

    return (*DOCUMENT_TOOLS, MEMORY_SEARCH)

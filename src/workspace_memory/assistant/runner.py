"""The runner of turns: begins them, runs each in the background, keeps what comes of it, and tells what happens.

A turn outlives the connection that began it. Its lease is renewed while it runs, so that another process, or this one
after a restart, can tell a turn that goes on from one that nobody works on any more.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from workspace_memory.assistant.authority import TurnAuthority
from workspace_memory.assistant.live_turns import LiveTurn, LiveTurns
from workspace_memory.assistant.providers import Models
from workspace_memory.assistant.stored_turns import stored_events
from workspace_memory.assistant.transcripts import FRAMEWORK, kept_prompt
from workspace_memory.assistant.turn_loop import TurnJob, TurnResult, run_turn
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.message import MessageKind, NewMessage
from workspace_memory.domain.turn import RENEW_SECONDS, TurnName, TurnState, TurnUsage
from workspace_memory.domain.turn_event import EventId, TextAdded, TurnBegan, TurnEnded, TurnEvent
from workspace_memory.services.deps import Deps
from workspace_memory.services.running import Runner
from workspace_memory.services.turn_running import Ask, TurnRequest
from workspace_memory.services.turns import (
    BegunTurn,
    Submission,
    begin_turn,
    end_turn,
    finish_turn,
    get_turn,
    may_read_turn,
    renew_turn,
)
from workspace_memory.tools.calling import Tool
from workspace_memory.tools.failures import place_of

TURN_TOKENS_MAX = 400_000
"""How many tokens the calls of one turn may use together, where the day allows as many."""
CLOSE_SECONDS_MAX = 5.0

_logger = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Work:
    ask: Ask
    request: TurnRequest
    begun: BegunTurn
    live: LiveTurn

    @property
    def name(self) -> TurnName:
        return self.begun.turn.name

    @property
    def workspace(self) -> WorkspaceId:
        return self.begun.turn.workspace


class AssistantRunner:
    """Runs turns in this process; `services.turn_running.TurnRunner` says what each method promises."""

    def __init__(
        self, run: Runner, models: Models, tools: tuple[Tool, ...], *, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._run = run
        self._models = models
        self._tools = tools
        self._sleep = sleep
        self._live = LiveTurns()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def model(self) -> str:
        """What turns run with."""
        return self._models.name

    @property
    def is_demonstration(self) -> bool:
        """Whether a script answers."""
        return self._models.is_demonstration

    async def begin(self, ask: Ask, request: TurnRequest) -> TurnName:
        """Admit and begin, also for a caller who goes away meanwhile: an admitted turn must not wait for its lease."""
        return await asyncio.shield(self._kept(self._begin(ask, request)))

    async def _begin(self, ask: Ask, request: TurnRequest) -> TurnName:
        submission = Submission(
            text=request.text,
            message=NewMessage(MessageKind.REQUEST, kept_prompt(request.text), FRAMEWORK),
            key=request.key,
            client_state=request.client_state,
            via=request.via,
            model=self.model,
        )
        begun = await asyncio.to_thread(
            lambda: ask(begin_turn, request.conversation, submission, key_session=request.key_session)
        )
        # Its lease may have ended while the machine slept, or as the clock was set: what runs here is not run twice.
        if begun.fresh and not self._live.is_running(begun.turn.name):
            live = self._live.begin(begun.turn.name)
            self._kept(self._work(_Work(ask, request, begun, live)))
        return begun.turn.name

    def _kept(self, work: Coroutine[Any, Any, R]) -> asyncio.Task[R]:
        task = asyncio.create_task(work)
        # The loop itself holds a task by a weak reference alone.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def events(
        self, ask: Ask, turn: TurnName, *, key_session: bytes | None, after: EventId | None = None
    ) -> AsyncGenerator[tuple[EventId, TurnEvent]]:
        """The turn's events."""
        readable = await asyncio.to_thread(lambda: ask(may_read_turn, turn, key_session=key_session))
        live = self._live.get(turn)
        told = (
            live.listen(after)
            if live is not None
            else stored_events(
                ask, turn, after, key_session, demonstration=self.is_demonstration, sleep=self._sleep
            )
        )
        async for place, event in told:
            # A stream that is still in memory tells no more than one that was stored: text is for who has the key.
            if readable or not isinstance(event, TextAdded):
                yield place, event

    async def stop(self, ask: Ask, turn: TurnName) -> None:
        """End a running turn."""
        stored = await asyncio.to_thread(lambda: ask(get_turn, turn))
        live = self._live.get(turn)
        if live is not None:
            live.stop.set()
            async for _ in live.listen(None):
                pass
        elif stored.state is TurnState.RUNNING:
            # It runs in another process, which notices at its next renewal, or nowhere any more.
            await self._system(end_turn, stored.workspace, turn, TurnState.STOPPED, stored.usage)

    async def close(self) -> None:
        """Stop all, wait until each has kept what it said, and let go of the providers."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS_MAX):
                # What is being admitted becomes a turn meanwhile.
                while self._tasks:
                    for live in self._live.running():
                        live.stop.set()
                    await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        await self._models.close()

    async def _work(self, work: _Work) -> None:
        begun = work.begun
        work.live.tell(TurnBegan(work.name.number, begun.admission, self.model, self.is_demonstration))
        renewing = asyncio.create_task(self._renew(work))
        usage = TurnUsage()
        try:
            result = await self._talk(work)
            usage = result.usage
            work.live.tell(await self._keep(work, result))
        except Exception as error:
            # Nothing of it may reach the log but what kind it was and where.
            _logger.error("a turn failed: %s at %s", type(error).__name__, place_of(error))
            await self._give_up(work, usage)
        finally:
            renewing.cancel()

    async def _talk(self, work: _Work) -> TurnResult:
        begun = work.begun
        left = TURN_TOKENS_MAX if begun.tokens_left is None else begun.tokens_left
        job = TurnJob(
            authority=TurnAuthority(
                work.ask, work.workspace, begun.admission, begun.credential, work.request.key_session
            ),
            models=self._models,
            history=begun.history,
            prompt=work.request.text,
            tools=self._tools,
            tokens_max=max(1, min(TURN_TOKENS_MAX, left)),
            sleep=self._sleep,
        )
        result: TurnResult | None = None
        async for event in run_turn(job, stop=work.live.stop):
            if isinstance(event, TurnResult):
                result = event
            else:
                work.live.tell(event)
        if result is None:
            raise RuntimeError("a turn has ended without a result")
        return result

    async def _keep(self, work: _Work, result: TurnResult) -> TurnEnded:
        """Store what the turn has said; where that cannot be, its cost and why."""
        error = result.error
        # The first message is the person's own, which was kept at the beginning.
        messages = [_new_message(body) for body in result.messages[1:]]
        try:
            state = await asyncio.to_thread(
                lambda: work.ask(
                    finish_turn,
                    work.name,
                    messages,
                    result.usage,
                    key_session=work.request.key_session,
                    state=result.state,
                    error=None if error is None else error.code,
                )
            )
        except DomainError as refused:
            error = error or refused
            await self._system(
                end_turn, work.workspace, work.name, TurnState.FAILED, result.usage, error=error.code
            )
            return TurnEnded(TurnState.FAILED, result.usage, error.code, error.message())
        state = state or result.state
        if error is None or state is TurnState.STOPPED:
            return TurnEnded(state, result.usage)
        return TurnEnded(state, result.usage, error.code, error.message())

    async def _give_up(self, work: _Work, usage: TurnUsage) -> None:
        code = "error"
        try:
            await self._system(end_turn, work.workspace, work.name, TurnState.FAILED, usage, error=code)
        except Exception as error:  # the lease ends by itself
            _logger.error("a turn was not ended: %s at %s", type(error).__name__, place_of(error))
        work.live.tell(
            TurnEnded(TurnState.FAILED, usage, code, "Something unexpected went wrong. Send it again.")
        )

    async def _renew(self, work: _Work) -> None:
        """Prolong the lease until the turn ends; stop it where it was ended from elsewhere."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                goes_on = await self._system(renew_turn, work.workspace, work.name)
            except Exception as error:  # the next one may come through; the lease is three of them long
                _logger.warning("a turn was not renewed: %s", type(error).__name__)
                continue
            if not goes_on:
                work.live.stop.set()
                return

    async def _system(
        self, use_case: Callable[Concatenate[Deps, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        return await asyncio.to_thread(lambda: self._run(use_case, *args, **kwargs))


def _new_message(body: str) -> NewMessage:
    return NewMessage(MessageKind(json.loads(body)["kind"]), body, FRAMEWORK)

"""The model loop of ONE turn: a history and a person's words go in, what happens comes out as it happens.

It knows nothing of HTTP and stores nothing. What is to be kept comes last, in `TurnResult`, whatever ended the turn.
`binding.py` gives each request its memory; `remembering.py` is the only way to change it.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent, AgentRun, RunContext, Tool, ToolReturn
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    ModelRequest,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
    UserPromptPart,
)
from pydantic_ai.usage import UsageLimits
from pydantic_core import SchemaValidator, core_schema

from workspace_memory.assistant.authority import TurnAuthority
from workspace_memory.assistant.instructions import SYSTEM_TEXT
from workspace_memory.assistant.model_failures import turn_error
from workspace_memory.assistant.providers import Models
from workspace_memory.assistant.remembering import remember_tool
from workspace_memory.assistant.skills import load_skill_tool, offered_skills, skills_text
from workspace_memory.assistant.transcripts import history_of, kept_messages
from workspace_memory.assistant.turn_tools import TurnTool, shared_tools
from workspace_memory.assistant.whole_text import make_whole, whole
from workspace_memory.domain.assistant_errors import TurnLimitReached
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.turn import MODEL_CALLS_MAX, TurnState, TurnUsage, about_tokens
from workspace_memory.domain.turn_event import (
    MemoryGiven,
    Remembered,
    TextAdded,
    ToolAnswered,
    ToolCalled,
    TurnEvent,
)
from workspace_memory.services.recall import Recalled
from workspace_memory.tools import calling
from workspace_memory.tools.failures import shown_name

_ANY_OBJECT = SchemaValidator(core_schema.dict_schema(core_schema.str_schema()))
_MALFORMED_CALLS_MAX = 5
"""How often a model may call a tool with what is no JSON, or one that does not exist, before the turn is given up."""

ANSWER_CHARACTERS_MAX = 2_000_000
"""How much the answers of a turn may say together, calls and thinking included: more than its tokens allow."""
_TOKENS_COUNTED_MAX = 1_000_000_000


@dataclass(frozen=True, slots=True)
class TurnJob:
    """One turn. `history` are stored messages, oldest first; `tokens_max` counts those of all its calls together."""

    authority: TurnAuthority
    models: Models
    history: Sequence[str] = field(repr=False)
    prompt: str = field(repr=False)
    tools: Sequence[calling.Tool]
    tokens_max: int
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What comes last: the new messages to store, also those of a turn that was stopped or has failed."""

    state: TurnState
    messages: tuple[str, ...] = field(repr=False)
    usage: TurnUsage
    error: DomainError | None = None


async def run_turn(
    job: TurnJob, *, stop: asyncio.Event | None = None
) -> AsyncGenerator[TurnEvent | TurnResult]:
    """Run the turn: its events as they happen, then one TurnResult. Setting `stop` ends it between two steps."""
    loop = _Loop(job)
    work = asyncio.create_task(loop.work())
    watch = asyncio.create_task(_cancel_when(stop, work)) if stop is not None else None
    try:
        while (event := await loop.happened.get()) is not None:
            yield event
        yield loop.result()
    finally:
        for task in (work, watch):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


async def _cancel_when(stop: asyncio.Event, work: asyncio.Task[None]) -> None:
    await stop.wait()
    work.cancel()


def _counted(tokens: int) -> int:
    # Providers say numbers that no column holds, or less than none.
    return max(0, min(tokens, _TOKENS_COUNTED_MAX))


class _Loop:
    def __init__(self, job: TurnJob) -> None:
        self.happened: asyncio.Queue[TurnEvent | None] = asyncio.Queue()
        self._job = job
        self._run: AgentRun[None, str] | None = None
        self._calls = self._memory_bytes = self._said = self._said_before = 0
        self._tokens_before = (0, 0)
        # The bytes of memory in the request that is being answered; None between two.
        self._open_block: int | None = None
        self._remembered: set[Remembered] = set()
        self._refused: set[str] = set()
        self._state = TurnState.STOPPED
        self._error: DomainError | None = None

    async def work(self) -> None:
        """Talk with the model until it has answered; the end is told in every case."""
        try:
            await self._talk()
            self._state = TurnState.DONE
        except asyncio.CancelledError:
            # Stopped by a person, or nobody listens any more. Both want what there is.
            self._state = TurnState.STOPPED
        except Exception as error:
            self._state, self._error = TurnState.FAILED, turn_error(error, self._job.models.name)
        finally:
            self.happened.put_nowait(None)

    def result(self) -> TurnResult:
        """What is to be kept."""
        asked = ModelRequest(parts=[UserPromptPart(self._job.prompt)])
        kept = kept_messages((self._run.new_messages() if self._run is not None else []) or [asked])
        return TurnResult(self._state, kept, self._usage(kept), self._error)

    def _usage(self, kept: Sequence[str]) -> TurnUsage:
        given, said = self._tokens()
        broken_off = self._open_block is not None and (self._said > self._said_before or self._stopped)
        if broken_off and (given, said) == self._tokens_before:
            # Providers say what an answer costs at its end. Without one it is estimated: to stop each turn shortly
            # before its end must be no way around the limit of the day.
            sent = (SYSTEM_TEXT, *self._job.history, *kept)
            given += about_tokens(sum(len(text.encode()) for text in sent) + (self._open_block or 0))
            said += about_tokens(self._said - self._said_before)
        return TurnUsage(self._calls, _counted(given), _counted(said), self._memory_bytes)

    @property
    def _stopped(self) -> bool:
        return self._state is TurnState.STOPPED

    def _tokens(self) -> tuple[int, int]:
        """What the provider has counted so far: in and out."""
        return (0, 0) if self._run is None else (self._run.usage.input_tokens, self._run.usage.output_tokens)

    async def _talk(self) -> None:
        job = self._job
        skills = await offered_skills(job.authority)
        tools = [remember_tool(job.authority)]
        if skills:
            tools.append(load_skill_tool(job.authority, skills))
        caller = calling.ToolCaller(job.authority.ask, job.authority.workspace, job.authority.key_session)
        tools += shared_tools(job.tools, caller)
        agent: Agent[None, str] = Agent(
            instructions=[text for text in (SYSTEM_TEXT, skills_text(skills)) if text],
            tools=[self._offered(tool) for tool in tools],
            deps_type=type(None),
            retries=_MALFORMED_CALLS_MAX,
        )
        async with agent.iter(
            job.prompt,
            message_history=history_of(job.history),
            model=job.models.bound(self._recall, sleep=job.sleep),
            usage_limits=UsageLimits(request_limit=MODEL_CALLS_MAX, total_tokens_limit=job.tokens_max),
            infer_name=False,
        ) as run:
            self._run = run
            async for node in run:
                if Agent.is_model_request_node(node):
                    async with node.stream(run.ctx) as answer:
                        async for event in answer:
                            self._tell_text(event)
                            self._bound(event)
                    self._open_block = None
                elif Agent.is_call_tools_node(node):
                    make_whole(node.model_response)
                    async with node.stream(run.ctx) as calls:
                        async for event in calls:
                            self._tell_call(event)

    async def _recall(self, model: str) -> Recalled:
        recalled = await self._job.authority.recall(model)
        if not recalled.stop:
            self._calls += 1
            self._open_block = len((recalled.block or "").encode())
            self._tokens_before, self._said_before = self._tokens(), self._said
            self._memory_bytes += self._open_block
            self.happened.put_nowait(
                MemoryGiven(self._calls, recalled.status, recalled.version, recalled.receipt)
            )
        return recalled

    def _offered(self, tool: TurnTool) -> Tool[None]:
        """The tool as the framework takes it: any JSON object comes through to `run`, which reads it strictly."""

        async def call(context: RunContext[None], /, **arguments: Any) -> ToolReturn[str]:
            answer = await tool.run(arguments)
            if answer.refused and context.tool_call_id is not None:
                self._refused.add(context.tool_call_id)
            for event in answer.events:
                self._tell_once(event)
            # The model does not see this; whoever shows the message later does.
            return ToolReturn(answer.text, metadata={"refused": answer.refused})

        offered = Tool[None].from_schema(
            call, tool.name, tool.description, dict(tool.takes), takes_ctx=True, sequential=tool.alone
        )
        # By itself the framework calls with whatever JSON it was given, and a list or a text would end the turn.
        offered.function_schema.validator = _ANY_OBJECT
        return offered

    def _tell_once(self, event: TurnEvent) -> None:
        # A model that repeats its call is given the first answer again.
        if isinstance(event, Remembered):
            if event in self._remembered:
                return
            self._remembered.add(event)
        self.happened.put_nowait(event)

    def _tell_text(self, event: object) -> None:
        match event:
            case PartStartEvent(part=TextPart(content=text)) if text:
                self.happened.put_nowait(TextAdded(whole(text)))
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
                self.happened.put_nowait(TextAdded(whole(text)))
            case _:
                pass

    def _bound(self, event: object) -> None:
        """Raise TurnLimitReached for a model that finds no end."""
        match event:
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                self._said += len(text)
            case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)):
                self._said += len(text or "")
            case PartDeltaEvent(delta=ToolCallPartDelta(args_delta=str(text))):
                self._said += len(text)
            case PartStartEvent(part=TextPart(content=str(text)) | ToolCallPart(args=str(text))):
                self._said += len(text)
            case _:
                pass
        if self._said > ANSWER_CHARACTERS_MAX:
            raise TurnLimitReached

    def _tell_call(self, event: object) -> None:
        match event:
            case FunctionToolCallEvent(part=part):
                self.happened.put_nowait(ToolCalled(shown_name(part.tool_name)))
            case FunctionToolResultEvent(part=part):
                refused = part.outcome != "success" or part.tool_call_id in self._refused
                self.happened.put_nowait(ToolAnswered(shown_name(part.tool_name), refused))
            case _:
                pass

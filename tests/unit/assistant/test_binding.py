"""The binding is the only way to a provider: what this version of the framework offers beside it is closed."""

import asyncio
import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.instrumented import InstrumentedModel
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.models.wrapper import WrapperModel

from workspace_memory.assistant.binding import PastTheBinding, RecallModel
from workspace_memory.domain.document_errors import AiDisabled
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.services.recall import Recalled

BLOCK = "Saved workspace memory, revision 1. …"
SENDING = {"request", "request_stream", "count_tokens"}
REFUSED = {
    "batch_encode",
    "batch_create",
    "batch_status",
    "batch_results",
    "batch_cancel",
    "batch_decode",
    "batch_request_size",
    "compact_messages",
    "cancel_suspended_response",
    "continuation_delay",
}
# They open and close connections, and send nothing.
LIFECYCLE = {"__aenter__", "__aexit__"}


async def given(_: str) -> Recalled:
    return Recalled(RecallStatus.ATTACHED, None, BLOCK, None, None)


async def stopped(_: str) -> Recalled:
    return Recalled(RecallStatus.NO_ACCESS, None, None, "note", None, stop=True)


def echo(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    return ModelResponse(parts=[TextPart(info.instructions or "")])


def bound() -> RecallModel:
    return RecallModel(FunctionModel(echo), given, name="echo")


ASKED: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart("Hello")])]


def is_asynchronous(member: object) -> bool:
    function = inspect.unwrap(cast("Callable[..., Any]", member)) if callable(member) else member
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def asynchronous(kind: type[Any]) -> set[str]:
    """The public methods of a class of models that can wait for something, and those that open and close it."""
    return {
        name
        for above in kind.__mro__
        if issubclass(above, Model)
        for name, member in cast("dict[str, object]", dict(cast("Any", above).__dict__)).items()
        if (is_asynchronous(member) and not name.startswith("_")) or name in LIFECYCLE
    }


@pytest.mark.parametrize("kind", [Model, WrapperModel])
def test_every_public_method_that_could_send_is_decided(kind: type[Model]) -> None:
    assert asynchronous(kind) - SENDING - REFUSED - LIFECYCLE == set(), "the framework has a new way to send"


@pytest.mark.parametrize("kind", [AnthropicModel, OpenAIChatModel, OllamaModel, GoogleModel, FunctionModel])
def test_a_providers_own_methods_do_not_show_through(kind: type[Model]) -> None:
    more = asynchronous(kind) - asynchronous(Model)
    for name in [*more, "client", "_client", "provider_client"]:
        with pytest.raises(AttributeError):
            getattr(bound(), name)


def test_the_binding_defines_each_method_itself() -> None:
    assert vars(RecallModel).keys() >= SENDING | REFUSED


@pytest.mark.parametrize("name", sorted(REFUSED - {"compact_messages"}))
def test_a_way_past_the_binding_is_closed(name: str) -> None:
    method = getattr(bound(), name)
    arguments: list[Any] = [None] * len(inspect.signature(method).parameters)

    async def ask() -> object:
        answer = method(*arguments)
        return await answer if inspect.isawaitable(answer) else answer

    with pytest.raises(PastTheBinding):
        asyncio.run(ask())


def test_a_compaction_is_refused() -> None:
    with pytest.raises(PastTheBinding):
        asyncio.run(bound().compact_messages(cast("Any", SimpleNamespace()), instructions="short"))


def test_a_suspended_answer_is_not_continued() -> None:
    suspended = [*ASKED, ModelResponse(parts=[], state="suspended")]
    with pytest.raises(PastTheBinding):
        asyncio.run(bound().request(suspended, None, ModelRequestParameters()))


@pytest.mark.parametrize(
    "between",
    [
        InstrumentedModel(TestModel()),
        WrapperModel(TestModel()),
        FallbackModel(TestModel(), TestModel()),
        RecallModel(TestModel(), given, name="inner"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_nothing_may_stand_between_the_binding_and_the_provider(between: Model) -> None:
    with pytest.raises(TypeError):
        RecallModel(between, given, name="outer")


def test_a_request_outside_of_an_agent_is_given_the_block_behind_its_instructions() -> None:
    asked = ModelRequest(parts=[UserPromptPart("Hello")], instructions="Be brief.")
    answer = asyncio.run(bound().request([asked], None, ModelRequestParameters()))
    assert answer.text == f"Be brief.\n\n{BLOCK}"
    assert asked.instructions == "Be brief."


def test_the_parameters_that_came_in_are_left_as_they_were() -> None:
    parameters = ModelRequestParameters(instruction_parts=[])
    asyncio.run(bound().request(ASKED, None, parameters))
    assert parameters.instruction_parts == []


def test_counting_tokens_is_a_request_too() -> None:
    counted: list[ModelRequestParameters] = []

    class Counting(TestModel):
        async def count_tokens(self, *arguments: Any, **named: Any) -> Any:
            counted.append([*arguments, *named.values()][-1])

    model = RecallModel(Counting(), given, name="counting")
    asyncio.run(model.count_tokens(ASKED, None, ModelRequestParameters()))
    assert [part.content for part in counted[0].instruction_parts or []] == [BLOCK]


def test_a_stop_is_raised_before_the_provider_is_asked() -> None:
    asked: list[object] = []

    def note(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append((messages, info))
        return ModelResponse(parts=[TextPart("")])

    model = RecallModel(FunctionModel(note), stopped, name="note")
    with pytest.raises(AiDisabled):
        asyncio.run(model.request(ASKED, None, ModelRequestParameters()))
    assert asked == []

"""The binding: what every model of the Assistant is wrapped in, so that no request leaves without a recall of its own.

The outgoing request alone is changed, on a copy: the block, or the note that memory was withheld, becomes the last
instruction. Messages, stored history and whatever instruments the agent from outside never hold it. `retrying.py` tries
again above this, `providers.py` builds what is wrapped, and docs/explanation/assistant.md has the traps.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, NoReturn

from pydantic_ai import InstructionPart, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestContext, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.batch import Batch, BatchRequest, BatchResult, EncodedBatchRequest
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from workspace_memory.domain.document_errors import AiDisabled
from workspace_memory.services.recall import Recalled

Recall = Callable[[str], Awaitable[Recalled]]
"""Decides about one request to the model of that name, and writes the receipt. Never raises for memory's sake."""


class PastTheBinding(RuntimeError):
    """A way to the provider that carries no fresh recall: a fault of the program, never of a caller."""


class RecallModel(WrapperModel):
    """One provider's model for one turn. Each request begins with a recall, also one that is sent again."""

    def __init__(self, wrapped: Model, recall: Recall, *, name: str) -> None:
        """`name` stands in the receipts. Raises: TypeError for what would see or repeat the request in between."""
        if isinstance(wrapped, WrapperModel | FallbackModel):
            raise TypeError("the binding goes around a provider's own model: nothing may stand between them")
        super().__init__(wrapped)
        self._recall = recall
        self._name = name

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Send with what a fresh recall gives. Raises: AiDisabled before anything is sent."""
        amended = await self._amended(messages, model_request_parameters)
        return await self.wrapped.request(messages, model_settings, amended)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """The same, answered piece by piece. Raises: as `request`."""
        amended = await self._amended(messages, model_request_parameters)
        async with self.wrapped.request_stream(messages, model_settings, amended, run_context) as stream:
            yield stream

    async def count_tokens(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> RequestUsage:
        """Providers count by being sent everything, so that this is a request too. Raises: as `request`."""
        amended = await self._amended(messages, model_request_parameters)
        return await self.wrapped.count_tokens(messages, model_settings, amended)

    async def _amended(
        self, messages: Sequence[ModelMessage], parameters: ModelRequestParameters
    ) -> ModelRequestParameters:
        if isinstance(messages[-1] if messages else None, ModelResponse):
            # It would continue, or fetch, what the provider made of an earlier recall.
            _refuse("a continuation")
        recalled = await self._recall(self._name)
        if recalled.stop:
            raise AiDisabled
        given = recalled.block or recalled.note
        if given is None:
            return parameters
        # Dynamic: behind whatever a provider caches, and last of all when they are sorted.
        part = InstructionPart(content=given, dynamic=True)
        return replace(parameters, instruction_parts=[*_present(messages, parameters), part])

    # What follows would reach the provider past the three methods above. A test holds this list against the framework.

    @property
    def batch_max_requests(self) -> int | None:
        """No batches: what they hold would be sent long after its recall."""
        return None

    @property
    def batch_max_bytes(self) -> int | None:
        """No batches."""
        return None

    def batch_request_size(self, request: EncodedBatchRequest) -> int:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a batch")

    async def batch_encode(self, request: BatchRequest) -> EncodedBatchRequest:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a batch")

    async def batch_create(self, requests: Sequence[EncodedBatchRequest]) -> Batch:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a batch")

    async def batch_status(self, batch: Batch) -> Batch:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a batch")

    async def batch_results(self, batch: Batch) -> list[BatchResult]:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a batch")

    async def batch_cancel(self, batch: Batch) -> Batch:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a batch")

    def batch_decode(self, result: BatchResult, request: BatchRequest) -> ModelResponse:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a batch")

    async def compact_messages(
        self,
        request_context: ModelRequestContext,  # noqa: ARG002
        *,
        instructions: str | None = None,  # noqa: ARG002
    ) -> ModelResponse:
        """Raises: PastTheBinding. A provider's summary of a request would keep the block that was in it."""
        _refuse("a compaction")

    async def cancel_suspended_response(self, response: ModelResponse) -> None:  # noqa: ARG002
        """Raises: PastTheBinding."""
        _refuse("a continuation")

    def continuation_delay(self, response: ModelResponse) -> float | None:  # noqa: ARG002
        """Raises: PastTheBinding. Asked only about an answer that the provider goes on with later."""
        _refuse("a continuation")

    def __getattr__(self, item: str) -> NoReturn:
        """No attribute of the wrapped model shows through: its client would be a way past this."""
        raise AttributeError(item)


def _present(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> list[InstructionPart]:
    """The instructions so far. Outside of an agent they stand in the newest request, as the adapters read them."""
    if parameters.instruction_parts is not None:
        return parameters.instruction_parts
    for message in reversed(messages):
        instructions = None if isinstance(message, ModelResponse) else message.instructions
        if instructions:
            return [InstructionPart(content=instructions)]
    return []


def _refuse(what: str) -> NoReturn:
    raise PastTheBinding(f"{what} would reach the provider without a fresh recall")

"""Trying again, above the binding: each try is a request of its own, with a recall of its own.

The providers' clients are told not to try again by themselves, since they would repeat the bytes of the first request
and with them memory that was cleared meanwhile.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai._fallback import (
    # The framework's own way to wait for a stream's first event; the version is pinned exactly.
    request_stream_until_first_event,
)
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
    ModelServerError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from workspace_memory.assistant.binding import RecallModel

PAUSES = (0.5, 2.0)
"""Seconds before the second and the third try; there is no fourth."""
PAUSE_SECONDS_MAX = 8.0
"""How long a provider may ask to be left alone before it counts as unavailable."""

Sleep = Callable[[float], Awaitable[None]]


def with_retries_and_fallbacks(bound: Sequence[RecallModel], *, sleep: Sleep) -> Model:
    """The first model, and the others in their order where it fails: each bound, each tried again by itself."""
    tried = [RetryingModel(each, sleep=sleep) for each in bound]
    return tried[0] if len(tried) == 1 else FallbackModel(*tried)


class RetryingModel(WrapperModel):
    """A bound model that is asked at most three times where its provider says that it may pass."""

    def __init__(self, wrapped: RecallModel, *, sleep: Sleep) -> None:
        """`sleep` waits for so many seconds."""
        super().__init__(wrapped)
        self._sleep = sleep

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask, and ask again. Raises: what the last try raised."""
        for pause in PAUSES:
            try:
                return await self.wrapped.request(messages, model_settings, model_request_parameters)
            except ModelAPIError as error:
                wait = _wait(error, pause)
                if wait is None:
                    raise
            await self._sleep(wait)
        return await self.wrapped.request(messages, model_settings, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """The same until the first event: what has begun to answer is never begun anew."""
        for pause in (*PAUSES, None):
            async with AsyncExitStack() as stack:
                try:
                    stream = await stack.enter_async_context(
                        request_stream_until_first_event(
                            self.wrapped,
                            None,
                            messages,
                            model_settings,
                            model_request_parameters,
                            run_context,
                        )
                    )
                except ModelAPIError as error:
                    wait = None if pause is None else _wait(error, pause)
                    if wait is None:
                        raise
                else:
                    yield stream
                    return
            await self._sleep(wait)


def _wait(error: ModelAPIError, pause: float) -> float | None:
    """How long to wait before asking again; None where that is useless."""
    if not _may_pass(error):
        return None
    wait = max(pause, error.retry_after or 0.0)
    return wait if wait <= PAUSE_SECONDS_MAX else None


def _may_pass(error: ModelAPIError) -> bool:
    match error:
        case ModelRateLimitError() | ModelUnavailableError() | ModelServerError() | ModelConnectionError():
            return True
        case ModelHTTPError():
            return type(error) is ModelHTTPError and (
                error.status_code in {408, 429} or error.status_code >= 500
            )
        case _:
            return False

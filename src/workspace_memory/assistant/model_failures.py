"""What a failed turn is called: the framework's and the providers' errors as ours, without a word of the request."""

import logging

from pydantic_ai.exceptions import (
    FallbackExceptionGroup,
    ModelAPIError,
    ModelAuthenticationError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)

from workspace_memory.domain.assistant_errors import (
    AssistantFailed,
    ContextTooLong,
    ModelAnswerUnusable,
    ModelLimit,
    ModelNotFound,
    ModelRefusedCredentials,
    ModelRefusedRequest,
    ModelUnavailable,
    TurnLimitReached,
)
from workspace_memory.domain.errors import DomainError
from workspace_memory.error_table import row_for
from workspace_memory.tools.failures import place_of

_logger = logging.getLogger(__name__)


def turn_error(error: BaseException, model: str) -> DomainError:
    """Our error for what ended a turn, logged by its code; of several models' failures that of the first one."""
    cause = _first(error)
    found = _error_of(cause, model)
    status = cause.status_code if isinstance(cause, ModelHTTPError) else None
    place = f" at {place_of(cause)}" if isinstance(found, AssistantFailed) else ""
    _logger.log(
        row_for(found).log_level,
        "a turn with %s failed: %s (%s, HTTP status %s)%s",
        model,
        found.code,
        type(cause).__name__,
        status,
        place,
    )
    return found


def _first(error: BaseException) -> BaseException:
    while isinstance(error, FallbackExceptionGroup):
        # A stop of ours comes through as it is; what is grouped are the providers' own failures.
        error = error.exceptions[0]
    return error


def _error_of(error: BaseException, model: str) -> DomainError:
    match error:
        case DomainError():
            return error
        case ModelRateLimitError() | ModelQuotaExceededError():
            return ModelLimit(model)
        case ModelAuthenticationError():
            return ModelRefusedCredentials(model)
        case ModelNotFoundError():
            return ModelNotFound(model)
        case ModelContextWindowExceededError():
            return ContextTooLong(model)
        case ModelRequestRejectedError():
            return ModelRefusedRequest(model)
        case ModelAPIError():
            return ModelUnavailable(model)
        case UsageLimitExceeded():
            return TurnLimitReached()
        case UnexpectedModelBehavior():
            return ModelAnswerUnusable(model)
        case _:
            return AssistantFailed()

"""THE table: what each domain error is over HTTP, over MCP and in the log.

Looked up by class along the inheritance, so that a new subclass has an answer from its first day. A test demands
that each class of `domain/errors.py` has a row here or inherits one, and a line in docs/reference/errors.md.
"""

import logging
from dataclasses import dataclass

from workspace_memory.domain import assistant_errors, document_errors, errors


@dataclass(frozen=True, slots=True)
class Row:
    """HTTP status, a short title, the log level, and whether the caller may try again unchanged."""

    status: int
    title: str
    log_level: int = logging.DEBUG
    retryable: bool = False


ROWS: dict[type[errors.DomainError], Row] = {
    errors.InvalidRequest: Row(400, "The request is not valid"),
    errors.EditRefused: Row(400, "The edit cannot be applied"),
    errors.MemoryStateInvalid: Row(400, "X-Memory-State is not valid"),
    errors.ContentRefused: Row(400, "The text cannot be kept", logging.INFO),
    errors.NotAuthenticated: Row(401, "Not signed in"),
    errors.SignInRefused: Row(401, "Sign-in refused", logging.INFO),
    errors.Forbidden: Row(403, "Not allowed"),
    errors.TokenForMcpOnly: Row(403, "Not allowed"),
    errors.EditionRequired: Row(403, "Memory is not licensed here"),
    errors.LicenceInvalid: Row(400, "The licence key cannot be used", logging.INFO),
    errors.NotFound: Row(404, "Not found"),
    errors.LinkInvalid: Row(404, "The link is not valid", logging.INFO),
    errors.Conflict: Row(409, "Conflict with the present state"),
    errors.VersionMismatch: Row(412, "Changed meanwhile"),
    errors.IdempotencyKeyReused: Row(422, "Idempotency key reused"),
    document_errors.KeyStoreDown: Row(503, "Key sessions cannot be used", logging.ERROR, retryable=True),
    document_errors.KeyNotProved: Row(422, "The key is not the workspace's"),
    assistant_errors.ModelUnavailable: Row(
        503, "The model cannot be reached", logging.WARNING, retryable=True
    ),
    assistant_errors.ModelLimit: Row(503, "The model's limit is reached", logging.WARNING),
    assistant_errors.ModelRefusedCredentials: Row(502, "The model's key is refused", logging.ERROR),
    assistant_errors.ModelNotFound: Row(502, "The model is not known", logging.ERROR),
    assistant_errors.ModelRefusedRequest: Row(502, "The model refuses the request", logging.INFO),
    assistant_errors.ContextTooLong: Row(409, "The conversation is too long", logging.INFO),
    assistant_errors.ModelAnswerUnusable: Row(502, "The model's answer cannot be used", logging.INFO),
    assistant_errors.TurnLimitReached: Row(409, "The turn has reached its limit", logging.INFO),
    assistant_errors.AssistantFailed: Row(500, "The Assistant has failed", logging.ERROR),
    errors.QuotaExceeded: Row(409, "A limit is reached", logging.INFO),
    errors.TooManyAttempts: Row(429, "Too many attempts", logging.INFO, retryable=True),
    errors.RateLimited: Row(429, "Too many calls", logging.INFO, retryable=True),
    assistant_errors.DailyLimitReached: Row(
        429, "The day's tokens are used up", logging.INFO, retryable=True
    ),
    errors.Busy: Row(503, "Busy", logging.WARNING, retryable=True),
    errors.StorageFull: Row(507, "The disk is full", logging.ERROR, retryable=True),
    errors.FolderUnusable: Row(500, "The data folder cannot be used", logging.ERROR),
    errors.SchemaTooNew: Row(500, "The database is newer than the program", logging.ERROR),
}


def row_for(error: errors.DomainError) -> Row:
    """The row of the error's class or of the nearest class above it."""
    for kind in type(error).__mro__:
        if kind in ROWS:
            return ROWS[kind]
    return Row(500, "Unexpected error", logging.ERROR)

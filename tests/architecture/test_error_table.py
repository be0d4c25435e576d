"""Every error of the domain has its answer in the one table."""

import logging

import pytest

from workspace_memory.domain import assistant_errors, document_errors, errors
from workspace_memory.domain.errors import DomainError
from workspace_memory.error_table import ROWS, row_for

KINDS = sorted(
    {
        kind
        for kind in (vars(errors) | vars(document_errors) | vars(assistant_errors)).values()
        if isinstance(kind, type) and issubclass(kind, DomainError) and kind is not DomainError
    },
    key=lambda kind: kind.__name__,
)
STATUSES = {
    errors.InvalidRequest: 400,
    errors.EditRefused: 400,
    errors.MemoryStateInvalid: 400,
    errors.NotAuthenticated: 401,
    errors.SignInRefused: 401,
    errors.Forbidden: 403,
    errors.LevelTooLow: 403,
    errors.TokenForMcpOnly: 403,
    errors.NotFound: 404,
    errors.LinkInvalid: 404,
    errors.Conflict: 409,
    errors.AlreadySetUp: 409,
    errors.EmailTaken: 409,
    errors.AlreadyMember: 409,
    errors.LastAdmin: 409,
    errors.PolicyConflict: 409,
    errors.QuotaExceeded: 409,
    errors.VersionMismatch: 412,
    errors.IdempotencyKeyReused: 422,
    errors.TooManyAttempts: 429,
    errors.Busy: 503,
    errors.StorageFull: 507,
    document_errors.VersionConflict: 409,
    document_errors.AdmissionRetired: 409,
    document_errors.NamespaceReserved: 403,
    document_errors.KeySessionRequired: 403,
    document_errors.KeyNotProved: 422,
    assistant_errors.DailyLimitReached: 429,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_has_a_row_or_inherits_one(kind: type[DomainError]) -> None:
    assert any(above in ROWS for above in kind.__mro__)


@pytest.mark.parametrize(("kind", "status"), STATUSES.items())
def test_an_error_has_its_status(kind: type[DomainError], status: int) -> None:
    assert row_for(kind.__new__(kind)).status == status


def test_only_what_passes_by_itself_may_be_tried_again() -> None:
    again = {kind for kind in KINDS if row_for(kind.__new__(kind)).retryable}
    assert again == {
        assistant_errors.ModelUnavailable,
        document_errors.KeyStoreDown,
        errors.Busy,
        errors.RateLimited,
        errors.StorageFull,
        errors.TooManyAttempts,
        assistant_errors.DailyLimitReached,
    }


def test_every_row_is_of_an_error_that_exists() -> None:
    assert set(ROWS) <= set(KINDS)


def test_what_the_operator_must_repair_is_logged_as_an_error() -> None:
    loud = {kind for kind, row in ROWS.items() if row.log_level >= logging.ERROR}
    assert loud == {
        errors.StorageFull,
        errors.FolderUnusable,
        errors.SchemaTooNew,
        document_errors.KeyStoreDown,
        assistant_errors.AssistantFailed,
        assistant_errors.ModelNotFound,
        assistant_errors.ModelRefusedCredentials,
    }

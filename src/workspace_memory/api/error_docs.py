"""The errors of a route as OpenAPI describes them: per status one problem document, with an example for each code."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from workspace_memory.api.errors import (
    BodyTooLarge,
    CrossSiteRequest,
    MethodNotAllowed,
    Unexpected,
    WrongMediaType,
    row_of,
)
from workspace_memory.api.problems import MEDIA_TYPE, problem_facts
from workspace_memory.api.request_bounds import BODY_BYTES_MAX
from workspace_memory.domain import assistant_errors, document_errors, errors

EXAMPLES: tuple[errors.DomainError, ...] = (
    errors.InvalidRequest("content", "must not be empty"),
    errors.EditRefused(
        "target_not_found", 1, "No line is equal to the target. Copy the whole line as it is now."
    ),
    errors.MemoryStateInvalid(),
    errors.SecretRefused("keyword_pair", "content, character 12"),
    errors.StructureRefused("role_marker", "content, character 1"),
    errors.NotAuthenticated(),
    errors.SignInRefused(),
    errors.Forbidden("only admins or editors of this workspace may do this"),
    errors.LevelTooLow("contribute"),
    errors.TokenForMcpOnly(),
    errors.EditionRequired(),
    errors.LicenceInvalid("it expired on 2026-10-31"),
    errors.NotFound("item"),
    errors.LinkInvalid(),
    errors.AlreadySetUp(),
    errors.EmailTaken(),
    errors.AlreadyMember(),
    errors.LastAdmin(),
    errors.PolicyConflict("off", 4, 1),
    errors.AlreadySaved("019d2f6e-8c1a-7b42-9d3e-5f60718293a4"),
    errors.NotPending("rejected"),
    assistant_errors.DailyLimitReached(2_000_000, 3_600),
    document_errors.VersionConflict(4),
    document_errors.ConsentConflict(enabled=True, current=3),
    document_errors.EpochConflict(2),
    document_errors.KeysExist(),
    document_errors.KeysMissing("019d2f6e-8c1a-7b42-9d3e-5f60718293a4"),
    document_errors.KeysChanged("019d2f6e-8c1a-7b42-9d3e-5f60718293a4"),
    document_errors.KeyHoldersChanged(),
    document_errors.KeyStillHeld(),
    document_errors.AdmissionRetired("clear_generation"),
    document_errors.CaptureWithheld("stale"),
    document_errors.ProposalSettled("retired"),
    document_errors.PathTaken(),
    document_errors.TextUnreadable(),
    document_errors.KeyLost(1),
    document_errors.MemoryTooLong(8_192),
    document_errors.NamespaceReserved(),
    document_errors.KeySessionRequired(),
    document_errors.AiDisabled(),
    document_errors.DeliveryRefused(),
    document_errors.KeyNotProved(),
    document_errors.KeyStoreDown(),
    errors.VersionMismatch(4),
    errors.IdempotencyKeyReused(),
    errors.QuotaExceeded(1_000, "personal items of one member"),
    errors.TooManyAttempts(30),
    errors.RateLimited(30),
    errors.Busy(),
    errors.StorageFull(),
    BodyTooLarge(BODY_BYTES_MAX),
    WrongMediaType(),
    MethodNotAllowed(),
    CrossSiteRequest(),
    Unexpected(),
)
# What any route may answer: malformed arguments, and what happens on the way to and in the database.
ALWAYS = (errors.InvalidRequest, errors.Busy, Unexpected)
WITH_CREDENTIAL = (errors.NotAuthenticated, errors.TokenForMcpOnly)
WITH_CHANGE = (BodyTooLarge, WrongMediaType, CrossSiteRequest, errors.StorageFull)

_EXAMPLE_OF: dict[type[errors.DomainError], errors.DomainError] = {
    type(example): example for example in EXAMPLES
}
_HEADERS = {
    401: {"WWW-Authenticate": "The scheme of credentials: Bearer."},
    429: {"Retry-After": "Seconds to wait before the next attempt."},
    503: {"Retry-After": "Seconds to wait before the next attempt."},
}


class Problem(BaseModel):
    """An error (RFC 9457). `code` is stable; the facts that belong to it stand beside."""

    model_config = ConfigDict(extra="allow", title="Problem")

    type: str = Field(description="urn:workspace-memory:error: and the code.")
    title: str = Field(description="What kind of error this is.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What happened and what to do, for a person.")
    code: str = Field(description="The stable name of the error; docs/reference/errors.md lists all.")
    field: str | None = Field(default=None, description="invalid_request: the argument; empty for the body.")
    reason: str | None = Field(
        default=None, description="invalid_request, licence_invalid: what is right or wrong."
    )
    rule: str | None = Field(default=None, description="secret_refused, structure_refused: which rule.")
    where: str | None = Field(default=None, description="secret_refused, structure_refused: which place.")
    need: str | None = Field(default=None, description="forbidden, level_too_low: who may, or which level.")
    what: str | None = Field(default=None, description="not_found, quota_exceeded: of what.")
    item: str | None = Field(default=None, description="already_saved: the id of the item that has the text.")
    item_status: str | None = Field(default=None, description="not_pending: what the item is.")
    current: int | None = Field(
        default=None, description="version_mismatch, version_conflict, epoch_conflict: the present one."
    )
    epoch: int | None = Field(default=None, description="key_lost: the number of the lost key.")
    limit: int | None = Field(
        default=None, description="quota_exceeded, body_too_large, assistant_limit_reached: the bound."
    )
    live: bool | None = Field(default=None, description="version_conflict: whether it is not deleted.")
    enabled: bool | None = Field(default=None, description="consent_conflict: whether AI is on.")
    clause: str | None = Field(default=None, description="admission_retired: what does not hold any more.")
    recall_status: str | None = Field(default=None, description="capture_withheld: what the recall found.")
    proposal_state: str | None = Field(default=None, description="proposal_settled: what the proposal is.")
    retry_after: int | None = Field(
        default=None, description="too_many_attempts, rate_limited, assistant_limit_reached: seconds to wait."
    )
    user: str | None = Field(default=None, description="keys_missing, keys_changed: whose keys.")
    mode: str | None = Field(default=None, description="policy_conflict: the present mode.")
    policy_revision: int | None = Field(default=None, description="policy_conflict: the present revision.")
    clear_generation: int | None = Field(default=None, description="policy_conflict: the present generation.")
    refusal: str | None = Field(default=None, description="edit_refused: why.")
    index: int | None = Field(default=None, description="edit_refused: which edit, counted from 0.")
    hint: str | None = Field(default=None, description="edit_refused: what to do.")


def problem_examples() -> dict[str, Any]:
    """An example of each error by its code, for the document's components."""
    return {each.code: {"summary": row_of(each).title, "value": problem_facts(each)} for each in EXAMPLES}


def problem_responses(kinds: Iterable[type[errors.DomainError]]) -> dict[int | str, dict[str, Any]]:
    """`responses=` for these errors."""
    by_status: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        example = _EXAMPLE_OF[kind]
        row = row_of(example)
        response = by_status.setdefault(row.status, _response(row.status))
        response["content"][MEDIA_TYPE]["examples"][example.code] = {
            "$ref": f"#/components/examples/{example.code}"
        }
        codes = sorted(response["content"][MEDIA_TYPE]["examples"])
        response["description"] = "Problem: " + ", ".join(f"`{code}`" for code in codes)
    return by_status


def merge_problem_responses(responses: dict[str, Any], kinds: Iterable[type[errors.DomainError]]) -> None:
    """Add errors to an operation's responses in a finished document."""
    for status, response in problem_responses(kinds).items():
        known = responses.setdefault(str(status), response)
        if known is not response:
            examples = known["content"][MEDIA_TYPE]["examples"]
            examples |= response["content"][MEDIA_TYPE]["examples"]
            known["description"] = "Problem: " + ", ".join(f"`{code}`" for code in sorted(examples))


def _response(status: int) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": "",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}},
    }
    headers = _HEADERS.get(status, {})
    if headers:
        response["headers"] = {
            name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()
        }
    return response

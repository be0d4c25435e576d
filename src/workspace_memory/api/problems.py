"""Errors as answers: problem+json (RFC 9457) with a stable `code` and the facts that a program can use.

No answer repeats what was sent: of a malformed request the field is named, and of an unknown one its name, if that
looks like a name and not like a secret.
"""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, cast

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from workspace_memory.api.errors import BodyTooLarge, MethodNotAllowed, Unexpected, row_of
from workspace_memory.api.request_bounds import BODY_BYTES_MAX
from workspace_memory.domain.assistant_errors import DailyLimitReached
from workspace_memory.domain.errors import (
    Busy,
    DomainError,
    InvalidRequest,
    NotFound,
    RateLimited,
    TooManyAttempts,
)

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:workspace-memory:error:"
# What may leave the process of an error's facts; a path or a process id of a folder's error may not.
FACTS = (
    "field",
    "reason",
    "rule",
    "where",
    "need",
    "what",
    "item",
    "item_status",
    "current",
    "limit",
    "retry_after",
    "mode",
    "policy_revision",
    "clear_generation",
    "live",
    "enabled",
    "clause",
    "recall_status",
    "proposal_state",
    "refusal",
    "index",
    "hint",
    "user",
)
BUSY_RETRY_SECONDS = 2

_logger = logging.getLogger(__name__)
_TEXT_LENGTH = re.compile(r"Value should have (at (?:least|most) \d+) items?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,31}")


def problem_facts(error: DomainError) -> dict[str, object]:
    """The members of a problem document."""
    row = row_of(error)
    known = error.facts()
    return {
        "type": f"{TYPE_PREFIX}{error.code}",
        "title": row.title,
        "status": row.status,
        "detail": error.message(),
        "code": error.code,
        **{name: known[name] for name in FACTS if name in known},
    }


def problem(error: DomainError, headers: Mapping[str, str] | None = None) -> Response:
    """The answer for an error, with the headers that its status asks for."""
    facts = problem_facts(error)
    sent = dict(headers or {})
    if row_of(error).status == HTTPStatus.UNAUTHORIZED:
        sent["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooManyAttempts | RateLimited | DailyLimitReached):
        sent["Retry-After"] = str(error.retry_after)
    elif isinstance(error, Busy):
        sent["Retry-After"] = str(BUSY_RETRY_SECONDS)
    return Response(json.dumps(facts).encode(), row_of(error).status, sent, MEDIA_TYPE)


async def answer_domain_error(request: Request, error: Exception) -> Response:
    """The handler of every expected failure: a coroutine, since a plain function would cost a thread."""
    assert isinstance(error, DomainError)  # noqa: S101  registered for this class
    _logger.log(row_of(error).log_level, "%s answered %s", place_of(request), error.code)
    return problem(error)


async def answer_malformed(request: Request, error: Exception) -> Response:
    """What the framework found malformed: 400 with the field named."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  registered for this class
    found = cast("Sequence[Mapping[str, Any]]", error.errors())
    return await answer_domain_error(request, malformed(found[0]))


async def answer_http_error(request: Request, error: Exception) -> Response:
    """What the router refuses by itself: unknown routes and methods, bodies that cannot be read."""
    assert isinstance(error, HTTPException)  # noqa: S101  registered for this class
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            return problem(NotFound("route"))
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return problem(MethodNotAllowed(), error.headers)
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return problem(BodyTooLarge(BODY_BYTES_MAX))
        case HTTPStatus.BAD_REQUEST:
            return problem(InvalidRequest("", "The body could not be read as JSON in UTF-8."))
        case _:
            _logger.error("%s answered %s by itself", place_of(request), error.status_code)
            return problem(Unexpected())


def malformed(found: Mapping[str, Any]) -> InvalidRequest:
    """One finding of pydantic as ours, without the value that it found."""
    where = cast("Sequence[str | int]", found["loc"])
    kind = str(found["type"])
    if kind == "json_invalid":
        return InvalidRequest("", "The body is not valid JSON.")
    field = ".".join(str(part) if isinstance(part, int) else shown_name(part) for part in where[1:])
    return InvalidRequest(field, _reason(kind, str(found["msg"]), field))


def shown_name(name: str) -> str:
    """The name of an argument, unless it does not look like one: then it may be anything, a secret too."""
    return name if _NAME.fullmatch(name) else "(an unknown name)"


def place_of(request: Request) -> str:
    """Method and route template for the log: never the path itself, which may hold anything."""
    route = request.scope.get("route")
    return f"{request.method} {getattr(route, 'path', '(no route)')}"


def _reason(kind: str, message: str, field: str) -> str:
    match kind:
        case "missing":
            return "is required" if field else "A JSON object is required as the body."
        case "extra_forbidden":
            return "is not an argument of this route"
        case "too_short" | "too_long" if found := _TEXT_LENGTH.match(message):
            # Of a text that is checked further, pydantic counts "items".
            return f"should have {found[1]} characters"
        case _ if kind.startswith("date_"):
            return "must be a day such as 2026-11-02"
        case _ if kind.startswith("datetime_"):
            return "must be a time such as 2026-11-02T09:00:00Z"
        case _:
            message = message.removeprefix("Value error, ").removeprefix("Input ")
            return message if field else f"The body {message}."

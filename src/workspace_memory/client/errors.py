"""Errors of the client: the service's own ones as the domain's classes, and what only a network can do.

DomainError
├── (every class of the domain's error modules, made again from the answer's code and facts)
└── ApiError          an answer whose code has no class here; `status`, `detail` and `more` are its facts
    ├── Unreachable   no connection could be made; nothing was sent
    └── AnswerLost    the connection broke before the answer came; nobody knows what was done
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar, cast

from httpx2 import Response

from workspace_memory.domain import assistant_errors, document_errors, errors
from workspace_memory.domain.errors import DomainError

_MODULES = (errors.__name__, document_errors.__name__, assistant_errors.__name__)


@dataclass(eq=False)
class ApiError(DomainError):
    """An answer that is an error. `code` is what the service called it; `status` is 0 without an answer."""

    code: ClassVar[str] = "api_error"
    status: int
    detail: str
    answered_code: str = ""
    more: Mapping[str, object] = field(default_factory=dict[str, object])

    def __post_init__(self) -> None:
        """Let `code` be the answer's own, as it is for every other class."""
        if self.answered_code:
            object.__setattr__(self, "code", self.answered_code)

    def message(self) -> str:
        """What the service said."""
        return self.detail


@dataclass(eq=False)
class Unreachable(ApiError):
    """No connection could be made."""

    code: ClassVar[str] = "unreachable"


@dataclass(eq=False)
class AnswerLost(ApiError):
    """The request was sent and no answer came."""

    code: ClassVar[str] = "answer_lost"


def unreachable(url: str, reason: str = "") -> Unreachable:
    """No connection to this address, and why if that is known."""
    return Unreachable(0, reason or f"No service answers at {url}. Is it running, and is the address right?")


def answer_lost(url: str) -> AnswerLost:
    """No answer from this address."""
    return AnswerLost(
        0,
        f"The connection to {url} broke before the answer came. Look whether it was done before you try again.",
    )


def error_of(response: Response) -> DomainError:
    """The error that an answer is."""
    return error_from(_members(response), response.status_code)


def error_from(facts: Mapping[str, object], status: int) -> DomainError:
    """The error that the members of a problem document say."""
    code, detail = str(facts.get("code", "")), str(facts.get("detail", ""))
    kind = _by_code().get(code)
    if kind is not None:
        names = [each.name for each in fields(kind)]
        if all(name in facts for name in names):
            return kind(**{name: facts[name] for name in names})
    if not detail:
        detail = f"The service answered with status {status} and nothing that this client understands."
    return ApiError(status, detail, code or "unreadable_answer", facts)


def _members(response: Response) -> dict[str, object]:
    try:
        found: object = response.json()
    except ValueError:
        return {}
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _by_code() -> dict[str, type[DomainError]]:
    """The classes of the domain by code. A class that only groups others has the code of none."""
    classes: dict[str, type[DomainError]] = {}
    waiting = [DomainError]
    while waiting:
        kind = waiting.pop()
        if kind.__module__ in _MODULES and kind is not DomainError:
            classes[kind.code] = kind
        waiting.extend(kind.__subclasses__())
    return classes

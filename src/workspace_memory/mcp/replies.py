"""HTTP answers of the MCP endpoint. A refusal is a JSON-RPC error with our stable code, so that clients show it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from workspace_memory.domain.errors import DomainError, NotAuthenticated
from workspace_memory.error_table import row_for
from workspace_memory.mcp.protocol import INTERNAL_ERROR, INVALID_REQUEST, RequestId, error_response

# Seconds after which a client may try again what failed for a passing reason.
_RETRY_AFTER_SECONDS = "2"


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass
class Refused(Exception):
    """Answered before, or instead of, a tool: the status, our code, and a sentence."""

    status: int
    code: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    rpc_code: int = INVALID_REQUEST
    request: RequestId | None = None

    def reply(self) -> Reply:
        """The refusal as an answer."""
        body = error_response(self.request, self.rpc_code, self.message, {"code": self.code})
        return Reply(self.status, body, self.headers)


def refusal_of(error: DomainError, request: RequestId | None) -> Refused:
    """What a failure to come in is answered with, by the error table."""
    row = row_for(error)
    headers: dict[str, str] = {}
    if isinstance(error, NotAuthenticated):
        headers["www-authenticate"] = "Bearer"
    if row.retryable:
        headers["retry-after"] = _RETRY_AFTER_SECONDS
    rpc_code = INTERNAL_ERROR if row.status >= 500 else INVALID_REQUEST
    return Refused(row.status, error.code, error.message(), headers, rpc_code, request)

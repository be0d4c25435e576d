"""What only HTTP can get wrong, in the manner of `domain/errors.py`: one class per case, a stable code.

    DomainError
    └── RequestRefused
        ├── BodyTooLarge          the body is larger than 384 KiB
        ├── BodyTooSlow           the body did not come within 30 seconds
        ├── WrongMediaType        a body that is not JSON
        ├── MethodNotAllowed      the route exists, but not with this method
        ├── CrossSiteRequest      a change by cookie that did not come from the service's own pages
        └── Unexpected            a fault of the program; its log says which

They carry their row with them, since `error_table.py` is about what every surface has in common.
"""

import logging
from dataclasses import dataclass
from typing import ClassVar

from workspace_memory.domain.errors import DomainError
from workspace_memory.error_table import Row, row_for


@dataclass(eq=False)
class RequestRefused(DomainError):
    """Base of the cases that only HTTP knows."""

    code: ClassVar[str] = "request_refused"
    row: ClassVar[Row] = Row(400, "The request is not valid")


@dataclass(eq=False)
class BodyTooLarge(RequestRefused):
    """`limit` is in bytes."""

    code: ClassVar[str] = "body_too_large"
    row: ClassVar[Row] = Row(413, "The body is too large")
    limit: int

    def message(self) -> str:
        """What happened and what to do."""
        return f"The body has more than {self.limit:,} bytes. Send less at once."


@dataclass(eq=False)
class BodyTooSlow(RequestRefused):
    """`seconds` is how long a body may take."""

    code: ClassVar[str] = "body_too_slow"
    row: ClassVar[Row] = Row(408, "The body came too slowly")
    seconds: int

    def message(self) -> str:
        """What happened and what to do."""
        return f"The body did not come within {self.seconds} seconds. Nothing was done; send it again."


@dataclass(eq=False)
class WrongMediaType(RequestRefused):
    """Bodies are JSON."""

    code: ClassVar[str] = "unsupported_media_type"
    row: ClassVar[Row] = Row(415, "The body is not JSON")

    def message(self) -> str:
        """What happened and what to do."""
        return "Send the body as JSON, with the header 'Content-Type: application/json'."


@dataclass(eq=False)
class MethodNotAllowed(RequestRefused):
    """The header Allow of the answer names the methods."""

    code: ClassVar[str] = "method_not_allowed"
    row: ClassVar[Row] = Row(405, "Method not allowed")

    def message(self) -> str:
        """What happened and what to do."""
        return "This route does not take this method; the header Allow names those that it takes."


@dataclass(eq=False)
class CrossSiteRequest(RequestRefused):
    """A page of somebody else must not act with a person's session."""

    code: ClassVar[str] = "cross_site_request"
    row: ClassVar[Row] = Row(403, "Not allowed from another site", logging.INFO)

    def message(self) -> str:
        """What happened and what to do."""
        return (
            "A change with a session needs 'Sec-Fetch-Site: same-origin' or an Origin that is the service's own "
            "address. Programs use an access token instead."
        )


@dataclass(eq=False)
class Unexpected(RequestRefused):
    """Nothing about the fault leaves the process but this."""

    code: ClassVar[str] = "internal_error"
    row: ClassVar[Row] = Row(500, "Unexpected error", logging.ERROR)

    def message(self) -> str:
        """What happened and what to do."""
        return "Something unexpected went wrong. The log of the server says what; please report it."


def row_of(error: DomainError) -> Row:
    """Status, title and log level of an error, be it one of HTTP's own or one of the common table."""
    return error.row if isinstance(error, RequestRefused) else row_for(error)

"""The audit log as JSON. Hashes are 64 hexadecimal digits."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, model_validator

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    UtcTime,
    with_example,
)
from workspace_memory.domain.audit import AuditAction, AuditEvent, AuditHead, Broken, Verified
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import UserId
from workspace_memory.services.audit import PAGE_MAX, AuditPage, AuditQuery

_NUMBER_DIGITS_MAX = 15
_HASH_EXAMPLE = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_HEAD_EXAMPLE = {"number": 12, "hash": _HASH_EXAMPLE}
_EVENT_EXAMPLE = {
    "number": 12,
    "at": EXAMPLE_TIME,
    "actor": EXAMPLE_ID,
    "action": "MEMORY_ACCESS_CHANGED",
    "subject": EXAMPLE_ID,
    "facts": {"level_from": "inherit", "level_to": "contribute"},
    "previous": "0" * 64,
    "hash": _HASH_EXAMPLE,
}

Someone = Annotated[Text | None, Field(default=None, max_length=100, examples=[EXAMPLE_ID])]


class AuditQueryIn(Arguments):
    """Which events are wanted."""

    action: AuditAction | None = Field(default=None, description="Only this action.")
    actor: Someone = Field(default=None, description="Only what this account did.")
    subject: Someone = Field(default=None, description="Only what was about this account.")
    since: UtcTime | None = Field(default=None, description="From this time on, with its zone.")
    until: UtcTime | None = Field(default=None, description="Before this time, with its zone.")
    limit: int = Field(default=50, ge=1, description=f"How many at once; above {PAGE_MAX} it is {PAGE_MAX}.")
    cursor: Text | None = Field(
        default=None,
        max_length=500,
        description="Where to continue: `next_cursor` of the page before.",
    )

    def to_query(self) -> AuditQuery:
        """The service's query. Raises: InvalidRequest for a cursor that no page gave."""
        return AuditQuery(
            action=self.action,
            actor=None if self.actor is None else UserId(self.actor),
            subject=None if self.subject is None else UserId(self.subject),
            since=self.since,
            until=self.until,
            before=None if self.cursor is None else _number(self.cursor),
            limit=self.limit,
        )


class AuditHeadQuery(Arguments):
    """A head that was exported before; without one the chain alone is checked."""

    number: int | None = Field(default=None, ge=0, lt=10**_NUMBER_DIGITS_MAX, examples=[12])
    hash: Text | None = Field(default=None, pattern="^[0-9a-f]{64}$", examples=[_HASH_EXAMPLE])

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.number is None) is not (self.hash is None):
            raise ValueError("number and hash belong together")
        return self

    def to_head(self) -> AuditHead | None:
        """The head."""
        if self.number is None or self.hash is None:
            return None
        return AuditHead(self.number, bytes.fromhex(self.hash))


class AuditEventOut(Answer):
    """One event. It holds ids, codes, levels and counts, never a memory text."""

    number: int
    at: datetime
    actor: str | None = Field(description="The account; null when it was done on the machine itself.")
    action: AuditAction
    subject: str | None = Field(description="The account that it is about.")
    facts: dict[str, str | int]
    previous: str = Field(description="The hash of the event before.")
    hash: str


class AuditPageOut(Answer):
    """One page of events, newest first."""

    model_config = with_example({"events": [_EVENT_EXAMPLE], "next_cursor": None})

    events: list[AuditEventOut]
    next_cursor: str | None = Field(description="Where the next page begins; null on the last one.")


class AuditHeadOut(Answer):
    """The newest event; number 0 for an empty log."""

    model_config = with_example(_HEAD_EXAMPLE)

    number: int
    hash: str


class AuditVerifiedOut(Answer):
    """Whether the chain is whole."""

    model_config = with_example({"whole": True, "head": _HEAD_EXAMPLE, "broken_at": None, "reason": None})

    whole: bool
    head: AuditHeadOut | None = Field(description="The newest event of a whole chain.")
    broken_at: int | None = Field(
        description="At this event it, or the one before, was changed, removed or inserted."
    )
    reason: str | None


def audit_page_out(page: AuditPage) -> AuditPageOut:
    """A page for an answer."""
    following = None if page.next_before is None else str(page.next_before)
    return AuditPageOut(events=[_event_out(each) for each in page.events], next_cursor=following)


def audit_head_out(head: AuditHead) -> AuditHeadOut:
    """A head for an answer."""
    return AuditHeadOut(number=head.number, hash=head.hash.hex())


def audit_verified_out(found: Verified | Broken) -> AuditVerifiedOut:
    """The outcome of a check for an answer."""
    match found:
        case Verified(head):
            return AuditVerifiedOut(whole=True, head=audit_head_out(head), broken_at=None, reason=None)
        case Broken(number, reason):
            return AuditVerifiedOut(whole=False, head=None, broken_at=number, reason=reason)


def _event_out(event: AuditEvent) -> AuditEventOut:
    return AuditEventOut(
        number=event.number,
        at=event.at,
        actor=event.actor,
        action=event.action,
        subject=event.subject,
        facts=dict(event.facts),
        previous=event.previous.hex(),
        hash=event.hash.hex(),
    )


def _number(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= _NUMBER_DIGITS_MAX):
        raise InvalidRequest("cursor", "is not one that this query gave; leave it out to begin anew")
    return int(cursor)

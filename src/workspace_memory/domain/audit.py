"""The audit log: what was decided about a workspace, by whom, and a chain that shows later tampering.

An event holds ids, codes, levels and counts, never a memory text. Each carries the hash of the one before, so that
a changed, removed or inserted event breaks the chain from there on. Whoever keeps the head (number and hash of the
newest event) outside can also tell whether the end was cut off and written anew.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from workspace_memory.domain.ids import UserId, WorkspaceId

GENESIS = bytes(32)


class AuditAction(StrEnum):
    """What happened. The values are stable; docs/reference/audit.md describes each with its facts."""

    MEMORY_ACCESS_CHANGED = "MEMORY_ACCESS_CHANGED"
    MEMORY_SETTINGS_CHANGED = "MEMORY_SETTINGS_CHANGED"
    MEMORY_ERASED = "MEMORY_ERASED"
    ITEM_APPROVED = "ITEM_APPROVED"
    ITEM_REJECTED = "ITEM_REJECTED"
    ITEM_DELETED = "ITEM_DELETED"
    ITEM_CONFIRMED = "ITEM_CONFIRMED"
    CLIENT_ITEMS_REMOVED = "CLIENT_ITEMS_REMOVED"
    TOOL_CALL_REFUSED = "TOOL_CALL_REFUSED"
    MEMBER_INVITED = "MEMBER_INVITED"
    INVITATION_WITHDRAWN = "INVITATION_WITHDRAWN"
    MEMBER_JOINED = "MEMBER_JOINED"
    MEMBER_CHANGED = "MEMBER_CHANGED"
    MEMBER_REMOVED = "MEMBER_REMOVED"
    ACCOUNT_DEACTIVATED = "ACCOUNT_DEACTIVATED"
    ACCOUNT_ACTIVATED = "ACCOUNT_ACTIVATED"
    PASSWORD_RESET_MADE = "PASSWORD_RESET_MADE"
    PASSWORD_RESET_USED = "PASSWORD_RESET_USED"
    PASSWORD_CHANGED = "PASSWORD_CHANGED"
    TOKEN_MADE = "TOKEN_MADE"
    TOKEN_REVOKED = "TOKEN_REVOKED"
    SERVER_ADDED = "SERVER_ADDED"
    SERVER_CHANGED = "SERVER_CHANGED"
    SERVER_DELETED = "SERVER_DELETED"
    WORKSPACE_MADE = "WORKSPACE_MADE"
    WORKSPACE_RENAMED = "WORKSPACE_RENAMED"
    LICENCE_CHANGED = "LICENCE_CHANGED"
    COMPANY_ITEMS_EXPORTED = "COMPANY_ITEMS_EXPORTED"
    COMPANY_ITEMS_IMPORTED = "COMPANY_ITEMS_IMPORTED"
    MEMORY_POLICY_CHANGED = "MEMORY_POLICY_CHANGED"
    MEMORY_CLEARED = "MEMORY_CLEARED"
    DOCUMENT_DELETED = "DOCUMENT_DELETED"
    CAPTURE_COMMITTED = "CAPTURE_COMMITTED"
    PROPOSAL_APPLIED = "PROPOSAL_APPLIED"
    AI_CONSENT_CHANGED = "AI_CONSENT_CHANGED"
    SKILLS_TRUST_CHANGED = "SKILLS_TRUST_CHANGED"
    KEY_SESSION_OPENED = "KEY_SESSION_OPENED"
    KEY_SESSION_REVOKED = "KEY_SESSION_REVOKED"
    KEY_EPOCH_BEGUN = "KEY_EPOCH_BEGUN"
    KEY_GRANTED = "KEY_GRANTED"
    USER_KEYS_REWRAPPED = "USER_KEYS_REWRAPPED"
    USER_KEYS_REPLACED = "USER_KEYS_REPLACED"
    # Never written: how a row is shown that holds what no version of the product writes.
    UNREADABLE = "UNREADABLE"


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One event. `actor` is None when it was made on the machine itself; `subject` is the member it is about."""

    workspace: WorkspaceId
    number: int
    at: datetime
    actor: UserId | None
    action: AuditAction
    subject: UserId | None
    facts: Mapping[str, str | int]
    previous: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class AuditHead:
    """The newest event's number and hash; number 0 and 32 zero bytes for an empty log."""

    number: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Verified:
    """The chain is whole up to this head."""

    head: AuditHead


@dataclass(frozen=True, slots=True)
class Broken:
    """The chain is broken at this event: it, or the one before, was changed, removed or inserted."""

    number: int
    reason: str


def link(
    head: AuditHead,
    *,
    workspace: WorkspaceId,
    at: datetime,
    actor: UserId | None,
    action: AuditAction,
    subject: UserId | None = None,
    facts: Mapping[str, str | int] | None = None,
) -> AuditEvent:
    """The event that follows the head."""
    unlinked = AuditEvent(
        workspace=workspace,
        number=head.number + 1,
        at=at.astimezone(UTC),
        actor=actor,
        action=action,
        subject=subject,
        facts=dict(facts or {}),
        previous=head.hash,
        hash=b"",
    )
    return _with_hash(unlinked)


def verify_chain(events: Iterable[AuditEvent], expected: AuditHead | None = None) -> Verified | Broken:
    """Whether the events, oldest first and complete, are one unbroken chain that contains the expected head."""
    head = AuditHead(0, GENESIS)
    seen = expected is None or expected.number == 0
    for event in events:
        if event.number != head.number + 1:
            return Broken(head.number + 1, "an event is missing or stands in another order")
        if event.previous != head.hash:
            return Broken(event.number, "it does not follow from the event before")
        if _with_hash(event).hash != event.hash:
            return Broken(event.number, "its content does not fit its hash")
        head = AuditHead(event.number, event.hash)
        if expected is not None and head.number == expected.number:
            if head.hash != expected.hash:
                return Broken(event.number, "it is not the event of the exported head")
            seen = True
    if not seen and expected is not None:
        return Broken(head.number + 1, f"the log ends before the exported head, number {expected.number}")
    return Verified(head)


def _with_hash(event: AuditEvent) -> AuditEvent:
    # One canonical text: sorted keys, no blanks, UTC to the microsecond, so that any language can compute it.
    text = json.dumps(
        {
            "workspace": event.workspace,
            "number": event.number,
            "at": event.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "actor": event.actor,
            "action": event.action.value,
            "subject": event.subject,
            "facts": dict(event.facts),
            "previous": event.previous.hex(),
        },
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
    )
    return AuditEvent(
        event.workspace,
        event.number,
        event.at,
        event.actor,
        event.action,
        event.subject,
        event.facts,
        event.previous,
        hashlib.sha256(text.encode()).digest(),
    )

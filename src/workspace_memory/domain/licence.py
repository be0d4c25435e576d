"""Licences: when memory may be used at all. Off by default; the signature is checked in `crypto/licence_keys.py`.

Only an active, unexpired licence of plan enterprise includes memory. Business, team, trial and transition do not.
Without one the data is kept and nothing else changes.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import WorkspaceId

INSTANCE = "instance"


class Licensing(StrEnum):
    """Whether a licence is asked for, and where it may stand."""

    OFF = "off"
    SELF_HOSTED = "self_hosted"
    CLOUD = "cloud"


class Plan(StrEnum):
    """The plans that exist; one of them includes memory."""

    ENTERPRISE = "enterprise"
    BUSINESS = "business"
    TEAM = "team"
    TRIAL = "trial"
    TRANSITION = "transition"


@dataclass(frozen=True, slots=True)
class Licence:
    """What an issuer has signed. `subject` is a workspace's id, or "instance" for every workspace of one."""

    id: str
    subject: str
    plan: Plan
    active: bool
    holder: str
    issued_at: datetime
    expires_at: datetime


def licence_text(licence: Licence) -> bytes:
    """The bytes that are signed."""
    fields = {
        "id": licence.id,
        "subject": licence.subject,
        "plan": licence.plan.value,
        "active": licence.active,
        "holder": licence.holder,
        "issued_at": licence.issued_at.astimezone(UTC).isoformat(),
        "expires_at": licence.expires_at.astimezone(UTC).isoformat(),
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def read_licence(text: bytes) -> Licence:
    """The licence in bytes whose signature has been checked. Raises: InvalidRequest."""
    try:
        fields: object = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    match fields:
        case {
            "id": str(id_),
            "subject": str(subject),
            "plan": str(plan),
            "active": bool(active),
            "holder": str(holder),
            "issued_at": str(issued_at),
            "expires_at": str(expires_at),
        } if plan in set(Plan):
            return Licence(id_, subject, Plan(plan), active, holder, _time(issued_at), _time(expires_at))
        case _:
            raise InvalidRequest("licence", "holds something else than a licence of this product")


def includes_memory(licence: Licence, *, licensing: Licensing, workspace: WorkspaceId, now: datetime) -> bool:
    """Whether this licence lets this workspace use memory now.

    In the cloud it must be the workspace's own; self-hosted, the instance's counts too.
    """
    subjects = {workspace} if licensing is Licensing.CLOUD else {workspace, INSTANCE}
    return (
        licence.plan is Plan.ENTERPRISE
        and licence.active
        and licence.subject in subjects
        and licence.issued_at <= now < licence.expires_at
    )


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidRequest("licence", "holds something else than a licence of this product") from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)

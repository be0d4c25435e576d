"""What the commands of governance show: review, settings, audit, licence, clients. As `rows.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.cli.rows import ItemRow, TokenRow
from workspace_memory.domain.workspace_key import KeyDue


@dataclass(frozen=True, slots=True)
class HiddenRow:
    """A hidden character: its position from 0, code point and name."""

    position: int
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """What waits for review. `content_shown` and `tags_shown` have their hidden characters made visible.

    `token_id` saved it, None by hand. `replaced` is the item that a proposal would change, as it is now.
    """

    item: ItemRow
    token_id: str | None
    content_shown: str
    tags_shown: Sequence[str]
    hidden: Sequence[HiddenRow]
    similar: Sequence[ItemRow]
    replaced: ItemRow | None
    replaced_meanwhile: bool


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """An item to decide about, in the version that was shown; also that of the item that it would change."""

    id: str
    version: int
    replaced_version: int | None = None


@dataclass(frozen=True, slots=True)
class DecidedRow:
    """What became of one decision: `code` is None when it was done."""

    id: str
    code: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class SettingsRow:
    """What holds for all members."""

    default_access: str
    write_mode: str
    assistant_tokens_per_day: int


@dataclass(frozen=True, slots=True)
class RemovedRow:
    """How much went along with a membership, and what follows with the workspace key."""

    personal_items: int
    key_due: KeyDue


@dataclass(frozen=True, slots=True)
class ErasedRow:
    """How many personal items are gone, and where their text is still kept for a while; empty for nowhere."""

    personal_items: int
    remains: str


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An event of the audit log. Hashes are hexadecimal; `actor` is None when it was done on the machine itself."""

    number: int
    at: datetime
    actor: str | None
    action: str
    subject: str | None
    facts: Mapping[str, str | int]
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class AuditHeadRow:
    """The newest event's number and hash, for somebody outside to keep."""

    workspace: str
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class VerifiedRow:
    """Whether the chain is whole: its head, or the number of the event where it breaks, and how."""

    whole: bool
    head: AuditHeadRow | None
    broken_at: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which events are wanted; None means any. `actor` and `subject` are ids of members."""

    action: str | None = None
    actor: str | None = None
    subject: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class LicenceRow:
    """What a licence says."""

    id: str
    subject: str
    plan: str
    active: bool
    holder: str
    issued_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class LicenceStateRow:
    """Whether licences are asked for, whether memory is on, and the workspace's own licence."""

    licensing: str
    memory: bool
    licence: LicenceRow | None


@dataclass(frozen=True, slots=True)
class ClientRow:
    """A member's token, and how many company items it has saved."""

    user_id: str
    user_name: str
    token: TokenRow
    company_items: int


@dataclass(frozen=True, slots=True)
class RemovalRow:
    """What was, or would be, removed and put back. Personal counts are None where they may not be known before."""

    company_removed: int
    company_put_back: int
    personal_removed: int | None
    personal_put_back: int | None
    more: bool
    remains: str

    def plus(self, other: "RemovalRow") -> "RemovalRow":
        """The sum with the next part."""
        return RemovalRow(
            self.company_removed + other.company_removed,
            self.company_put_back + other.company_put_back,
            (self.personal_removed or 0) + (other.personal_removed or 0),
            (self.personal_put_back or 0) + (other.personal_put_back or 0),
            other.more,
            other.remains,
        )

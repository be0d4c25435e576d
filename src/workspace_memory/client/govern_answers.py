"""What the service answers to `govern.py`, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.client.answers import Item, Member, Token
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.ids import ItemId, TokenId, UserId
from workspace_memory.domain.item import WriteMode
from workspace_memory.domain.licence import Licensing, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """What holds for all members."""

    default_access: AccessLevel
    write_mode: WriteMode
    # 0 for no limit.
    assistant_tokens_per_day: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessChanged:
    """The members as they are now; how many had another level before."""

    members: tuple[Member, ...]
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """How many personal items are gone; `remains` says where their text is still kept for a while."""

    personal_items: int
    remains: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenCharacter:
    """A character that a reader does not see; `position` is in characters."""

    position: int
    code: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewEntry:
    """What a reviewer is shown of one item."""

    item: Item
    token_id: TokenId | None
    content_shown: str
    tags_shown: tuple[str, ...]
    hidden: tuple[HiddenCharacter, ...]
    similar: tuple[Item, ...]
    replaced: Item | None
    replaced_meanwhile: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage:
    """One page of what waits."""

    entries: tuple[ReviewEntry, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What became of one item of many; `code` is an error's when it was not done."""

    id: ItemId
    done: bool
    code: str | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedMany:
    """The answer to many decisions."""

    items: tuple[Decided, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """The answer to items to be confirmed."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One event of the audit log; `actor` is None when it was done on the machine itself."""

    number: int
    at: datetime
    actor: UserId | None
    action: AuditAction
    subject: UserId | None
    facts: Mapping[str, str | int]
    previous: str
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """One page of events."""

    events: tuple[AuditEvent, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditHead:
    """The newest event's number and hash (64 hexadecimal digits)."""

    number: int
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditVerified:
    """Whether the chain is whole; if not, where and why."""

    whole: bool
    head: AuditHead | None
    broken_at: int | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Licence:
    """What a genuine licence says."""

    id: str
    subject: str
    plan: Plan
    active: bool
    holder: str
    issued_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenceState:
    """Whether a licence is asked for, whether memory is on, and the workspace's own licence."""

    licensing: Licensing
    memory: bool
    licence: Licence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSeen:
    """A member's token, as an administrator sees it."""

    user_id: UserId
    user_name: str
    token: Token
    company_items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clients:
    """The answer to a list of clients."""

    clients: tuple[ClientSeen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What was, or in a dry run would be, undone; while `more`, call again."""

    dry_run: bool
    company_removed: int
    company_put_back: int
    personal_removed: int | None
    personal_put_back: int | None
    more: bool
    remains: str

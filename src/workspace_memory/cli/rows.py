"""What commands show, the same whether it comes from the data folder or from a running server.

Plain values with names as in the REST interface; `--json` prints exactly these. Times are UTC.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class HeldRow:
    """Why a text waits for a person: the rule, and the phrase that it found."""

    rule: str
    phrase: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A memory item. `score` is None when nothing was searched for; `reason` is why it was rejected."""

    id: str
    content: str
    kind: str
    scope: str
    tags: Sequence[str]
    status: str
    author: str | None
    source: str
    version: int
    created_at: datetime
    updated_at: datetime
    score: float | None = None
    approver: str | None = None
    review_by: date | None = None
    replaces: str | None = None
    reason: str | None = None
    held: HeldRow | None = None


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A saved item, what happened, and similar ones."""

    outcome: str
    item: ItemRow
    similar: Sequence[ItemRow]


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Items in order; `next_cursor` continues after the last one."""

    items: Sequence[ItemRow]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """One version of an item."""

    version: int
    content: str
    kind: str
    tags: Sequence[str]
    changed_at: datetime
    changed_by: str | None
    source: str


@dataclass(frozen=True, slots=True)
class TokenRow:
    """An access token without its secret."""

    id: str
    name: str
    max_level: str
    surface: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class MadeTokenRow:
    """A new token and its secret, which is shown once."""

    token: str
    id: str
    name: str
    max_level: str
    surface: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """A workspace."""

    id: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ServerRow:
    """An MCP server of a workspace and its address."""

    id: str
    name: str
    url: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member of a workspace."""

    id: str
    email: str
    name: str
    role: str
    status: str
    memory_access: str


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """An invitation that can still be redeemed, without its link."""

    id: str
    email: str
    role: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A one-time link, which is shown once."""

    link: str
    purpose: str
    email: str | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class LinkLook:
    """What a link is for."""

    purpose: str
    email: str | None
    workspace_name: str | None
    account_exists: bool


@dataclass(frozen=True, slots=True)
class RedeemedRow:
    """What a redeemed link gave."""

    purpose: str
    email: str
    user_id: str
    workspace_id: str | None
    server_id: str | None


@dataclass(frozen=True, slots=True)
class ImportRow:
    """What became, or would become, of a batch of an import; `problems` are pairs of place and reason.

    `held` of the new ones are suspicious and wait for a person.
    """

    scope: str
    status: str
    restores: bool
    new: int
    already_there: int
    over_quota: int
    held: int = 0
    problems: Sequence[tuple[str, str]] = ()

    def plus(self, other: "ImportRow") -> "ImportRow":
        """The sum with the next batch."""
        return replace(
            self,
            restores=self.restores and other.restores,
            new=self.new + other.new,
            already_there=self.already_there + other.already_there,
            over_quota=self.over_quota + other.over_quota,
            held=self.held + other.held,
            problems=[*self.problems, *other.problems],
        )

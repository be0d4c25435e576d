"""What the service answers, as frozen values. Times are aware, in UTC; members that are not known here are ignored."""

from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Literal, TypeVar

from pydantic import TypeAdapter

from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import LinkPurpose
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import ItemId, LinkId, ServerId, TokenId, UserId, WorkspaceId
from workspace_memory.domain.item import Kind, Scope, Status, WriteMode
from workspace_memory.domain.workspace_key import KeyDue

A = TypeVar("A")

Outcome = Literal["saved", "already_saved", "replaced", "proposed", "held", "rejected_before"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person by id and name."""

    id: UserId
    name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Why a text waits for a person: the rule, and the phrase that it found."""

    rule: str
    phrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A memory item as it stands. `version` is what an edit has to name."""

    id: ItemId
    scope: Scope
    kind: Kind
    content: str
    tags: tuple[str, ...]
    status: Status
    source: str
    author: Person | None
    approver: Person | None
    created_at: datetime
    updated_at: datetime
    review_by: date | None
    version: int
    replaces: ItemId | None
    replaces_version: int | None
    reason: str | None
    held: Held | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundItem(Item):
    """An item of a list, with its score (0 without a query)."""

    score: float
    to_be_confirmed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of items."""

    items: tuple[FoundItem, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What became of a text."""

    item: Item
    outcome: Outcome
    similar: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkLine:
    """What became of one text of many."""

    id: ItemId
    version: int
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkLines:
    """The answer to many texts."""

    items: tuple[BulkLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One version of an item."""

    version: int
    content: str
    kind: Kind
    tags: tuple[str, ...]
    changed_at: datetime
    changed_by: str | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The answer to a history."""

    revisions: tuple[Revision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCounts:
    """How many items the caller sees."""

    personal: int
    personal_active: int
    company_active: int
    company_pending: int
    to_review: int
    to_confirm: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLimits:
    """The bounds of every save."""

    content_characters: int
    tags: int
    tag_characters: int
    personal_items: int
    workspace_items: int
    bulk_items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStatus:
    """What memory is to the caller here."""

    role: Role
    licensed: bool
    level: AccessLevel
    default_access: AccessLevel
    write_mode: WriteMode
    counts: MemoryCounts
    limits: MemoryLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A new session."""

    user_id: UserId
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedWorkspace:
    """A workspace that the credential reaches."""

    id: WorkspaceId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The caller's account."""

    user_id: UserId
    email: str
    name: str
    workspaces: tuple[ReachedWorkspace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFacts:
    """What a one-time link is for."""

    purpose: LinkPurpose
    email: str | None
    workspace_name: str | None
    account_exists: bool
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeemed:
    """What a redeemed link gave."""

    user_id: UserId
    email: str
    purpose: LinkPurpose
    workspace_id: WorkspaceId | None
    server_id: ServerId | None
    server_url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeLink:
    """A new one-time link: `url` is shown once."""

    id: LinkId
    url: str
    accept_command: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An invitation that can still be redeemed."""

    id: LinkId
    email: str
    role: Role
    created_at: datetime
    created_by: UserId | None
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitations:
    """The answer to a list of invitations."""

    invitations: tuple[Invitation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a workspace."""

    user_id: UserId
    email: str
    name: str
    role: Role
    status: MemberStatus
    memory_access: AccessLevel
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedMember(Member):
    """A member after a change, and what follows with the workspace key."""

    key_due: KeyDue


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberPage:
    """One page of members."""

    members: tuple[Member, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedMember:
    """How many personal items went along with a membership, and what follows with the workspace key."""

    personal_items: int
    key_due: KeyDue


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A workspace."""

    id: WorkspaceId
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspaces:
    """The answer to a list of workspaces."""

    workspaces: tuple[Workspace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeWorkspace:
    """A new workspace and its first MCP server."""

    workspace: Workspace
    server_id: ServerId
    server_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """An MCP server; `url` is what AI clients are configured with."""

    id: ServerId
    name: str
    url: str
    chatgpt_tools: bool
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """The answer to a list of servers."""

    servers: tuple[Server, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A personal access token, without its secret."""

    id: TokenId
    user_id: UserId
    name: str
    max_level: AccessLevel
    surface: Surface
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The answer to a list of tokens."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeToken:
    """A new token with its secret, which is shown once."""

    token: Token
    secret: str


def if_match(version: int) -> dict[str, str]:
    """The header that names the version that was shown."""
    return {"If-Match": f'"{version}"'}


def read_answer(shape: type[A], content: bytes) -> A:
    """The JSON text as a value. Raises: pydantic.ValidationError when it is another shape."""
    return _adapter(shape).validate_json(content)


@cache
def _adapter(shape: type[A]) -> TypeAdapter[A]:
    return TypeAdapter(shape)

"""Accounts, memberships, servers and tokens as values, and the rules for their texts."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from workspace_memory.domain.access import DEFAULT_ACCESS, AccessLevel, MemberStatus, Role
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import LinkId, ServerId, SignInId, TokenId, UserId, WorkspaceId
from workspace_memory.domain.item import WriteMode

PASSWORD_CHARACTERS_MIN = 12
PASSWORD_CHARACTERS_MAX = 1_024
EMAIL_CHARACTERS_MAX = 254
NAME_CHARACTERS_MAX = 100

SETUP_VALID = timedelta(days=7)
INVITATION_VALID = timedelta(days=7)
PASSWORD_RESET_VALID = timedelta(hours=1)
SESSION_IDLE = timedelta(hours=8)
SESSION_ABSOLUTE = timedelta(days=7)

# One @, something on both sides, no white space: what is delivered is decided by mail servers, not by a pattern.
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


class AccountStatus(StrEnum):
    """Whether an account can sign in."""

    ACTIVE = "active"
    DEACTIVATED = "deactivated"


class LinkPurpose(StrEnum):
    """What a one-time link does when it is redeemed."""

    SETUP = "setup"
    INVITATION = "invitation"
    PASSWORD_RESET = "password_reset"


@dataclass(frozen=True, slots=True)
class Account:
    """A person of this installation. `password_hash` is None until a link was redeemed."""

    id: UserId
    email: str
    name: str
    status: AccountStatus
    password_hash: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SignInSession:
    """A session that its account can end: `id` names it and opens nothing. `present` is the one that asks."""

    id: SignInId
    began_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    present: bool


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace and its name."""

    id: WorkspaceId
    name: str
    created_at: datetime


ASSISTANT_TOKENS_PER_DAY = 2_000_000
ASSISTANT_TOKENS_MAX = 2_000_000_000


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """What holds for all members of a workspace. 0 tokens per day is no limit."""

    default_access: AccessLevel = DEFAULT_ACCESS
    write_mode: WriteMode = WriteMode.APPROVAL
    assistant_tokens_per_day: int = ASSISTANT_TOKENS_PER_DAY


@dataclass(frozen=True, slots=True)
class Member:
    """A membership with the person's name, for lists."""

    workspace: WorkspaceId
    user: UserId
    email: str
    name: str
    role: Role
    status: MemberStatus
    memory_access: AccessLevel
    created_at: datetime


@dataclass(frozen=True, slots=True)
class McpServer:
    """An MCP endpoint of a workspace. Its id never changes, since some clients cannot edit a connector's URL."""

    workspace: WorkspaceId
    id: ServerId
    name: str
    chatgpt_tools: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """A personal access token as it is shown: never the secret, which exists once, in the answer that made it."""

    workspace: WorkspaceId
    id: TokenId
    user: UserId
    name: str
    max_level: AccessLevel
    surface: Surface
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Link:
    """A one-time link. For an invitation `workspace` and `role` say what it gives; for a reset `user` whose."""

    id: LinkId
    purpose: LinkPurpose
    email: str | None
    user: UserId | None
    workspace: WorkspaceId | None
    role: Role | None
    created_by: UserId | None
    created_at: datetime
    expires_at: datetime


def check_email(email: str) -> str:
    """The address trimmed and in NFC. Raises InvalidRequest when it cannot be one."""
    if not is_email(email):
        raise InvalidRequest("email", "must be an e-mail address such as alice@example.com")
    return unicodedata.normalize("NFC", email.strip())


def is_email(email: str) -> bool:
    """Whether the text can be an e-mail address; nobody can have another one."""
    text = email.strip()
    return len(text) <= EMAIL_CHARACTERS_MAX and _EMAIL.fullmatch(text) is not None and not _unprintable(text)


def email_key(email: str) -> str:
    """The form in which addresses are compared; what is too long to be one stays as it is."""
    text = email.strip()
    return text if len(text) > EMAIL_CHARACTERS_MAX else unicodedata.normalize("NFKC", text).casefold()


def check_password(password: str, *, field: str = "password") -> str:
    """The password as it is. Raises InvalidRequest when it is too short, too long or not valid Unicode."""
    if len(password) < PASSWORD_CHARACTERS_MIN:
        raise InvalidRequest(field, f"must have at least {PASSWORD_CHARACTERS_MIN} characters")
    if len(password) > PASSWORD_CHARACTERS_MAX:
        raise InvalidRequest(field, f"must have at most {PASSWORD_CHARACTERS_MAX:,} characters")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in password):
        raise InvalidRequest(field, "is not valid Unicode")
    return password


def check_name(name: str, *, field: str = "name") -> str:
    """A name on one line, trimmed and in NFC. Raises InvalidRequest for anything that is none."""
    text = name.strip()
    if not text:
        raise InvalidRequest(field, "must not be empty")
    if len(text) <= NAME_CHARACTERS_MAX * 4:  # a longer one cannot be composed to one that fits
        text = unicodedata.normalize("NFC", text)
    if len(text) > NAME_CHARACTERS_MAX:
        raise InvalidRequest(field, f"must have at most {NAME_CHARACTERS_MAX} characters")
    if _unprintable(text):
        raise InvalidRequest(field, "must be one line without control characters")
    return text


def _unprintable(text: str) -> bool:
    # Cc: control, Cs: half surrogates, Cf: invisible, such as the marks that turn writing round; Zl, Zp: line ends.
    return any(unicodedata.category(character) in {"Cc", "Cs", "Cf", "Zl", "Zp"} for character in text)

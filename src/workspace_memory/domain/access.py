"""Who may do what: the one access rule, asked by every surface at every call.

Two questions are kept apart. A person's *role* decides what they may do by hand (`may`, the table of
docs/reference/roles.md). Through an AI client the *access level* decides, whatever the role
(`offers`). A token caps both with its highest level. Nothing here reads a store: the services hand in facts that
were read in the transaction of the call itself.
"""

from enum import StrEnum

from workspace_memory.domain.errors import Forbidden, LevelTooLow


class Role(StrEnum):
    """What a member is in a workspace."""

    ADMIN = "admin"
    EDITOR = "editor"
    VIEWER = "viewer"


class MemberStatus(StrEnum):
    """Whether a membership gives any access at all."""

    ACTIVE = "active"
    DEACTIVATED = "deactivated"


class AccessLevel(StrEnum):
    """What a member's AI clients may do; `inherit` takes the workspace's default."""

    INHERIT = "inherit"
    NONE = "none"
    READ = "read"
    PERSONAL = "personal"
    CONTRIBUTE = "contribute"


DEFAULT_ACCESS = AccessLevel.PERSONAL
"""What `inherit` means in a workspace that has not set its own default."""


class Action(StrEnum):
    """What a person does by hand, as product.md lists it; each maps to the least role."""

    READ_DOCUMENT = "read_document"
    CHAT = "chat"
    CHANGE_MODE = "change_mode"
    USE_PERSONAL_ITEMS = "use_personal_items"
    SEE_COMPANY_ITEMS = "see_company_items"
    WRITE_DOCUMENT = "write_document"
    WRITE_NOTES = "write_notes"
    APPLY_PROPOSALS = "apply_proposals"
    CURATE_COMPANY_ITEMS = "curate_company_items"
    CHANGE_SETTINGS = "change_settings"
    GIVE_CONSENT = "give_consent"
    TRUST_SKILLS = "trust_skills"
    SET_ACCESS_LEVELS = "set_access_levels"
    MANAGE_MEMBERS = "manage_members"
    MANAGE_SERVERS = "manage_servers"
    READ_AUDIT = "read_audit"
    ERASE_PERSONAL = "erase_personal"
    MANAGE_LICENCE = "manage_licence"


_EVERYBODY = frozenset(Role)
_CURATORS = frozenset({Role.ADMIN, Role.EDITOR})
_ADMINS = frozenset({Role.ADMIN})

ROLES_FOR: dict[Action, frozenset[Role]] = {
    Action.READ_DOCUMENT: _EVERYBODY,
    Action.CHAT: _EVERYBODY,
    Action.CHANGE_MODE: _EVERYBODY,
    Action.USE_PERSONAL_ITEMS: _EVERYBODY,
    Action.SEE_COMPANY_ITEMS: _EVERYBODY,
    Action.WRITE_DOCUMENT: _CURATORS,
    Action.WRITE_NOTES: _CURATORS,
    Action.APPLY_PROPOSALS: _CURATORS,
    Action.CURATE_COMPANY_ITEMS: _CURATORS,
    Action.CHANGE_SETTINGS: _ADMINS,
    Action.GIVE_CONSENT: _ADMINS,
    Action.TRUST_SKILLS: _ADMINS,
    Action.SET_ACCESS_LEVELS: _ADMINS,
    Action.MANAGE_MEMBERS: _ADMINS,
    Action.MANAGE_SERVERS: _ADMINS,
    Action.READ_AUDIT: _ADMINS,
    Action.ERASE_PERSONAL: _ADMINS,
    Action.MANAGE_LICENCE: _ADMINS,
}

_RANK = {AccessLevel.NONE: 0, AccessLevel.READ: 1, AccessLevel.PERSONAL: 2, AccessLevel.CONTRIBUTE: 3}


def may(role: Role, action: Action) -> bool:
    """Whether a member of this role may do this by hand."""
    return role in ROLES_FOR[action]


def require_role(role: Role, action: Action) -> None:
    """Raise Forbidden, naming who may, unless the role allows the action."""
    if not may(role, action):
        allowed = " or ".join(f"{each}s" for each in sorted(ROLES_FOR[action]))
        raise Forbidden(need=f"only {allowed} of this workspace may do this")


def effective_level(
    member: AccessLevel, default: AccessLevel, cap: AccessLevel = AccessLevel.CONTRIBUTE
) -> AccessLevel:
    """The lower one of the member's level (or, when inherited, the workspace's default) and the token's cap."""
    own = default if member is AccessLevel.INHERIT else member
    return min(own, cap, key=_RANK.__getitem__)


def offers(level: AccessLevel, needed: AccessLevel) -> bool:
    """Whether a level includes another one."""
    return _RANK[level] >= _RANK[needed]


def require_level(level: AccessLevel, needed: AccessLevel) -> None:
    """Raise LevelTooLow unless the level includes the needed one."""
    if not offers(level, needed):
        raise LevelTooLow(need=needed.value)

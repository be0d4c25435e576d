"""Members of a workspace: listed, changed, removed. The last active admin stays."""

from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.domain.access import (
    AccessLevel,
    Action,
    MemberStatus,
    Role,
    require_level,
)
from workspace_memory.domain.account import Member
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import InvalidRequest, LastAdmin, NotFound
from workspace_memory.domain.ids import UserId, WorkspaceId, is_id
from workspace_memory.domain.key_session import KeySession
from workspace_memory.domain.workspace_key import KeyDue
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action, require_by_hand, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.services.erasing import erase_rows
from workspace_memory.services.leaving import end_key_access, key_due, remove_membership
from workspace_memory.services.session_keys import drop_keys
from workspace_memory.storage.database import Transaction

PAGE_MAX = 200
ACCESS_CHANGES_MAX = 500


@dataclass(frozen=True, slots=True)
class MemberPage:
    """Members in the order of their accounts; `next_after` is where the next page begins, or None."""

    members: Sequence[Member]
    next_after: UserId | None


@dataclass(frozen=True, slots=True)
class AccessChange:
    """The access level that a member is to have."""

    user: UserId
    level: AccessLevel


@dataclass(frozen=True, slots=True)
class AccessChanged:
    """The named members as they are now, in the order in which they were named, and how many of them changed."""

    members: Sequence[Member]
    changed: int


@dataclass(frozen=True, slots=True)
class RemovedMember:
    """How much went along with a membership, and what has to follow with the workspace key."""

    personal_items: int
    key_due: KeyDue


@dataclass(frozen=True, slots=True)
class ChangedMember:
    """A member as it is now, and what has to follow with the workspace key."""

    member: Member
    key_due: KeyDue


def list_members(
    deps: Deps, actor: Actor, workspace: WorkspaceId, *, after: UserId | None = None, limit: int = 50
) -> MemberPage:
    """Everybody in the workspace, for every member. Raises: NotFound, Forbidden, InvalidRequest."""
    if after is not None and not is_id(after):
        raise InvalidRequest(
            "after", "is not a place that a page of members gave; leave it out to begin anew"
        )
    limit = max(1, min(limit, PAGE_MAX))
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        members = tx.members.page(workspace, after=after, limit=limit + 1)
    more = len(members) > limit
    return MemberPage(members[:limit], members[limit - 1].user if more else None)


def get_member(deps: Deps, actor: Actor, workspace: WorkspaceId, user: UserId) -> Member:
    """One member. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        return _require_member(tx, workspace, user)


def change_member(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    user: UserId,
    *,
    role: Role | None = None,
    status: MemberStatus | None = None,
    memory_access: AccessLevel | None = None,
) -> ChangedMember:
    """Set role, status or access level of a member; None leaves it as it is. In force from the next call on.

    Who is deactivated loses the grants of the workspace key and the key sessions here in the same transaction.
    Raises: NotFound, Forbidden, LevelTooLow, LastAdmin.
    """
    ended: list[KeySession] = []
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        member = _require_member(tx, workspace, user)
        tx.members.change(
            workspace,
            user,
            role=role or member.role,
            status=status or member.status,
            access=memory_access or member.memory_access,
        )
        _require_admin_left(tx, workspace)
        changed = _require_member(tx, workspace, user)
        _note_change(deps, tx, actor, member, changed)
        if changed.status is MemberStatus.DEACTIVATED:
            ended = end_key_access(deps, tx, actor, workspace, user)
        due = key_due(tx, workspace)
    drop_keys(deps.key_store, *ended)
    return ChangedMember(changed, due)


def set_access(
    deps: Deps, actor: Actor, workspace: WorkspaceId, changes: Sequence[AccessChange]
) -> AccessChanged:
    """Set the access levels of up to 500 members in one transaction, all or none; one audit row for each that changes.

    Raises: NotFound when one of them is no member, Forbidden, LevelTooLow, InvalidRequest.
    """
    if len(changes) > ACCESS_CHANGES_MAX:
        raise InvalidRequest("members", f"at most {ACCESS_CHANGES_MAX} members at once, not {len(changes)}")
    wanted = {change.user: change.level for change in changes}
    if len(wanted) != len(changes):
        raise InvalidRequest("members", "a member is named twice")
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.SET_ACCESS_LEVELS)
        before = tx.members.get_many(workspace, wanted)
        if len(before) != len(wanted):
            raise NotFound("member")
        changed = {user: level for user, level in wanted.items() if before[user].memory_access is not level}
        for level in set(changed.values()):
            tx.members.set_access(workspace, [user for user, its in changed.items() if its is level], level)
        after = tx.members.get_many(workspace, wanted)
        for user in changed:
            _note_change(deps, tx, actor, before[user], after[user])
        return AccessChanged([after[user] for user in wanted], len(changed))


def remove_member(deps: Deps, actor: Actor, workspace: WorkspaceId, user: UserId) -> RemovedMember:
    """End a membership: an admin anybody's, everybody the own. Personal items and tokens there are deleted.

    Raises: NotFound, Forbidden, LevelTooLow, LastAdmin.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_membership(tx, actor, workspace)
        if user == actor.user:
            require_by_hand(actor)
            # It deletes all that the member has here, which a token made for less must not do.
            require_level(actor.max_level, AccessLevel.CONTRIBUTE)
        else:
            require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        _require_member(tx, workspace, user)
        personal_items = erase_rows(tx, workspace, user)
        ended = end_key_access(deps, tx, actor, workspace, user)
        remove_membership(tx, workspace, user)
        due = key_due(tx, workspace)
        _require_admin_left(tx, workspace)
        record(
            deps,
            tx,
            workspace,
            AuditAction.MEMBER_REMOVED,
            actor,
            subject=user,
            personal_items=personal_items,
        )
    drop_keys(deps.key_store, *ended)
    deps.database.forget_deleted()
    return RemovedMember(personal_items, due)


def _note_change(deps: Deps, tx: Transaction, actor: Actor, before: Member, after: Member) -> None:
    if after.memory_access is not before.memory_access:
        record(
            deps,
            tx,
            after.workspace,
            AuditAction.MEMORY_ACCESS_CHANGED,
            actor,
            subject=after.user,
            level_from=before.memory_access.value,
            level_to=after.memory_access.value,
        )
    if (after.role, after.status) != (before.role, before.status):
        record(
            deps,
            tx,
            after.workspace,
            AuditAction.MEMBER_CHANGED,
            actor,
            subject=after.user,
            role_from=before.role.value,
            role_to=after.role.value,
            status_from=before.status.value,
            status_to=after.status.value,
        )


def _require_member(tx: Transaction, workspace: WorkspaceId, user: UserId) -> Member:
    member = tx.members.get(workspace, user)
    if member is None:
        raise NotFound("member")
    return member


def _require_admin_left(tx: Transaction, workspace: WorkspaceId) -> None:
    if tx.members.active_admins(workspace) == 0:
        raise LastAdmin

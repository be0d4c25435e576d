"""Members of a workspace: listed, changed, removed. The last active admin stays."""

from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, Action, MemberStatus, Role, require_level
from workspace_memory.domain.account import Member
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import InvalidRequest, LastAdmin, NotFound
from workspace_memory.domain.ids import UserId, WorkspaceId, is_id
from workspace_memory.services.authorization import require_action, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction

PAGE_MAX = 200


@dataclass(frozen=True, slots=True)
class MemberPage:
    """Members in the order of their accounts; `next_after` is where the next page begins, or None."""

    members: Sequence[Member]
    next_after: UserId | None


@dataclass(frozen=True, slots=True)
class RemovedMember:
    """How much went along with a membership."""

    personal_items: int


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
) -> Member:
    """Set role, status or access level of a member; None leaves it as it is. In force from the next call on.

    Raises: NotFound, Forbidden, LastAdmin.
    """
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
        return _require_member(tx, workspace, user)


def remove_member(deps: Deps, actor: Actor, workspace: WorkspaceId, user: UserId) -> RemovedMember:
    """End a membership: an admin anybody's, everybody the own. Personal items and tokens there are deleted.

    Raises: NotFound, Forbidden, LevelTooLow, LastAdmin.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_membership(tx, actor, workspace)
        if user == actor.user:
            # It deletes all that the member has here, which a token made for less must not do.
            require_level(actor.max_level, AccessLevel.CONTRIBUTE)
        else:
            require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        _require_member(tx, workspace, user)
        personal_items = tx.items.count_personal(workspace, user)
        tx.search.remove_list(workspace, user)
        tx.idempotency.remove_of_user(workspace, user)
        tx.members.remove(workspace, user)
        _require_admin_left(tx, workspace)
    deps.database.forget_deleted()
    return RemovedMember(personal_items)


def _require_member(tx: Transaction, workspace: WorkspaceId, user: UserId) -> Member:
    member = tx.members.get(workspace, user)
    if member is None:
        raise NotFound("member")
    return member


def _require_admin_left(tx: Transaction, workspace: WorkspaceId) -> None:
    if tx.members.active_admins(workspace) == 0:
        raise LastAdmin

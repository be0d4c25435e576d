"""Erasing: a member's personal memory by an admin who does not see it, and whole accounts.

Nothing here reads a text: rows, index and kept answers go by owner, and the answer is a count. Works without a
licence. Company items stay; those of a deleted account have no author any more.
"""

from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, Action, MemberStatus, Role, require_level
from workspace_memory.domain.account import Member
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import Forbidden, LastAdmin, NotAuthenticated, NotFound
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.domain.key_session import KeySession
from workspace_memory.services.audit import record
from workspace_memory.services.authentication import prove_password
from workspace_memory.services.authorization import require_action, require_by_hand, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import end_key_access, lock_memberships, remove_membership
from workspace_memory.services.session_keys import drop_keys
from workspace_memory.storage.database import Transaction


@dataclass(frozen=True, slots=True)
class Erased:
    """How many personal items are gone. `remains` says where their text is still kept for a while, or is empty."""

    personal_items: int
    remains: str


def erase_personal(deps: Deps, actor: Actor, workspace: WorkspaceId, user: UserId) -> Erased:
    """Delete all personal items of a member in this workspace: an admin anybody's, everybody the own.

    Held ones too, with their history, their words in the index and the answers kept for repeated requests. The
    membership and company items stay. Raises: NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_membership(tx, actor, workspace)
        if user == actor.user:
            require_by_hand(actor)
            require_level(actor.max_level, AccessLevel.CONTRIBUTE)
        else:
            require_action(tx, actor, workspace, Action.ERASE_PERSONAL)
        if tx.members.get(workspace, user) is None:
            raise NotFound("member")
        count = erase_rows(tx, workspace, user)
        record(deps, tx, workspace, AuditAction.MEMORY_ERASED, actor, subject=user, personal_items=count)
    deps.database.forget_deleted()
    return Erased(count, deps.database.deletion_remains)


def delete_account(deps: Deps, actor: Actor, *, password: str, address: str = "") -> Erased:
    """Delete the actor's own account, proved by its password: memberships, tokens, personal items everywhere.

    Raises: Forbidden for a token, SignInRefused, TooManyAttempts; LastAdmin where a workspace would be left without
    an active admin, its other members then need one first, or the workspace is deleted first.
    """
    require_by_hand(actor)
    if actor.token is not None or actor.workspace is not None:
        raise Forbidden(need="a token cannot delete the account; sign in to do it")
    with deps.database.read() as tx:
        account = tx.accounts.get(actor.user)
    if account is None:
        raise NotAuthenticated
    prove_password(deps, email=account.email, password=password, address=address)
    return _delete_account(deps, account.id, actor)


def delete_account_here(deps: Deps, email: str) -> Erased:
    """The same, by somebody who holds the data folder. Raises: NotFound, LastAdmin."""
    with deps.database.read() as tx:
        account = tx.accounts.by_email(email)
    if account is None:
        raise NotFound("account")
    return _delete_account(deps, account.id, None)


def erase_rows(tx: Transaction, workspace: WorkspaceId, user: UserId) -> int:
    """Delete a member's personal items and all that was made of them; how many items there were."""
    count = tx.items.delete_personal(workspace, user)
    tx.search.remove_list(workspace, user)
    tx.idempotency.remove_of_user(workspace, user)
    return count


def _is_active_admin(member: Member) -> bool:
    return member.role is Role.ADMIN and member.status is MemberStatus.ACTIVE


def _delete_account(deps: Deps, user: UserId, actor: Actor | None) -> Erased:
    count = 0
    ended: list[KeySession] = []
    with deps.database.begin() as tx:
        workspaces = lock_memberships(tx, user)
        if tx.accounts.get(user) is None:
            raise NotFound("account")
        for workspace in workspaces:
            member = tx.members.get(workspace, user)
            erased = erase_rows(tx, workspace, user)
            count += erased
            ended += end_key_access(deps, tx, actor, workspace, user)
            remove_membership(tx, workspace, user)
            if member is not None and _is_active_admin(member) and not tx.members.active_admins(workspace):
                raise LastAdmin
            record(
                deps,
                tx,
                workspace,
                AuditAction.MEMBER_REMOVED,
                actor,
                subject=user,
                personal_items=erased,
                account="deleted",
            )
        tx.accounts.delete(user)
    drop_keys(deps.key_store, *ended)
    deps.database.forget_deleted()
    return Erased(count, deps.database.deletion_remains)

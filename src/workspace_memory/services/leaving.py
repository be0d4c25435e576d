"""What ends with a membership: key grants, key sessions, own proposals, in the transaction that ends it.

A member who held the key knows it for good, so that a new one is due; what was sealed before stays readable to him
where he kept a copy. The caller drops the keys (`session_keys.drop_keys`) once its transaction is committed.
"""

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import Epoch, UserId, WorkspaceId
from workspace_memory.domain.key_session import KeySession, KeySessionWay
from workspace_memory.domain.workspace_key import KeyDue
from workspace_memory.services.deps import Deps
from workspace_memory.services.session_keys import revoke_rows
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.dialect import Contention


def end_key_access(
    deps: Deps, tx: Transaction, actor: Actor | None, workspace: WorkspaceId, user: UserId
) -> list[KeySession]:
    """Take the workspace key from a member, under the lock that the caller holds: the sessions whose keys to drop.

    Before the membership is removed, since its rows go along with it; the revocations stay.
    """
    if tx.workspace_keys.remove_grants(workspace, user):
        tx.workspace_keys.set_rotation_due(workspace)
    return _revoke_open(deps, tx, actor, workspace, user)


def nobody_holds(tx: Transaction, workspace: WorkspaceId, epoch: Epoch) -> bool:
    """Whether no active member has a grant of an epoch; before the first one nobody has."""
    active = {each.user for each in tx.user_keys.owners(workspace)}
    return tx.workspace_keys.holders(workspace, epoch).isdisjoint(active)


def key_due(tx: Transaction, workspace: WorkspaceId) -> KeyDue:
    """What has to follow with the workspace key, as it stands in this transaction."""
    newest = tx.workspace_keys.newest(workspace)
    if newest is None:
        return KeyDue.NOTHING
    if nobody_holds(tx, workspace, newest.epoch):
        return KeyDue.NEW_BEGINNING
    return KeyDue.ROTATION if newest.rotation_due else KeyDue.NOTHING


def remove_membership(tx: Transaction, workspace: WorkspaceId, user: UserId) -> None:
    """Remove a member, under the lock that the caller holds, and with the member what nobody else may see.

    Conversations, admissions and receipts go along by their foreign keys. What the member has shared stays.
    """
    tx.proposals.remove_unshared(workspace, user)
    tx.members.remove(workspace, user)


def end_key_sessions(
    deps: Deps, tx: Transaction, actor: Actor, *, way: KeySessionWay | None = None
) -> list[KeySession]:
    """Revoke the actor's key sessions in every workspace, all or those of one way: the sessions whose keys to drop.

    Takes the lock of each workspace, in the order of their ids, before it looks: one may be opened at this moment.
    """
    ended: list[KeySession] = []
    for workspace in tx.members.workspaces_of(actor.user):
        if lock_if_there(tx, workspace):
            ended += _revoke_open(deps, tx, actor, workspace, actor.user, way)
    return ended


def lock_if_there(tx: Transaction, workspace: WorkspaceId) -> bool:
    """Lock a workspace that may have been deleted since it was read; whether it is there still."""
    try:
        tx.lock_workspace(workspace)
    except NotFound:
        return False
    return True


def lock_memberships(tx: Transaction, user: UserId) -> list[WorkspaceId]:
    """Lock every workspace of a user, in the order of their ids, then the instance, so that none is joined meanwhile.

    Raises: Contention when one was joined, left or deleted before the locks were held; the use case then runs anew.
    """
    workspaces = tx.members.workspaces_of(user)
    for workspace in workspaces:
        lock_if_there(tx, workspace)
    tx.lock_instance()
    if tx.members.workspaces_of(user) != workspaces:
        # Locks have an order, so that the other one cannot be taken now.
        raise Contention
    return workspaces


def _revoke_open(
    deps: Deps,
    tx: Transaction,
    actor: Actor | None,
    workspace: WorkspaceId,
    user: UserId,
    way: KeySessionWay | None = None,
) -> list[KeySession]:
    found = tx.key_sessions.open_ones(workspace, now=deps.clock.now(), user=user)
    sessions = [each for each in found if way in (None, each.way)]
    revoke_rows(deps, tx, actor, *sessions)
    return sessions

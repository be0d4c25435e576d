"""Key sessions: opened by a proof of the key, listed, and revoked for good.

The row in the database and its revocation are the authority; the key lies sealed in the key store.
`session_keys.py` is how other use cases come to the key.
"""

from collections.abc import Sequence
from datetime import timedelta

from workspace_memory.crypto.errors import (
    KeyStoreFull,
    KeyStoreUnavailable,
    WrongKey,
)
from workspace_memory.crypto.key_sessions import held_key
from workspace_memory.crypto.session_sealing import open_for_session, session_token_hash
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.access import AccessLevel, Action, may
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import (
    EpochConflict,
    KeyNotProved,
    KeyStoreDown,
)
from workspace_memory.domain.errors import InvalidRequest, NotFound
from workspace_memory.domain.ids import Epoch, KeySessionId, WorkspaceId
from workspace_memory.domain.key_session import KeySession, KeySessionWay, ListedKeySession
from workspace_memory.domain.rate import Rate
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_by_hand, require_membership, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.rate_limits import rated
from workspace_memory.services.session_keys import drop_keys, require_newest_epoch, revoke_rows
from workspace_memory.storage.database import Transaction

NAME_CHARACTERS_MAX = 100
# How long the row of an ended session is kept for the list of a person who wonders.
KEPT_AFTER_END = timedelta(days=7)


@rated(Rate.KEY_SESSION)
def open_key_session(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    token: bytes,
    sealed: bytes,
    epoch: Epoch,
    name: str,
    way: KeySessionWay,
) -> KeySession:
    """Open a session with the newest workspace key, sealed under the client's own new token of 32 bytes.

    Raises: NotFound, Forbidden, InvalidRequest; EpochConflict for another epoch than the newest; KeyNotProved;
    KeyStoreDown.
    """
    if not 0 < len(name.strip()) <= NAME_CHARACTERS_MAX:
        raise InvalidRequest("name", f"must have 1 to {NAME_CHARACTERS_MAX} characters")
    with deps.database.read() as tx:
        _require_reader(tx, actor, workspace)
        newest = tx.workspace_keys.newest(workspace)
    if newest is None or newest.epoch != epoch:
        raise EpochConflict(current=0 if newest is None else newest.epoch)
    try:
        key = open_for_session(
            sealed, token, user=actor.user, workspace=workspace, epoch=epoch, check=newest.check_value
        )
    except WrongKey:
        raise KeyNotProved from None
    now = deps.clock.now()
    session = KeySession(
        workspace=workspace,
        id=KeySessionId(deps.new_id()),
        user=actor.user,
        epoch=epoch,
        token_hash=session_token_hash(token),
        name=name.strip(),
        way=way,
        opened_at=now,
        # Whole seconds: that is what the sealed key is bound to.
        expires_at=now.replace(microsecond=0) + deps.key_session_times.absolute,
        revoked=False,
    )
    _keep_key(deps, session, key, token)
    try:
        with deps.database.begin() as tx:
            tx.lock_workspace(workspace)
            _require_reader(tx, actor, workspace)
            require_newest_epoch(tx, workspace, epoch)
            tx.key_sessions.forget_ended(workspace, before=now - KEPT_AFTER_END)
            tx.key_sessions.add(session)
            record(
                deps,
                tx,
                workspace,
                AuditAction.KEY_SESSION_OPENED,
                actor,
                subject=actor.user,
                key_session=session.id,
                epoch=epoch,
                way=way.value,
            )
    except BaseException:
        drop_keys(deps.key_store, session)
        raise
    return session


def list_key_sessions(deps: Deps, actor: Actor, workspace: WorkspaceId) -> Sequence[ListedKeySession]:
    """The actor's own sessions that have not ended, newest first. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        found = tx.key_sessions.open_ones(workspace, now=deps.clock.now(), user=actor.user)
    try:
        held = deps.key_store.held([each.id for each in found])
    except KeyStoreUnavailable:
        # Still a list: whoever wants to revoke one needs its id now.
        return [ListedKeySession(each, held=None) for each in found]
    return [ListedKeySession(each, held=each.id in held) for each in found]


def revoke_key_session(deps: Deps, actor: Actor, workspace: WorkspaceId, session: KeySessionId) -> None:
    """End a session of the actor's own for good; an admin anybody's. Once more changes nothing.

    The revocation is durable before the key is dropped: were dropping to fail, writes are fenced already and recall
    reads the revocation too. Raises: NotFound, Forbidden.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_membership(tx, actor, workspace)
        require_by_hand(actor)
        found = tx.key_sessions.get(workspace, session)
        if found is None:
            raise NotFound("key session")
        if found.user != actor.user and not may(membership.role, Action.MANAGE_MEMBERS):
            raise NotFound("key session")
        if not found.revoked:
            revoke_rows(deps, tx, actor, found)
    drop_keys(deps.key_store, found)


def revoke_key_session_anywhere(deps: Deps, actor: Actor, session: KeySessionId) -> None:
    """The same by the session's id alone: in the token's workspace, or in whichever of the actor's it was opened.

    Raises: NotFound, Forbidden.
    """
    with deps.database.read() as tx:
        reached = [actor.workspace] if actor.workspace else tx.members.workspaces_of(actor.user)
        # Where the actor is deactivated, an id that is there has to answer like one that is not.
        active = [each for each in reached if _is_active(tx, actor, each)]
        found = [each for each in active if tx.key_sessions.get(each, session) is not None]
    if not found:
        raise NotFound("key session")
    revoke_key_session(deps, actor, found[0], session)


def _keep_key(deps: Deps, session: KeySession, key: WorkspaceKey, token: bytes) -> None:
    try:
        deps.key_store.put(
            session.id,
            held_key(key, token, session_id=session.id, user=session.user, expires_at=session.expires_at),
            idle_seconds=int(deps.key_session_times.idle.total_seconds()),
            expires_at=session.expires_at,
        )
    except (KeyStoreUnavailable, KeyStoreFull):
        raise KeyStoreDown from None


def _require_reader(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> None:
    membership = require_membership(tx, actor, workspace)
    require_by_hand(actor)
    require_use(actor, membership, AccessLevel.READ)


def _is_active(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> bool:
    standing = tx.members.standing(workspace, actor.user)
    return standing is not None and standing.active

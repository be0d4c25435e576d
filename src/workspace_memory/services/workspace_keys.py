"""Workspace keys: started once, granted from member to member, followed by a new one after somebody has left.

Where no active member holds the newest one any more, an editor or admin begins the next without it (`lost`): what was
sealed before stays as it is, and nobody can read it.

The server cannot open a grant, but it can see who signed it: a grant or check value whose signature is not the
granter's is refused before anything is stored. Clients check it again, by the key that they have pinned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from workspace_memory.crypto.errors import GrantRefused
from workspace_memory.crypto.grants import Grant, GrantContext, check_grant
from workspace_memory.crypto.user_keys import PublicKeys
from workspace_memory.crypto.workspace_keys import FIRST_EPOCH, require_check_of
from workspace_memory.domain.access import AccessLevel, Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import (
    EpochConflict,
    KeyHoldersChanged,
    KeysChanged,
    KeysMissing,
    KeyStillHeld,
)
from workspace_memory.domain.errors import Forbidden, InvalidRequest, NotFound
from workspace_memory.domain.ids import Epoch, UserId, WorkspaceId
from workspace_memory.domain.key_session import KeySession
from workspace_memory.domain.user_key import KeyOwner, PublicPair
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import (
    require_action,
    require_by_hand,
    require_membership,
    require_use,
)
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import nobody_holds
from workspace_memory.services.session_keys import drop_keys, revoke_rows
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.workspace_keys import KeyEpoch, StoredGrant

CHECK_BYTES = 32
SIGNATURE_BYTES = 64
GRANT_BYTES = 32 + 32 + 16
OLDER_BYTES = 12 + 32 + 16


class KeyStanding(StrEnum):
    """What a member has of the workspace key."""

    HOLDS = "holds"
    WAITING = "waiting"
    NO_KEYS = "no_keys"


@dataclass(frozen=True, slots=True)
class KeyMember:
    """An active member: the public keys, and whether the member holds the newest key."""

    owner: KeyOwner
    standing: KeyStanding


@dataclass(frozen=True, slots=True)
class WorkspaceKeyState:
    """All that a member's client needs. `epoch` is 0 and `epochs` empty before the key was started.

    `epochs` begins with the newest; `own` is the caller's grant of that one. Who waits is granted by anyone who holds.
    `nobody_holds`: there is a key, and no active member has it, so that it may be begun anew.
    """

    epoch: Epoch
    epochs: Sequence[KeyEpoch]
    own: StoredGrant | None
    rotation_due: bool
    nobody_holds: bool
    members: Sequence[KeyMember]


@dataclass(frozen=True, slots=True)
class MadeCheck:
    """What proves a new key (32 bytes), and its maker's signature (64 bytes)."""

    value: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class MadeGrant:
    """A grant as a client made it: to whom, for which public key of that member (32 bytes), 80 and 64 bytes."""

    member: UserId
    member_public: bytes
    sealed: bytes = field(repr=False)
    signature: bytes = field(repr=False)


def workspace_key_state(deps: Deps, actor: Actor, workspace: WorkspaceId) -> WorkspaceKeyState:
    """The workspace key as a member sees it. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        _require_reader(tx, actor, workspace)
        return _state(tx, actor, workspace)


def start_workspace_key(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    check: MadeCheck,
    grant: MadeGrant,
    lost: Epoch | None = None,
) -> WorkspaceKeyState:
    """Begin epoch 1, granted by its maker to the maker: editors and admins, since others could write nothing with it.

    `lost` is the newest epoch, where no active member holds it any more; the next one is then begun without it.
    Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest; EpochConflict when there is another key than `lost`;
    KeyStillHeld; KeysMissing, KeysChanged.
    """
    _check_lengths(check, [grant])
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.WRITE_DOCUMENT)
        newest = tx.workspace_keys.newest(workspace)
        current = Epoch(0) if newest is None else newest.epoch
        if current != (lost or 0):
            raise EpochConflict(current)
        if not nobody_holds(tx, workspace, current):
            raise KeyStillHeld
        if grant.member != actor.user:
            raise InvalidRequest("grant.member_id", "must be the caller: the first grant is one's own")
        _begin_epoch(deps, tx, actor, workspace, Epoch(current + 1), check, None, [grant])
        ended = _end_key_sessions(deps, tx, actor, workspace)
        state = _state(tx, actor, workspace)
    drop_keys(deps.key_store, *ended)
    return state


def grant_key(
    deps: Deps, actor: Actor, workspace: WorkspaceId, *, epoch: Epoch, grant: MadeGrant
) -> WorkspaceKeyState:
    """Store a grant of the newest key to an active member, made by a member of any role who holds it.

    A member who holds it already keeps the grant that is there. Raises: NotFound, Forbidden, LevelTooLow,
    InvalidRequest; EpochConflict for another epoch; KeysMissing, KeysChanged.
    """
    _check_lengths(None, [grant])
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        _require_reader(tx, actor, workspace, AccessLevel.CONTRIBUTE)
        newest = tx.workspace_keys.newest(workspace)
        if newest is None or newest.epoch != epoch:
            raise EpochConflict(current=0 if newest is None else newest.epoch)
        owners = _owners(tx, workspace)
        holders = tx.workspace_keys.holders(workspace, epoch)
        _require_holder(actor, holders)
        if grant.member not in owners:
            raise NotFound("member")
        _store_grants(deps, tx, actor, workspace, epoch, owners, [grant], keep=holders)
        return _state(tx, actor, workspace)


def rotate_workspace_key(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    epoch: Epoch,
    check: MadeCheck,
    older_sealed: bytes,
    grants: Sequence[MadeGrant],
) -> WorkspaceKeyState:
    """Begin the next epoch with all its grants, made by a member who holds the present key, and nothing half.

    `epoch` is the new number; `older_sealed` the present key under the new one (60 bytes). The grants are for every
    active member who holds the present key, and perhaps for some who wait. With the present key end the key sessions
    of the workspace: clients open new ones.
    Raises: NotFound, Forbidden, LevelTooLow, InvalidRequest; EpochConflict when another client was first;
    KeyHoldersChanged, KeysChanged.
    """
    _check_lengths(check, grants)
    _require_length("older_sealed", older_sealed, OLDER_BYTES)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        _require_reader(tx, actor, workspace, AccessLevel.CONTRIBUTE)
        newest = tx.workspace_keys.newest(workspace)
        if newest is None or newest.epoch + 1 != epoch:
            raise EpochConflict(current=0 if newest is None else newest.epoch)
        holders = tx.workspace_keys.holders(workspace, newest.epoch)
        _require_holder(actor, holders)
        _require_right_set(_owners(tx, workspace), holders, grants)
        _begin_epoch(deps, tx, actor, workspace, epoch, check, older_sealed, grants)
        ended = _end_key_sessions(deps, tx, actor, workspace)
        state = _state(tx, actor, workspace)
    drop_keys(deps.key_store, *ended)
    return state


def _end_key_sessions(
    deps: Deps, tx: Transaction, actor: Actor, workspace: WorkspaceId
) -> Sequence[KeySession]:
    """Everybody's: what a session holds is the key before, with which nothing is written from now on."""
    ended = tx.key_sessions.open_ones(workspace, now=deps.clock.now())
    revoke_rows(deps, tx, actor, *ended)
    return ended


def _state(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> WorkspaceKeyState:
    epochs = tx.workspace_keys.epochs(workspace)
    owners = tx.user_keys.owners(workspace)
    if not epochs:
        return WorkspaceKeyState(Epoch(0), (), None, False, False, [_member(each, set()) for each in owners])
    newest = epochs[0]
    holders = tx.workspace_keys.holders(workspace, newest.epoch)
    members = [_member(each, holders) for each in owners]
    return WorkspaceKeyState(
        epoch=newest.epoch,
        epochs=epochs,
        own=tx.workspace_keys.grant(workspace, newest.epoch, actor.user),
        rotation_due=newest.rotation_due,
        nobody_holds=nobody_holds(tx, workspace, newest.epoch),
        members=members,
    )


def _member(owner: KeyOwner, holders: set[UserId]) -> KeyMember:
    if owner.public is None:
        return KeyMember(owner, KeyStanding.NO_KEYS)
    return KeyMember(owner, KeyStanding.HOLDS if owner.user in holders else KeyStanding.WAITING)


def _begin_epoch(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceId,
    epoch: Epoch,
    check: MadeCheck,
    older_sealed: bytes | None,
    grants: Sequence[MadeGrant],
) -> None:
    owners = _owners(tx, workspace)
    maker = _public_of(owners, actor.user)
    try:
        require_check_of(_pinned(maker), workspace, epoch, check.value, check.signature)
    except GrantRefused:
        raise InvalidRequest(
            "check_signature", "is not the caller's own over this workspace, epoch and check value"
        ) from None
    tx.workspace_keys.add_epoch(
        workspace,
        KeyEpoch(
            epoch=epoch,
            maker=actor.user,
            check_value=check.value,
            check_signature=check.signature,
            older_sealed=older_sealed,
            rotation_due=False,
            created_at=deps.clock.now(),
        ),
    )
    lost = None if older_sealed is not None or epoch == FIRST_EPOCH else epoch - 1
    record(deps, tx, workspace, AuditAction.KEY_EPOCH_BEGUN, actor, epoch=epoch, lost_epoch=lost)
    _store_grants(deps, tx, actor, workspace, epoch, owners, grants, keep=set())


def _store_grants(
    deps: Deps,
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceId,
    epoch: Epoch,
    owners: Mapping[UserId, KeyOwner],
    grants: Sequence[MadeGrant],
    *,
    keep: set[UserId],
) -> None:
    granter = _public_of(owners, actor.user)
    for grant in grants:
        member = _public_of(owners, grant.member)
        if grant.member_public != member.x25519:
            raise KeysChanged(grant.member)
        context = GrantContext(workspace, epoch, grant.member, grant.member_public, actor.user)
        try:
            check_grant(Grant(grant.sealed, grant.signature), context, _pinned(granter))
        except GrantRefused:
            raise InvalidRequest(
                "signature", "of a grant is not the caller's own over this workspace, epoch, member and key"
            ) from None
        if grant.member in keep:
            continue
        tx.workspace_keys.add_grant(
            workspace,
            StoredGrant(
                epoch=epoch,
                member=grant.member,
                granter=actor.user,
                member_public=grant.member_public,
                granter_public=granter.ed25519,
                sealed=grant.sealed,
                signature=grant.signature,
                created_at=deps.clock.now(),
            ),
        )
        record(deps, tx, workspace, AuditAction.KEY_GRANTED, actor, subject=grant.member, epoch=epoch)


def _require_right_set(
    owners: Mapping[UserId, KeyOwner], holders: set[UserId], grants: Sequence[MadeGrant]
) -> None:
    with_keys = {user for user, owner in owners.items() if owner.public is not None}
    granted = [grant.member for grant in grants]
    if len(set(granted)) != len(granted):
        raise InvalidRequest("grants", "a member is named twice")
    if not (holders & with_keys <= set(granted) <= with_keys):
        raise KeyHoldersChanged


def _require_holder(actor: Actor, holders: set[UserId]) -> None:
    if actor.user not in holders:
        raise Forbidden(
            need="only a member who holds the newest key of this workspace may pass it on; who that is, its keys say"
        )


def _require_reader(
    tx: Transaction, actor: Actor, workspace: WorkspaceId, level: AccessLevel = AccessLevel.READ
) -> None:
    membership = require_membership(tx, actor, workspace)
    require_by_hand(actor)
    require_use(actor, membership, level)


def _owners(tx: Transaction, workspace: WorkspaceId) -> dict[UserId, KeyOwner]:
    return {each.user: each for each in tx.user_keys.owners(workspace)}


def _public_of(owners: Mapping[UserId, KeyOwner], user: UserId) -> PublicPair:
    public = owners[user].public
    if public is None:
        raise KeysMissing(user)
    return public


def _pinned(public: PublicPair) -> PublicKeys:
    return PublicKeys(public.x25519, public.ed25519)


def _check_lengths(check: MadeCheck | None, grants: Sequence[MadeGrant]) -> None:
    if check is not None:
        _require_length("check_value", check.value, CHECK_BYTES)
        _require_length("check_signature", check.signature, SIGNATURE_BYTES)
    for grant in grants:
        _require_length("member_public", grant.member_public, 32)
        _require_length("sealed", grant.sealed, GRANT_BYTES)
        _require_length("signature", grant.signature, SIGNATURE_BYTES)


def _require_length(field_name: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise InvalidRequest(field_name, f"must have {length} bytes, not {len(value)}")

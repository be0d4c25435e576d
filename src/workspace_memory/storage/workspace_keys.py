"""Workspace keys by epoch, every one sealed, and the grants by which members have them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from workspace_memory.domain.ids import Epoch, UserId, WorkspaceId
from workspace_memory.storage.key_tables import key_grants, workspace_key_epochs


@dataclass(frozen=True, slots=True)
class KeyEpoch:
    """One epoch: what proves its key, by whom it was made, and the key before it, sealed under this one.

    `older_sealed` is None for the first, and where the key was begun anew.
    """

    epoch: Epoch
    maker: UserId
    check_value: bytes
    check_signature: bytes
    older_sealed: bytes | None
    rotation_due: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StoredGrant:
    """A member's key of one epoch, sealed for the member and signed by who granted it."""

    epoch: Epoch
    member: UserId
    granter: UserId
    member_public: bytes
    granter_public: bytes
    sealed: bytes
    signature: bytes
    created_at: datetime


class WorkspaceKeys:
    """Rows of `workspace_key_epochs` and `key_grants`; write under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def newest(self, workspace: WorkspaceId) -> KeyEpoch | None:
        """The epoch in force, or None before anybody made a key."""
        row = self._connection.execute(
            select(workspace_key_epochs)
            .where(workspace_key_epochs.c.workspace_id == workspace)
            .order_by(workspace_key_epochs.c.epoch.desc())
            .limit(1)
        ).first()
        return None if row is None else _epoch(row)

    def epochs(self, workspace: WorkspaceId) -> Sequence[KeyEpoch]:
        """Every epoch, newest first."""
        rows = self._connection.execute(
            select(workspace_key_epochs)
            .where(workspace_key_epochs.c.workspace_id == workspace)
            .order_by(workspace_key_epochs.c.epoch.desc())
        )
        return [_epoch(row) for row in rows]

    def add_epoch(self, workspace: WorkspaceId, epoch: KeyEpoch) -> None:
        """Begin an epoch."""
        self._connection.execute(
            insert(workspace_key_epochs).values(
                workspace_id=workspace,
                epoch=epoch.epoch,
                maker_id=epoch.maker,
                check_value=epoch.check_value,
                check_signature=epoch.check_signature,
                older_sealed=epoch.older_sealed,
                rotation_due=epoch.rotation_due,
                created_at=epoch.created_at,
            )
        )

    def set_rotation_due(self, workspace: WorkspaceId) -> None:
        """Ask for a new epoch, since somebody who has the present key has left. Without a key nothing is due."""
        newest = (
            select(func.max(workspace_key_epochs.c.epoch))
            .where(workspace_key_epochs.c.workspace_id == workspace)
            .scalar_subquery()
        )
        self._connection.execute(
            update(workspace_key_epochs)
            .where(workspace_key_epochs.c.workspace_id == workspace, workspace_key_epochs.c.epoch == newest)
            .values(rotation_due=True)
        )

    def add_grant(self, workspace: WorkspaceId, grant: StoredGrant) -> None:
        """Store a grant in place of the one that the member had of this epoch."""
        self._connection.execute(
            delete(key_grants).where(
                key_grants.c.workspace_id == workspace,
                key_grants.c.epoch == grant.epoch,
                key_grants.c.member_id == grant.member,
            )
        )
        self._connection.execute(
            insert(key_grants).values(
                workspace_id=workspace,
                epoch=grant.epoch,
                member_id=grant.member,
                granter_id=grant.granter,
                member_public=grant.member_public,
                granter_public=grant.granter_public,
                sealed=grant.sealed,
                signature=grant.signature,
                created_at=grant.created_at,
            )
        )

    def grant(self, workspace: WorkspaceId, epoch: Epoch, member: UserId) -> StoredGrant | None:
        """A member's grant of an epoch."""
        row = self._connection.execute(
            select(key_grants).where(
                key_grants.c.workspace_id == workspace,
                key_grants.c.epoch == epoch,
                key_grants.c.member_id == member,
            )
        ).first()
        return None if row is None else _grant(row)

    def holders(self, workspace: WorkspaceId, epoch: Epoch) -> set[UserId]:
        """The members that have a grant of an epoch."""
        rows = self._connection.execute(
            select(key_grants.c.member_id).where(
                key_grants.c.workspace_id == workspace, key_grants.c.epoch == epoch
            )
        )
        return {UserId(row.member_id) for row in rows}

    def remove_grants(self, workspace: WorkspaceId, member: UserId) -> bool:
        """Delete every grant of a member; whether there was one."""
        removed = self._connection.execute(
            delete(key_grants).where(key_grants.c.workspace_id == workspace, key_grants.c.member_id == member)
        )
        return removed.rowcount > 0


def _epoch(row: Row[tuple[object, ...]]) -> KeyEpoch:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    older = facts["older_sealed"]
    return KeyEpoch(
        epoch=Epoch(facts["epoch"]),
        maker=UserId(facts["maker_id"]),
        check_value=bytes(facts["check_value"]),
        check_signature=bytes(facts["check_signature"]),
        older_sealed=None if older is None else bytes(older),
        rotation_due=facts["rotation_due"],
        created_at=facts["created_at"],
    )


def _grant(row: Row[tuple[object, ...]]) -> StoredGrant:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return StoredGrant(
        epoch=Epoch(facts["epoch"]),
        member=UserId(facts["member_id"]),
        granter=UserId(facts["granter_id"]),
        member_public=bytes(facts["member_public"]),
        granter_public=bytes(facts["granter_public"]),
        sealed=bytes(facts["sealed"]),
        signature=bytes(facts["signature"]),
        created_at=facts["created_at"],
    )

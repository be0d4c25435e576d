"""People's own keys, sealed: one row each, whatever workspaces they belong to."""

from datetime import datetime

from sqlalchemy import Connection, Row, insert, select, update

from workspace_memory.domain.access import MemberStatus, Role
from workspace_memory.domain.account import AccountStatus
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.domain.user_key import KeyOwner, PublicPair, UserKeyRecord, Wrapping
from workspace_memory.storage.key_tables import user_keys
from workspace_memory.storage.tables import members, users


class UserKeys:
    """Rows of `user_keys`; write under the lock of the instance, since a row that is not there cannot be locked."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, user: UserId) -> UserKeyRecord | None:
        """The keys of a user."""
        row = self._connection.execute(select(user_keys).where(user_keys.c.user_id == user)).first()
        return None if row is None else _record(row)

    def add(self, record: UserKeyRecord) -> None:
        """Store a user's first keys."""
        self._connection.execute(
            insert(user_keys).values(user_id=record.user, created_at=record.created_at, **_values(record))
        )

    def set(self, record: UserKeyRecord) -> None:
        """Write a user's keys in place of those that were there."""
        self._connection.execute(
            update(user_keys)
            .where(user_keys.c.user_id == record.user)
            .values(created_at=record.created_at, **_values(record))
        )

    def owners(self, workspace: WorkspaceId) -> list[KeyOwner]:
        """Every active member of a workspace with the public keys, in the order of their ids."""
        rows = self._connection.execute(
            select(
                members.c.user_id,
                members.c.role,
                users.c.name,
                users.c.email,
                user_keys.c.x25519_public,
                user_keys.c.ed25519_public,
            )
            .join(users, users.c.id == members.c.user_id)
            .outerjoin(user_keys, user_keys.c.user_id == members.c.user_id)
            .where(
                members.c.workspace_id == workspace,
                members.c.status == MemberStatus.ACTIVE.value,
                users.c.status == AccountStatus.ACTIVE.value,
            )
            .order_by(members.c.user_id)
        )
        return [
            KeyOwner(
                user=row.user_id,
                name=row.name,
                email=row.email,
                role=Role(row.role),
                public=None
                if row.x25519_public is None
                else PublicPair(bytes(row.x25519_public), bytes(row.ed25519_public)),
            )
            for row in rows
        ]


def _values(record: UserKeyRecord) -> dict[str, int | bytes | datetime]:
    wrapping = record.wrapping
    return {
        "version": record.version,
        "x25519_public": record.public.x25519,
        "ed25519_public": record.public.ed25519,
        "salt": wrapping.salt,
        "memory_kib": wrapping.memory_kib,
        "iterations": wrapping.passes,
        "lanes": wrapping.lanes,
        "wrapped": wrapping.wrapped,
        "recovery_wrapped": wrapping.recovery_wrapped,
        "updated_at": record.updated_at,
    }


def _record(row: Row[tuple[object, ...]]) -> UserKeyRecord:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return UserKeyRecord(
        user=UserId(facts["user_id"]),
        version=facts["version"],
        public=PublicPair(bytes(facts["x25519_public"]), bytes(facts["ed25519_public"])),
        wrapping=Wrapping(
            salt=bytes(facts["salt"]),
            memory_kib=facts["memory_kib"],
            passes=facts["iterations"],
            lanes=facts["lanes"],
            wrapped=bytes(facts["wrapped"]),
            recovery_wrapped=bytes(facts["recovery_wrapped"]),
        ),
        created_at=facts["created_at"],
        updated_at=facts["updated_at"],
    )

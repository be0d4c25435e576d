"""Memberships: role, status and access level of a user in a workspace."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from workspace_memory.domain.access import DEFAULT_ACCESS, AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import AccountStatus, Member
from workspace_memory.domain.ids import UserId, WorkspaceId, is_id
from workspace_memory.storage.prepared import Prepared
from workspace_memory.storage.tables import members, users, workspace_settings

_MEMBER = select(members, users.c.email, users.c.name).join(users, users.c.id == members.c.user_id)

# In the order in which `standing_of` takes them.
STANDING = (
    members.c.role,
    members.c.status,
    members.c.memory_access,
    users.c.status.label("account_status"),
    workspace_settings.c.default_access,
)
_STANDING = Prepared(
    select(*STANDING)
    .select_from(members)
    .join(users, users.c.id == members.c.user_id)
    .outerjoin(workspace_settings, workspace_settings.c.workspace_id == members.c.workspace_id)
    .where(members.c.workspace_id == bindparam("workspace"), members.c.user_id == bindparam("user"))
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides about a member's rights, read at once. `active` counts the membership and the account."""

    role: Role
    active: bool
    memory_access: AccessLevel
    default_access: AccessLevel


class Members:
    """Rows of `members`, with the names of their accounts."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, *, workspace: WorkspaceId, user: UserId, role: Role, at: datetime) -> None:
        """Insert an active membership that inherits the workspace's access level."""
        self._connection.execute(
            insert(members).values(
                workspace_id=workspace,
                user_id=user,
                role=role.value,
                status=MemberStatus.ACTIVE.value,
                memory_access=AccessLevel.INHERIT.value,
                created_at=at,
            )
        )

    def get(self, workspace: WorkspaceId, user: UserId) -> Member | None:
        """The membership, also a deactivated one."""
        if not (is_id(workspace) and is_id(user)):
            return None
        row = self._connection.execute(
            _MEMBER.where(members.c.workspace_id == workspace, members.c.user_id == user)
        ).first()
        return None if row is None else _member(row)

    def standing(self, workspace: WorkspaceId, user: UserId) -> Standing | None:
        """What the user is in the workspace at this moment, also when deactivated; None for no member."""
        if not (is_id(workspace) and is_id(user)):
            return None
        rows = _STANDING.rows(self._connection, workspace=workspace, user=user)
        return standing_of(rows[0]) if rows else None

    def page(self, workspace: WorkspaceId, *, after: UserId | None, limit: int) -> list[Member]:
        """Members in the order of their ids, which is the order in which they were made."""
        statement = _MEMBER.where(members.c.workspace_id == workspace)
        if after is not None:
            statement = statement.where(members.c.user_id > after)
        rows = self._connection.execute(statement.order_by(members.c.user_id).limit(limit))
        return [_member(row) for row in rows]

    def active_admins(self, workspace: WorkspaceId) -> int:
        """How many active admins with an active account the workspace has."""
        return self._connection.execute(
            select(func.count())
            .select_from(members.join(users, users.c.id == members.c.user_id))
            .where(
                members.c.workspace_id == workspace,
                members.c.role == Role.ADMIN.value,
                members.c.status == MemberStatus.ACTIVE.value,
                users.c.status == AccountStatus.ACTIVE.value,
            )
        ).scalar_one()

    def workspaces_of(self, user: UserId) -> list[WorkspaceId]:
        """The workspaces in which the user is a member, in the order of their ids, so that locks have an order."""
        rows = self._connection.execute(
            select(members.c.workspace_id).where(members.c.user_id == user).order_by(members.c.workspace_id)
        )
        return [row.workspace_id for row in rows]

    def change(
        self, workspace: WorkspaceId, user: UserId, *, role: Role, status: MemberStatus, access: AccessLevel
    ) -> None:
        """Set role, status and access level."""
        self._connection.execute(
            update(members)
            .where(members.c.workspace_id == workspace, members.c.user_id == user)
            .values(role=role.value, status=status.value, memory_access=access.value)
        )

    def get_many(self, workspace: WorkspaceId, wanted: Collection[UserId]) -> dict[UserId, Member]:
        """The memberships of these users, those that exist."""
        rows = self._connection.execute(
            _MEMBER.where(members.c.workspace_id == workspace, members.c.user_id.in_(wanted))
        )
        return {member.user: member for member in map(_member, rows)}

    def set_access(self, workspace: WorkspaceId, changed: Sequence[UserId], access: AccessLevel) -> None:
        """Set the access level of several members."""
        self._connection.execute(
            update(members)
            .where(members.c.workspace_id == workspace, members.c.user_id.in_(changed))
            .values(memory_access=access.value)
        )

    def remove(self, workspace: WorkspaceId, user: UserId) -> None:
        """End the membership; its tokens and personal items go along."""
        self._connection.execute(
            delete(members).where(members.c.workspace_id == workspace, members.c.user_id == user)
        )


def standing_of(row: Sequence[Any]) -> Standing:
    """A row of `STANDING`."""
    role, status, memory_access, account_status, default_access = row
    return Standing(
        role=Role(role),
        active=status == MemberStatus.ACTIVE and account_status == AccountStatus.ACTIVE,
        memory_access=AccessLevel(memory_access),
        default_access=AccessLevel(default_access or DEFAULT_ACCESS),
    )


def _member(row: Row[tuple[object, ...]]) -> Member:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return Member(
        workspace=facts["workspace_id"],
        user=facts["user_id"],
        email=facts["email"],
        name=facts["name"],
        role=Role(facts["role"]),
        status=MemberStatus(facts["status"]),
        memory_access=AccessLevel(facts["memory_access"]),
        created_at=facts["created_at"],
    )

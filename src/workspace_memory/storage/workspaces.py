"""Workspaces and their settings. A missing settings row means the defaults."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.account import Workspace, WorkspaceSettings
from workspace_memory.domain.ids import UserId, WorkspaceId, is_id
from workspace_memory.domain.item import WriteMode
from workspace_memory.storage.prepared import Prepared
from workspace_memory.storage.tables import members, workspace_settings, workspaces

_SETTINGS = Prepared(
    select(
        workspace_settings.c.default_access,
        workspace_settings.c.write_mode,
        workspace_settings.c.assistant_tokens_per_day,
    ).where(workspace_settings.c.workspace_id == bindparam("workspace"))
)


class Workspaces:
    """Rows of `workspaces` and `workspace_settings`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, *, workspace: WorkspaceId, name: str, at: datetime) -> None:
        """Insert a workspace."""
        self._connection.execute(insert(workspaces).values(id=workspace, name=name, created_at=at))

    def get(self, workspace: WorkspaceId) -> Workspace | None:
        """The workspace with this id."""
        if not is_id(workspace):
            return None
        row = self._connection.execute(select(workspaces).where(workspaces.c.id == workspace)).first()
        return None if row is None else Workspace(row.id, row.name, row.created_at)

    def of_user(self, user: UserId) -> list[Workspace]:
        """The workspaces in which the user is a member, oldest first."""
        rows = self._connection.execute(
            select(workspaces)
            .join(members, members.c.workspace_id == workspaces.c.id)
            .where(members.c.user_id == user)
            .order_by(workspaces.c.created_at, workspaces.c.id)
        )
        return [Workspace(row.id, row.name, row.created_at) for row in rows]

    def all(self) -> list[Workspace]:
        """Every workspace of the installation, oldest first."""
        rows = self._connection.execute(select(workspaces).order_by(workspaces.c.created_at, workspaces.c.id))
        return [Workspace(row.id, row.name, row.created_at) for row in rows]

    def rename(self, workspace: WorkspaceId, name: str) -> None:
        """Give the workspace another name."""
        self._connection.execute(update(workspaces).where(workspaces.c.id == workspace).values(name=name))

    def delete(self, workspace: WorkspaceId) -> None:
        """Delete the workspace; its rows in other tables go along."""
        self._connection.execute(delete(workspaces).where(workspaces.c.id == workspace))

    def set_settings(self, workspace: WorkspaceId, settings: WorkspaceSettings) -> None:
        """Keep the settings in place of the ones before."""
        self._connection.execute(
            delete(workspace_settings).where(workspace_settings.c.workspace_id == workspace)
        )
        self._connection.execute(
            insert(workspace_settings).values(
                workspace_id=workspace,
                default_access=settings.default_access.value,
                write_mode=settings.write_mode.value,
                assistant_tokens_per_day=settings.assistant_tokens_per_day,
            )
        )

    def settings(self, workspace: WorkspaceId) -> WorkspaceSettings:
        """The settings in force."""
        for default_access, write_mode, tokens_per_day in _SETTINGS.rows(
            self._connection, workspace=workspace
        ):
            return WorkspaceSettings(AccessLevel(default_access), WriteMode(write_mode), tokens_per_day)
        return WorkspaceSettings()

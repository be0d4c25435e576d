"""The licence keys that workspaces were given, one each."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.governance_tables import licences


class Licences:
    """Rows of `licences`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, workspace: WorkspaceId) -> str | None:
        """The workspace's key."""
        return self._connection.execute(
            select(licences.c.licence_key).where(licences.c.workspace_id == workspace)
        ).scalar()

    def put(self, workspace: WorkspaceId, licence_key: str, *, at: datetime) -> None:
        """Keep a key in place of the one before."""
        self.remove(workspace)
        self._connection.execute(
            insert(licences).values(workspace_id=workspace, licence_key=licence_key, stored_at=at)
        )

    def remove(self, workspace: WorkspaceId) -> bool:
        """Delete the key; False when there was none."""
        result = self._connection.execute(delete(licences).where(licences.c.workspace_id == workspace))
        return result.rowcount > 0

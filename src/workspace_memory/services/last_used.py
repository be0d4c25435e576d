"""When tokens were last used, gathered in RAM and written now and then.

A call that only reads must not open a write transaction, so the note of its token's use waits here until `flush`.
"""

import threading
from datetime import datetime

from workspace_memory.domain.ids import TokenId, WorkspaceId
from workspace_memory.storage.database import Database


class LastUsed:
    """The uses that are not written yet."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._noted: dict[tuple[WorkspaceId, TokenId], datetime] = {}

    def note(self, workspace: WorkspaceId, token: TokenId, at: datetime) -> None:
        """Remember a use."""
        with self._guard:
            self._noted[workspace, token] = at

    def get(self, workspace: WorkspaceId, token: TokenId) -> datetime | None:
        """The use that is not written yet, if any."""
        with self._guard:
            return self._noted.get((workspace, token))

    def flush(self, database: Database) -> None:
        """Write all notes in one transaction; on an error they stay for the next time."""
        with self._guard:
            noted, self._noted = self._noted, {}
        if not noted:
            return
        try:
            with database.begin() as tx:
                for (workspace, token), at in sorted(noted.items()):
                    tx.tokens.touch(workspace, token, at=at)
        except BaseException:
            with self._guard:
                self._noted = noted | self._noted
            raise

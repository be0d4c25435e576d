"""What the Assistant has cost a workspace, by day in UTC."""

from datetime import date

from sqlalchemy import Connection, insert, select, update

from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.turn import TurnUsage
from workspace_memory.storage.assistant_tables import assistant_days


class AssistantDays:
    """Rows of `assistant_days`; write under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, workspace: WorkspaceId, day: date) -> TurnUsage:
        """What a day has cost so far."""
        row = self._connection.execute(
            select(assistant_days).where(
                assistant_days.c.workspace_id == workspace, assistant_days.c.day == day
            )
        ).first()
        if row is None:
            return TurnUsage()
        return TurnUsage(row.calls, row.input_tokens, row.output_tokens, row.memory_bytes)

    def add(self, workspace: WorkspaceId, day: date, usage: TurnUsage) -> None:
        """Add what a turn has cost."""
        total = self.of(workspace, day) + usage
        values = {
            "calls": total.calls,
            "input_tokens": total.input_tokens,
            "output_tokens": total.output_tokens,
            "memory_bytes": total.memory_bytes,
        }
        changed = self._connection.execute(
            update(assistant_days)
            .where(assistant_days.c.workspace_id == workspace, assistant_days.c.day == day)
            .values(**values)
        )
        if not changed.rowcount:
            self._connection.execute(insert(assistant_days).values(workspace_id=workspace, day=day, **values))

"""Turns of the Assistant: begun, renewed, taken up again, ended."""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, select, update

from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.ids import AdmissionId, ConversationId, Epoch, WorkspaceId
from workspace_memory.domain.turn import Turn, TurnName, TurnState, TurnUsage
from workspace_memory.storage.assistant_tables import assistant_turns


class Turns:
    """Rows of `assistant_turns`; write under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, turn: Turn, *, body_mac: bytes, body_epoch: Epoch) -> None:
        """Store a turn that begins, and the keyed MAC of its submission."""
        self._connection.execute(
            insert(assistant_turns).values(
                workspace_id=turn.workspace,
                conversation_id=turn.name.conversation,
                turn=turn.name.number,
                admission_id=turn.admission,
                state=turn.state.value,
                model=turn.model,
                began_at=turn.began_at,
                lease_until=turn.lease_until,
                body_mac=body_mac,
                body_epoch=body_epoch,
            )
        )

    def get(self, workspace: WorkspaceId, name: TurnName) -> Turn | None:
        """One turn."""
        row = self._connection.execute(select(assistant_turns).where(_is(workspace, name))).first()
        return None if row is None else _turn(row)

    def body_mac(self, workspace: WorkspaceId, name: TurnName) -> tuple[bytes, Epoch]:
        """The keyed MAC of a turn's submission and the epoch of its key; the turn has to be there."""
        row = self._connection.execute(
            select(assistant_turns.c.body_mac, assistant_turns.c.body_epoch).where(_is(workspace, name))
        ).one()
        return bytes(row.body_mac), Epoch(row.body_epoch)

    def of(self, conversation: Conversation, *, after: int = 0, limit: int) -> list[Turn]:
        """The turns of a conversation in their order."""
        rows = self._connection.execute(
            select(assistant_turns)
            .where(
                assistant_turns.c.workspace_id == conversation.workspace,
                assistant_turns.c.conversation_id == conversation.id,
                assistant_turns.c.turn > after,
            )
            .order_by(assistant_turns.c.turn)
            .limit(limit)
        )
        return [_turn(row) for row in rows]

    def cost_of(self, conversation: Conversation) -> TurnUsage:
        """What the turns of a conversation have cost together."""
        sums = [
            func.coalesce(func.sum(column), 0)
            for column in (
                assistant_turns.c.calls,
                assistant_turns.c.input_tokens,
                assistant_turns.c.output_tokens,
                assistant_turns.c.memory_bytes,
            )
        ]
        row = self._connection.execute(
            select(*sums).where(
                assistant_turns.c.workspace_id == conversation.workspace,
                assistant_turns.c.conversation_id == conversation.id,
            )
        ).one()
        return TurnUsage(*(int(each) for each in row))

    def renew(self, workspace: WorkspaceId, name: TurnName, until: datetime) -> bool:
        """Prolong the lease of a running turn, or take up one that was interrupted; False when it has ended."""
        changed = self._connection.execute(
            update(assistant_turns)
            .where(_is(workspace, name), assistant_turns.c.state == TurnState.RUNNING.value)
            .values(lease_until=until)
        )
        return changed.rowcount == 1

    def end(
        self,
        workspace: WorkspaceId,
        name: TurnName,
        state: TurnState,
        *,
        at: datetime,
        usage: TurnUsage,
        error: str | None,
    ) -> bool:
        """End a running turn; False when it has ended before, or is gone."""
        changed = self._connection.execute(
            update(assistant_turns)
            .where(_is(workspace, name), assistant_turns.c.state == TurnState.RUNNING.value)
            .values(state=state.value, ended_at=at, error=error, **_cost(usage))
        )
        return changed.rowcount == 1

    def account(self, workspace: WorkspaceId, name: TurnName, usage: TurnUsage) -> bool:
        """Note the cost of a turn that was stopped by who did not know it; False for every other turn."""
        changed = self._connection.execute(
            update(assistant_turns)
            .where(
                _is(workspace, name),
                assistant_turns.c.state == TurnState.STOPPED.value,
                assistant_turns.c.calls == 0,
            )
            .values(**_cost(usage))
        )
        return changed.rowcount == 1


def _cost(usage: TurnUsage) -> dict[str, int]:
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "memory_bytes": usage.memory_bytes,
    }


def _is(workspace: WorkspaceId, name: TurnName) -> ColumnElement[bool]:
    return and_(
        assistant_turns.c.workspace_id == workspace,
        assistant_turns.c.conversation_id == name.conversation,
        assistant_turns.c.turn == name.number,
    )


def _turn(row: Row[tuple[object, ...]]) -> Turn:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return Turn(
        workspace=WorkspaceId(facts["workspace_id"]),
        name=TurnName(ConversationId(facts["conversation_id"]), facts["turn"]),
        admission=AdmissionId(facts["admission_id"]),
        state=TurnState(facts["state"]),
        model=facts["model"],
        began_at=facts["began_at"],
        ended_at=facts["ended_at"],
        lease_until=facts["lease_until"],
        error=facts["error"],
        usage=TurnUsage(facts["calls"], facts["input_tokens"], facts["output_tokens"], facts["memory_bytes"]),
    )

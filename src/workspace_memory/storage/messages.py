"""Messages of conversations, sealed, appended and read."""

from collections.abc import Sequence

from sqlalchemy import Connection, Row, func, insert, select

from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.document import SealedText
from workspace_memory.domain.ids import Epoch
from workspace_memory.domain.message import MessageKind, StoredMessage
from workspace_memory.storage.assistant_tables import conversation_messages


class Messages:
    """Rows of `conversation_messages`; append under the workspace lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def next_sequence(self, conversation: Conversation) -> int:
        """The number of the next message, which its seal is bound to."""
        newest = self._connection.execute(
            select(func.max(conversation_messages.c.sequence)).where(
                conversation_messages.c.workspace_id == conversation.workspace,
                conversation_messages.c.conversation_id == conversation.id,
            )
        ).scalar_one()
        return (newest or 0) + 1

    def add(self, conversation: Conversation, messages: Sequence[StoredMessage]) -> None:
        """Append messages."""
        rows = [
            {
                "workspace_id": conversation.workspace,
                "conversation_id": conversation.id,
                "sequence": each.sequence,
                "turn": each.turn,
                "kind": each.kind.value,
                "epoch": each.sealed.epoch,
                "sealed": each.sealed.ciphertext,
                "framework": each.framework,
                "at": each.at,
            }
            for each in messages
        ]
        if rows:
            self._connection.execute(insert(conversation_messages), rows)

    def sizes_before(self, conversation: Conversation, turn: int) -> list[tuple[int, int]]:
        """How many sealed bytes each turn before this one has, the newest turn first."""
        size = func.sum(func.length(conversation_messages.c.sealed))
        rows = self._connection.execute(
            select(conversation_messages.c.turn, size)
            .where(
                conversation_messages.c.workspace_id == conversation.workspace,
                conversation_messages.c.conversation_id == conversation.id,
                conversation_messages.c.turn < turn,
            )
            .group_by(conversation_messages.c.turn)
            .order_by(conversation_messages.c.turn.desc())
        )
        return [(row[0], int(row[1])) for row in rows]

    def of_turns(self, conversation: Conversation, first: int, last: int) -> list[StoredMessage]:
        """The messages of the turns from `first` to `last`, turn by turn."""
        rows = self._connection.execute(
            select(conversation_messages)
            .where(
                conversation_messages.c.workspace_id == conversation.workspace,
                conversation_messages.c.conversation_id == conversation.id,
                conversation_messages.c.turn.between(first, last),
            )
            .order_by(conversation_messages.c.turn, conversation_messages.c.sequence)
        )
        return [_message(row) for row in rows]


def _message(row: Row[tuple[object, ...]]) -> StoredMessage:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return StoredMessage(
        sequence=facts["sequence"],
        turn=facts["turn"],
        kind=MessageKind(facts["kind"]),
        sealed=SealedText(Epoch(facts["epoch"]), bytes(facts["sealed"])),
        framework=facts["framework"],
        at=facts["at"],
    )

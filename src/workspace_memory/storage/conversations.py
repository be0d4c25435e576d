"""Conversations with their delivery slot and their sealed title."""

from datetime import datetime

from sqlalchemy import Connection, Row, delete, insert, select, update

from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.document import SealedText
from workspace_memory.domain.ids import ConversationId, Epoch, UserId, WorkspaceId, is_id
from workspace_memory.storage.document_tables import conversations


class Conversations:
    """Rows of `conversations`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(
        self, workspace: WorkspaceId, conversation: ConversationId, owner: UserId, *, at: datetime
    ) -> Conversation:
        """A new conversation of a member."""
        self._connection.execute(
            insert(conversations).values(
                workspace_id=workspace, id=conversation, owner_id=owner, turns=0, created_at=at
            )
        )
        return Conversation(
            workspace, conversation, owner, 0, created_at=at, slot_nonce=None, slot_expires_at=None
        )

    def get(self, conversation: ConversationId) -> Conversation | None:
        """By its id alone: a route by conversation takes the workspace from here."""
        if not is_id(conversation):
            return None
        row = self._connection.execute(
            select(conversations).where(conversations.c.id == conversation)
        ).first()
        return None if row is None else _conversation(row)

    def page(
        self, workspace: WorkspaceId, owner: UserId, *, before: ConversationId | None, limit: int
    ) -> list[Conversation]:
        """A member's conversations, newest first."""
        statement = select(conversations).where(
            conversations.c.workspace_id == workspace, conversations.c.owner_id == owner
        )
        if before is not None:
            statement = statement.where(conversations.c.id < before)
        rows = self._connection.execute(statement.order_by(conversations.c.id.desc()).limit(limit))
        return [_conversation(row) for row in rows]

    def begin_turn(self, conversation: Conversation, *, nonce: bytes, expires_at: datetime) -> int:
        """Overwrite the delivery slot, and so supersede the turn before; the number of the new turn."""
        turn = conversation.turns + 1
        self._connection.execute(
            update(conversations)
            .where(
                conversations.c.workspace_id == conversation.workspace,
                conversations.c.id == conversation.id,
            )
            .values(turns=turn, slot_nonce=nonce, slot_expires_at=expires_at)
        )
        return turn

    def set_title(self, conversation: Conversation, title: SealedText) -> None:
        """Keep a title in place of the one before."""
        self._connection.execute(
            update(conversations)
            .where(
                conversations.c.workspace_id == conversation.workspace,
                conversations.c.id == conversation.id,
            )
            .values(title_epoch=title.epoch, title_sealed=title.ciphertext)
        )

    def remove(self, conversation: Conversation) -> None:
        """Delete a conversation with its turns, messages, admissions and receipts."""
        self._connection.execute(
            delete(conversations).where(
                conversations.c.workspace_id == conversation.workspace,
                conversations.c.id == conversation.id,
            )
        )


def _conversation(row: Row[tuple[object, ...]]) -> Conversation:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    nonce, title = facts["slot_nonce"], facts["title_sealed"]
    return Conversation(
        workspace=WorkspaceId(facts["workspace_id"]),
        id=ConversationId(facts["id"]),
        owner=UserId(facts["owner_id"]),
        turns=facts["turns"],
        created_at=facts["created_at"],
        slot_nonce=None if nonce is None else bytes(nonce),
        slot_expires_at=facts["slot_expires_at"],
        title=None if title is None else SealedText(Epoch(facts["title_epoch"]), bytes(title)),
    )

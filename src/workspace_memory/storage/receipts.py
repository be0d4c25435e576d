"""Receipts of recalls and captures, appended and listed."""

from sqlalchemy import Connection, Row, insert, select

from workspace_memory.domain.admission import Via
from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.ids import (
    AdmissionId,
    ClearGeneration,
    ConversationId,
    PolicyRevision,
    ReceiptId,
    Version,
    WorkspaceId,
)
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.receipt import Receipt, ReceiptKind
from workspace_memory.storage.document_tables import memory_receipts


class Receipts:
    """Rows of `memory_receipts`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, workspace: WorkspaceId, receipt: Receipt) -> None:
        """Append a receipt."""
        self._connection.execute(
            insert(memory_receipts).values(
                workspace_id=workspace,
                id=receipt.id,
                kind=receipt.kind.value,
                conversation_id=receipt.conversation,
                admission_id=receipt.admission,
                turn=receipt.turn,
                call_number=receipt.call_number,
                at=receipt.at,
                status=receipt.status,
                version=receipt.version,
                bytes=receipt.bytes,
                mode=receipt.mode.value,
                policy_revision=receipt.policy_revision,
                clear_generation=receipt.clear_generation,
                client_state=receipt.client_state,
                via=receipt.via.value,
                model=receipt.model,
            )
        )

    def page(
        self, conversation: Conversation, *, after: ReceiptId | None, after_turn: int = 0, limit: int
    ) -> list[Receipt]:
        """Receipts of a conversation's turns after that number, in the order in which they were written."""
        statement = select(memory_receipts).where(
            memory_receipts.c.workspace_id == conversation.workspace,
            memory_receipts.c.conversation_id == conversation.id,
            memory_receipts.c.turn > after_turn,
        )
        if after is not None:
            statement = statement.where(memory_receipts.c.id > after)
        rows = self._connection.execute(statement.order_by(memory_receipts.c.id).limit(limit))
        return [_receipt(row) for row in rows]


def _receipt(row: Row[tuple[object, ...]]) -> Receipt:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    version = facts["version"]
    return Receipt(
        id=ReceiptId(facts["id"]),
        kind=ReceiptKind(facts["kind"]),
        conversation=ConversationId(facts["conversation_id"]),
        admission=AdmissionId(facts["admission_id"]),
        turn=facts["turn"],
        call_number=facts["call_number"],
        at=facts["at"],
        status=facts["status"],
        version=None if version is None else Version(version),
        bytes=facts["bytes"],
        mode=Mode(facts["mode"]),
        policy_revision=PolicyRevision(facts["policy_revision"]),
        clear_generation=ClearGeneration(facts["clear_generation"]),
        client_state=facts["client_state"],
        via=Via(facts["via"]),
        model=facts["model"],
    )

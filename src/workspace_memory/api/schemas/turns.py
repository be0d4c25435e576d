"""Conversations, admissions, recall, captures and receipts, as JSON."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    with_example,
)
from workspace_memory.domain.admission import Via
from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.ids import ConversationId, ReceiptId
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.proposal import ProposalReason
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.receipt import Receipt, ReceiptKind
from workspace_memory.services.admissions import Admitted
from workspace_memory.services.captures import Captured, CaptureOutcome
from workspace_memory.services.conversations import ConversationPage, ReceiptPage
from workspace_memory.services.recall import Recalled

_ID = Annotated[Text, Field(min_length=36, max_length=36)]
_CONVERSATION = {
    "id": EXAMPLE_ID,
    "title": "When do we release?",
    "workspace_id": EXAMPLE_ID,
    "turns": 3,
    "created_at": EXAMPLE_TIME,
}
_RECEIPT = {
    "id": EXAMPLE_ID,
    "kind": "recall",
    "admission_id": EXAMPLE_ID,
    "turn": 3,
    "call": 1,
    "at": EXAMPLE_TIME,
    "status": "attached",
    "revision": 7,
    "bytes": 412,
    "mode": "auto",
    "policy_revision": 2,
    "clear_generation": 1,
    "client_state": "saved;version=7",
    "via": "automation",
    "model": "claude-sonnet-4-5",
}


class ConversationOut(Answer):
    """A conversation; it keeps its workspace and its owner."""

    model_config = with_example(_CONVERSATION)

    id: str
    title: str | None = Field(
        description="Sealed, and told with an open key session alone; null before the Assistant's first turn."
    )
    workspace_id: str
    turns: int
    created_at: datetime


class ConversationPageOut(Answer):
    """The caller's conversations, newest first."""

    model_config = with_example({"conversations": [_CONVERSATION], "next_before": EXAMPLE_ID})

    conversations: list[ConversationOut]
    next_before: str | None = Field(description="`before` of the next page; null at the end.")


class ConversationQuery(Arguments):
    """Which part of the list."""

    before: _ID | None = Field(default=None, description="Only conversations older than this one.")
    limit: int = Field(default=50, ge=1, le=200)


class AdmissionIn(Arguments):
    """Which conversation begins a turn."""

    model_config = with_example({"conversation_id": EXAMPLE_ID})

    conversation_id: _ID

    def conversation(self) -> ConversationId:
        """As the services take it."""
        return ConversationId(self.conversation_id)


class AdmissionOut(Answer):
    """A turn's authority: send both values with each recall and capture of it."""

    model_config = with_example(
        {
            "admission_id": EXAMPLE_ID,
            "credential": "q3x1v0m2b5c8n7z4a6s9d1f0g2h5j8k3l6p7o4i1u2y",
            "expires_at": EXAMPLE_TIME,
        }
    )

    admission_id: str
    credential: str = Field(description="For X-Delivery-Credential.")
    expires_at: datetime


class RecallOut(Answer):
    """What the next model call is given: a block, a note, or nothing; at the end of its system text."""

    model_config = with_example(
        {
            "status": "attached",
            "revision": 7,
            "block": "Saved workspace memory, revision 7. …",
            "note": None,
            "receipt_id": EXAMPLE_ID,
            "stop": False,
        }
    )

    status: RecallStatus
    revision: int | None = Field(description="The revision that was inspected.")
    block: str | None = Field(description="Append it as it is, and keep it out of stored messages.")
    note: str | None = Field(description="Append it in place of a block: why there is none.")
    receipt_id: str | None = Field(description="Null only when memory is withheld for want of a receipt.")
    stop: bool = Field(description="Workspace AI was turned off: make no model call.")


class RecallQuery(Arguments):
    """What the memory is asked for."""

    purpose: Text = Field(description="Only `recall`.", examples=["recall"])
    model: Text | None = Field(
        default=None, min_length=1, max_length=200, description="The model that is called, for the receipt."
    )


class EditIn(Arguments):
    """One exact edit of a line."""

    op: Text = Field(description="add, replace or remove.", examples=["add"])
    text: Text = Field(description="The new line, at most 500 bytes; empty for remove.")
    target: Text = Field(description="replace, remove: the whole existing line; empty for add.")
    heading: Text = Field(description="add: an existing heading to put it under; empty for the end.")


class CaptureIn(Arguments):
    """One to five edits; never a whole text."""

    model_config = with_example(
        {"changes": [{"op": "add", "text": "Release day is Thursday", "target": "", "heading": "Team"}]}
    )

    changes: list[EditIn] = Field(min_length=1, max_length=5)


class CaptureOut(Answer):
    """What became of a capture."""

    model_config = with_example({"outcome": "committed", "revision": 8, "proposal_id": None, "reason": None})

    outcome: CaptureOutcome = Field(description="committed, proposed, unchanged or off.")
    revision: int | None = Field(description="committed: the revision that was made.")
    proposal_id: str | None = Field(description="proposed: where the change waits for a person.")
    reason: ProposalReason | None = Field(description="proposed: why it was not written.")


class ReceiptOut(Answer):
    """Which revision a model call was given, or a capture made. No text."""

    model_config = with_example(_RECEIPT)

    id: str
    kind: ReceiptKind
    admission_id: str
    turn: int
    call: int
    at: datetime
    status: str = Field(description="The status of the recall, or `committed` for a capture.")
    revision: int | None
    bytes: int | None
    mode: Mode
    policy_revision: int
    clear_generation: int
    client_state: str
    via: Via
    model: str | None


class ReceiptPageOut(Answer):
    """Receipts in the order in which they were written."""

    model_config = with_example({"receipts": [_RECEIPT], "next_after": EXAMPLE_ID})

    receipts: list[ReceiptOut]
    next_after: str | None = Field(description="`after` of the next page; null at the end.")


class ReceiptQuery(Arguments):
    """Which part of the receipts."""

    after: _ID | None = Field(default=None, description="Only receipts after this one.")
    after_turn: int = Field(
        default=0, ge=0, le=2_000_000_000, description="Only receipts of turns after this number."
    )
    limit: int = Field(default=50, ge=1, le=200)

    def place(self) -> ReceiptId | None:
        """As the services take it."""
        return None if self.after is None else ReceiptId(self.after)


def conversation_out(conversation: Conversation, title: str | None = None) -> ConversationOut:
    """A conversation as JSON."""
    return ConversationOut(
        id=conversation.id,
        title=title,
        workspace_id=conversation.workspace,
        turns=conversation.turns,
        created_at=conversation.created_at,
    )


def conversation_page_out(page: ConversationPage) -> ConversationPageOut:
    """A page of conversations as JSON."""
    found = [conversation_out(each.conversation, each.title) for each in page.conversations]
    return ConversationPageOut(conversations=found, next_before=page.next_before)


def admission_out(admitted: Admitted) -> AdmissionOut:
    """An admission as JSON."""
    return AdmissionOut(
        admission_id=admitted.admission, credential=admitted.credential, expires_at=admitted.expires_at
    )


def recall_out(recalled: Recalled) -> RecallOut:
    """A recall as JSON."""
    return RecallOut(
        status=recalled.status,
        revision=recalled.version,
        block=recalled.block,
        note=recalled.note,
        receipt_id=recalled.receipt,
        stop=recalled.stop,
    )


def capture_out(captured: Captured) -> CaptureOut:
    """The outcome of a capture as JSON."""
    return CaptureOut(
        outcome=captured.outcome,
        revision=captured.version,
        proposal_id=captured.proposal,
        reason=captured.reason,
    )


def receipt_page_out(page: ReceiptPage) -> ReceiptPageOut:
    """A page of receipts as JSON."""
    return ReceiptPageOut(receipts=[_receipt_out(each) for each in page.receipts], next_after=page.next_after)


def _receipt_out(receipt: Receipt) -> ReceiptOut:
    return ReceiptOut(
        id=receipt.id,
        kind=receipt.kind,
        admission_id=receipt.admission,
        turn=receipt.turn,
        call=receipt.call_number,
        at=receipt.at,
        status=receipt.status,
        revision=receipt.version,
        bytes=receipt.bytes,
        mode=receipt.mode,
        policy_revision=receipt.policy_revision,
        clear_generation=receipt.clear_generation,
        client_state=receipt.client_state,
        via=receipt.via,
        model=receipt.model,
    )

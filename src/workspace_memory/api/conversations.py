"""Conversations and their receipts over REST."""

from typing import Annotated

from fastapi import Path, Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.key_session_tokens import KeySessionToken
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.common import EXAMPLE_ID
from workspace_memory.api.schemas.turns import (
    ConversationOut,
    ConversationPageOut,
    ConversationQuery,
    ReceiptPageOut,
    ReceiptQuery,
    conversation_out,
    conversation_page_out,
    receipt_page_out,
)
from workspace_memory.domain.errors import Forbidden, LevelTooLow, NotFound
from workspace_memory.domain.ids import ConversationId
from workspace_memory.services.conversations import create_conversation, list_conversations, list_receipts

CONVERSATIONS = "/workspaces/{workspace_id}/conversations"
RECEIPTS = "/agents/assistant/{conversation_id}/memory-receipts"

router = new_router("conversations")

ConversationPath = Annotated[
    ConversationId, Path(description="The conversation's id.", examples=[EXAMPLE_ID])
]


@router.post(
    CONVERSATIONS,
    summary="Begin a conversation",
    status_code=201,
    response_model=ConversationOut,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def begin_conversation(caller: Asking, workspace_id: WorkspacePath) -> Response:
    """A conversation of the caller's own, for the turns of an agent or of the Assistant."""
    return answer(conversation_out(caller.ask(create_conversation, workspace_id)), status=201)


@router.get(
    CONVERSATIONS,
    summary="List conversations",
    response_model=ConversationPageOut,
    responses=errors(NotFound, Forbidden),
)
def read_conversations(
    caller: Asking,
    workspace_id: WorkspacePath,
    query: Annotated[ConversationQuery, Query()],
    key_session: KeySessionToken,
) -> Response:
    """The caller's own conversations, newest first; their titles with an open key session."""
    before = None if query.before is None else ConversationId(query.before)
    page = caller.ask(
        list_conversations, workspace_id, before=before, limit=query.limit, key_session=key_session
    )
    return answer(conversation_page_out(page))


@router.get(
    RECEIPTS,
    summary="List the memory receipts of a conversation",
    response_model=ReceiptPageOut,
    responses=errors(NotFound, Forbidden),
)
def read_receipts(
    caller: Asking, conversation_id: ConversationPath, query: Annotated[ReceiptQuery, Query()]
) -> Response:
    """Which revision each model call was given, and which one a capture made: for the conversation's owner."""
    page = caller.ask(
        list_receipts, conversation_id, after=query.place(), after_turn=query.after_turn, limit=query.limit
    )
    return answer(receipt_page_out(page))

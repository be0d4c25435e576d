"""The Assistant over REST: a person's messages, answered as server-sent events, and the conversations they are in.

The runner of turns was laid into the edge by the composition root (`services/turn_running.py`). A turn goes on when its
connection is lost; asked again, it is told from where the listener left.
"""

import asyncio
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from workspace_memory.api.answers import answer, no_content
from workspace_memory.api.automation import MemoryStates, TurnKey
from workspace_memory.api.callers import Asking, Caller
from workspace_memory.api.conversations import ConversationPath
from workspace_memory.api.edge import edge_of
from workspace_memory.api.event_stream import MEDIA_TYPE, event_stream
from workspace_memory.api.key_session_tokens import HEADER, header_key_session, presented_key_session
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.assistant import (
    AssistantOut,
    ConversationDetailOut,
    MessageIn,
    MessagesOut,
    MessagesQuery,
    TitleIn,
    assistant_out,
    conversation_detail_out,
    messages_out,
)
from workspace_memory.domain.admission import Via
from workspace_memory.domain.assistant_errors import DailyLimitReached
from workspace_memory.domain.client_state import parse_memory_state
from workspace_memory.domain.document_errors import AiDisabled, KeySessionRequired, KeyStoreDown
from workspace_memory.domain.errors import (
    Forbidden,
    IdempotencyKeyReused,
    LevelTooLow,
    MemoryStateInvalid,
    NotFound,
)
from workspace_memory.domain.ids import ConversationId
from workspace_memory.domain.turn import TurnName
from workspace_memory.services.assistant_usage import usage_of_conversation, usage_of_day
from workspace_memory.services.conversations import (
    delete_conversation,
    get_conversation,
    rename_conversation,
)
from workspace_memory.services.messages import list_messages
from workspace_memory.services.turn_running import TurnRequest, TurnRunner
from workspace_memory.services.turns import get_turn

CONVERSATION = "/agents/assistant/{conversation_id}"
TURN = f"{CONVERSATION}/turns/{{turn}}"

router = new_router("assistant")

TurnPath = Annotated[
    int, Path(ge=1, le=2_000_000_000, description="The number of the turn in its conversation.", examples=[1])
]
LastEvent = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        max_length=100,
        description="The id of the last event that was received: what follows it is told.",
        examples=["3f9a0c51.12"],
    ),
]
_EXAMPLE = """id: 3f9a0c51.1
event: turn_began
data: {"turn":1,"admission_id":"019d2f6e-8c1a-7b42-9d3e-5f60718293a4","model":"anthropic:…","demonstration":false}

id: 3f9a0c51.2
event: memory_given
data: {"call":1,"status":"attached","revision":7,"receipt_id":"019d2f6e-8c1a-7b42-9d3e-5f60718293a4"}

id: 3f9a0c51.3
event: text_added
data: {"text":"On Thursday."}

id: 3f9a0c51.4
event: turn_ended
data: {"state":"done","error":null,"problem":null,"usage":{"calls":1,"input_tokens":1356,"output_tokens":6}}

"""
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The events of the turn.", "content": {MEDIA_TYPE: {"example": _EXAMPLE}}}
}


async def _documented(
    _header: Annotated[
        str | None,
        Header(
            alias=HEADER,
            description="The token of a key session, 32 bytes as base64url without padding; a browser has a cookie.",
        ),
    ] = None,
) -> None: ...


NeedsKeySession = Depends(_documented)


@router.get(
    "/workspaces/{workspace_id}/assistant",
    summary="Get the Assistant",
    response_model=AssistantOut,
    responses=errors(NotFound, Forbidden),
)
def read_assistant(caller: Asking, request: Request, workspace_id: WorkspacePath) -> Response:
    """Which model answers, and how many tokens the workspace has used today."""
    turns = _turns(request)
    day = caller.ask(usage_of_day, workspace_id)
    return answer(assistant_out(turns.model, day, demonstration=turns.is_demonstration))


@router.get(
    CONVERSATION,
    summary="Get a conversation",
    response_model=ConversationDetailOut,
    dependencies=[NeedsKeySession],
    responses=errors(NotFound, Forbidden),
)
def read_conversation(caller: Asking, request: Request, conversation_id: ConversationPath) -> Response:
    """A conversation of the caller's own and what it has cost; its title with an open key session."""
    key_session = _key_session(caller, request, conversation_id)
    shown = caller.ask(get_conversation, conversation_id, key_session=key_session)
    return answer(conversation_detail_out(shown, caller.ask(usage_of_conversation, conversation_id)))


@router.patch(
    CONVERSATION,
    summary="Rename a conversation",
    response_model=ConversationDetailOut,
    dependencies=[NeedsKeySession],
    responses=errors(NotFound, Forbidden, LevelTooLow, KeySessionRequired, KeyStoreDown),
)
def retitle(caller: Asking, request: Request, conversation_id: ConversationPath, body: TitleIn) -> Response:
    """Give a conversation of the caller's own another title."""
    key_session = _key_session(caller, request, conversation_id)
    shown = caller.ask(rename_conversation, conversation_id, body.title, key_session=key_session)
    return answer(conversation_detail_out(shown, caller.ask(usage_of_conversation, conversation_id)))


@router.delete(
    CONVERSATION,
    summary="Delete a conversation",
    status_code=204,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
def remove(caller: Asking, conversation_id: ConversationPath) -> Response:
    """Delete it with its messages and receipts. What it has changed in the memory document stays."""
    caller.ask(delete_conversation, conversation_id)
    return no_content()


@router.get(
    f"{CONVERSATION}/messages",
    summary="List messages",
    response_model=MessagesOut,
    dependencies=[NeedsKeySession],
    responses=errors(NotFound, Forbidden, LevelTooLow, KeySessionRequired, KeyStoreDown),
)
def read_messages(
    caller: Asking,
    request: Request,
    conversation_id: ConversationPath,
    query: Annotated[MessagesQuery, Query()],
) -> Response:
    """The turns of a conversation of the caller's own, with their messages and their cost."""
    key_session = _key_session(caller, request, conversation_id)
    page = caller.ask(
        list_messages, conversation_id, key_session=key_session, after=query.after, limit=query.limit
    )
    return answer(messages_out(page))


@router.post(
    f"{CONVERSATION}/messages",
    summary="Send a message to the Assistant",
    response_class=StreamingResponse,
    dependencies=[NeedsKeySession],
    responses=errors(
        NotFound,
        Forbidden,
        LevelTooLow,
        AiDisabled,
        KeySessionRequired,
        KeyStoreDown,
        MemoryStateInvalid,
        IdempotencyKeyReused,
        DailyLimitReached,
    )
    | _EVENTS,
)
async def send(
    caller: Asking,
    request: Request,
    conversation_id: ConversationPath,
    body: MessageIn,
    idempotency_key: TurnKey,
    memory_state: MemoryStates = None,
    last_event_id: LastEvent = None,
) -> Response:
    """Begin a turn, and hear what happens in it as server-sent events, to its end.

    Whatever keeps it from beginning is an error before anything is stored. Sent again with the same key, it begins no
    second turn: the first one is told, from `Last-Event-ID` on. The events: `turn_began`, `memory_given` before each
    model call with the revision that it was given, `text_added`, `tool_called`, `tool_answered`, `remembered`,
    `change_proposed`, `turn_ended`; `turn_retold` where all that was heard before is told anew.
    """
    state = parse_memory_state(memory_state or [])
    key_session = await asyncio.to_thread(_key_session, caller, request, conversation_id)
    asked = TurnRequest(
        conversation=conversation_id,
        text=body.message,
        key=idempotency_key,
        key_session=key_session,
        client_state=state,
        via=Via.ASSISTANT,
    )
    turns = _turns(request)
    turn = await turns.begin(caller.ask, asked)
    return event_stream(turns.events(caller.ask, turn, key_session=key_session, after=last_event_id))


@router.get(
    f"{TURN}/events",
    summary="Hear a turn again",
    response_class=StreamingResponse,
    dependencies=[NeedsKeySession],
    responses=errors(NotFound, Forbidden, LevelTooLow) | _EVENTS,
)
async def hear(
    caller: Asking,
    request: Request,
    conversation_id: ConversationPath,
    turn: TurnPath,
    last_event_id: LastEvent = None,
) -> Response:
    """The events of a turn, from `Last-Event-ID` on, to its end; its text with an open key session alone."""
    name = TurnName(conversation_id, turn)
    # Asked before the answer begins, after which it could not be an error any more.
    await asyncio.to_thread(caller.ask, get_turn, name)
    key_session = await asyncio.to_thread(_key_session, caller, request, conversation_id)
    events = _turns(request).events(caller.ask, name, key_session=key_session, after=last_event_id)
    return event_stream(events)


@router.post(
    f"{TURN}/stop",
    summary="Stop a turn",
    status_code=204,
    responses=errors(NotFound, Forbidden, LevelTooLow),
)
async def stop(
    caller: Asking, request: Request, conversation_id: ConversationPath, turn: TurnPath
) -> Response:
    """End a running turn. What the Assistant has said so far stays; one that has ended is left alone."""
    await _turns(request).stop(caller.ask, TurnName(conversation_id, turn))
    return no_content()


def _turns(request: Request) -> TurnRunner:
    turns = edge_of(request).turns
    if turns is None:
        raise NotFound("Assistant")
    return turns


def _key_session(caller: Caller, request: Request, conversation: ConversationId) -> bytes | None:
    """The token that came along: of the header, or of the cookie for the conversation's workspace. Blocks."""
    header = header_key_session(request)
    if header is not None or not request.cookies:
        return header
    workspace = caller.ask(get_conversation, conversation).conversation.workspace
    return presented_key_session(request, workspace)

"""A turn told from the store: one that runs in another process, or that ran before a restart of this one.

Its text comes whole and at its end, since what a model says is stored when it has said it.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from workspace_memory.assistant.live_turns import place_after
from workspace_memory.domain.document_errors import KeySessionRequired, KeyStoreDown
from workspace_memory.domain.errors import LevelTooLow
from workspace_memory.domain.ids import ReceiptId
from workspace_memory.domain.recall import RecallStatus
from workspace_memory.domain.receipt import Receipt, ReceiptKind
from workspace_memory.domain.transcript import Speaker, shown_messages
from workspace_memory.domain.turn import Turn, TurnName, TurnState
from workspace_memory.domain.turn_event import (
    EventId,
    MemoryGiven,
    Remembered,
    TextAdded,
    TurnBegan,
    TurnEnded,
    TurnEvent,
    TurnRetold,
)
from workspace_memory.services.conversations import list_receipts
from workspace_memory.services.messages import list_messages
from workspace_memory.services.turn_running import Ask
from workspace_memory.services.turns import get_turn

STREAM = "stored"
LOOK_SECONDS = 0.5
INTERRUPTED = "turn_interrupted"


async def stored_events(
    ask: Ask,
    turn: TurnName,
    after: EventId | None,
    key_session: bytes | None,
    *,
    demonstration: bool,
    sleep: Callable[[float], Awaitable[None]],
) -> AsyncGenerator[tuple[EventId, TurnEvent]]:
    """Wait until the turn runs no more, then tell it. Raises: NotFound when it is deleted meanwhile."""
    seen = await asyncio.to_thread(lambda: ask(get_turn, turn))
    while seen.is_running:
        await sleep(LOOK_SECONDS)
        seen = await asyncio.to_thread(lambda: ask(get_turn, turn))
    receipts = await asyncio.to_thread(lambda: _receipts_of(ask, turn))
    text = await asyncio.to_thread(lambda: _text_of(ask, turn, key_session))
    told = place_after(after, STREAM)
    if after is not None and told is None:
        yield f"{STREAM}.0", TurnRetold()
    for place, event in enumerate(_events(seen, receipts, text, demonstration=demonstration), 1):
        if place > (told or 0):
            yield f"{STREAM}.{place}", event


def _events(turn: Turn, receipts: list[Receipt], text: str, *, demonstration: bool) -> list[TurnEvent]:
    events: list[TurnEvent] = [TurnBegan(turn.name.number, turn.admission, turn.model, demonstration)]
    for each in receipts:
        if each.kind is ReceiptKind.RECALL:
            events.append(MemoryGiven(each.call_number, RecallStatus(each.status), each.version, each.id))
        elif each.version is not None:
            events.append(Remembered(each.version))
    if text:
        events.append(TextAdded(text))
    events.append(_end(turn))
    return events


def _end(turn: Turn) -> TurnEnded:
    if turn.interrupted:
        return TurnEnded(
            TurnState.FAILED,
            turn.usage,
            INTERRUPTED,
            "The service ended while this turn ran. Send the message again.",
        )
    return TurnEnded(turn.state, turn.usage, turn.error)


def _receipts_of(ask: Ask, turn: TurnName) -> list[Receipt]:
    found: list[Receipt] = []
    after: ReceiptId | None = None
    while True:
        page = ask(list_receipts, turn.conversation, after=after, after_turn=turn.number - 1, limit=200)
        found += [each for each in page.receipts if each.turn == turn.number]
        after = page.next_after
        if after is None:
            return found


def _text_of(ask: Ask, turn: TurnName, key_session: bytes | None) -> str:
    """What the Assistant has said in the turn; nothing where the key session has ended: the end comes all the same."""
    try:
        page = ask(list_messages, turn.conversation, key_session=key_session, after=turn.number - 1, limit=1)
    except (KeySessionRequired, KeyStoreDown, LevelTooLow):
        return ""
    bodies = [
        (each.turn, each.body) for found in page.turns for each in found.messages if each.body is not None
    ]
    return "\n\n".join(
        each.text for each in shown_messages(bodies) if each.speaker is Speaker.ASSISTANT and each.text
    )

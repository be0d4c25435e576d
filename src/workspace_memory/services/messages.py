"""The messages of a conversation, opened for its owner, and the turns that they belong to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from workspace_memory.crypto.errors import SealBroken
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.conversation import Conversation
from workspace_memory.domain.ids import ConversationId
from workspace_memory.domain.message import MessageKind, StoredMessage
from workspace_memory.domain.turn import Turn
from workspace_memory.services.agent_calls import AgentCall, may_chat
from workspace_memory.services.conversations import require_conversation
from workspace_memory.services.deps import Deps
from workspace_memory.services.seals import open_message
from workspace_memory.services.session_keys import Keyring

TURNS_MAX = 50


@dataclass(frozen=True, slots=True)
class OpenedMessage:
    """A message; `body` is the framework's own JSON, or None where it does not open any more."""

    sequence: int
    turn: int
    kind: MessageKind
    body: str | None = field(repr=False)
    framework: str
    at: datetime


@dataclass(frozen=True, slots=True)
class TurnMessages:
    """A turn of the Assistant with its messages; a turn that was not finished has the person's alone."""

    turn: Turn
    messages: Sequence[OpenedMessage]


@dataclass(frozen=True, slots=True)
class MessagePage:
    """Turns in their order; `next_after` is where the next page begins, or None."""

    turns: Sequence[TurnMessages]
    next_after: int | None


def list_messages(
    deps: Deps,
    actor: Actor,
    conversation: ConversationId,
    *,
    key_session: bytes | None,
    after: int = 0,
    limit: int = TURNS_MAX,
) -> MessagePage:
    """The turns after that number with their messages, for the conversation's owner.

    Raises: KeySessionRequired, KeyStoreDown, NotFound, Forbidden, LevelTooLow.
    """
    limit = max(1, min(limit, TURNS_MAX))
    with deps.database.read() as tx:
        found = require_conversation(tx, actor, conversation)
    call = AgentCall(deps, actor, found.workspace, key_session, may_chat)
    keyring = call.open_keyring()
    with deps.database.read() as tx:
        call.require(tx)
        turns = tx.turns.of(found, after=after, limit=limit + 1)
        shown = turns[:limit]
        stored = tx.messages.of_turns(found, shown[0].name.number, shown[-1].name.number) if shown else []
    now = deps.clock.now()
    messages = [_opened(keyring, found, each) for each in stored]
    return MessagePage(
        [
            TurnMessages(turn.seen_at(now), [each for each in messages if each.turn == turn.name.number])
            for turn in shown
        ],
        shown[-1].name.number if len(turns) > limit else None,
    )


def _opened(keyring: Keyring, conversation: Conversation, message: StoredMessage) -> OpenedMessage:
    try:
        body = open_message(
            keyring, conversation.workspace, conversation.id, message.sequence, message.sealed
        )
    except SealBroken:
        body = None
    return OpenedMessage(message.sequence, message.turn, message.kind, body, message.framework, message.at)

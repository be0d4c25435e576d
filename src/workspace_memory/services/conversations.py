"""Conversations: each keeps its workspace and its owner; every route by conversation takes the workspace from it.

A title is sealed: it is told to whoever brings an open key session, and is None for everybody else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from workspace_memory.crypto.errors import SealBroken
from workspace_memory.domain.access import Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.conversation import Conversation, checked_title
from workspace_memory.domain.document_errors import KeySessionRequired, KeyStoreDown
from workspace_memory.domain.errors import LevelTooLow, NotFound
from workspace_memory.domain.ids import ConversationId, ReceiptId, WorkspaceId
from workspace_memory.domain.receipt import Receipt
from workspace_memory.services.agent_calls import AgentCall, may_chat
from workspace_memory.services.authorization import (
    require_action,
    require_by_hand,
    require_chat,
    require_membership,
)
from workspace_memory.services.deps import Deps
from workspace_memory.services.seals import open_title, seal_title
from workspace_memory.services.session_keys import Keyring
from workspace_memory.storage.database import Transaction

PAGE_MAX = 200


@dataclass(frozen=True, slots=True)
class ShownConversation:
    """A conversation with its title, where that could be opened."""

    conversation: Conversation
    title: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """A member's conversations newest first; `next_before` is where the next page begins, or None."""

    conversations: Sequence[ShownConversation]
    next_before: ConversationId | None


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """Receipts in the order in which they were written; `next_after` is where the next page begins, or None."""

    receipts: Sequence[Receipt]
    next_after: ReceiptId | None


def create_conversation(deps: Deps, actor: Actor, workspace: WorkspaceId) -> Conversation:
    """Begin a conversation of the actor's own. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_chat(tx, actor, workspace)
        return tx.conversations.add(workspace, ConversationId(deps.new_id()), actor.user, at=deps.clock.now())


def list_conversations(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    before: ConversationId | None = None,
    limit: int = 50,
    key_session: bytes | None = None,
) -> ConversationPage:
    """The actor's own conversations, newest first. Raises: NotFound, Forbidden."""
    limit = max(1, min(limit, PAGE_MAX))
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        found = tx.conversations.page(workspace, actor.user, before=before, limit=limit + 1)
    more = len(found) > limit
    found = found[:limit]
    keyring = _open_keyring(deps, actor, workspace, key_session)
    shown = [ShownConversation(each, _title(keyring, each)) for each in found]
    return ConversationPage(shown, found[-1].id if more else None)


def get_conversation(
    deps: Deps, actor: Actor, conversation: ConversationId, *, key_session: bytes | None = None
) -> ShownConversation:
    """One conversation of the actor's own. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        found = require_conversation(tx, actor, conversation)
    return ShownConversation(found, _title(_open_keyring(deps, actor, found.workspace, key_session), found))


def rename_conversation(
    deps: Deps, actor: Actor, conversation: ConversationId, title: str, *, key_session: bytes | None
) -> ShownConversation:
    """Give a conversation of the actor's own another title, sealed.

    Raises: InvalidRequest, KeySessionRequired, KeyStoreDown, NotFound, Forbidden, LevelTooLow.
    """
    require_by_hand(actor)
    title = checked_title(title)
    with deps.database.read() as tx:
        workspace = require_conversation(tx, actor, conversation).workspace
    call = AgentCall(deps, actor, workspace, key_session, may_chat)
    keyring = call.open_keyring()
    with deps.database.begin() as tx:
        call.begin_write(tx, keyring)
        found = require_conversation(tx, actor, conversation)
        tx.conversations.set_title(found, seal_title(keyring.newest, conversation, title))
        return ShownConversation(require_conversation(tx, actor, conversation), title)


def delete_conversation(deps: Deps, actor: Actor, conversation: ConversationId) -> None:
    """Delete a conversation of the actor's own with its messages, turns and receipts; a running turn ends unkept.

    What its captures have written into the memory document stays, and so do its proposals. Raises: NotFound, Forbidden,
    LevelTooLow.
    """
    with deps.database.read() as tx:
        workspace = require_conversation(tx, actor, conversation).workspace
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.CHAT)
        tx.conversations.remove(require_conversation(tx, actor, conversation))


def list_receipts(
    deps: Deps,
    actor: Actor,
    conversation: ConversationId,
    *,
    after: ReceiptId | None = None,
    after_turn: int = 0,
    limit: int = 50,
) -> ReceiptPage:
    """Which revisions the conversation's turns after that number were given and made, for its owner.

    Raises: NotFound, Forbidden.
    """
    limit = max(1, min(limit, PAGE_MAX))
    with deps.database.read() as tx:
        found = require_conversation(tx, actor, conversation)
        receipts = tx.receipts.page(found, after=after, after_turn=after_turn, limit=limit + 1)
    more = len(receipts) > limit
    return ReceiptPage(receipts[:limit], receipts[limit - 1].id if more else None)


def require_conversation(tx: Transaction, actor: Actor, conversation: ConversationId) -> Conversation:
    """A conversation of the actor's own, in a workspace where the actor is an active member.

    Raises: NotFound for another's, exactly as for one that is not there; Forbidden.
    """
    found = tx.conversations.get(conversation)
    if found is None or found.owner != actor.user or actor.workspace not in {None, found.workspace}:
        raise NotFound("conversation")
    require_membership(tx, actor, found.workspace)
    return found


def _open_keyring(
    deps: Deps, actor: Actor, workspace: WorkspaceId, key_session: bytes | None
) -> Keyring | None:
    """The keys, where an open session came along; a list without titles is better than none."""
    if key_session is None:
        return None
    try:
        return AgentCall(deps, actor, workspace, key_session, may_chat).open_keyring()
    except (KeySessionRequired, KeyStoreDown, LevelTooLow):
        return None


def _title(keyring: Keyring | None, conversation: Conversation) -> str | None:
    if keyring is None or conversation.title is None:
        return None
    try:
        return open_title(keyring, conversation.workspace, conversation.id, conversation.title)
    except (KeySessionRequired, SealBroken):
        return None

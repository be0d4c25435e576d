"""Conversations: each keeps its workspace and its owner; every route by conversation takes the workspace from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.admission import Conversation
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import ConversationId, ReceiptId, WorkspaceId
from workspace_memory.domain.receipt import Receipt
from workspace_memory.services.authorization import require_chat, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction

PAGE_MAX = 200


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """A member's conversations newest first; `next_before` is where the next page begins, or None."""

    conversations: Sequence[Conversation]
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
) -> ConversationPage:
    """The actor's own conversations, newest first. Raises: NotFound, Forbidden."""
    limit = max(1, min(limit, PAGE_MAX))
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        found = tx.conversations.page(workspace, actor.user, before=before, limit=limit + 1)
    more = len(found) > limit
    return ConversationPage(found[:limit], found[limit - 1].id if more else None)


def list_receipts(
    deps: Deps,
    actor: Actor,
    conversation: ConversationId,
    *,
    after: ReceiptId | None = None,
    limit: int = 50,
) -> ReceiptPage:
    """Which revisions the conversation's turns were given and made, for its owner. Raises: NotFound, Forbidden."""
    limit = max(1, min(limit, PAGE_MAX))
    with deps.database.read() as tx:
        found = require_conversation(tx, actor, conversation)
        receipts = tx.receipts.page(found, after=after, limit=limit + 1)
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

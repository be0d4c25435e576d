"""What the Assistant has cost: a conversation for its owner, and the workspace's day for every member."""

from dataclasses import dataclass

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.ids import ConversationId, WorkspaceId
from workspace_memory.domain.turn import TurnUsage
from workspace_memory.services.authorization import require_membership
from workspace_memory.services.conversations import require_conversation
from workspace_memory.services.deps import Deps


@dataclass(frozen=True, slots=True)
class DayUsage:
    """What a workspace has used today, in UTC, and how many tokens a day allows; 0 for no limit."""

    today: TurnUsage
    tokens_per_day: int


def usage_of_day(deps: Deps, actor: Actor, workspace: WorkspaceId) -> DayUsage:
    """What the workspace has used today. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_membership(tx, actor, workspace)
        return DayUsage(
            tx.assistant_days.of(workspace, deps.clock.now().date()),
            tx.workspaces.settings(workspace).assistant_tokens_per_day,
        )


def usage_of_conversation(deps: Deps, actor: Actor, conversation: ConversationId) -> TurnUsage:
    """What the turns of the actor's own conversation have cost together. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        return tx.turns.cost_of(require_conversation(tx, actor, conversation))

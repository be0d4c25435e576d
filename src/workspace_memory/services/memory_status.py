"""What memory is to the caller at this moment: role, level, counts, the settings in force.

Counts are of what the caller may see, so that nothing can be learnt of other members' personal memory.
"""

from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.item import Scope, Status, WriteMode
from workspace_memory.services.authorization import require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.services.items import viewer
from workspace_memory.services.licences import has_memory
from workspace_memory.storage.items import Filter


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """`level` is the effective one: the member's or the workspace's default, capped by the credential.

    `licensed` tells whether memory may be used at all; without it the level is none.
    `company_pending` counts what waits for review: all of it for curators, else the caller's own proposals.
    `to_review` counts what the caller decides about, own held items included, `to_confirm` what is due to be confirmed.
    """

    role: Role
    licensed: bool
    level: AccessLevel
    default_access: AccessLevel
    write_mode: WriteMode
    personal_items: int
    personal_active: int
    company_active: int
    company_pending: int
    to_review: int
    to_confirm: int


def memory_status(deps: Deps, actor: Actor, workspace: WorkspaceId) -> MemoryStatus:
    """The caller's memory in a workspace. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        membership = require_membership(tx, actor, workspace)
        eyes = viewer(actor, membership)
        licensed = has_memory(deps, tx, workspace)
        settings = tx.workspaces.settings(workspace)
        own = Filter(scope=Scope.PERSONAL, status=Status.ACTIVE)
        active = Filter(scope=Scope.ORGANIZATION, status=Status.ACTIVE)
        pending = Filter(scope=Scope.ORGANIZATION, status=Status.PENDING)
        return MemoryStatus(
            role=membership.role,
            licensed=licensed,
            level=membership.level if licensed else AccessLevel.NONE,
            default_access=settings.default_access,
            write_mode=settings.write_mode,
            personal_items=tx.items.count_personal(workspace, actor.user),
            personal_active=tx.items.count_visible(workspace, eyes, own),
            company_active=tx.items.count_visible(workspace, eyes, active),
            company_pending=tx.items.count_visible(workspace, eyes, pending),
            to_review=tx.reviews.count_waiting(workspace, eyes),
            to_confirm=tx.reviews.count_due(workspace, eyes, today=deps.clock.now().date()),
        )

"""Who the actor is in a workspace, read in the call's own transaction. Every item and member service begins here."""

from workspace_memory.domain.access import (
    AccessLevel,
    Action,
    MemberStatus,
    Role,
    effective_level,
    may,
    offers,
    require_level,
    require_role,
)
from workspace_memory.domain.actor import Actor, Channel, Membership
from workspace_memory.domain.errors import Forbidden, NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.members import Standing


def find_membership(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> Membership:
    """The actor's membership, also a deactivated one.

    Raises: NotFound when the actor is no member or its token belongs to another workspace.
    """
    if actor.workspace is not None and actor.workspace != workspace:
        raise NotFound("workspace")
    standing = tx.members.standing(workspace, actor.user)
    if standing is None:
        raise NotFound("workspace")
    return membership_of(actor, workspace, standing)


def membership_of(actor: Actor, workspace: WorkspaceId, standing: Standing) -> Membership:
    """What the actor is in a workspace, from what was read of its member at this moment."""
    if not standing.active:
        return Membership(workspace, actor.user, standing.role, MemberStatus.DEACTIVATED, AccessLevel.NONE)
    level = effective_level(standing.memory_access, standing.default_access, actor.max_level)
    return Membership(workspace, actor.user, standing.role, MemberStatus.ACTIVE, level)


def require_membership(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> Membership:
    """The actor's active membership. Raises: NotFound; Forbidden when it is deactivated."""
    membership = find_membership(tx, actor, workspace)
    if membership.status is not MemberStatus.ACTIVE:
        raise Forbidden(
            need="your membership is deactivated; an administrator of the workspace can activate it"
        )
    return membership


def require_action(tx: Transaction, actor: Actor, workspace: WorkspaceId, action: Action) -> Membership:
    """The active membership of an actor whose role allows the action.

    A token acts by hand within its highest level: what changes anything for others needs `contribute`. An AI client
    decides about nothing, whoever owns it. Raises: NotFound, Forbidden, LevelTooLow.
    """
    membership = require_membership(tx, actor, workspace)
    require_by_hand(actor)
    require_role(membership.role, action)
    require_level(actor.max_level, AccessLevel.CONTRIBUTE)
    return membership


def require_chat(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> Membership:
    """The active membership of an actor who may begin turns: every member by hand, an AI client from level read on.

    What such a turn may write is asked where it writes. Raises: NotFound, Forbidden, LevelTooLow.
    """
    if actor.channel is Channel.PERSON:
        return require_action(tx, actor, workspace, Action.CHAT)
    membership = require_membership(tx, actor, workspace)
    require_level(membership.level, AccessLevel.READ)
    return membership


def require_by_hand(actor: Actor) -> None:
    """Raise Forbidden for an AI client, whoever owns it."""
    if actor.channel is Channel.CLIENT:
        raise Forbidden(need="this is done by hand, not through an AI client")


def require_use(actor: Actor, membership: Membership, needed: AccessLevel) -> None:
    """By level through an AI client, by the token's highest level by hand. Raises: LevelTooLow."""
    level = membership.level if actor.channel is Channel.CLIENT else actor.max_level
    require_level(level, needed)


def curates(actor: Actor, membership: Membership) -> bool:
    """Whether the actor handles company memory by hand; an AI client never does, whoever owns it."""
    return (
        actor.channel is Channel.PERSON
        and may(membership.role, Action.CURATE_COMPANY_ITEMS)
        and offers(actor.max_level, AccessLevel.CONTRIBUTE)
    )


def is_admin(membership: Membership) -> bool:
    """Whether the member is an admin."""
    return membership.role is Role.ADMIN

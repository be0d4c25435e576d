"""The audit log: read, verified and its head exported, by admins. Other use cases write to it in their transaction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.domain.access import Action
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction, AuditEvent, AuditHead, Broken, Verified, verify_chain
from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.services.authorization import require_action
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction

PAGE_MAX = 200
_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which events are wanted, newest first; None means any. `before` is the number where a page ended."""

    action: AuditAction | None = None
    actor: UserId | None = None
    subject: UserId | None = None
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Events newest first; `next_before` is where the next page begins, or None."""

    events: Sequence[AuditEvent]
    next_before: int | None


def record(
    deps: Deps,
    tx: Transaction,
    workspace: WorkspaceId,
    action: AuditAction,
    actor: Actor | None,
    *,
    subject: UserId | None = None,
    **facts: str | int | None,
) -> None:
    """Append an event under the workspace lock that the caller holds. `actor` is None on the machine itself.

    Facts are ids, codes, levels and counts, never a text of memory; one that is None is left out.
    """
    said = {name: fact for name, fact in facts.items() if fact is not None}
    if actor is not None and actor.token is not None:
        said.setdefault("by_token", actor.token)
    tx.audit.add(
        workspace,
        action,
        at=deps.clock.now(),
        actor=None if actor is None else actor.user,
        subject=subject,
        facts=said,
    )


def list_audit(deps: Deps, actor: Actor, workspace: WorkspaceId, query: AuditQuery) -> AuditPage:
    """A page of the log, for admins. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_action(tx, actor, workspace, Action.READ_AUDIT)
        return _page(tx, workspace, query)


def list_audit_here(deps: Deps, workspace: WorkspaceId, query: AuditQuery) -> AuditPage:
    """A page of the log, for somebody who holds the data folder."""
    with deps.database.read() as tx:
        return _page(tx, workspace, query)


def verify_audit(
    deps: Deps, actor: Actor, workspace: WorkspaceId, expected: AuditHead | None = None
) -> Verified | Broken:
    """Whether the chain is whole and contains the exported head, for admins.

    Raises: NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.read() as tx:
        require_action(tx, actor, workspace, Action.READ_AUDIT)
        return _verify(tx, workspace, expected)


def verify_audit_here(
    deps: Deps, workspace: WorkspaceId, expected: AuditHead | None = None
) -> Verified | Broken:
    """Whether the chain is whole, for somebody who holds the data folder."""
    with deps.database.read() as tx:
        return _verify(tx, workspace, expected)


def audit_head(deps: Deps, actor: Actor, workspace: WorkspaceId) -> AuditHead:
    """The newest event's number and hash, to be kept outside, for admins. Raises: NotFound, Forbidden, LevelTooLow."""
    with deps.database.read() as tx:
        require_action(tx, actor, workspace, Action.READ_AUDIT)
        return tx.audit.head(workspace)


def audit_head_here(deps: Deps, workspace: WorkspaceId) -> AuditHead:
    """The newest event's number and hash, for somebody who holds the data folder."""
    with deps.database.read() as tx:
        return tx.audit.head(workspace)


def _page(tx: Transaction, workspace: WorkspaceId, query: AuditQuery) -> AuditPage:
    limit = max(1, min(query.limit, PAGE_MAX))
    events = tx.audit.page(
        workspace,
        before=query.before,
        limit=limit + 1,
        action=query.action,
        actor=query.actor,
        subject=query.subject,
        since=query.since,
        until=query.until,
    )
    more = len(events) > limit
    return AuditPage(events[:limit], events[limit - 1].number if more else None)


def _verify(tx: Transaction, workspace: WorkspaceId, expected: AuditHead | None) -> Verified | Broken:
    return verify_chain(_all(tx, workspace), expected)


def _all(tx: Transaction, workspace: WorkspaceId) -> Iterator[AuditEvent]:
    after: int | None = None
    while events := tx.audit.following(workspace, after=after, limit=_BATCH):
        yield from events
        after = events[-1].number

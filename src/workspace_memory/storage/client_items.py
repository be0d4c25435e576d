"""What one token made: the items that it saved, and the items of others that it changed.

Ids and counts only, never a text; whose memory may be counted or undone is decided in `services/clients.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from workspace_memory.domain.ids import ItemId, TokenId, UserId, WorkspaceId
from workspace_memory.domain.item import Scope, Status
from workspace_memory.storage.tables import memory_item_history, memory_items


@dataclass(frozen=True, slots=True)
class Reach:
    """Which items of a token are meant: those of this person, the person's own proposals, all company items."""

    personal_of: UserId | None
    proposals_of: UserId | None
    company: bool


class ClientItems:
    """Reads of `memory_items` and `memory_item_history` by the token that wrote."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def company_items_by_token(self, workspace: WorkspaceId) -> Mapping[TokenId, int]:
        """How many company items each token has saved; personal ones are not counted for anybody else."""
        column = memory_items.c
        rows = self._connection.execute(
            select(column.token_id, func.count())
            .where(
                column.workspace_id == workspace,
                column.scope == Scope.ORGANIZATION.value,
                column.token_id.is_not(None),
            )
            .group_by(column.token_id)
        )
        return {row[0]: row[1] for row in rows}

    def made(
        self, workspace: WorkspaceId, token: TokenId, reach: Reach, *, since: datetime, limit: int
    ) -> list[tuple[ItemId, Scope]]:
        """Items that the token has saved since then, oldest first."""
        column = memory_items.c
        rows = self._connection.execute(
            select(column.id, column.scope)
            .where(
                column.workspace_id == workspace,
                column.token_id == token,
                column.created_at >= since,
                _within(reach),
            )
            .order_by(column.created_at, column.id)
            .limit(limit)
        )
        return [(row.id, Scope(row.scope)) for row in rows]

    def changed(
        self, workspace: WorkspaceId, token: TokenId, reach: Reach, *, since: datetime, limit: int
    ) -> list[tuple[ItemId, Scope]]:
        """Items with a version that the token has written since then, whose present text is still that version's.

        A text that somebody has written anew since is theirs, and is left alone.
        """
        column, history = memory_items.c, memory_item_history.c
        rows = self._connection.execute(
            select(column.id, column.scope)
            .where(
                column.workspace_id == workspace,
                _within(reach),
                select(history.version)
                .where(
                    history.workspace_id == column.workspace_id,
                    history.item_id == column.id,
                    history.version > 1,
                    history.token_id == token,
                    history.changed_at >= since,
                    history.content == column.content,
                )
                .exists(),
            )
            .order_by(column.created_at, column.id)
            .limit(limit)
        )
        return [(row.id, Scope(row.scope)) for row in rows]

    def version_before(
        self, workspace: WorkspaceId, item: ItemId, token: TokenId, *, since: datetime
    ) -> int | None:
        """The number of the last version before the token's first one since then; None when there is none."""
        history = memory_item_history.c
        of_item = and_(history.workspace_id == workspace, history.item_id == item)
        first = (
            select(func.min(history.version))
            .where(of_item, history.token_id == token, history.changed_at >= since)
            .scalar_subquery()
        )
        return self._connection.execute(
            select(func.max(history.version)).where(of_item, history.version < first)
        ).scalar()


def _within(reach: Reach) -> ColumnElement[bool]:
    column = memory_items.c
    personal = and_(column.scope == Scope.PERSONAL.value, column.owner_id == reach.personal_of)
    company = and_(column.scope == Scope.ORGANIZATION.value)
    if not reach.company:
        company = and_(company, column.author_id == reach.proposals_of, column.status == Status.PENDING.value)
    return or_(personal, company)

"""Answers kept under the caller's idempotency key, so that a repeated request is not carried out twice."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select

from workspace_memory.domain.ids import UserId, WorkspaceId
from workspace_memory.storage.prepared import Prepared, PreparedInsert
from workspace_memory.storage.search_sql import Single, Statement
from workspace_memory.storage.tables import idempotency_keys

_GET = Prepared(
    select(idempotency_keys.c.request_hash, idempotency_keys.c.answer).where(
        idempotency_keys.c.workspace_id == bindparam("workspace"),
        idempotency_keys.c.user_id == bindparam("user"),
        idempotency_keys.c.key_hash == bindparam("key_hash"),
        idempotency_keys.c.created_at > bindparam("since"),
    )
)
_FORGET = Statement("DELETE FROM idempotency_keys WHERE workspace_id = ? AND user_id = ? AND created_at <= ?")
_ADD = PreparedInsert(idempotency_keys)


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The answer to the first request, and the hash of that request."""

    request_hash: bytes
    answer: str


class IdempotencyKeys:
    """Rows of `idempotency_keys`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(
        self, workspace: WorkspaceId, user: UserId, key_hash: bytes, *, since: datetime
    ) -> KeptAnswer | None:
        """The answer kept under the key, unless it is older than `since`."""
        rows = _GET.rows(self._connection, workspace=workspace, user=user, key_hash=key_hash, since=since)
        return next((KeptAnswer(bytes(request_hash), answer) for request_hash, answer in rows), None)

    def remove_of_user(self, workspace: WorkspaceId, user: UserId) -> None:
        """Delete a user's answers, and with them the hashes of what was saved."""
        self._connection.execute(
            delete(idempotency_keys).where(
                idempotency_keys.c.workspace_id == workspace, idempotency_keys.c.user_id == user
            )
        )

    def add(
        self,
        workspace: WorkspaceId,
        user: UserId,
        key_hash: bytes,
        kept: KeptAnswer,
        *,
        at: datetime,
        forget_before: datetime,
    ) -> None:
        """Keep an answer, and drop the user's answers that are older than `forget_before`."""
        _FORGET.run(self._connection, workspace, user, forget_before)
        row: dict[str, Single | None] = {
            "workspace_id": workspace,
            "user_id": user,
            "key_hash": key_hash,
            "request_hash": kept.request_hash,
            "answer": kept.answer,
            "created_at": at,
        }
        _ADD.run(self._connection, [row])

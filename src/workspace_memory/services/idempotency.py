"""A request that is repeated under the caller's own key gets its first answer again and changes nothing.

What is kept is ids and outcomes, never a text, so that a forgotten item does not live on in an answer.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import timedelta

from workspace_memory.domain.actor import Actor
from workspace_memory.domain.errors import IdempotencyKeyReused
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.services.deps import Deps
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.idempotency import KeptAnswer

VALID_FOR = timedelta(hours=24)


class Replay:
    """The answer under one caller's key, within the transaction that does the work."""

    def __init__(
        self,
        deps: Deps,
        tx: Transaction,
        actor: Actor,
        workspace: WorkspaceId,
        key: str | None,
        request_hash: bytes,
        older_hashes: Collection[bytes] = (),
    ) -> None:
        """`older_hashes` are what the same request was kept under before a key changed."""
        self._tx = tx
        self._user = actor.user
        self._workspace = workspace
        self._now = deps.clock.now()
        self._key = None if key is None else hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        self._request_hash = request_hash
        self._known_as = {request_hash, *older_hashes}

    def find(self) -> Mapping[str, str] | None:
        """The first answer, or None without a key or for a new one. Raises: IdempotencyKeyReused."""
        if self._key is None:
            return None
        since = self._now - VALID_FOR
        kept = self._tx.idempotency.get(self._workspace, self._user, self._key, since=since)
        if kept is None:
            return None
        if kept.request_hash not in self._known_as:
            raise IdempotencyKeyReused
        return json.loads(kept.answer)

    def keep(self, answer: Mapping[str, str]) -> None:
        """Keep the answer for 24 hours."""
        if self._key is None:
            return
        kept = KeptAnswer(self._request_hash, json.dumps(answer))
        self._tx.idempotency.add(
            self._workspace, self._user, self._key, kept, at=self._now, forget_before=self._now - VALID_FOR
        )

"""One call of an agent with a key session: the key is borrowed before the transaction, and all is asked again in it.

The server sees the text of such a call, and nothing of it outlives the call. `session_keys.py` has the steps.
"""

from collections.abc import Callable
from dataclasses import dataclass

from workspace_memory.domain.access import AccessLevel, Action, require_role
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.services.authorization import require_chat, require_membership, require_use
from workspace_memory.services.deps import Deps
from workspace_memory.services.session_keys import Keyring, borrow_key, find_session, require_newest_key
from workspace_memory.storage.database import Transaction

Standing = Callable[[Transaction, Actor, WorkspaceId], None]
"""Raises unless the actor may do what the call is about."""


def may_read(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> None:
    """An active member whose level, or token, lets read. Raises: NotFound, Forbidden, LevelTooLow."""
    require_use(actor, require_membership(tx, actor, workspace), AccessLevel.READ)


def may_propose(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> None:
    """An active member, viewers too, whose level lets contribute. Raises: NotFound, Forbidden, LevelTooLow."""
    require_use(actor, require_membership(tx, actor, workspace), AccessLevel.CONTRIBUTE)


def may_write(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> None:
    """An editor or admin whose level lets contribute. Raises: NotFound, Forbidden, LevelTooLow."""
    membership = require_membership(tx, actor, workspace)
    require_role(membership.role, Action.WRITE_NOTES)
    require_use(actor, membership, AccessLevel.CONTRIBUTE)


def may_chat(tx: Transaction, actor: Actor, workspace: WorkspaceId) -> None:
    """An active member who may chat with the Assistant. Raises: NotFound, Forbidden, LevelTooLow."""
    require_chat(tx, actor, workspace)


@dataclass(frozen=True, slots=True)
class AgentCall:
    """Who asks, where, and with which key session's token, or None where none came along."""

    deps: Deps
    actor: Actor
    workspace: WorkspaceId
    token: bytes | None
    standing: Standing

    def require(self, tx: Transaction) -> None:
        """Raise unless the actor may, and has an open key session, by this transaction.

        Raises: KeySessionRequired, NotFound, Forbidden, LevelTooLow.
        """
        self.standing(tx, self.actor, self.workspace)
        find_session(self.deps, tx, self.actor.user, self.workspace, self.token)

    def open_keyring(self) -> Keyring:
        """The workspace's keys, for this call. Not within a transaction. Raises: as `require`; KeyStoreDown."""
        with self.deps.database.read() as tx:
            self.standing(tx, self.actor, self.workspace)
            session = find_session(self.deps, tx, self.actor.user, self.workspace, self.token)
            epochs = tx.workspace_keys.epochs(self.workspace)
        # `find_session` has refused a call without a token.
        return Keyring(borrow_key(self.deps.key_store, session, self.token or b""), epochs)

    def begin_write(self, tx: Transaction, keyring: Keyring) -> None:
        """Take the lock, and ask everything again: a revocation or a rotation may have come between.

        Raises: as `require`; KeySessionRequired also for a key that is not the newest any more.
        """
        tx.lock_workspace(self.workspace)
        self.require(tx)
        require_newest_key(tx, keyring.newest)

"""AI clients as an administrator sees them, and undoing what one of them wrote.

A client is a token. Undoing goes by the token that wrote, in the item and in each version of its history: what it
saved is deleted, what it changed is put back to the version before. Nothing of a personal item is shown, and none
is counted for anybody but its owner until it is gone. Works without a licence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from workspace_memory.domain.access import AccessLevel, Action, require_level
from workspace_memory.domain.account import Token
from workspace_memory.domain.actor import Actor, Membership
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import ItemId, ItemVersion, TokenId, UserId, WorkspaceId
from workspace_memory.domain.item import Scope
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import (
    curates,
    is_admin,
    require_action,
    require_by_hand,
    require_membership,
)
from workspace_memory.services.deps import Deps
from workspace_memory.services.items import Change, remove_item, write_version, writer
from workspace_memory.services.tokens import with_unwritten_uses
from workspace_memory.storage.client_items import Reach
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.items import Viewer

REMOVED_AT_ONCE_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Client:
    """A member's token, and how many company items it has saved; personal ones are nobody else's to count."""

    user: UserId
    user_name: str
    token: Token
    company_items: int


@dataclass(frozen=True, slots=True)
class Removal:
    """What was, or in a dry run would be, removed and put back; `more`: call again, for there was too much at once.

    The personal counts are None in a dry run for another member's token.
    """

    company_removed: int
    company_put_back: int
    personal_removed: int | None
    personal_put_back: int | None
    more: bool
    remains: str = ""


def list_clients(deps: Deps, actor: Actor, workspace: WorkspaceId) -> Sequence[Client]:
    """Every member's tokens, by member, the newest first: an admin. `tokens.revoke_token` cuts one off.

    Raises: NotFound, Forbidden, LevelTooLow.
    """
    with deps.database.read() as tx:
        require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        tokens = tx.tokens.of_workspace(workspace)
        names = tx.members.get_many(workspace, {token.user for token in tokens})
        counts = tx.client_items.company_items_by_token(workspace)
    return [
        Client(token.user, names[token.user].name, token, counts.get(token.id, 0))
        for token in with_unwritten_uses(deps, tokens)
    ]


def remove_from_client(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    token: TokenId,
    *,
    since: datetime,
    dry_run: bool = False,
) -> Removal:
    """Undo what one client wrote since then, at most 1,000 items at once; a dry run only counts.

    Items that it saved are deleted. Items that it changed get their last version before as a new version, unless
    somebody has written the text anew since. A member undoes the own tokens' personal items and pending proposals,
    a curator company items too, an admin whatever any member's token wrote.
    Raises: NotFound, Forbidden, LevelTooLow.
    """
    if dry_run:
        with deps.database.read() as tx:
            owner, reach = _require_reach(tx, actor, workspace, token)
            return _Undoing(deps, tx, actor, workspace, token, since, owner, reach).count()
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        owner, reach = _require_reach(tx, actor, workspace, token)
        removal = _Undoing(deps, tx, actor, workspace, token, since, owner, reach).carry_out()
    deps.database.forget_deleted()
    return replace(removal, remains=deps.database.deletion_remains)


def _require_reach(
    tx: Transaction, actor: Actor, workspace: WorkspaceId, token: TokenId
) -> tuple[UserId, Reach]:
    membership = require_membership(tx, actor, workspace)
    require_by_hand(actor)
    found = tx.tokens.get(workspace, token)
    if found is None or not (found.user == actor.user or is_admin(membership)):
        raise NotFound("token")
    require_level(actor.max_level, AccessLevel.CONTRIBUTE)
    return found.user, _reach(actor, membership, found.user)


def _reach(actor: Actor, membership: Membership, owner: UserId) -> Reach:
    return Reach(personal_of=owner, proposals_of=owner, company=curates(actor, membership))


class _Undoing:
    """Undoes what a token wrote, within one transaction."""

    def __init__(
        self,
        deps: Deps,
        tx: Transaction,
        actor: Actor,
        workspace: WorkspaceId,
        token: TokenId,
        since: datetime,
        owner: UserId,
        reach: Reach,
    ) -> None:
        self._deps = deps
        self._tx = tx
        self._actor = actor
        self._workspace = workspace
        self._token = token
        self._since = since
        self._owner = owner
        # The owner's own eyes see all that may be undone; nothing that they see leaves this class.
        self._eyes = Viewer(owner, curator=reach.company)
        limit = REMOVED_AT_ONCE_MAX + 1
        self._made = tx.client_items.made(workspace, token, reach, since=since, limit=limit)
        made = {item for item, _ in self._made}
        changed = tx.client_items.changed(workspace, token, reach, since=since, limit=limit)
        self._changed = [(item, scope) for item, scope in changed if item not in made]

    def count(self) -> Removal:
        """What `carry_out` would do."""
        put_back = [(item, scope) for item, scope in self._changed if self._earlier(item) is not None]
        own = self._owner == self._actor.user
        return Removal(
            _of(Scope.ORGANIZATION, self._made),
            _of(Scope.ORGANIZATION, put_back),
            _of(Scope.PERSONAL, self._made) if own else None,
            _of(Scope.PERSONAL, put_back) if own else None,
            self._more(),
        )

    def carry_out(self) -> Removal:
        """Delete and put back, and note the counts."""
        made = self._made[:REMOVED_AT_ONCE_MAX]
        changed = self._changed[: REMOVED_AT_ONCE_MAX - len(made)]
        for item, _ in made:
            remove_item(self._tx, self._workspace, item)
        put_back = [(item, scope) for item, scope in changed if self._put_back(item)]
        if any(scope is Scope.PERSONAL for _, scope in made):
            # They hold hashes of what was saved.
            self._tx.idempotency.remove_of_user(self._workspace, self._owner)
        removal = Removal(
            _of(Scope.ORGANIZATION, made),
            _of(Scope.ORGANIZATION, put_back),
            _of(Scope.PERSONAL, made),
            _of(Scope.PERSONAL, put_back),
            self._more(),
        )
        record(
            self._deps,
            self._tx,
            self._workspace,
            AuditAction.CLIENT_ITEMS_REMOVED,
            self._actor,
            subject=self._owner,
            token=self._token,
            since=self._since.isoformat(),
            company_removed=removal.company_removed,
            company_put_back=removal.company_put_back,
            personal_removed=removal.personal_removed,
            personal_put_back=removal.personal_put_back,
        )
        return removal

    def _more(self) -> bool:
        return len(self._made) + len(self._changed) > REMOVED_AT_ONCE_MAX

    def _earlier(self, item: ItemId) -> Change | None:
        """The last version before the token's, unless there is none or it is what stands there now."""
        found = self._tx.items.get_visible(self._workspace, item, self._eyes)
        number = self._tx.client_items.version_before(self._workspace, item, self._token, since=self._since)
        if found is None or number is None:
            return None
        history = self._tx.items.history(self._workspace, item)
        before = next((one for one in history if one.version == ItemVersion(number)), None)
        if before is None or (before.content, before.kind, before.tags) == (
            found.content,
            found.kind,
            found.tags,
        ):
            return None
        return Change(before.content, before.kind, before.tags)

    def _put_back(self, item: ItemId) -> bool:
        change = self._earlier(item)
        found = self._tx.items.get_visible(self._workspace, item, self._eyes)
        if change is None or found is None:
            return False
        # It stood there before, so that nobody has to approve it again.
        write_version(self._deps, self._tx, writer(self._actor), found, change, approved=True)
        return True


def _of(scope: Scope, items: Sequence[tuple[ItemId, Scope]]) -> int:
    return sum(one is scope for _, one in items)

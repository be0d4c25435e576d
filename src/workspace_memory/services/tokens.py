"""Personal access tokens: made, listed and revoked by their owner; admins see and revoke them too.

The secret is in the answer that made the token and nowhere else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from workspace_memory.crypto.tokens import TOKEN_PREFIX, new_secret, secret_hash
from workspace_memory.domain.access import AccessLevel, Action, may, offers
from workspace_memory.domain.account import Token, check_name
from workspace_memory.domain.actor import Actor, Surface
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import Forbidden, InvalidRequest, LevelTooLow, NotFound
from workspace_memory.domain.ids import TokenId, UserId, WorkspaceId
from workspace_memory.services.audit import record
from workspace_memory.services.authorization import require_action, require_membership
from workspace_memory.services.deps import Deps
from workspace_memory.services.screening import screened_name
from workspace_memory.storage.database import Transaction
from workspace_memory.storage.tokens import NewToken


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A new token with its secret, which is shown once."""

    token: Token
    secret: str


def make_token(
    deps: Deps,
    actor: Actor,
    workspace: WorkspaceId,
    *,
    name: str,
    max_level: AccessLevel,
    surface: Surface = Surface.ALL,
    expires_at: datetime | None = None,
) -> MadeToken:
    """A token for the actor. A token can make others, but none that may do more than itself.

    Raises: InvalidRequest, NotFound, Forbidden, LevelTooLow.
    """
    _check_level(max_level)
    name = screened_name(deps, name)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_membership(tx, actor, workspace)
        if not offers(actor.max_level, max_level):
            raise LevelTooLow(need=max_level.value)
        if actor.token is not None:
            own = tx.tokens.get(workspace, actor.token)
            if own is None or own.surface is Surface.MCP:
                raise Forbidden(need="a token for MCP clients cannot make tokens")
            if own.expires_at is not None and (expires_at is None or expires_at > own.expires_at):
                raise Forbidden(need="a token cannot make one that outlives it; sign in to make it")
        return issue_token(
            deps,
            tx,
            actor,
            workspace=workspace,
            user=actor.user,
            name=name,
            max_level=max_level,
            surface=surface,
            expires_at=expires_at,
        )


def make_token_here(
    deps: Deps,
    workspace: WorkspaceId,
    user: UserId,
    *,
    name: str,
    max_level: AccessLevel,
    surface: Surface = Surface.ALL,
    expires_at: datetime | None = None,
) -> MadeToken:
    """A token for a member, made by somebody who holds the data folder. Raises: InvalidRequest, NotFound."""
    _check_level(max_level)
    name = screened_name(deps, name)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        if tx.members.get(workspace, user) is None:
            raise NotFound("member")
        return issue_token(
            deps,
            tx,
            None,
            workspace=workspace,
            user=user,
            name=name,
            max_level=max_level,
            surface=surface,
            expires_at=expires_at,
        )


def issue_token(
    deps: Deps,
    tx: Transaction,
    actor: Actor | None,
    *,
    workspace: WorkspaceId,
    user: UserId,
    name: str,
    max_level: AccessLevel,
    surface: Surface,
    expires_at: datetime | None,
) -> MadeToken:
    """Insert a token under the workspace lock of a transaction that has checked who asks. Raises: InvalidRequest."""
    now = deps.clock.now()
    if expires_at is not None and expires_at <= now:
        raise InvalidRequest("expires_at", "must lie in the future")
    secret = new_secret(TOKEN_PREFIX)
    new = NewToken(
        workspace=workspace,
        id=TokenId(deps.new_id()),
        user=user,
        name=check_name(name),
        token_hash=secret_hash(secret),
        max_level=max_level,
        surface=surface,
        created_at=now,
        expires_at=expires_at,
    )
    tx.tokens.add(new)
    record(
        deps,
        tx,
        workspace,
        AuditAction.TOKEN_MADE,
        actor,
        subject=user,
        token=new.id,
        max_level=max_level.value,
        surface=surface.value,
    )
    return MadeToken(
        Token(workspace, new.id, user, new.name, max_level, surface, now, None, expires_at, None), secret
    )


def list_tokens(deps: Deps, actor: Actor, workspace: WorkspaceId, user: UserId | None = None) -> list[Token]:
    """A member's tokens (without `user` the actor's own), newest first: for the member and for admins.

    Raises: NotFound, Forbidden.
    """
    user = user or actor.user
    with deps.database.read() as tx:
        _require_token_access(tx, actor, workspace, user)
        tokens = tx.tokens.of_user(workspace, user)
    return with_unwritten_uses(deps, tokens)


def revoke_token(deps: Deps, actor: Actor, workspace: WorkspaceId, token: TokenId) -> None:
    """Make a token useless at once: by its owner or by an admin. Raises: NotFound, Forbidden."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        membership = require_membership(tx, actor, workspace)
        found = tx.tokens.get(workspace, token)
        own = found is not None and found.user == actor.user
        if found is None or not (own or may(membership.role, Action.MANAGE_MEMBERS)):
            raise NotFound("token")
        if not own:
            require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        _revoke(deps, tx, actor, found)


def list_tokens_here(deps: Deps, workspace: WorkspaceId, user: UserId) -> list[Token]:
    """A member's tokens, for somebody who holds the data folder."""
    with deps.database.read() as tx:
        return with_unwritten_uses(deps, tx.tokens.of_user(workspace, user))


def revoke_token_here(deps: Deps, workspace: WorkspaceId, token: TokenId) -> None:
    """Revoke any token, by somebody who holds the data folder. Raises: NotFound."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        found = tx.tokens.get(workspace, token)
        if found is None:
            raise NotFound("token")
        _revoke(deps, tx, None, found)


def _revoke(deps: Deps, tx: Transaction, actor: Actor | None, token: Token) -> None:
    if token.revoked_at is not None:
        return
    tx.tokens.revoke(token.workspace, token.id, at=deps.clock.now())
    record(deps, tx, token.workspace, AuditAction.TOKEN_REVOKED, actor, subject=token.user, token=token.id)


def _check_level(level: AccessLevel) -> None:
    if level is AccessLevel.INHERIT:
        raise InvalidRequest("max_level", "must be one of none, read, personal, contribute")


def _require_token_access(tx: Transaction, actor: Actor, workspace: WorkspaceId, user: UserId) -> None:
    membership = require_membership(tx, actor, workspace)
    if user != actor.user:
        if not may(membership.role, Action.MANAGE_MEMBERS):
            raise Forbidden(need="only admins may see other members' tokens")
        if tx.members.get(workspace, user) is None:
            raise NotFound("member")


def with_unwritten_uses(deps: Deps, tokens: Sequence[Token]) -> list[Token]:
    """The tokens with the uses that are noted in RAM alone."""
    shown: list[Token] = []
    for token in tokens:
        used_at = deps.last_used.get(token.workspace, token.id)
        shown.append(token if used_at is None else replace(token, last_used_at=used_at))
    return shown

"""A signed-in person about the own sessions: which there are, ending one, another password.

A token does none of it: whoever found one must not be able to throw its owner out.
"""

from datetime import datetime

from workspace_memory.crypto.passwords import hash_password
from workspace_memory.crypto.tokens import secret_hash
from workspace_memory.domain.account import SESSION_IDLE, SignInSession, check_password
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import Forbidden, NotAuthenticated, NotFound, SignInRefused
from workspace_memory.domain.ids import SignInId
from workspace_memory.domain.key_session import KeySessionWay
from workspace_memory.services.accounts import record_everywhere
from workspace_memory.services.authentication import prove_password
from workspace_memory.services.authorization import require_by_hand
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import end_key_sessions
from workspace_memory.services.session_keys import drop_keys
from workspace_memory.storage.database import Transaction


def list_sign_ins(deps: Deps, actor: Actor, present: str) -> list[SignInSession]:
    """The actor's sessions that go on, the last used first. `present` is the secret of the one that asks.

    Raises: Forbidden for a token.
    """
    _require_session(actor)
    with deps.database.read() as tx:
        found = _going_on(tx, actor, deps.clock.now())
    asking = secret_hash(present)
    return [
        SignInSession(name, began_at, last_seen_at, expires_at, present=key == asking)
        for name, (key, began_at, last_seen_at, expires_at) in found.items()
    ]


def end_sign_in(deps: Deps, actor: Actor, sign_in: SignInId) -> None:
    """End one of the actor's sessions, and as by signing out the key sessions that were opened in browsers.

    Raises: Forbidden for a token, NotFound.
    """
    _require_session(actor)
    with deps.database.begin() as tx:
        ended = end_key_sessions(deps, tx, actor, way=KeySessionWay.COOKIE)
        found = _going_on(tx, actor, deps.clock.now())
        if sign_in not in found:
            raise NotFound("session")
        tx.sign_ins.end(found[sign_in][0])
    drop_keys(deps.key_store, *ended)


def change_password(
    deps: Deps, actor: Actor, present: str, *, password: str, new_password: str, address: str = ""
) -> None:
    """Give the account another password, proved by the one that it has. Its other sessions end, key sessions too.

    `present` is the secret of the session that asks. An open link for a new password stops working.
    Raises: Forbidden for a token, InvalidRequest, SignInRefused, TooManyAttempts.
    """
    _require_session(actor)
    check_password(new_password, field="new_password")
    with deps.database.read() as tx:
        account = tx.accounts.get(actor.user)
    if account is None:
        raise NotAuthenticated
    proved = prove_password(deps, email=account.email, password=password, address=address)
    # Outside the transaction, since it takes a tenth of a second on purpose.
    password_hash = hash_password(new_password)
    with deps.database.begin() as tx:
        # Whoever knew the old password may have opened them.
        ended = end_key_sessions(deps, tx, actor)
        record_everywhere(deps, tx, AuditAction.PASSWORD_CHANGED, account.id, actor)
        current = tx.accounts.get(account.id)
        if current is None or current.password_hash != proved.password_hash:
            # It was changed between the proof and this transaction.
            raise SignInRefused
        tx.accounts.set_password(account.id, password_hash)
        tx.sign_ins.end_all(account.id, but=secret_hash(present))
        tx.links.withdraw_resets(account.id)
    drop_keys(deps.key_store, *ended)


def _require_session(actor: Actor) -> None:
    require_by_hand(actor)
    if actor.token is not None or actor.workspace is not None:
        raise Forbidden(need="a token cannot do this; sign in to do it")


def _going_on(
    tx: Transaction, actor: Actor, now: datetime
) -> dict[SignInId, tuple[bytes, datetime, datetime, datetime]]:
    found = tx.sign_ins.of_user(actor.user, at=now, idle_since=now - SESSION_IDLE)
    return {_name_of(each[0]): each for each in found}


def _name_of(token_hash: bytes) -> SignInId:
    """What a session is called by: 32 characters that neither open it nor are what is kept of it."""
    return SignInId(secret_hash(f"sign-in:{token_hash.hex()}")[:16].hex())

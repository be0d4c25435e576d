"""From a credential to an actor: personal access tokens and signed-in sessions.

An unknown user costs the same work and gets the same answer as a wrong password. After failures the next attempt
waits, per account and per network address, doubling each time.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from workspace_memory.crypto.passwords import verify_password
from workspace_memory.crypto.tokens import SESSION_PREFIX, new_secret, secret_hash
from workspace_memory.domain.account import (
    SESSION_ABSOLUTE,
    SESSION_IDLE,
    Account,
    AccountStatus,
    Token,
    Workspace,
    email_key,
)
from workspace_memory.domain.actor import Actor, Channel, Surface, source_name
from workspace_memory.domain.errors import NotAuthenticated, SignInRefused, TokenForMcpOnly, TooManyAttempts
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.key_session import KeySession, KeySessionWay
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import end_key_sessions
from workspace_memory.services.session_keys import drop_keys
from workspace_memory.storage.database import Transaction

FREE_FAILURES = 5
FIRST_DELAY = timedelta(seconds=1)
LONGEST_DELAY = timedelta(minutes=15)
# An address is shared by an office, so it is given more room than an account.
FREE_FAILURES_OF_ADDRESS = 20
# Failures in a row are over when nobody has tried for this long after the delay.
FORGOTTEN_AFTER = timedelta(hours=1)
_SEEN_AFRESH = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new session. `secret` is shown once and kept only as a hash."""

    secret: str
    user: UserId
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Self:
    """The signed-in account and its workspaces."""

    account: Account
    workspaces: tuple[Workspace, ...]


def authenticate_token(deps: Deps, secret: str, *, channel: Channel, source: str = "") -> Actor:
    """The actor behind a personal access token. `source` names the client; the token's own name is the default.

    Raises: NotAuthenticated; TokenForMcpOnly when such a token is used by hand.
    """
    with deps.database.read() as tx:
        token = tx.tokens.valid(secret_hash(secret), at=deps.clock.now())
    if token is None:
        raise NotAuthenticated
    return actor_of(deps, token, channel=channel, source=source)


def actor_of(deps: Deps, token: Token, *, channel: Channel, source: str = "") -> Actor:
    """The actor behind a token that was just found valid; its use is noted. Raises: TokenForMcpOnly."""
    if channel is Channel.PERSON and token.surface is Surface.MCP:
        raise TokenForMcpOnly
    deps.last_used.note(token.workspace, token.id, deps.clock.now())
    return Actor(
        user=token.user,
        channel=channel,
        source=source_name(source) or token.name,
        workspace=token.workspace,
        token=token.id,
        max_level=token.max_level,
    )


def authenticate_session(deps: Deps, secret: str) -> Actor:
    """The actor of a signed-in session, whose idle time begins anew. Raises: NotAuthenticated."""
    now = deps.clock.now()
    key = secret_hash(secret)
    with deps.database.read() as tx:
        found = tx.sign_ins.valid(key, at=now, idle_since=now - SESSION_IDLE)
    if found is None:
        raise NotAuthenticated
    user, seen_at = found
    if now - seen_at > _SEEN_AFRESH:
        with deps.database.begin() as tx:
            tx.sign_ins.touch(key, at=now)
    return Actor(user=user, channel=Channel.PERSON, source="session")


def sign_in(deps: Deps, *, email: str, password: str, address: str) -> SignedIn:
    """Start a session with e-mail address and password. `address` is the caller's network address.

    Raises: TooManyAttempts, SignInRefused.
    """
    account = prove_password(deps, email=email, password=password, address=address)
    with deps.database.begin() as tx:
        now = deps.clock.now()
        tx.sign_ins.end_expired(account.id, at=now, idle_since=now - SESSION_IDLE)
        return start_session(tx, account.id, now)


def prove_password(deps: Deps, *, email: str, password: str, address: str) -> Account:
    """The active account that this password belongs to; failures are counted and slow the next attempts down.

    Raises: TooManyAttempts, SignInRefused.
    """
    subjects = {
        _subject("account", email_key(email)): FREE_FAILURES,
        _subject("address", address): FREE_FAILURES_OF_ADDRESS,
    }
    with deps.database.read() as tx:
        _require_patience(tx, subjects, deps.clock.now())
        account = tx.accounts.by_email(email)
    # Outside any transaction, since it takes a tenth of a second on purpose.
    proved = verify_password(password, None if account is None else account.password_hash)
    with deps.database.begin() as tx:
        # So that of many attempts at once each sees the failures of those before it.
        tx.lock_instance()
        now = deps.clock.now()
        _require_patience(tx, subjects, now)
        # Read again: the account may have been deactivated, or its password changed, in the meantime.
        current = tx.accounts.by_email(email)
        if proved and account is not None and _still_proved(account, current):
            for subject in subjects:
                tx.sign_ins.clear_failures(subject)
            return account
        tx.sign_ins.forget_failures(blocked_before=now - FORGOTTEN_AFTER)
        for subject, free in subjects.items():
            _count_failure(tx, subject, free, now)
    # Outside the transaction, which an exception would roll back together with the count.
    raise SignInRefused


def start_session(tx: Transaction, user: UserId, now: datetime) -> SignedIn:
    """Insert a session for a user whose identity was just proved."""
    secret = new_secret(SESSION_PREFIX)
    tx.sign_ins.add(secret_hash(secret), user, at=now, expires_at=now + SESSION_ABSOLUTE)
    return SignedIn(secret, user, now + SESSION_ABSOLUTE)


def sign_out(deps: Deps, secret: str) -> None:
    """End the session, and the key sessions that its user opened in browsers; an unknown one is no error."""
    key = secret_hash(secret)
    ended: list[KeySession] = []
    with deps.database.begin() as tx:
        user = tx.sign_ins.owner(key)
        if user is not None:
            actor = Actor(user=user, channel=Channel.PERSON, source="session")
            ended = end_key_sessions(deps, tx, actor, way=KeySessionWay.COOKIE)
            tx.sign_ins.end(key)
    drop_keys(deps.key_store, *ended)


def who_am_i(deps: Deps, actor: Actor) -> Self:
    """The actor's account and the workspaces that its credential reaches. Raises: NotAuthenticated."""
    with deps.database.read() as tx:
        account = tx.accounts.get(actor.user)
        if account is None:
            raise NotAuthenticated
        workspaces = tx.workspaces.of_user(actor.user)
    reached = tuple(w for w in workspaces if actor.workspace in (None, w.id))
    return Self(replace(account, password_hash=None), reached)


def _subject(what: str, name: str) -> bytes:
    return secret_hash(f"{what}:{name}")


def _still_proved(account: Account, current: Account | None) -> bool:
    return (
        current is not None
        and current.status is AccountStatus.ACTIVE
        and current.password_hash == account.password_hash
    )


def _require_patience(tx: Transaction, subjects: dict[bytes, int], now: datetime) -> None:
    for subject in subjects:
        failed = tx.sign_ins.failures(subject)
        # A block that lies further ahead is of a clock that was set back since, and would last for ever.
        if failed is not None and now < failed[1] <= now + LONGEST_DELAY:
            raise TooManyAttempts(retry_after=max(1, int((failed[1] - now).total_seconds() + 0.999)))


def _count_failure(tx: Transaction, subject: bytes, free: int, now: datetime) -> None:
    known = tx.sign_ins.failures(subject)
    failures = 1 if known is None or now - known[1] > FORGOTTEN_AFTER else known[0] + 1
    delay = timedelta(0)
    if failures >= free:
        delay = min(FIRST_DELAY * 2 ** min(failures - free, 20), LONGEST_DELAY)
    tx.sign_ins.set_failures(subject, failures, blocked_until=now + delay)

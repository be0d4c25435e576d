"""A person's own keys: set up once, wrapped anew, replaced where they are lost. By hand only.

The server keeps what the client sealed and can open none of it. It refuses what no sound client makes: other lengths,
too little work for a passphrase, and so much that a client would stall on it.
"""

from dataclasses import replace

from workspace_memory.crypto.errors import WeakParameters
from workspace_memory.crypto.key_wrapping import is_signed_by
from workspace_memory.crypto.passphrases import CEILING, FLOOR, SALT_BYTES, PassphraseWork, require_sound
from workspace_memory.crypto.user_keys import PublicKeys
from workspace_memory.domain.access import AccessLevel, require_level
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.document_errors import KeysExist, KeysMissing
from workspace_memory.domain.errors import (
    Forbidden,
    InvalidRequest,
    NotAuthenticated,
    NotFound,
    VersionMismatch,
)
from workspace_memory.domain.key_session import KeySession
from workspace_memory.domain.user_key import PublicPair, UserKeyRecord, Wrapping
from workspace_memory.services.audit import record
from workspace_memory.services.authentication import prove_password
from workspace_memory.services.authorization import require_by_hand
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import end_key_access, lock_memberships
from workspace_memory.services.session_keys import drop_keys

PUBLIC_BYTES = 32
WRAPPED_BYTES = 12 + 64 + 16
SIGNATURE_BYTES = 64


def get_own_keys(deps: Deps, actor: Actor) -> UserKeyRecord:
    """The actor's keys. Raises: NotFound before they are set up; Forbidden, LevelTooLow."""
    _require_own_hand(actor, AccessLevel.READ)
    with deps.database.read() as tx:
        found = tx.user_keys.get(actor.user)
    if found is None:
        raise NotFound("key pair")
    return found


def create_keys(deps: Deps, actor: Actor, public: PublicPair, wrapping: Wrapping) -> UserKeyRecord:
    """Store the actor's first keys. Raises: KeysExist, InvalidRequest, Forbidden, LevelTooLow."""
    _require_own_hand(actor, AccessLevel.CONTRIBUTE)
    _check_public(public)
    _check_wrapping(wrapping)
    with deps.database.begin() as tx:
        tx.lock_instance()
        if tx.user_keys.get(actor.user) is not None:
            raise KeysExist
        now = deps.clock.now()
        made = UserKeyRecord(actor.user, 1, public, wrapping, now, now)
        tx.user_keys.add(made)
    return made


def rewrap_keys(
    deps: Deps, actor: Actor, *, version: int, wrapping: Wrapping, signature: bytes
) -> UserKeyRecord:
    """Store the same keys under another passphrase or recovery key, against the version that was read.

    `signature` proves that whoever wrapped them had opened them. Each workspace of the account notes it, since whoever
    sits at open keys could do it. Raises: KeysMissing, VersionMismatch, InvalidRequest,
    Forbidden, LevelTooLow.
    """
    _require_own_hand(actor, AccessLevel.CONTRIBUTE)
    _check_wrapping(wrapping)
    _require_length("signature", signature, SIGNATURE_BYTES)
    with deps.database.begin() as tx:
        workspaces = lock_memberships(tx, actor.user)
        held = tx.user_keys.get(actor.user)
        if held is None:
            raise KeysMissing(actor.user)
        if held.version != version:
            raise VersionMismatch(held.version)
        public = PublicKeys(held.public.x25519, held.public.ed25519)
        if not is_signed_by(public, actor.user, version, wrapping, signature):
            raise InvalidRequest("signature", "is not made with the signing key of these keys")
        changed = replace(held, version=version + 1, wrapping=wrapping, updated_at=deps.clock.now())
        tx.user_keys.set(changed)
        for workspace in workspaces:
            record(deps, tx, workspace, AuditAction.USER_KEYS_REWRAPPED, actor, subject=actor.user)
    return changed


def replace_keys(
    deps: Deps,
    actor: Actor,
    public: PublicPair,
    wrapping: Wrapping,
    *,
    password: str,
    address: str = "",
) -> UserKeyRecord:
    """Give the actor other keys, since passphrase and recovery key are lost; proved by the account's password.

    All grants of the actor and all key sessions end in every workspace, as if the actor had left: who joined anew waits
    for a key, and where the actor held one a new epoch is due, for nobody knows who has the lost keys.
    Raises: Forbidden for a token, SignInRefused, TooManyAttempts, KeysMissing, InvalidRequest.
    """
    require_by_hand(actor)
    if actor.token is not None or actor.workspace is not None:
        raise Forbidden(need="a token cannot replace the keys of the account; sign in to do it")
    _check_public(public)
    _check_wrapping(wrapping)
    with deps.database.read() as tx:
        account = tx.accounts.get(actor.user)
    if account is None:
        raise NotAuthenticated
    prove_password(deps, email=account.email, password=password, address=address)
    ended: list[KeySession] = []
    with deps.database.begin() as tx:
        workspaces = lock_memberships(tx, actor.user)
        held = tx.user_keys.get(actor.user)
        if held is None:
            raise KeysMissing(actor.user)
        if public == held.public:
            raise InvalidRequest("public_keys", "must be new ones; the same keys are wrapped anew instead")
        now = deps.clock.now()
        made = UserKeyRecord(actor.user, held.version + 1, public, wrapping, now, now)
        tx.user_keys.set(made)
        for workspace in workspaces:
            ended += end_key_access(deps, tx, actor, workspace, actor.user)
            record(deps, tx, workspace, AuditAction.USER_KEYS_REPLACED, actor, subject=actor.user)
    drop_keys(deps.key_store, *ended)
    return made


def _require_own_hand(actor: Actor, level: AccessLevel) -> None:
    require_by_hand(actor)
    require_level(actor.max_level, level)


def _check_public(public: PublicPair) -> None:
    _require_length("public_keys.x25519", public.x25519, PUBLIC_BYTES)
    _require_length("public_keys.ed25519", public.ed25519, PUBLIC_BYTES)


def _check_wrapping(wrapping: Wrapping) -> None:
    _require_length("wrapping.salt", wrapping.salt, SALT_BYTES)
    _require_length("wrapping.wrapped", wrapping.wrapped, WRAPPED_BYTES)
    _require_length("wrapping.recovery_wrapped", wrapping.recovery_wrapped, WRAPPED_BYTES)
    try:
        require_sound(wrapping.salt, PassphraseWork(wrapping.memory_kib, wrapping.passes, wrapping.lanes))
    except WeakParameters:
        raise InvalidRequest(
            "wrapping",
            f"Argon2id needs {FLOOR.memory_kib} to {CEILING.memory_kib} KiB, {FLOOR.passes} to {CEILING.passes} passes "
            f"and {FLOOR.lanes} to {CEILING.lanes} lanes",
        ) from None


def _require_length(field: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise InvalidRequest(field, f"must have {length} bytes, not {len(value)}")

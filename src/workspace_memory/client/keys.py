"""The client's half of the keys: everything that the service must not be able to do is done, or refused, here.

    holder = Keyholder(memory, KnownKeys(path, server=memory.url))
    recovery_key = holder.set_up_keys(passphrase)      # once; shown, and kept nowhere
    holder.unlock(passphrase)
    holder.start_workspace_key()                       # or wait for a grant
    holder.grant(user_id, confirm)                     # after comparing the fingerprint
    token = holder.open_key_session("laptop")

What the service answers is a claim. Own keys are proved by the passphrase, others' by what `KnownKeys` remembers, a
workspace key by the signature of its granter and by its check value. docs/explanation/encryption.md has the whole.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from workspace_memory.client.key_answers import (
    KeyMember,
    KeySession,
    OwnGrant,
    OwnKeys,
    WorkspaceKeys,
    to_text,
)
from workspace_memory.client.key_answers import PublicPair as ShownPair
from workspace_memory.client.key_errors import (
    KeyDistrusted,
    KeysLocked,
    NotConfirmed,
    RecoveryKeyMistyped,
    WaitingForKey,
    WrongSecret,
)
from workspace_memory.client.known_keys import BEGUN_ANEW, CHAINED, EPOCH, KnownKeys
from workspace_memory.client.workspace_memory import WorkspaceMemory
from workspace_memory.crypto import errors as crypto_errors
from workspace_memory.crypto.grants import Grant, make_grant, open_grant
from workspace_memory.crypto.key_wrapping import sign_wrapping
from workspace_memory.crypto.passphrases import FLOOR, PassphraseWork
from workspace_memory.crypto.recovery_keys import RecoveryKey, new_recovery_key, read_recovery_key
from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session, write_session_token
from workspace_memory.crypto.user_keys import (
    PublicKeys,
    UserKeys,
    WrappedKeys,
    new_user_keys,
    unwrap_by_recovery,
    unwrap_keys,
    wrap_for_recovery,
    wrap_keys,
)
from workspace_memory.crypto.workspace_keys import (
    FIRST_EPOCH,
    WorkspaceKey,
    check_value,
    new_workspace_key,
    open_chain,
    proves,
    sign_check,
    wrap_older,
)
from workspace_memory.domain.access import Role
from workspace_memory.domain.document_errors import EpochConflict, KeysMissing, KeyStillHeld
from workspace_memory.domain.errors import InvalidRequest, NotFound
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.user_key import PublicPair, Wrapping


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A member as shown for confirmation; `known` says that this client has trusted the very same keys before."""

    user: UserId
    name: str
    email: str
    role: Role
    fingerprint: str
    known: bool


def fingerprint_of(pair: ShownPair) -> str:
    """The fingerprint of somebody's public keys, as the service tells them."""
    return PublicKeys(pair.x25519, pair.ed25519).fingerprint()


Confirm = Callable[[Acquaintance], bool]
"""Shows somebody's name and fingerprint to a person, who says whether it is right."""


class Keyholder:
    """A person's keys in a client, opened by `set_up_keys`, `unlock` or `unlock_by_recovery`, and what they open.

    All methods can raise what the calls raise, KeyDistrusted and KnownKeysUnreadable; those that need the own keys
    KeysLocked.
    """

    def __init__(self, memory: WorkspaceMemory, known: KnownKeys, *, work: PassphraseWork = FLOOR) -> None:
        self._memory = memory
        self._known = known
        self._work = work
        self._keys: UserKeys | None = None
        self._user: UserId | None = None

    # --- Own keys --------------------------------------------------------------------------------------------

    @property
    def known(self) -> KnownKeys:
        """What this client remembers of people and of how far things had come."""
        return self._known

    @property
    def user(self) -> UserId:
        """Whose keys they are."""
        if self._user is None:
            self._user = self._memory.me().user_id
        return self._user

    def has_keys(self) -> bool:
        """Whether the service keeps keys of this person."""
        try:
            self._memory.own_keys()
        except NotFound:
            return False
        return True

    def set_up_keys(self, passphrase: str) -> str:
        """Make the own keys and store them sealed; the recovery key, to be written down. Raises: KeysExist."""
        keys, recovery, wrapping = self._made(passphrase)
        self._memory.create_keys(_pair(keys), wrapping)
        self._opened(keys)
        return recovery.written()

    def unlock(self, passphrase: str) -> None:
        """Open the own keys. Raises: WrongSecret, KeyDistrusted for parameters that no client follows, NotFound."""
        record = self._memory.own_keys()
        with _translated():
            self._opened(unwrap_keys(_wrapped(record), self.user, passphrase))

    def unlock_by_recovery(self, written: str) -> None:
        """Open the own keys by the recovery key. Then `change_passphrase`. Raises: RecoveryKeyMistyped, WrongSecret."""
        with _translated():
            recovery = read_recovery_key(written)
        record = self._memory.own_keys()
        with _translated():
            public = _public(record.public_keys)
            keys = unwrap_by_recovery(record.wrapping.recovery_wrapped, self.user, public, recovery)
            self._opened(keys)

    def change_passphrase(self, passphrase: str) -> None:
        """Seal the open keys under another passphrase; the recovery key stays. Raises: VersionMismatch."""
        keys, record = self._open_keys(), self._same_record()
        with _translated():
            wrapped = wrap_keys(keys, self.user, passphrase, work=self._work)
        self._rewrap(record, _wrapping(wrapped, record.wrapping.recovery_wrapped))

    def new_recovery_key(self) -> str:
        """Another recovery key in place of the one before, to be written down. Raises: VersionMismatch."""
        keys, record = self._open_keys(), self._same_record()
        recovery = new_recovery_key()
        sealed = wrap_for_recovery(keys, self.user, recovery)
        self._rewrap(record, _wrapping(_wrapped(record), sealed))
        return recovery.written()

    def replace_keys(self, passphrase: str, *, password: str) -> str:
        """Other keys, where passphrase and recovery key are lost; the new recovery key. For a client that signed in.

        The person then waits for the key in every workspace. Raises: SignInRefused, KeysMissing.
        """
        keys, recovery, wrapping = self._made(passphrase)
        self._memory.store_other_keys(_pair(keys), wrapping, password=password)
        self._opened(keys)
        return recovery.written()

    def lock(self) -> None:
        """Forget the open keys."""
        self._keys = None

    def fingerprint(self) -> str:
        """What others compare with what their clients show of this person."""
        return self._open_keys().public.fingerprint()

    # --- The workspace key -----------------------------------------------------------------------------------

    def state(self) -> WorkspaceKeys:
        """The workspace key as the service tells it, not older than this client has seen. Raises: ServerRolledBack."""
        seen = self._known.mark(self._memory.workspace, EPOCH)
        state = self._memory.workspace_keys()
        self._known.advance(self._memory.workspace, EPOCH, state.epoch, seen=seen)
        return state

    def start_workspace_key(self, *, lost_epoch: int | None = None) -> WorkspaceKey:
        """Make the first key of the workspace, or the one after `lost_epoch`, which nobody holds any more.

        What was sealed until then can never be read after that, so that a person has to have agreed.
        Raises: EpochConflict when there is another one than `lost_epoch`; KeyStillHeld.
        """
        keys, state = self._open_keys(), self.state()
        if state.epoch != (lost_epoch or 0):
            raise EpochConflict(state.epoch)
        if state.epoch and not state.nobody_holds:
            raise KeyStillHeld
        key = new_workspace_key(self._memory.workspace, state.epoch + 1)
        check = check_value(key)
        self._memory.post_first_key(
            check=check,
            signature=sign_check(keys, key.workspace, key.epoch, check),
            grant=self._grant_json(key, self.user, keys.public),
            lost_epoch=lost_epoch,
        )
        self._known.advance(key.workspace, EPOCH, key.epoch, seen=0)
        return key

    def workspace_key(self) -> WorkspaceKey:
        """The newest key, opened out of the own grant. Raises: WaitingForKey, KeyDistrusted, PinnedKeyChanged."""
        return self._newest(self.state())

    def keyring(self) -> Mapping[int, WorkspaceKey]:
        """Every key of the workspace by its epoch, down to where it was begun anew. Raises: as `workspace_key`."""
        state = self.state()
        newest, first = self._newest(state), state.first_readable
        self._require_unbroken(state, first)
        sealed = {each.epoch - 1: each.older_sealed for each in state.epochs if each.older_sealed is not None}
        with _translated():
            ring = open_chain(newest, sealed, first=first)
        for each in state.epochs:
            if each.epoch in ring and not proves(ring[each.epoch], each.check_value):
                raise KeyDistrusted(
                    f"the key of epoch {each.epoch} is not the one that its check value proves"
                )
        self._known.advance(newest.workspace, BEGUN_ANEW, first, seen=0)
        if newest.epoch > first:
            self._known.advance(newest.workspace, CHAINED, newest.epoch, seen=0)
        return ring

    def grant(self, member: str, confirm: Confirm) -> None:
        """Pass the workspace key on to a member, whose name and fingerprint are shown first.

        Raises: NotFound, KeysMissing, PinnedKeyChanged, NotConfirmed, WaitingForKey.
        """
        state = self.state()
        key = self._newest(state)
        found = _member_of(state, member)
        public = self._confirmed(found, confirm, always=True)
        self._memory.post_grant(epoch=key.epoch, grant=self._grant_json(key, found.user_id, public))

    def trust_again(self, member: str, confirm: Confirm) -> None:
        """Trust the other keys that a member has now, after their fingerprint was compared. Raises: NotConfirmed."""
        found = _member_of(self.state(), member)
        public = _public_of(found)
        if not confirm(_acquaintance(found, public, known=False)):
            raise NotConfirmed(found.name)
        self._known.accept(found.user_id, public)

    def rotate(self, confirm: Confirm, *, even_if_not_due: bool = False) -> WorkspaceKey:
        """Make the next key for all who hold the present one, if one is due; the newest key then.

        Who is not known to this client yet is shown first: the service could have made somebody up.
        Raises: EpochConflict when another client was first, KeyHoldersChanged, PinnedKeyChanged, NotConfirmed.
        """
        keys, state = self._open_keys(), self.state()
        older = self._newest(state)
        if not (state.rotation_due or even_if_not_due):
            return older
        key = new_workspace_key(older.workspace, older.epoch + 1)
        grants = [self._grant_json(key, self.user, keys.public)]
        for each in state.members:
            if each.standing == "holds" and each.user_id != self.user:
                public = self._confirmed(each, confirm, always=False)
                grants.append(self._grant_json(key, each.user_id, public))
        check = check_value(key)
        self._memory.post_next_key(
            epoch=key.epoch,
            check=check,
            signature=sign_check(keys, key.workspace, key.epoch, check),
            older_sealed=wrap_older(key, older),
            grants=grants,
        )
        self._known.advance(key.workspace, EPOCH, key.epoch, seen=0)
        return key

    def open_key_session(self, name: str) -> str:
        """Let the service use the workspace key for a while: the token, to be sent as X-Key-Session.

        Raises: as `begin_key_session`.
        """
        return self.begin_key_session(name)[1]

    def begin_key_session(self, name: str) -> tuple[KeySession, str]:
        """The same: the session, by which it is revoked, and its token.

        Raises: WaitingForKey, EpochConflict, KeyStoreDown, RateLimited.
        """
        key, token = self.workspace_key(), new_session_token()
        written = write_session_token(token)
        sealed = seal_for_session(key, token, self.user)
        session = self._memory.post_key_session(name=name, epoch=key.epoch, sealed=sealed, token=written)
        return session, written

    # --- Within ----------------------------------------------------------------------------------------------

    def _made(self, passphrase: str) -> tuple[UserKeys, RecoveryKey, Wrapping]:
        keys, recovery = new_user_keys(), new_recovery_key()
        with _translated():
            wrapped = wrap_keys(keys, self.user, passphrase, work=self._work)
        return keys, recovery, _wrapping(wrapped, wrap_for_recovery(keys, self.user, recovery))

    def _opened(self, keys: UserKeys) -> None:
        # Proved by the passphrase or recovery key, which is more than any memory of this client.
        self._known.accept(self.user, keys.public)
        self._keys = keys

    def _open_keys(self) -> UserKeys:
        if self._keys is None:
            raise KeysLocked
        return self._keys

    def _same_record(self) -> OwnKeys:
        """The stored keys, if they are those that are open here."""
        record = self._memory.own_keys()
        if _public(record.public_keys) != self._open_keys().public:
            raise KeyDistrusted("the stored keys are not those that you opened")
        return record

    def _rewrap(self, record: OwnKeys, wrapping: Wrapping) -> None:
        signature = sign_wrapping(self._open_keys(), self.user, record.version, wrapping)
        self._memory.rewrap_keys(record.version, wrapping, signature)

    def _newest(self, state: WorkspaceKeys) -> WorkspaceKey:
        keys = self._open_keys()
        if state.own_grant is None or not state.epochs:
            holders = (each for each in state.members if each.standing == "holds")
            raise WaitingForKey(
                tuple(f"{each.name} <{each.email}>" for each in holders), lost=state.nobody_holds
            )
        own = state.own_grant
        granter = self._granter(state, own)
        with _translated():
            key = open_grant(
                Grant(own.sealed, own.signature),
                workspace=self._memory.workspace,
                epoch=state.epoch,
                member=self.user,
                member_keys=keys,
                granter=own.granter_id,
                granter_keys=granter,
            )
        if state.epochs[0].epoch != state.epoch or not proves(key, state.epochs[0].check_value):
            raise KeyDistrusted("the granted key is not the one that the workspace's check value proves")
        return key

    def _require_unbroken(self, state: WorkspaceKeys, first: int) -> None:
        """Raise KeyDistrusted for epochs that are left out, or said to be lost after they were opened here."""
        numbers = [each.epoch for each in state.epochs]
        if len(numbers) != state.epoch or numbers != list(range(len(numbers), 0, -1)):
            raise KeyDistrusted("something sealed was changed, moved or left out")
        known = max(self._known.mark(self._memory.workspace, BEGUN_ANEW), FIRST_EPOCH)
        if known < first <= self._known.mark(self._memory.workspace, CHAINED):
            raise KeyDistrusted(
                f"the keys before epoch {first} are said to be lost, but this client has opened them from there"
            )

    def _granter(self, state: WorkspaceKeys, own: OwnGrant) -> PublicKeys:
        """The keys by which the granter is known here; a grant is signed with the Ed25519 one."""
        if own.granter_id == self.user:
            return self._open_keys().public
        present = next((each for each in state.members if each.user_id == own.granter_id), None)
        _require_key(own.granter_ed25519)
        self._known.require_signer(
            own.granter_id,
            "somebody who has left" if present is None else present.name,
            own.granter_ed25519,
        )
        # The other half checks no signature, and the granter may be gone or have other keys since.
        return PublicKeys(bytes(32), own.granter_ed25519)

    def _confirmed(self, member: KeyMember, confirm: Confirm, *, always: bool) -> PublicKeys:
        """The member's keys, known or confirmed by the person. Raises: PinnedKeyChanged, NotConfirmed."""
        public = _public_of(member)
        self._known.require(member.user_id, member.name, public)
        known = self._known.accepted(member.user_id) is not None
        if (always or not known) and not confirm(_acquaintance(member, public, known=known)):
            raise NotConfirmed(member.name)
        self._known.accept(member.user_id, public)
        return public

    def _grant_json(self, key: WorkspaceKey, member: UserId, public: PublicKeys) -> Mapping[str, object]:
        with _translated():
            grant = make_grant(
                key,
                member=member,
                member_keys=public,
                granter=self.user,
                granter_keys=self._open_keys(),
            )
        return {
            "member_id": member,
            "member_public": to_text(public.x25519),
            "sealed": to_text(grant.sealed),
            "signature": to_text(grant.signature),
        }


@contextmanager
def _translated() -> Generator[None]:
    """Errors of the cryptography as the client's own, which carry a code and say what to do."""
    try:
        yield
    except crypto_errors.RecoveryKeyMistyped as error:
        raise RecoveryKeyMistyped(str(error)) from None
    except crypto_errors.WrongKey:
        raise WrongSecret from None
    except (crypto_errors.WeakParameters, crypto_errors.GrantRefused) as error:
        raise KeyDistrusted(str(error).rstrip(".")) from None
    except crypto_errors.SealBroken:
        raise KeyDistrusted("something sealed was changed, moved or left out") from None
    except crypto_errors.NotText:
        raise InvalidRequest("passphrase", "is not valid Unicode") from None


def _wrapped(record: OwnKeys) -> WrappedKeys:
    sealed = record.wrapping
    work = PassphraseWork(sealed.memory_kib, sealed.passes, sealed.lanes)
    return WrappedKeys(_public(record.public_keys), sealed.salt, work, sealed.wrapped)


def _wrapping(wrapped: WrappedKeys, recovery_wrapped: bytes) -> Wrapping:
    work = wrapped.work
    return Wrapping(wrapped.salt, work.memory_kib, work.passes, work.lanes, wrapped.wrapped, recovery_wrapped)


def _pair(keys: UserKeys) -> PublicPair:
    return PublicPair(keys.public.x25519, keys.public.ed25519)


def _public(pair: ShownPair) -> PublicKeys:
    for raw in (pair.x25519, pair.ed25519):
        _require_key(raw)
    return PublicKeys(pair.x25519, pair.ed25519)


def _require_key(raw: bytes) -> None:
    if len(raw) != 32:
        raise KeyDistrusted("a public key does not have 32 bytes")


def _public_of(member: KeyMember) -> PublicKeys:
    if member.public_keys is None:
        raise KeysMissing(member.user_id)
    return _public(member.public_keys)


def _member_of(state: WorkspaceKeys, member: str) -> KeyMember:
    for each in state.members:
        if each.user_id == member:
            return each
    raise NotFound("member")


def _acquaintance(member: KeyMember, public: PublicKeys, *, known: bool) -> Acquaintance:
    return Acquaintance(member.user_id, member.name, member.email, member.role, public.fingerprint(), known)

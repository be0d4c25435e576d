"""Keys as JSON: people's own, workspace keys with their grants, and key sessions. Bytes are base64url, all sealed."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, StrictInt

from workspace_memory.api.schemas.binary import (
    Check,
    Public,
    Salt,
    SealedGrant,
    SealedKey,
    Signature,
    Wrapped,
    example_of,
)
from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    with_example,
)
from workspace_memory.api.schemas.encoded import encode
from workspace_memory.domain.access import Role
from workspace_memory.domain.account import PASSWORD_CHARACTERS_MAX
from workspace_memory.domain.ids import Epoch, KeySessionId, UserId
from workspace_memory.domain.key_session import KeySession, KeySessionWay, ListedKeySession
from workspace_memory.domain.user_key import PublicPair, UserKeyRecord, Wrapping
from workspace_memory.services.key_sessions import NAME_CHARACTERS_MAX
from workspace_memory.services.workspace_keys import (
    KeyMember,
    KeyStanding,
    MadeCheck,
    MadeGrant,
    WorkspaceKeyState,
)

_PUBLIC: dict[str, Any] = {"x25519": example_of(32), "ed25519": example_of(32)}
_WRAPPING: dict[str, Any] = {
    "salt": example_of(16),
    "memory_kib": 65536,
    "passes": 3,
    "lanes": 4,
    "wrapped": example_of(92),
    "recovery_wrapped": example_of(92),
}
_GRANT: dict[str, Any] = {
    "member_id": EXAMPLE_ID,
    "member_public": example_of(32),
    "sealed": example_of(80),
    "signature": example_of(64),
}
_MADE: dict[str, Any] = {"check_value": example_of(32), "check_signature": example_of(64)}
_SESSION: dict[str, Any] = {
    "id": EXAMPLE_ID,
    "name": "laptop",
    "epoch": 1,
    "way": "header",
    "opened_at": EXAMPLE_TIME,
    "expires_at": EXAMPLE_TIME,
}

EpochNumber = Annotated[StrictInt, Field(description="The number of the workspace key, from 1.")]


class PublicKeysIn(Arguments):
    """The public halves."""

    x25519: Public
    ed25519: Public

    def to_pair(self) -> PublicPair:
        """As the service takes them."""
        return PublicPair(self.x25519, self.ed25519)


class WrappingIn(Arguments):
    """The private halves, sealed twice by the client: under the passphrase and under the recovery key."""

    salt: Salt
    memory_kib: StrictInt = Field(description="Argon2id: memory in KiB, at least 65,536.")
    passes: StrictInt = Field(description="Argon2id: passes, at least 3.")
    lanes: StrictInt = Field(description="Argon2id: lanes, at least 4.")
    wrapped: Wrapped
    recovery_wrapped: Wrapped

    def to_wrapping(self) -> Wrapping:
        """As the service takes it."""
        return Wrapping(
            self.salt, self.memory_kib, self.passes, self.lanes, self.wrapped, self.recovery_wrapped
        )


class KeysIn(Arguments):
    """Keys that are set up."""

    model_config = with_example({"public_keys": _PUBLIC, "wrapping": _WRAPPING})

    public_keys: PublicKeysIn
    wrapping: WrappingIn


class RewrapIn(Arguments):
    """The same keys, wrapped anew."""

    model_config = with_example({"version": 1, "wrapping": _WRAPPING, "signature": example_of(64)})

    version: StrictInt = Field(description="The version that was read.")
    wrapping: WrappingIn
    signature: Signature = Field(description="Over the new wrapping, by the signing key that is in it.")


class ReplaceKeysIn(KeysIn):
    """Other keys, with the proof that the account's owner asks."""

    model_config = with_example(
        {"public_keys": _PUBLIC, "wrapping": _WRAPPING, "password": "correct horse battery staple"}
    )

    password: Text = Field(max_length=PASSWORD_CHARACTERS_MAX, description="The account's password, again.")


class PublicKeysOut(Answer):
    """The public halves."""

    x25519: str
    ed25519: str


class WrappingOut(Answer):
    """The private halves, sealed."""

    salt: str
    memory_kib: int
    passes: int
    lanes: int
    wrapped: str
    recovery_wrapped: str


class KeysOut(Answer):
    """The caller's keys."""

    model_config = with_example(
        {
            "user_id": EXAMPLE_ID,
            "version": 1,
            "public_keys": _PUBLIC,
            "wrapping": _WRAPPING,
            "created_at": EXAMPLE_TIME,
            "updated_at": EXAMPLE_TIME,
        }
    )

    user_id: UserId
    version: int = Field(description="One more with each new wrapping.")
    public_keys: PublicKeysOut
    wrapping: WrappingOut
    created_at: datetime
    updated_at: datetime


class GrantIn(Arguments):
    """The workspace key for one member, sealed and signed by the caller's client."""

    member_id: Text = Field(max_length=100, description="To whom.", examples=[EXAMPLE_ID])
    member_public: Public = Field(description="The member's X25519 key that it was sealed to.")
    sealed: SealedGrant
    signature: Signature

    def to_grant(self) -> MadeGrant:
        """As the service takes it."""
        return MadeGrant(UserId(self.member_id), self.member_public, self.sealed, self.signature)


class StartKeyIn(Arguments):
    """A workspace key without one before it, with the caller's own grant."""

    model_config = with_example({**_MADE, "grant": _GRANT})

    check_value: Check
    check_signature: Signature
    grant: GrantIn
    lost_epoch: EpochNumber | None = Field(
        default=None,
        description="Left out for the first key. To begin anew: the newest key's number, where nobody holds it any "
        "more (`nobody_holds`). What was sealed under it or before can then never be read.",
    )

    def to_check(self) -> MadeCheck:
        """As the service takes it."""
        return MadeCheck(self.check_value, self.check_signature)


class GrantKeyIn(Arguments):
    """A grant of the newest key."""

    model_config = with_example({"epoch": 1, "grant": _GRANT})

    epoch: EpochNumber
    grant: GrantIn


class RotateKeyIn(Arguments):
    """The next workspace key with all its grants."""

    model_config = with_example({"epoch": 2, **_MADE, "older_sealed": example_of(60), "grants": [_GRANT]})

    epoch: EpochNumber
    check_value: Check
    check_signature: Signature
    older_sealed: SealedKey = Field(description="The key before, sealed under this one.")
    grants: list[GrantIn] = Field(
        description="For every active member who holds the present key; who waits may be taken in."
    )

    def to_check(self) -> MadeCheck:
        """As the service takes it."""
        return MadeCheck(self.check_value, self.check_signature)


class EpochOut(Answer):
    """One workspace key, by what proves it."""

    epoch: Epoch
    maker_id: UserId
    check_value: str
    check_signature: str
    older_sealed: str | None = Field(
        description="The key before, sealed under this one; null for the first, and for one that was begun anew since "
        "nobody held the one before."
    )
    created_at: datetime


class GrantOut(Answer):
    """The caller's grant of the newest key."""

    granter_id: UserId
    granter_ed25519: str = Field(description="The key that signed it; compare it with the one you pinned.")
    member_public: str
    sealed: str
    signature: str
    created_at: datetime


class KeyMemberOut(Answer):
    """An active member and the workspace key."""

    user_id: UserId
    name: str
    email: str
    role: Role
    standing: KeyStanding = Field(
        description="holds, waiting (has keys, and is granted the key by anyone who holds), or no_keys."
    )
    public_keys: PublicKeysOut | None


class WorkspaceKeysOut(Answer):
    """All that a client needs to open the workspace key and to pass it on."""

    model_config = with_example(
        {
            "epoch": 1,
            "rotation_due": False,
            "nobody_holds": False,
            "epochs": [
                {
                    "epoch": 1,
                    "maker_id": EXAMPLE_ID,
                    **_MADE,
                    "older_sealed": None,
                    "created_at": EXAMPLE_TIME,
                }
            ],
            "own_grant": {
                "granter_id": EXAMPLE_ID,
                "granter_ed25519": example_of(32),
                "member_public": example_of(32),
                "sealed": example_of(80),
                "signature": example_of(64),
                "created_at": EXAMPLE_TIME,
            },
            "members": [
                {
                    "user_id": EXAMPLE_ID,
                    "name": "alice",
                    "email": "alice@example.com",
                    "role": "admin",
                    "standing": "holds",
                    "public_keys": _PUBLIC,
                }
            ],
        }
    )

    epoch: Epoch = Field(description="The newest key's number; 0 before a key was started.")
    rotation_due: bool = Field(description="Somebody who had the key has left: a holder makes the next one.")
    nobody_holds: bool = Field(
        description="There is a key, and no active member holds it: an editor or admin may begin anew."
    )
    epochs: list[EpochOut] = Field(description="Newest first, down to the first.")
    own_grant: GrantOut | None = Field(description="Null while the caller waits for the key.")
    members: list[KeyMemberOut]


class KeySessionIn(Arguments):
    """A key session to open. Its token comes in the header X-Key-Session."""

    model_config = with_example({"name": "laptop", "epoch": 1, "sealed": example_of(60)})

    name: Text = Field(
        description="By which you know it again in the list.",
        json_schema_extra={"maxLength": NAME_CHARACTERS_MAX},
    )
    epoch: EpochNumber
    sealed: SealedKey = Field(description="The newest workspace key, sealed under the token.")
    way: KeySessionWay | None = Field(
        default=None,
        description="Signed in: header where a program is to have the token, which then becomes no cookie.",
    )


class KeySessionOut(Answer):
    """An open key session."""

    model_config = with_example(_SESSION)

    id: KeySessionId
    name: str
    epoch: Epoch
    way: KeySessionWay = Field(description="Whether its token is a browser's cookie or comes in the header.")
    opened_at: datetime
    expires_at: datetime


class ListedKeySessionOut(KeySessionOut):
    """A key session that has not ended."""

    model_config = with_example({**_SESSION, "held": True, "here": False})

    held: bool | None = Field(
        description="Whether the service has its key now. False after a restart or half an hour without use, and for "
        "good: open a new one. Null while the key store does not answer."
    )
    here: bool = Field(description="Whether the browser that asks has its token.")


class KeySessionsOut(Answer):
    """The caller's key sessions that have not ended, newest first."""

    model_config = with_example({"key_sessions": [{**_SESSION, "held": True, "here": False}]})

    key_sessions: list[ListedKeySessionOut]


def keys_out(record: UserKeyRecord) -> KeysOut:
    """Own keys for an answer."""
    wrapping = record.wrapping
    return KeysOut(
        user_id=record.user,
        version=record.version,
        public_keys=_public_out(record.public),
        wrapping=WrappingOut(
            salt=encode(wrapping.salt),
            memory_kib=wrapping.memory_kib,
            passes=wrapping.passes,
            lanes=wrapping.lanes,
            wrapped=encode(wrapping.wrapped),
            recovery_wrapped=encode(wrapping.recovery_wrapped),
        ),
        created_at=record.created_at,
        updated_at=record.updated_at,
    )


def workspace_keys_out(state: WorkspaceKeyState) -> WorkspaceKeysOut:
    """The workspace key for an answer."""
    own = state.own
    return WorkspaceKeysOut(
        epoch=state.epoch,
        rotation_due=state.rotation_due,
        nobody_holds=state.nobody_holds,
        epochs=[
            EpochOut(
                epoch=each.epoch,
                maker_id=each.maker,
                check_value=encode(each.check_value),
                check_signature=encode(each.check_signature),
                older_sealed=None if each.older_sealed is None else encode(each.older_sealed),
                created_at=each.created_at,
            )
            for each in state.epochs
        ],
        own_grant=None
        if own is None
        else GrantOut(
            granter_id=own.granter,
            granter_ed25519=encode(own.granter_public),
            member_public=encode(own.member_public),
            sealed=encode(own.sealed),
            signature=encode(own.signature),
            created_at=own.created_at,
        ),
        members=[_member_out(each) for each in state.members],
    )


def key_session_out(session: KeySession) -> KeySessionOut:
    """A key session for an answer, without its token, which nobody here knows."""
    return KeySessionOut(
        id=session.id,
        name=session.name,
        epoch=session.epoch,
        way=session.way,
        opened_at=session.opened_at,
        expires_at=session.expires_at,
    )


def listed_key_session_out(listed: ListedKeySession, *, here: bool) -> ListedKeySessionOut:
    """A key session for a list."""
    return ListedKeySessionOut(**key_session_out(listed.session).model_dump(), held=listed.held, here=here)


def _public_out(public: PublicPair) -> PublicKeysOut:
    return PublicKeysOut(x25519=encode(public.x25519), ed25519=encode(public.ed25519))


def _member_out(member: KeyMember) -> KeyMemberOut:
    owner = member.owner
    return KeyMemberOut(
        user_id=owner.user,
        name=owner.name,
        email=owner.email,
        role=owner.role,
        standing=member.standing,
        public_keys=None if owner.public is None else _public_out(owner.public),
    )

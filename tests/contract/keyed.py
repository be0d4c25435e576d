"""The cast with keys of their own: real key pairs and signatures, and wrappings that only have the right lengths.

What a wrapping holds, no server can see; tests/unit/crypto and tests/e2e/test_client_keys.py make real ones.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.conftest import World

from workspace_memory.crypto.grants import Grant, make_grant, open_grant
from workspace_memory.crypto.key_wrapping import sign_wrapping
from workspace_memory.crypto.session_sealing import new_session_token, seal_for_session
from workspace_memory.crypto.user_keys import UserKeys, new_user_keys
from workspace_memory.crypto.workspace_keys import (
    WorkspaceKey,
    check_value,
    new_workspace_key,
    sign_check,
    wrap_older,
)
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.audit import AuditAction, AuditEvent
from workspace_memory.domain.ids import Epoch, UserId
from workspace_memory.domain.key_session import KeySession, KeySessionWay
from workspace_memory.domain.user_key import PublicPair, UserKeyRecord, Wrapping
from workspace_memory.services.accounts import make_password_reset_here, redeem_link
from workspace_memory.services.audit import AuditQuery, list_audit
from workspace_memory.services.key_sessions import open_key_session
from workspace_memory.services.user_keys import create_keys, replace_keys, rewrap_keys
from workspace_memory.services.workspace_keys import (
    KeyStanding,
    MadeCheck,
    MadeGrant,
    WorkspaceKeyState,
    grant_key,
    rotate_workspace_key,
    start_workspace_key,
    workspace_key_state,
)

PASSWORD = "correct horse battery staple"


def a_wrapping(**changes: object) -> Wrapping:
    """Random bytes of the right lengths, at the floor of the work, with some fields changed."""
    made = Wrapping(
        salt=secrets.token_bytes(16),
        memory_kib=64 * 1024,
        passes=3,
        lanes=4,
        wrapped=secrets.token_bytes(92),
        recovery_wrapped=secrets.token_bytes(92),
    )
    return replace(made, **changes)  # pyright: ignore[reportArgumentType]  a test's shorthand


def public_of(keys: UserKeys) -> PublicPair:
    """The public halves as the services take them."""
    return PublicPair(keys.public.x25519, keys.public.ed25519)


@dataclass
class Keyed:
    """Short ways to act with keys in the cast's workspace. `key` is the newest workspace key."""

    world: World
    keys: dict[UserId, UserKeys] = field(default_factory=dict[UserId, UserKeys])
    chain: list[WorkspaceKey] = field(default_factory=list[WorkspaceKey])

    @property
    def key(self) -> WorkspaceKey:
        return self.chain[-1]

    def hand(self, user: UserId) -> Actor:
        return self.world.by_hand(user)

    def set_up(self, *users: UserId) -> None:
        """Give these people keys."""
        for user in users:
            self.keys[user] = new_user_keys()
            create_keys(self.world.deps, self.hand(user), public_of(self.keys[user]), a_wrapping())

    def rewrap(
        self, user: UserId, version: int, wrapping: Wrapping, *, signer: UserKeys | None = None
    ) -> UserKeyRecord:
        """Wrap a person's keys anew; by the wrong person's keys where `signer` says so."""
        signature = sign_wrapping(signer or self.keys[user], user, version, wrapping)
        return rewrap_keys(
            self.world.deps, self.hand(user), version=version, wrapping=wrapping, signature=signature
        )

    def made_check(self, maker: UserId, key: WorkspaceKey, *, signer: UserId | None = None) -> MadeCheck:
        value = check_value(key)
        keys = self.keys[signer or maker]
        return MadeCheck(value, sign_check(keys, key.workspace, key.epoch, value))

    def made_grant(
        self,
        granter: UserId,
        member: UserId,
        key: WorkspaceKey | None = None,
        *,
        signer: UserId | None = None,
    ) -> MadeGrant:
        """A grant of the newest key, signed by its granter or, to be refused, by somebody else."""
        grant = make_grant(
            key or self.key,
            member=member,
            member_keys=self.keys[member].public,
            granter=granter,
            granter_keys=self.keys[signer or granter],
        )
        return MadeGrant(member, self.keys[member].public.x25519, grant.sealed, grant.signature)

    def start(self, maker: UserId) -> WorkspaceKeyState:
        """Begin the first epoch."""
        key = new_workspace_key(self.world.workspace)
        state = start_workspace_key(
            self.world.deps,
            self.hand(maker),
            self.world.workspace,
            check=self.made_check(maker, key),
            grant=self.made_grant(maker, maker, key),
        )
        self.chain = [key]
        return state

    def begin_anew(self, maker: UserId, *, lost: int | None = None) -> WorkspaceKeyState:
        """Begin the epoch after a lost one, without the older key."""
        key = new_workspace_key(self.world.workspace, (lost or self.key.epoch) + 1)
        state = start_workspace_key(
            self.world.deps,
            self.hand(maker),
            self.world.workspace,
            check=self.made_check(maker, key),
            grant=self.made_grant(maker, maker, key),
            lost=Epoch(lost or self.key.epoch),
        )
        self.chain.append(key)
        return state

    def lose(self, *users: UserId) -> None:
        """Let these people leave the key behind: they replace their own keys, as after losing both secrets."""
        for user in users:
            self.keys[user] = new_user_keys()
            reset = make_password_reset_here(self.world.deps, self.email(user))
            redeem_link(self.world.deps, reset.secret, password=PASSWORD)
            replace_keys(
                self.world.deps, self.hand(user), public_of(self.keys[user]), a_wrapping(), password=PASSWORD
            )

    def email(self, user: UserId) -> str:
        return next(each.owner.email for each in self.state(user).members if each.owner.user == user)

    def grant(self, granter: UserId, member: UserId) -> WorkspaceKeyState:
        """Pass the newest key on."""
        return grant_key(
            self.world.deps,
            self.hand(granter),
            self.world.workspace,
            epoch=Epoch(self.key.epoch),
            grant=self.made_grant(granter, member),
        )

    def rotate(
        self, maker: UserId, members: Sequence[UserId], *, signer: UserId | None = None
    ) -> WorkspaceKeyState:
        """Begin the next epoch with grants for these members."""
        key = new_workspace_key(self.world.workspace, self.key.epoch + 1)
        state = rotate_workspace_key(
            self.world.deps,
            self.hand(maker),
            self.world.workspace,
            epoch=Epoch(key.epoch),
            check=self.made_check(maker, key, signer=signer),
            older_sealed=wrap_older(key, self.key),
            grants=[self.made_grant(maker, each, key) for each in members],
        )
        self.chain.append(key)
        return state

    def open_newest(self, member: UserId) -> int:
        """Open the newest workspace key, which another client of the member may have made; its epoch."""
        state = self.state(member)
        own = state.own
        assert own is not None
        if state.epoch != self.key.epoch:
            key = open_grant(
                Grant(own.sealed, own.signature),
                workspace=self.world.workspace,
                epoch=own.epoch,
                member=member,
                member_keys=self.keys[member],
                granter=own.granter,
                granter_keys=self.keys[own.granter].public,
            )
            self.chain.append(key)
        return state.epoch

    def state(self, user: UserId) -> WorkspaceKeyState:
        return workspace_key_state(self.world.deps, self.hand(user), self.world.workspace)

    def standings(self, user: UserId) -> dict[str, KeyStanding]:
        """By name, as this member sees them."""
        return {each.owner.name: each.standing for each in self.state(user).members}

    def open_session(
        self, user: UserId, way: KeySessionWay = KeySessionWay.HEADER
    ) -> tuple[KeySession, bytes]:
        """A key session of a member, and its token."""
        token = new_session_token()
        session = open_key_session(
            self.world.deps,
            self.hand(user),
            self.world.workspace,
            token=token,
            sealed=seal_for_session(self.key, token, user),
            epoch=Epoch(self.key.epoch),
            name="laptop",
            way=way,
        )
        return session, token

    def events(self, action: AuditAction) -> list[AuditEvent]:
        """What alice finds in the audit log, oldest first."""
        query = AuditQuery(action=action)
        found = list_audit(self.world.deps, self.hand(self.world.alice), self.world.workspace, query)
        return list(reversed(found.events))

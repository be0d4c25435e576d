"""Accounts and the one-time links by which they begin: first set-up, invitation, password reset.

No mail is sent: a link is shown once to the administrator who made it, and only its hash is kept. The first
account of an installation can be made by its own one-time link or on the machine itself, never by whoever comes
first over the network.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from workspace_memory.crypto.passwords import hash_password
from workspace_memory.crypto.tokens import LINK_PREFIX, new_secret, secret_hash
from workspace_memory.domain.access import AccessLevel, Action, MemberStatus, Role, may
from workspace_memory.domain.account import (
    INVITATION_VALID,
    PASSWORD_RESET_VALID,
    SETUP_VALID,
    Account,
    AccountStatus,
    Link,
    LinkPurpose,
    check_email,
    check_name,
    check_password,
)
from workspace_memory.domain.actor import Actor, Channel, Surface
from workspace_memory.domain.audit import AuditAction
from workspace_memory.domain.errors import (
    AlreadyMember,
    AlreadySetUp,
    EmailTaken,
    Forbidden,
    LastAdmin,
    LinkInvalid,
    NotFound,
    SignInRefused,
)
from workspace_memory.domain.ids import LinkId, ServerId, UserId, WorkspaceId
from workspace_memory.domain.key_session import KeySession
from workspace_memory.services.audit import record
from workspace_memory.services.authentication import prove_password
from workspace_memory.services.authorization import require_action
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import (
    end_key_access,
    end_key_sessions,
    lock_if_there,
    lock_memberships,
)
from workspace_memory.services.screening import screened_name
from workspace_memory.services.session_keys import drop_keys
from workspace_memory.services.tokens import MadeToken, issue_token
from workspace_memory.storage.database import Transaction

FIRST_WORKSPACE = "My workspace"
FIRST_SERVER = "Memory"


@dataclass(frozen=True, slots=True)
class MadeLink:
    """A new link. `secret` is shown once."""

    link: Link
    secret: str


@dataclass(frozen=True, slots=True)
class FirstSetup:
    """What the first set-up made. `token` is None when the owner will sign in with a password."""

    user: UserId
    workspace: WorkspaceId
    server: ServerId
    token: MadeToken | None


@dataclass(frozen=True, slots=True)
class Redeemed:
    """What a redeemed link gave: an account that can sign in, and perhaps a membership."""

    user: UserId
    email: str
    purpose: LinkPurpose
    workspace: WorkspaceId | None
    server: ServerId | None


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What may be shown of a link to whoever holds it."""

    purpose: LinkPurpose
    email: str | None
    workspace_name: str | None
    account_exists: bool
    expires_at: datetime


def is_set_up(deps: Deps) -> bool:
    """Whether the installation has an account."""
    with deps.database.read() as tx:
        return tx.accounts.count() > 0


def make_setup_link(deps: Deps) -> MadeLink:
    """The one-time link of a fresh installation; an older one stops working. Raises: AlreadySetUp."""
    with deps.database.begin() as tx:
        _require_fresh(tx)
        tx.links.withdraw_setup()
        return _make_link(deps, tx, LinkPurpose.SETUP, valid=SETUP_VALID)


def set_up_here(
    deps: Deps,
    *,
    email: str,
    name: str = "",
    workspace_name: str = FIRST_WORKSPACE,
    password: str | None = None,
    token_name: str = "init",  # noqa: S107  a name, not a secret
    token_surface: Surface = Surface.ALL,
) -> FirstSetup:
    """The first set-up by somebody who holds the data folder: owner, workspace, MCP server and a token.

    Raises: AlreadySetUp, InvalidRequest.
    """
    email = check_email(email)
    password_hash = None if password is None else hash_password(check_password(password))
    with deps.database.begin() as tx:
        _require_fresh(tx)
        tx.links.withdraw_setup()
        user = _add_account(deps, tx, email=email, name=name, password_hash=password_hash)
        workspace, server = add_workspace(deps, tx, name=workspace_name, admin=user)
        token = issue_token(
            deps,
            tx,
            None,
            workspace=workspace,
            user=user,
            name=token_name,
            max_level=AccessLevel.CONTRIBUTE,
            surface=token_surface,
            expires_at=None,
        )
    return FirstSetup(user, workspace, server, token)


def add_workspace(
    deps: Deps, tx: Transaction, *, name: str, admin: UserId, actor: Actor | None = None
) -> tuple[WorkspaceId, ServerId]:
    """Insert a workspace with its first admin and its first MCP server."""
    now = deps.clock.now()
    workspace, server = WorkspaceId(deps.new_id()), ServerId(deps.new_id())
    tx.workspaces.add(workspace=workspace, name=check_name(name), at=now)
    tx.members.add(workspace=workspace, user=admin, role=Role.ADMIN, at=now)
    tx.servers.add(workspace=workspace, server=server, name=FIRST_SERVER, at=now)
    # Nobody else sees the workspace before this transaction ends, so that there is nothing to lock.
    record(deps, tx, workspace, AuditAction.WORKSPACE_MADE, actor, subject=admin)
    return workspace, server


def invite(deps: Deps, actor: Actor, workspace: WorkspaceId, *, email: str, role: Role) -> MadeLink:
    """An invitation that is valid for seven days; an older one for the same address stops working.

    Raises: InvalidRequest, AlreadyMember, NotFound, Forbidden.
    """
    email = check_email(email)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        account = tx.accounts.by_email(email)
        if account is not None and tx.members.get(workspace, account.id) is not None:
            raise AlreadyMember
        tx.links.withdraw_invitations(workspace, email)
        record(deps, tx, workspace, AuditAction.MEMBER_INVITED, actor, role=role.value)
        return _make_link(
            deps,
            tx,
            LinkPurpose.INVITATION,
            valid=INVITATION_VALID,
            email=email,
            workspace=workspace,
            role=role,
            created_by=actor.user,
        )


def list_invitations(deps: Deps, actor: Actor, workspace: WorkspaceId) -> list[Link]:
    """The invitations that can still be redeemed, newest first. Raises: NotFound, Forbidden."""
    with deps.database.read() as tx:
        require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        return tx.links.open_of_workspace(workspace, at=deps.clock.now())


def withdraw_invitation(deps: Deps, actor: Actor, workspace: WorkspaceId, link: LinkId) -> None:
    """Make an open invitation useless. Raises: NotFound, Forbidden."""
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        if not tx.links.withdraw(workspace, link):
            raise NotFound("invitation")
        record(deps, tx, workspace, AuditAction.INVITATION_WITHDRAWN, actor)


def make_password_reset(deps: Deps, actor: Actor, workspace: WorkspaceId, user: UserId) -> MadeLink:
    """A link by which a member sets a new password within an hour; the old one works until then.

    Whoever holds it takes over the account, so an admin may make it only for members who belong to no other
    workspace; for the rest the operator makes it on the machine itself.
    Raises: NotFound, Forbidden.
    """
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        require_action(tx, actor, workspace, Action.MANAGE_MEMBERS)
        if tx.members.get(workspace, user) is None:
            raise NotFound("member")
        if tx.members.workspaces_of(user) != [workspace]:
            raise Forbidden(
                need="this person belongs to other workspaces too, so only the operator may make this link, with "
                "'workspace-memory user reset-password'"
            )
        record(deps, tx, workspace, AuditAction.PASSWORD_RESET_MADE, actor, subject=user)
        return _reset_link(deps, tx, user, workspace=workspace, created_by=actor.user)


def make_password_reset_here(deps: Deps, email: str) -> MadeLink:
    """The same, by somebody who holds the data folder. Raises: NotFound."""
    with deps.database.begin() as tx:
        account = tx.accounts.by_email(email)
        if account is None:
            raise NotFound("account")
        record_everywhere(deps, tx, AuditAction.PASSWORD_RESET_MADE, account.id)
        return _reset_link(deps, tx, account.id, workspace=None, created_by=None)


def look_at_link(deps: Deps, secret: str) -> LinkFacts:
    """What a link is for, for whoever is about to redeem it. Raises: LinkInvalid."""
    with deps.database.read() as tx:
        link = _require_link(tx, secret, deps.clock.now())
        email = link.email
        account = None
        if link.user is not None:
            account = tx.accounts.get(link.user)
            email = None if account is None else account.email
        elif email is not None:
            account = tx.accounts.by_email(email)
        workspace = None if link.workspace is None else tx.workspaces.get(link.workspace)
        return LinkFacts(
            purpose=link.purpose,
            email=email,
            workspace_name=None if workspace is None else workspace.name,
            account_exists=account is not None and account.password_hash is not None,
            expires_at=link.expires_at,
        )


def redeem_link(
    deps: Deps,
    secret: str,
    *,
    password: str,
    email: str = "",
    name: str = "",
    workspace_name: str = "",
    address: str = "",
) -> Redeemed:
    """Use a link up and set the account's password.

    A set-up link needs `email` and makes the first account, workspace and server. An invitation to an account that
    has a password already keeps that password, which has to be given. A reset ends all sessions of the account, key
    sessions too.
    Raises: LinkInvalid, InvalidRequest, SecretRefused, StructureRefused, AlreadySetUp, AlreadyMember, Forbidden,
    SignInRefused, TooManyAttempts.
    """
    facts = look_at_link(deps, secret)
    proved: Account | None = None
    if facts.purpose is LinkPurpose.INVITATION and facts.account_exists and facts.email is not None:
        proved = prove_password(deps, email=facts.email, password=password, address=address)
    name = name and screened_name(deps, name)
    workspace_name = workspace_name and screened_name(deps, workspace_name, field="workspace_name")
    # Hashed before the transaction, since it takes a tenth of a second on purpose.
    password_hash = hash_password(check_password(password))
    ended: list[KeySession] = []
    with deps.database.begin() as tx:
        now = deps.clock.now()
        link = _require_link(tx, secret, now)
        if link.workspace is not None:
            tx.lock_workspace(link.workspace)
        _require_standing_maker(tx, link)
        if not tx.links.redeem(link.id, at=now):
            raise LinkInvalid
        match link.purpose:
            case LinkPurpose.SETUP:
                redeemed = _redeem_setup(
                    deps,
                    tx,
                    email=check_email(email),
                    name=name,
                    workspace_name=workspace_name or FIRST_WORKSPACE,
                    password_hash=password_hash,
                )
            case LinkPurpose.INVITATION:
                redeemed = _redeem_invitation(deps, tx, link, name, password_hash, proved=proved)
            case LinkPurpose.PASSWORD_RESET:
                redeemed = _redeem_reset(deps, tx, link, password_hash)
                # Whoever had the old password may have opened them.
                ended = end_key_sessions(deps, tx, _holder(redeemed.user))
    drop_keys(deps.key_store, *ended)
    return redeemed


def deactivate_account_here(deps: Deps, email: str, *, active: bool = False) -> Account:
    """Deactivate (or activate again) an account on this machine: no sign-in, no tool, no route, no key.

    Raises: NotFound; LastAdmin when a workspace would be left without an active admin.
    """
    ended: list[KeySession] = []
    with deps.database.begin() as tx:
        account = tx.accounts.by_email(email)
        if account is None:
            raise NotFound("account")
        action = AuditAction.ACCOUNT_ACTIVATED if active else AuditAction.ACCOUNT_DEACTIVATED
        workspaces = lock_memberships(tx, account.id)
        record_everywhere(deps, tx, action, account.id)
        tx.accounts.set_status(account.id, AccountStatus.ACTIVE if active else AccountStatus.DEACTIVATED)
        if not active:
            _require_admins_left(tx, account.id)
            tx.sign_ins.end_all(account.id)
            for workspace in workspaces:
                ended += end_key_access(deps, tx, None, workspace, account.id)
        changed = tx.accounts.get(account.id)
        assert changed is not None  # noqa: S101  read in the transaction that holds it
    drop_keys(deps.key_store, *ended)
    return changed


def invite_here(deps: Deps, workspace: WorkspaceId, *, email: str, role: Role) -> MadeLink:
    """An invitation made by somebody who holds the data folder. Raises: NotFound, AlreadyMember, InvalidRequest."""
    email = check_email(email)
    with deps.database.begin() as tx:
        tx.lock_workspace(workspace)
        account = tx.accounts.by_email(email)
        if account is not None and tx.members.get(workspace, account.id) is not None:
            raise AlreadyMember
        tx.links.withdraw_invitations(workspace, email)
        record(deps, tx, workspace, AuditAction.MEMBER_INVITED, None, role=role.value)
        return _make_link(
            deps,
            tx,
            LinkPurpose.INVITATION,
            valid=INVITATION_VALID,
            email=email,
            workspace=workspace,
            role=role,
        )


def _redeem_setup(
    deps: Deps, tx: Transaction, *, email: str, name: str, workspace_name: str, password_hash: str
) -> Redeemed:
    _require_fresh(tx)
    user = _add_account(deps, tx, email=email, name=name, password_hash=password_hash)
    workspace, server = add_workspace(deps, tx, name=workspace_name, admin=user)
    return Redeemed(user, email, LinkPurpose.SETUP, workspace, server)


def _redeem_invitation(
    deps: Deps, tx: Transaction, link: Link, name: str, password_hash: str, *, proved: Account | None
) -> Redeemed:
    if link.workspace is None or link.email is None or link.role is None:
        raise LinkInvalid
    tx.lock_workspace(link.workspace)
    tx.lock_instance()
    account = tx.accounts.by_email(link.email)
    if account is None:
        user = _add_account(deps, tx, email=link.email, name=name, password_hash=password_hash)
    else:
        user = account.id
        if account.status is not AccountStatus.ACTIVE:
            raise LinkInvalid
        _require_own_account(tx, account, proved)
        if account.password_hash is None:
            tx.accounts.set_password(user, password_hash)
    if tx.members.get(link.workspace, user) is not None:
        raise AlreadyMember
    tx.members.add(workspace=link.workspace, user=user, role=link.role, at=deps.clock.now())
    record(
        deps, tx, link.workspace, AuditAction.MEMBER_JOINED, _holder(user), subject=user, role=link.role.value
    )
    servers = tx.servers.all(link.workspace)
    server = servers[0].id if servers else None
    return Redeemed(user, link.email, LinkPurpose.INVITATION, link.workspace, server)


def _require_own_account(tx: Transaction, account: Account, proved: Account | None) -> None:
    """Raise unless whoever redeems the invitation may act as the account that has its address.

    The admin who made the link has seen it, and must not come into another workspace's memory by it.
    """
    if account.password_hash is None:
        if tx.members.workspaces_of(account.id):
            raise Forbidden(
                need="this account belongs to a workspace and has no password yet; its owner sets one first, "
                "with a link that the operator makes by 'workspace-memory user reset-password'"
            )
    elif proved is None or proved.password_hash != account.password_hash:
        # It was given a password between the proof and this transaction.
        raise SignInRefused


def _redeem_reset(deps: Deps, tx: Transaction, link: Link, password_hash: str) -> Redeemed:
    account = None if link.user is None else tx.accounts.get(link.user)
    if account is None:
        raise LinkInvalid
    record_everywhere(deps, tx, AuditAction.PASSWORD_RESET_USED, account.id, _holder(account.id))
    tx.accounts.set_password(account.id, password_hash)
    tx.sign_ins.end_all(account.id)
    tx.links.withdraw_resets(account.id)
    return Redeemed(account.id, account.email, LinkPurpose.PASSWORD_RESET, None, None)


def _holder(user: UserId) -> Actor:
    """Whoever holds a link acts as the account that it is for."""
    return Actor(user, Channel.PERSON, "link")


def record_everywhere(
    deps: Deps, tx: Transaction, action: AuditAction, user: UserId, actor: Actor | None = None
) -> list[WorkspaceId]:
    """Lock the workspaces of an account, in the order of their ids, and note in each what happened to it."""
    workspaces = tx.members.workspaces_of(user)
    for workspace in workspaces:
        if lock_if_there(tx, workspace):
            record(deps, tx, workspace, action, actor, subject=user)
    return workspaces


def _require_fresh(tx: Transaction) -> None:
    # Locked first: of two set-ups at the same moment the second has to see the first one's account.
    tx.lock_instance()
    if tx.accounts.count() > 0:
        raise AlreadySetUp


def _add_account(deps: Deps, tx: Transaction, *, email: str, name: str, password_hash: str | None) -> UserId:
    tx.lock_instance()
    if tx.accounts.by_email(email) is not None:
        raise EmailTaken
    user = UserId(deps.new_id())
    shown = check_name(name or email.split("@", maxsplit=1)[0])
    tx.accounts.add(user=user, email=email, name=shown, password_hash=password_hash, at=deps.clock.now())
    return user


def _require_link(tx: Transaction, secret: str, now: datetime) -> Link:
    link = tx.links.valid(secret_hash(secret), at=now)
    if link is None:
        raise LinkInvalid
    return link


def _reset_link(
    deps: Deps,
    tx: Transaction,
    user: UserId,
    *,
    workspace: WorkspaceId | None,
    created_by: UserId | None,
) -> MadeLink:
    tx.links.withdraw_resets(user)
    return _make_link(
        deps,
        tx,
        LinkPurpose.PASSWORD_RESET,
        valid=PASSWORD_RESET_VALID,
        user=user,
        workspace=workspace,
        created_by=created_by,
    )


def _require_standing_maker(tx: Transaction, link: Link) -> None:
    """Raise LinkInvalid unless whoever made the link may still make it; the operator always may.

    An admin who was removed must not come back by an invitation kept in the drawer, and a reset link must not take
    over an account that has joined another workspace since.
    """
    if link.created_by is None:
        return
    standing = None if link.workspace is None else tx.members.standing(link.workspace, link.created_by)
    if standing is None or not standing.active or not may(standing.role, Action.MANAGE_MEMBERS):
        raise LinkInvalid
    # Only a reset names a user; an invitation names an address.
    if link.user is not None and tx.members.workspaces_of(link.user) != [link.workspace]:
        raise LinkInvalid


def _make_link(
    deps: Deps,
    tx: Transaction,
    purpose: LinkPurpose,
    *,
    valid: timedelta,
    email: str | None = None,
    user: UserId | None = None,
    workspace: WorkspaceId | None = None,
    role: Role | None = None,
    created_by: UserId | None = None,
) -> MadeLink:
    now = deps.clock.now()
    link = Link(LinkId(deps.new_id()), purpose, email, user, workspace, role, created_by, now, now + valid)
    secret = new_secret(LINK_PREFIX)
    tx.links.add(link, secret_hash(secret))
    return MadeLink(link, secret)


def _require_admins_left(tx: Transaction, user: UserId) -> None:
    for workspace in tx.members.workspaces_of(user):
        member = tx.members.get(workspace, user)
        if member is None or member.role is not Role.ADMIN or member.status is not MemberStatus.ACTIVE:
            continue
        if tx.members.active_admins(workspace) == 0:
            raise LastAdmin

"""Accounts, sessions, links, members and invitations as JSON."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, model_validator

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Cursor,
    Text,
    with_example,
)
from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.account import (
    EMAIL_CHARACTERS_MAX,
    NAME_CHARACTERS_MAX,
    PASSWORD_CHARACTERS_MAX,
    PASSWORD_CHARACTERS_MIN,
    LinkPurpose,
    Member,
    SignInSession,
)
from workspace_memory.domain.ids import LinkId, ServerId, SignInId, UserId, WorkspaceId
from workspace_memory.domain.workspace_key import KeyDue
from workspace_memory.services.members import PAGE_MAX, ChangedMember

_LINK_EXAMPLE = "wm_lnk_3q2-7w"
_URL_EXAMPLE = f"https://memory.example.com/accept#{_LINK_EXAMPLE}"

Email = Annotated[
    Text, Field(description="An e-mail address.", json_schema_extra={"maxLength": EMAIL_CHARACTERS_MAX})
]
Name = Annotated[
    Text,
    Field(description="One line.", json_schema_extra={"maxLength": NAME_CHARACTERS_MAX}),
]


class SignInIn(Arguments):
    """What a person signs in with."""

    model_config = with_example({"email": "alice@example.com", "password": "correct horse battery staple"})

    email: Text = Field(max_length=1_000, description="The account's e-mail address.")
    password: Text = Field(max_length=PASSWORD_CHARACTERS_MAX, description="The account's password.")


class AccountDeletionIn(Arguments):
    """Proof that the account's owner asks."""

    model_config = with_example({"password": "correct horse battery staple"})

    password: Text = Field(max_length=PASSWORD_CHARACTERS_MAX, description="The account's password, again.")


class PasswordChangeIn(Arguments):
    """The present password as a proof, and the one to be."""

    model_config = with_example(
        {"password": "correct horse battery staple", "new_password": "a new and longer password"}
    )

    password: Text = Field(max_length=PASSWORD_CHARACTERS_MAX, description="The account's present password.")
    new_password: Text = Field(
        description=f"The new password, {PASSWORD_CHARACTERS_MIN}-{PASSWORD_CHARACTERS_MAX:,} characters.",
        json_schema_extra={"minLength": PASSWORD_CHARACTERS_MIN, "maxLength": PASSWORD_CHARACTERS_MAX},
    )


class SignInSessionOut(Answer):
    """A place where the account is signed in."""

    id: SignInId
    began_at: datetime
    last_seen_at: datetime = Field(description="To the minute.")
    expires_at: datetime = Field(description="At the latest; unused it ends after 8 hours.")
    present: bool = Field(description="The session that asks.")


class SignInSessionsOut(Answer):
    """The account's sessions, the last used first."""

    model_config = with_example(
        {
            "sessions": [
                {
                    "id": "0f" * 16,
                    "began_at": EXAMPLE_TIME,
                    "last_seen_at": EXAMPLE_TIME,
                    "expires_at": EXAMPLE_TIME,
                    "present": True,
                }
            ]
        }
    )

    sessions: list[SignInSessionOut]


class SignedInOut(Answer):
    """A new session; its secret is in the cookie alone."""

    model_config = with_example({"user_id": EXAMPLE_ID, "expires_at": EXAMPLE_TIME})

    user_id: UserId
    expires_at: datetime


class ReachedWorkspaceOut(Answer):
    """A workspace that the credential reaches."""

    id: WorkspaceId
    name: str


class MeOut(Answer):
    """The caller's account."""

    model_config = with_example(
        {
            "user_id": EXAMPLE_ID,
            "email": "alice@example.com",
            "name": "alice",
            "workspaces": [{"id": EXAMPLE_ID, "name": "Tea shop"}],
        }
    )

    user_id: UserId
    email: str
    name: str
    workspaces: list[ReachedWorkspaceOut]


class LinkSecretIn(Arguments):
    """A one-time link's secret: what follows # in the link."""

    model_config = with_example({"secret": _LINK_EXAMPLE})

    secret: Text = Field(max_length=200, description="What follows # in the link.")


class LinkFactsOut(Answer):
    """What a link is for."""

    model_config = with_example(
        {
            "purpose": "invitation",
            "email": "bob@example.com",
            "workspace_name": "Tea shop",
            "account_exists": False,
            "expires_at": EXAMPLE_TIME,
        }
    )

    purpose: LinkPurpose
    email: str | None = Field(description="Whose link it is; null for a set-up link.")
    workspace_name: str | None
    account_exists: bool = Field(description="Whether the account has a password already.")
    expires_at: datetime


class RedeemIn(LinkSecretIn):
    """What redeems a link."""

    model_config = with_example(
        {"secret": _LINK_EXAMPLE, "password": "correct horse battery staple", "name": "bob"}
    )

    password: Text = Field(
        description=f"The new password, {PASSWORD_CHARACTERS_MIN}-{PASSWORD_CHARACTERS_MAX:,} characters; for an "
        "invitation to an account that exists, its present one.",
        json_schema_extra={"minLength": PASSWORD_CHARACTERS_MIN, "maxLength": PASSWORD_CHARACTERS_MAX},
    )
    email: Text = Field(default="", description="For a set-up link: the first account's e-mail address.")
    name: Text = Field(default="", description="The person's name; else the first part of the address.")
    workspace_name: Text = Field(default="", description="For a set-up link: the first workspace's name.")


class RedeemedOut(Answer):
    """What a redeemed link gave. Sign in next."""

    model_config = with_example(
        {
            "user_id": EXAMPLE_ID,
            "email": "bob@example.com",
            "purpose": "invitation",
            "workspace_id": EXAMPLE_ID,
            "server_id": EXAMPLE_ID,
            "server_url": f"https://memory.example.com/mcp/{EXAMPLE_ID}",
        }
    )

    user_id: UserId
    email: str
    purpose: LinkPurpose
    workspace_id: WorkspaceId | None = Field(description="The workspace that the account now belongs to.")
    server_id: ServerId | None = Field(description="Its first MCP server.")
    server_url: str | None


class MadeLinkOut(Answer):
    """A one-time link. It is shown in this answer and never again."""

    model_config = with_example(
        {
            "id": EXAMPLE_ID,
            "url": _URL_EXAMPLE,
            "accept_command": f"workspace-memory user accept '{_URL_EXAMPLE}'",
            "expires_at": EXAMPLE_TIME,
        }
    )

    id: LinkId
    url: str = Field(description="Give it to the person; the secret follows #.")
    accept_command: str = Field(description="How to redeem it on the command line.")
    expires_at: datetime


class InviteIn(Arguments):
    """Whom to invite, and as what."""

    model_config = with_example({"email": "bob@example.com", "role": "editor"})

    email: Email
    role: Role = Field(description="What the person will be.")


class InvitationOut(Answer):
    """An invitation that can still be redeemed."""

    id: LinkId
    email: str
    role: Role
    created_at: datetime
    created_by: UserId | None = Field(description="Null when it was made on the machine itself.")
    expires_at: datetime


class InvitationsOut(Answer):
    """The open invitations, newest first."""

    model_config = with_example(
        {
            "invitations": [
                {
                    "id": EXAMPLE_ID,
                    "email": "bob@example.com",
                    "role": "editor",
                    "created_at": EXAMPLE_TIME,
                    "created_by": EXAMPLE_ID,
                    "expires_at": EXAMPLE_TIME,
                }
            ]
        }
    )

    invitations: list[InvitationOut]


MEMBER_EXAMPLE = {
    "user_id": EXAMPLE_ID,
    "email": "bob@example.com",
    "name": "bob",
    "role": "editor",
    "status": "active",
    "memory_access": "inherit",
    "created_at": EXAMPLE_TIME,
}


_KEY_DUE = (
    "What follows with the workspace key: nothing, rotation (a holder makes a new one), or new_beginning (nobody holds "
    "it any more)."
)


class MemberOut(Answer):
    """A member of a workspace."""

    model_config = with_example(MEMBER_EXAMPLE)

    user_id: UserId
    email: str
    name: str
    role: Role
    status: MemberStatus
    memory_access: AccessLevel = Field(description="What the member's AI clients may do here.")
    created_at: datetime


class MemberQuery(Arguments):
    """Which page of members."""

    limit: int = Field(default=50, ge=1, description=f"How many at once; above {PAGE_MAX} it is {PAGE_MAX}.")
    cursor: Cursor


class MemberPageOut(Answer):
    """One page of members, in the order in which they joined."""

    model_config = with_example({"members": [MEMBER_EXAMPLE], "next_cursor": None})

    members: list[MemberOut]
    next_cursor: str | None


class MemberChangeIn(Arguments):
    """What to set; what is left out stays."""

    model_config = with_example({"role": "editor"})

    role: Role | None = Field(default=None, description="Another role.")
    status: MemberStatus | None = Field(default=None, description="Deactivated: no access at all.")
    memory_access: AccessLevel | None = Field(
        default=None,
        description="What the member's AI clients may do; inherit takes the workspace's default.",
    )

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if self.role is None and self.status is None and self.memory_access is None:
            raise ValueError("must set role, status or memory_access")
        return self


class RemovedMemberOut(Answer):
    """How much went along with a membership."""

    model_config = with_example({"personal_items": 12, "key_due": "rotation"})

    personal_items: int = Field(description="How many personal items were deleted.")
    key_due: KeyDue = Field(description=_KEY_DUE)


class ChangedMemberOut(MemberOut):
    """A member after a change."""

    model_config = with_example({**MEMBER_EXAMPLE, "key_due": "nothing"})

    key_due: KeyDue = Field(description=_KEY_DUE)


def sign_in_session_out(session: SignInSession) -> SignInSessionOut:
    """A session for an answer."""
    return SignInSessionOut(
        id=session.id,
        began_at=session.began_at,
        last_seen_at=session.last_seen_at,
        expires_at=session.expires_at,
        present=session.present,
    )


def changed_member_out(changed: ChangedMember) -> ChangedMemberOut:
    """A changed member for an answer."""
    return ChangedMemberOut(**member_out(changed.member).model_dump(), key_due=changed.key_due)


def member_out(member: Member) -> MemberOut:
    """A member for an answer."""
    return MemberOut(
        user_id=member.user,
        email=member.email,
        name=member.name,
        role=member.role,
        status=member.status,
        memory_access=member.memory_access,
        created_at=member.created_at,
    )

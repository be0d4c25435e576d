"""The calls about accounts, one-time links, members, invitations and tokens."""

from collections.abc import Iterator
from datetime import datetime

from workspace_memory.client.answers import (
    ChangedMember,
    Invitation,
    Invitations,
    LinkFacts,
    MadeLink,
    MadeToken,
    Me,
    Member,
    MemberPage,
    Redeemed,
    RemovedMember,
    SignedIn,
    Token,
    Tokens,
)
from workspace_memory.client.connection import Connection, segment
from workspace_memory.domain.access import AccessLevel, MemberStatus, Role
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.address import split_link

PAGE_MEMBERS = 200


class PeopleCalls(Connection):
    """Sign in, redeem links, and look after members and tokens of the client's workspace."""

    def sign_in(self, email: str, password: str) -> SignedIn:
        """Start a session; this client's later calls are made with it. For a client without a token.

        Raises: SignInRefused, TooManyAttempts, Forbidden.
        """
        return self._read(SignedIn, "POST", "/sign-in", body={"email": email, "password": password})

    def sign_out(self) -> None:
        """End the session."""
        self._do("POST", "/sign-out")

    def me(self) -> Me:
        """The own account and the workspaces that the credential reaches. Raises: NotAuthenticated."""
        return self._read(Me, "GET", "/me")

    def look_at_link(self, link: str) -> LinkFacts:
        """What a one-time link is for; `link` is the whole link or its secret. Raises: LinkInvalid."""
        return self._read(LinkFacts, "POST", "/links/facts", body={"secret": _secret(link)}, repeatable=True)

    def redeem_link(
        self, link: str, *, password: str, email: str = "", name: str = "", workspace_name: str = ""
    ) -> Redeemed:
        """Use a link up and set the password. `email` and `workspace_name` are for a set-up link.

        Raises: LinkInvalid, InvalidRequest, AlreadySetUp, SignInRefused, TooManyAttempts.
        """
        body = {
            "secret": _secret(link),
            "password": password,
            "email": email,
            "name": name,
            "workspace_name": workspace_name,
        }
        return self._read(Redeemed, "POST", "/links/redeem", body=body)

    def list_members(self) -> Iterator[Member]:
        """Everybody in the workspace, page after page. Raises: NotFound, Forbidden."""
        cursor: str | None = None
        while True:
            params = {"limit": PAGE_MEMBERS, "cursor": cursor}
            page = self._read(MemberPage, "GET", f"{self._here}/members", params=params)
            yield from page.members
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_member(self, user: str) -> Member:
        """One member. Raises: NotFound, Forbidden."""
        return self._read(Member, "GET", self._member(user))

    def change_member(
        self,
        user: str,
        *,
        role: Role | None = None,
        status: MemberStatus | None = None,
        memory_access: AccessLevel | None = None,
    ) -> ChangedMember:
        """Set what is given. Raises: NotFound, Forbidden, LevelTooLow, LastAdmin."""
        change = {"role": role, "status": status, "memory_access": memory_access}
        body = {name: value for name, value in change.items() if value is not None}
        return self._read(ChangedMember, "PATCH", self._member(user), body=body)

    def remove_member(self, user: str) -> RemovedMember:
        """End a membership, or the own one to leave. Raises: NotFound, Forbidden, LevelTooLow, LastAdmin."""
        return self._read(RemovedMember, "DELETE", self._member(user))

    def make_password_reset(self, user: str) -> MadeLink:
        """A link to a new password, valid for an hour. Raises: NotFound, Forbidden, LevelTooLow."""
        return self._read(MadeLink, "POST", f"{self._member(user)}/password-reset")

    def invite(self, email: str, role: Role) -> MadeLink:
        """An invitation, valid for seven days. Raises: InvalidRequest, AlreadyMember, NotFound, Forbidden."""
        return self._read(MadeLink, "POST", f"{self._here}/invitations", body={"email": email, "role": role})

    def list_invitations(self) -> tuple[Invitation, ...]:
        """The invitations that can still be redeemed, newest first. Raises: NotFound, Forbidden."""
        return self._read(Invitations, "GET", f"{self._here}/invitations").invitations

    def withdraw_invitation(self, invitation: str) -> None:
        """Make an open invitation useless. Raises: NotFound, Forbidden."""
        self._do("DELETE", f"{self._here}/invitations/{segment(invitation)}")

    def make_token(
        self,
        name: str,
        *,
        max_level: AccessLevel,
        surface: Surface = Surface.ALL,
        expires_at: datetime | None = None,
    ) -> MadeToken:
        """A token of the caller. `expires_at` is aware. Raises: InvalidRequest, NotFound, Forbidden, LevelTooLow."""
        body = {
            "name": name,
            "max_level": max_level,
            "surface": surface,
            "expires_at": None if expires_at is None else expires_at.isoformat(),
        }
        return self._read(MadeToken, "POST", f"{self._here}/tokens", body=body)

    def list_tokens(self, user: str | None = None) -> tuple[Token, ...]:
        """The own tokens, or as an admin another member's, newest first. Raises: NotFound, Forbidden."""
        return self._read(Tokens, "GET", f"{self._here}/tokens", params={"user_id": user}).tokens

    def revoke_token(self, token: str) -> None:
        """Make a token useless at once. Raises: NotFound, Forbidden."""
        self._do("DELETE", f"{self._here}/tokens/{segment(token)}")

    @property
    def _here(self) -> str:
        return f"/workspaces/{segment(self.workspace)}"

    def _member(self, user: str) -> str:
        return f"{self._here}/members/{segment(user)}"


def _secret(link: str) -> str:
    return split_link(link).secret if "#" in link else link.strip()

"""What somebody who holds the data folder (or the database's password) may ask without a credential.

The command line acts through it for the owner of an installation or for an account that is named. Other services
that need no actor end in `_here`, beside their siblings. Nothing of this is reachable over a network.
"""

from dataclasses import replace

from workspace_memory.domain.access import MemberStatus
from workspace_memory.domain.account import Member
from workspace_memory.domain.actor import Actor, Channel
from workspace_memory.domain.errors import NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.workspace_key import KeyDue
from workspace_memory.services.deps import Deps
from workspace_memory.services.leaving import key_due

SOURCE = "command line"
_PAGE = 200


def act_here(deps: Deps, email: str = "") -> Actor | None:
    """The actor for the account with this address, or for the oldest active one; None when there is no account.

    Raises: NotFound when no account has the address.
    """
    with deps.database.read() as tx:
        account = tx.accounts.by_email(email) if email else tx.accounts.first()
    if account is None:
        if email:
            raise NotFound(f"account: {email}")
        return None
    return Actor(account.id, Channel.PERSON, SOURCE)


def address_here(deps: Deps) -> str:
    """The address under which the process that has the installation open is reached, or would be."""
    return deps.public_url


def key_due_here(deps: Deps, workspace: WorkspaceId) -> KeyDue:
    """What has to follow with the key of a workspace, for whoever holds the data folder."""
    with deps.database.read() as tx:
        return key_due(tx, workspace)


def list_members_here(deps: Deps, workspace: WorkspaceId) -> list[Member]:
    """Every member of a workspace in the order of joining; a deactivated account shows as deactivated."""
    members: list[Member] = []
    with deps.database.read() as tx:
        while True:
            page = tx.members.page(workspace, after=members[-1].user if members else None, limit=_PAGE)
            for member in page:
                standing = tx.members.standing(workspace, member.user)
                active = standing is not None and standing.active
                members.append(member if active else replace(member, status=MemberStatus.DEACTIVATED))
            if len(page) < _PAGE:
                return members

"""`workspace-memory member`: memberships of a workspace, levels, erasing and leaving."""

from collections.abc import Sequence

import click

from workspace_memory.cli.asking import confirm_email, yes_option
from workspace_memory.cli.governance_rows import ErasedRow
from workspace_memory.cli.key_due import say_key_due
from workspace_memory.cli.output import say, show, show_json
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.users import show_members

EPILOG = """\b
Examples:
  workspace-memory member list
  workspace-memory member level bob@example.com carol@example.com read
  workspace-memory member role bob@example.com editor
  workspace-memory member erase bob@example.com
  workspace-memory member remove bob@example.com

The role says what a person may do by hand, the level what the person's AI clients may do.
'workspace-memory user add' invites people.
"""


@click.group(epilog=EPILOG)
def member() -> None:
    """List members, set their levels and roles, erase their personal memory, remove them."""


@member.command("list", epilog="\b\nExample:\n  workspace-memory member list --json")
@with_target
@json_option
def list_(target: Target, as_json: bool) -> None:
    """List the members, their roles and levels."""
    with target.opened() as memory:
        members = memory.list_members()
        default_access = memory.governance.settings().default_access
    show_members(members, as_json=as_json)
    if not as_json and any(each.memory_access == "inherit" for each in members):
        say(f"'inherit' is the workspace's default access: {default_access}.")


@member.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory member level bob@example.com contribute\n"
    "  workspace-memory member level bob@example.com carol@example.com inherit"
)
@with_target
@click.argument("emails", nargs=-1, required=True, metavar="EMAIL...")
@click.argument("level", type=click.Choice(["inherit", "none", "read", "personal", "contribute"]))
@json_option
def level(target: Target, emails: Sequence[str], level: str, as_json: bool) -> None:
    """Set what members' AI clients may do (admins).

    Up to 500 members at once, all or none. In force from the next call of every client on. 'inherit' takes the
    workspace's default access.
    """
    with target.opened() as memory:
        members, changed = memory.governance.set_access(emails, level)
    show_members(members, as_json=as_json)
    say(f"{changed} changed.")


@member.command(epilog="\b\nExample:\n  workspace-memory member role bob@example.com admin")
@with_target
@click.argument("email")
@click.argument("role", type=click.Choice(["admin", "editor", "viewer"]))
@json_option
def role(target: Target, email: str, role: str, as_json: bool) -> None:
    """Give a member another role (admins). The last active admin stays one."""
    with target.opened() as memory:
        changed = memory.governance.set_role(email, role)
    if as_json:
        show_json(changed)
    else:
        say(f"{changed.email} is {changed.role} now.")


@member.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory member erase bob@example.com\n"
    "  workspace-memory member erase bob@example.com --yes --json"
)
@with_target
@click.argument("email")
@yes_option
@json_option
def erase(target: Target, email: str, yes: bool, as_json: bool) -> None:
    """Delete all personal items of a member, unread.

    For admins, and for everybody the own. The membership and company items stay. It cannot be undone; the address
    is asked for once more.
    """
    if not yes:
        say(f"All personal items of {email} in this workspace will be deleted, unseen and for good.")
        confirm_email(email, nothing="Nothing was erased")
    with target.opened() as memory:
        erased = memory.governance.erase_personal(email)
    show_erased(erased, as_json=as_json)


@member.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory member remove bob@example.com\n"
    "  workspace-memory member remove bob@example.com --yes"
)
@with_target
@click.argument("email")
@yes_option
@json_option
def remove(target: Target, email: str, yes: bool, as_json: bool) -> None:
    """End a membership, or leave.

    For admins, and for everybody the own. Personal items and tokens in this workspace are deleted; the account and
    company items stay. It cannot be undone; the address is asked for once more.
    """
    if not yes:
        say(f"{email} leaves the workspace; personal items and tokens there are deleted for good.")
        confirm_email(email, nothing="Nobody was removed")
    with target.opened() as memory:
        removed = memory.governance.remove_member(email)
    if as_json:
        show_json(removed)
        return
    say(f"{email} is no member any more. Personal items deleted: {removed.personal_items:,}.")
    say_key_due(removed.key_due)


def show_erased(erased: ErasedRow, *, as_json: bool) -> None:
    """How much is gone, and where it is still kept for a while."""
    if as_json:
        show_json(erased)
        return
    show(f"Personal items deleted: {erased.personal_items:,}.")
    if erased.remains:
        say(erased.remains)

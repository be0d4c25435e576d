"""`workspace-memory user`: people, their invitations and the links that they redeem."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import click

from workspace_memory.cli.asking import confirm_email, yes_option
from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.key_due import say_key_due
from workspace_memory.cli.output import minute, moment, say, show, show_json, show_table
from workspace_memory.cli.passwords import ask_email, password_stdin_option, read_password
from workspace_memory.cli.redeeming import is_set_up_here, way_to_redeem
from workspace_memory.cli.rows import LinkRow, MemberRow
from workspace_memory.cli.signing_in import delete_own_account, sign_in_options
from workspace_memory.cli.target import Target, data_option, json_option, with_target
from workspace_memory.domain.account import check_email, email_key
from workspace_memory.domain.address import is_loopback

EPILOG = """\b
Examples:
  workspace-memory user add bob@example.com --role editor
  workspace-memory user accept LINK
  workspace-memory user invitations
  workspace-memory user withdraw bob@example.com
  workspace-memory user reset-password bob@example.com
  workspace-memory user deactivate bob@example.com
  workspace-memory user delete bob@example.com
  workspace-memory user list

No mail is sent: a link is shown once, and you hand it over yourself.
"""


@click.group(epilog=EPILOG)
def user() -> None:
    """Invite, list, deactivate and delete people; redeem their links."""


@user.command(epilog="\b\nExample:\n  workspace-memory user add bob@example.com --role editor")
@with_target
@click.argument("email")
@click.option(
    "--role",
    type=click.Choice(["admin", "editor", "viewer"]),
    default="viewer",
    show_default=True,
    help="What the person may do by hand.",
)
@json_option
def add(target: Target, email: str, role: str, as_json: bool) -> None:
    """Invite a person to the workspace and print the link.

    It is shown this once and valid for 7 days; a newer one for the same address replaces it.
    """
    with target.opened() as memory:
        link = memory.invite(email, role=role)
    _show_link(link, as_json=as_json)


@user.command(epilog="\b\nExample:\n  workspace-memory user invitations --json")
@with_target
@json_option
def invitations(target: Target, as_json: bool) -> None:
    """List open invitations, newest first (admins)."""
    with target.opened() as memory:
        found = memory.list_invitations()
    if as_json:
        show_json(found)
        return
    show_table(
        ["EMAIL", "ROLE", "INVITED", "VALID UNTIL"],
        [[each.email, each.role, minute(each.created_at), minute(each.expires_at)] for each in found],
    )


@user.command(epilog="\b\nExample:\n  workspace-memory user withdraw bob@example.com")
@with_target
@click.argument("email")
def withdraw(target: Target, email: str) -> None:
    """Make a person's open invitation useless (admins)."""
    with target.opened() as memory:
        found = [each for each in memory.list_invitations() if email_key(each.email) == email_key(email)]
        if not found:
            raise Refused(f"No invitation waits for {email}. 'user invitations' shows those that do.")
        for each in found:
            memory.withdraw_invitation(each.id)
    say(f"The invitation for {email} is withdrawn; its link opens nothing.")


@user.command("reset-password", epilog="\b\nExample:\n  workspace-memory user reset-password bob@example.com")
@with_target
@click.argument("email")
@json_option
def reset_password(target: Target, email: str, as_json: bool) -> None:
    """Print a link by which a person sets a new password. It is valid for an hour."""
    with target.opened() as memory:
        link = memory.reset_password(email)
    _show_link(link, as_json=as_json)


@user.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory user accept 'https://memory.example.com/accept#wm_lnk_…'\n"
    "  workspace-memory user accept wm_lnk_… --data /srv/memory\n"
    "  printf '%s\\n' \"$PASSWORD\" | workspace-memory user accept LINK --email alice@example.com --password-stdin\n\n"
    "\b\nA whole link is redeemed at the server that it names. With --data, when it is the bare\n"
    "secret, or when this machine's server does not run, it is redeemed in the data folder."
)
@click.argument("link")
@data_option
@click.option("--url", metavar="URL", help="The server that made the link, where the link does not name it.")
@click.option(
    "--email", default="", metavar="EMAIL", help="Your address, for the first account.  [default: asked for]"
)
@click.option("--name", default="", metavar="NAME", help="Your name.  [default: from the address]")
@password_stdin_option
@json_option
def accept(
    link: str,
    data: Path | None,
    url: str | None,
    email: str,
    name: str,
    password_stdin: bool,
    as_json: bool,
) -> None:
    """Redeem a set-up, invitation or password-reset link."""
    with way_to_redeem(link, data=data, url=url) as way:
        facts = way.look()
        if facts.purpose == "setup" and not email:
            if password_stdin:
                raise click.UsageError("The first account needs --email.")
            email = ask_email()
        if email:
            check_email(email)
        if facts.workspace_name:
            say(f"An invitation to the workspace '{facts.workspace_name}' for {facts.email}.")
        if facts.purpose == "invitation" and facts.account_exists:
            say("You have an account already; give its password.")
        password = read_password(
            from_stdin=password_stdin, twice=not facts.account_exists or facts.purpose != "invitation"
        )
        redeemed = way.redeem(password=password, email=email, name=name)
        address = way.address
        later = way.later(redeemed.email)
        if facts.purpose == "setup" and data is None and is_set_up_here(address):
            later = ""
        if facts.purpose == "invitation" and facts.account_exists and redeemed.workspace_id:
            later += f" --workspace {redeemed.workspace_id}"
    if as_json:
        show_json(redeemed)
        return
    match redeemed.purpose:
        case "setup":
            say(f"The account {redeemed.email} is made; it is the admin of the first workspace.")
        case "invitation":
            say(f"{redeemed.email} is a member of the workspace now.")
        case _:
            say(f"{redeemed.email} has a new password. All its sessions have ended.")
    if redeemed.server_id:
        show(f"{address}/mcp/{redeemed.server_id}")
        say("That is the MCP address. Next, print what an AI client needs, with a token for it:")
        say(f"  {typed('connect CLIENT')}{later}")


@user.command(epilog="\b\nExample:\n  workspace-memory user deactivate bob@example.com")
@with_target
@click.argument("email")
def deactivate(target: Target, email: str) -> None:
    """Take all access from a person and keep the data.

    On this machine the whole account is deactivated; with --url its membership in the token's workspace.
    """
    with target.opened() as memory:
        due = memory.set_active(email, active=False)
    say(f"{email} is deactivated: no sign-in, no tool, no route.")
    say_key_due(due)


@user.command(epilog="\b\nExample:\n  workspace-memory user activate bob@example.com")
@with_target
@click.argument("email")
def activate(target: Target, email: str) -> None:
    """Give a deactivated person access again."""
    with target.opened() as memory:
        memory.set_active(email, active=True)
    say(f"{email} is active again.")


@user.command("list", epilog="\b\nExample:\n  workspace-memory user list --json")
@with_target
@json_option
def list_(target: Target, as_json: bool) -> None:
    """List the members of the workspace, as 'member list' does."""
    with target.opened() as memory:
        members = memory.list_members()
    show_members(members, as_json=as_json)


@user.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory user delete bob@example.com\n"
    "  workspace-memory user delete bob@example.com --yes\n"
    "  workspace-memory user delete bob@example.com --url https://memory.example.com --sign-in bob@example.com"
)
@with_target
@sign_in_options
@click.argument("email")
@yes_option
@json_option
def delete(target: Target, sign_in: str, password_stdin: bool, email: str, yes: bool, as_json: bool) -> None:
    """Delete an account and all that is its own.

    Its memberships, tokens and personal items go everywhere. Company items stay, without an author. It cannot be
    undone; the address is asked for once more. On this machine the operator deletes any account; at a server
    everybody the own one, by signing in.
    """
    if password_stdin and not sign_in:
        raise click.UsageError("--password-stdin belongs to --sign-in.")
    if sign_in and email_key(sign_in) != email_key(email):
        raise click.UsageError("Whoever signs in can delete the own account alone: give one address twice.")
    if not yes:
        say(f"The account {email} and everything that is its own will be deleted for good.")
        confirm_email(email, nothing="Nothing was deleted")
    if sign_in:
        erased = delete_own_account(target, sign_in, password_stdin=password_stdin)
    else:
        with target.opened() as memory:
            erased = memory.governance.delete_account(email)
    if as_json:
        show_json(erased)
        return
    say(f"The account {email} is deleted. Personal items deleted: {erased.personal_items:,}.")
    if erased.remains:
        say(erased.remains)


def show_members(members: Sequence[MemberRow], *, as_json: bool) -> None:
    """Members as a table, or as JSON."""
    if as_json:
        show_json(members)
        return
    show_table(
        ["EMAIL", "NAME", "ROLE", "STATUS", "AI CLIENTS", "ID"],
        [[each.email, each.name, each.role, each.status, each.memory_access, each.id] for each in members],
    )


def _show_link(link: LinkRow, *, as_json: bool) -> None:
    if as_json:
        show_json(link)
        return
    show(link.link)
    say(f"Hand it to {link.email}. It works once, until {moment(link.expires_at)}, and is not shown again.")
    say(
        "It is redeemed with 'workspace-memory user accept LINK' (in a checkout './run user accept LINK') where the "
        "server can be reached."
    )
    if is_loopback(urlsplit(link.link).hostname or ""):
        say(
            "The link names this machine alone. On another one add --url ADDRESS, by which it reaches the server; "
            "'serve --public-url ADDRESS' makes links that name it."
        )

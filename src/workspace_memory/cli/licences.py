"""`workspace-memory licence`: licence keys, for those who use them and those who issue them.

An issuer's private key is made into a file and read from it, never taken as an argument or printed.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from workspace_memory.cli.failures import Refused
from workspace_memory.cli.governance_rows import LicenceRow, LicenceStateRow
from workspace_memory.cli.moments import Moment
from workspace_memory.cli.output import minute, say, show, show_json
from workspace_memory.cli.target import Target, json_option, load_settings, with_target
from workspace_memory.cli.texts import first_line
from workspace_memory.domain.ids import is_id
from workspace_memory.domain.licence import INSTANCE, Licence, Plan

EPILOG = """\b
Examples:
  workspace-memory licence show
  workspace-memory licence install wml1.eyJ…
  workspace-memory licence inspect wml1.eyJ… --public-key PUBLIC_KEY

\b
For issuers, on their own machine:
  workspace-memory licence new-issuer --private-key-file issuer.key
  workspace-memory licence sign --plan enterprise --subject instance --holder "Tea shop" \\
    --expires 2027-11-02 --private-key-file issuer.key

Licences are off unless the installation asks for them; see docs/howto/issue-a-licence.md.
"""

_file_option = click.option(
    "--private-key-file",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="Where the issuer's private key is kept, readable for its owner alone.",
)


@click.group(epilog=EPILOG)
def licence() -> None:
    """Show, install and remove a licence key; make keys as an issuer."""


@licence.command("show", epilog="\b\nExample:\n  workspace-memory licence show --json")
@with_target
@json_option
def show_(target: Target, as_json: bool) -> None:
    """Show whether memory is on, and the licence (admins)."""
    with target.opened() as memory:
        state = memory.governance.licence_state()
    _show_state(state, as_json=as_json)


@licence.command(
    epilog="\b\nExamples:\n"
    "  workspace-memory licence install wml1.eyJ…\n"
    "  workspace-memory licence install - < licence.txt"
)
@with_target
@click.argument("key")
@json_option
def install(target: Target, key: str, as_json: bool) -> None:
    """Keep a licence key for the workspace (admins). '-' reads it from standard input."""
    with target.opened() as memory:
        state = memory.governance.install_licence(_key(key))
    _show_state(state, as_json=as_json)


@licence.command(epilog="\b\nExample:\n  workspace-memory licence remove")
@with_target
@json_option
def remove(target: Target, as_json: bool) -> None:
    """Delete the workspace's licence key (admins). Stored memory is kept."""
    with target.opened() as memory:
        state = memory.governance.remove_licence()
    _show_state(state, as_json=as_json)


@licence.command(epilog="\b\nExample:\n  workspace-memory licence inspect wml1.eyJ… --public-key PUBLIC_KEY")
@click.argument("key")
@click.option(
    "--public-key",
    metavar="KEY",
    help="The issuer's public key.  [default: WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY]",
)
@json_option
def inspect(key: str, public_key: str | None, as_json: bool) -> None:
    """Check a key's signature and show what it says. Nothing is stored, and no installation is needed."""
    # Late, here and below: the help must not wait for the database's libraries.
    from workspace_memory.cli.local_governance import licence_row  # noqa: PLC0415
    from workspace_memory.services.licences import genuine_licence  # noqa: PLC0415

    public_key = public_key or load_settings().licence_public_key
    if not public_key:
        raise click.UsageError("Give --public-key: the line that 'licence new-issuer' has printed.")
    found = licence_row(genuine_licence(_key(key), public_key))
    if as_json:
        show_json(found)
    else:
        _show_licence(found)


@licence.command(
    "new-issuer", epilog="\b\nExample:\n  workspace-memory licence new-issuer --private-key-file issuer.key"
)
@_file_option
@json_option
def new_issuer(file: Path, as_json: bool) -> None:
    """Make an issuer's keys. The private one goes into a new file, the public one to standard output."""
    from workspace_memory.services.licences import make_issuer_keys  # noqa: PLC0415

    keys = make_issuer_keys()
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refused(f"{file} exists already, and may hold a key that licences depend on.") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(keys.private_key + "\n")
    if as_json:
        show_json({"public_key": keys.public_key, "private_key_file": str(file)})
        return
    show(keys.public_key)
    say(f"The private key is in {file}; whoever has it can make licences.")
    say("Installations get the public key as WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY.")


@licence.command(
    epilog="\b\nExample:\n"
    '  workspace-memory licence sign --plan enterprise --subject instance --holder "Tea shop" '
    "--expires 2027-11-02 --private-key-file issuer.key"
)
@click.option(
    "--plan",
    type=click.Choice([each.value for each in Plan]),
    required=True,
    help="'enterprise' alone includes memory.",
)
@click.option(
    "--subject", required=True, metavar="ID", help="A workspace's id, or 'instance' for a whole installation."
)
@click.option("--holder", required=True, metavar="NAME", help="Who it is for, to be shown.")
@click.option("--expires", type=Moment(), required=True, metavar="TIME", help="Until when it counts (UTC).")
@click.option("--issued", type=Moment(), metavar="TIME", help="From when on it counts (UTC).  [default: now]")
@click.option("--inactive", is_flag=True, help="Made to switch memory off.")
@_file_option
@json_option
def sign(
    plan: str,
    subject: str,
    holder: str,
    expires: datetime,
    issued: datetime | None,
    inactive: bool,
    file: Path,
    as_json: bool,
) -> None:
    """Make a licence key and print it. Nothing is stored, and no installation is needed."""
    from workspace_memory.services.deps import new_uuid7  # noqa: PLC0415
    from workspace_memory.services.licences import sign_licence  # noqa: PLC0415

    if subject != INSTANCE and not is_id(subject):
        raise click.UsageError("--subject is 'instance', or a workspace's id as 'workspace list' prints it.")
    issued = issued or datetime.now(UTC).replace(microsecond=0)
    if expires <= issued:
        raise click.UsageError("--expires must be later than the licence is issued.")
    made = Licence(new_uuid7(), subject, Plan(plan), not inactive, holder.strip(), issued, expires)
    key = sign_licence(made, _private_key(file))
    if as_json:
        from workspace_memory.cli.local_governance import licence_row  # noqa: PLC0415

        show_json({"key": key, "licence": licence_row(made)})
        return
    show(key)
    say(f"Licence {made.id} for {first_line(made.holder)}, {plan}, until {minute(expires)}.")


def _key(text: str) -> str:
    return (sys.stdin.read() if text == "-" else text).strip()


def _private_key(file: Path) -> str:
    if os.name == "posix" and file.exists() and file.stat().st_mode & 0o077:
        say(f"Warning: others can read {file}. 'chmod 600' closes it.")
    return file.read_text("ascii", errors="replace").strip()


def _show_state(state: LicenceStateRow, *, as_json: bool) -> None:
    if as_json:
        show_json(state)
        return
    show(f"licensing  {state.licensing}")
    show(f"memory     {'on' if state.memory else 'off'}")
    if state.licence is not None:
        _show_licence(state.licence)
        if state.licence.plan != Plan.ENTERPRISE and not state.memory:
            say(f"The plan {state.licence.plan} does not include memory; enterprise does.")
    elif state.licensing != "off":
        say("The workspace has no licence of its own that counts here.")


def _show_licence(row: LicenceRow) -> None:
    show(f"licence    {row.id}")
    show(f"holder     {first_line(row.holder)}")
    show(f"plan       {row.plan}{'' if row.active else ', inactive'}")
    show(f"subject    {row.subject}")
    expired = " (expired)" if row.expires_at <= datetime.now(UTC) else ""
    show(f"valid      {minute(row.issued_at)} to {minute(row.expires_at)}{expired}")

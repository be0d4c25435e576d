"""`workspace-memory settings`: what holds for all members of a workspace."""

import click

from workspace_memory.cli.governance_rows import SettingsRow
from workspace_memory.cli.output import say, show, show_json
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.domain.account import ASSISTANT_TOKENS_MAX

EPILOG = """\b
Examples:
  workspace-memory settings show
  workspace-memory settings set --default-access read
  workspace-memory settings set --write-mode auto
  workspace-memory settings set --assistant-tokens-per-day 500000
"""


@click.group(epilog=EPILOG)
def settings() -> None:
    """Show and change what holds for all members of a workspace.

    The settings of the installation itself are environment variables; see docs/reference/settings.md.
    """


@settings.command("show", epilog="\b\nExample:\n  workspace-memory settings show --json")
@with_target
@json_option
def show_(target: Target, as_json: bool) -> None:
    """Show the settings in force."""
    with target.opened() as memory:
        found = memory.governance.settings()
    _show_settings(found, as_json=as_json)


@settings.command("set", epilog="\b\nExample:\n  workspace-memory settings set --default-access contribute")
@with_target
@click.option(
    "--default-access",
    type=click.Choice(["none", "read", "personal", "contribute"]),
    help="What AI clients of members whose level is 'inherit' may do.",
)
@click.option(
    "--write-mode",
    type=click.Choice(["approval", "auto"]),
    help="Whether company memory from AI clients waits for review or is active at once.",
)
@click.option(
    "--assistant-tokens-per-day",
    "tokens",
    type=click.IntRange(0, ASSISTANT_TOKENS_MAX),
    help="How many tokens the Assistant may use in a day (UTC), of all members together; 0 for no limit.",
)
@json_option
def set_(
    target: Target, default_access: str | None, write_mode: str | None, tokens: int | None, as_json: bool
) -> None:
    """Change settings (admins). In force from the next call of every client on."""
    if default_access is None and write_mode is None and tokens is None:
        raise click.UsageError("Give --default-access, --write-mode or --assistant-tokens-per-day.")
    with target.opened() as memory:
        changed = memory.governance.change_settings(
            default_access=default_access, write_mode=write_mode, assistant_tokens_per_day=tokens
        )
    _show_settings(changed, as_json=as_json)
    if changed.write_mode == "auto" and write_mode and not as_json:
        say("Company memory from AI clients is active at once from now on; what waits already still waits.")


def _show_settings(row: SettingsRow, *, as_json: bool) -> None:
    if as_json:
        show_json(row)
        return
    limit = row.assistant_tokens_per_day
    show(f"default access    {row.default_access}")
    show(f"write mode        {row.write_mode}")
    show(f"assistant tokens  {f'{limit:,} a day' if limit else 'no limit'}")

"""`workspace-memory ai`: whether AI may work with the memory document, and whether skills are trusted."""

import click

from workspace_memory.cli.output import show, show_json
from workspace_memory.cli.service import opened_client
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.client.document_answers import WorkspaceAi

EPILOG = """\b
Examples:
  workspace-memory ai show
  workspace-memory ai on
"""


@click.group(epilog=EPILOG)
def ai() -> None:
    """Show and change whether AI may work with the memory document (admins change it)."""


@ai.command("show", epilog="\b\nExample:\n  workspace-memory ai show --json")
@with_target
@json_option
def show_(target: Target, as_json: bool) -> None:
    """Show what is decided."""
    with opened_client(target) as client:
        found = client.workspace_ai()
    _show(found, as_json=as_json)


@ai.command("on", epilog="\b\nExample:\n  workspace-memory ai on")
@with_target
@json_option
def on(target: Target, as_json: bool) -> None:
    """Let AI work with the memory document, as far as its mode says."""
    _switch(target, enabled=True, as_json=as_json)


@ai.command("off", epilog="\b\nExample:\n  workspace-memory ai off")
@with_target
@json_option
def off(target: Target, as_json: bool) -> None:
    """Let no AI work with the memory document; what began before ends."""
    _switch(target, enabled=False, as_json=as_json)


@ai.command("skills", epilog="\b\nExample:\n  workspace-memory ai skills trust")
@with_target
@click.argument("decision", type=click.Choice(["trust", "distrust"]))
@json_option
def skills(target: Target, decision: str, as_json: bool) -> None:
    """Trust the workspace's skills, or not; the memory has no part in it."""
    with opened_client(target) as client:
        found = client.trust_skills(decision == "trust")
    _show(found, as_json=as_json)


def _switch(target: Target, *, enabled: bool, as_json: bool) -> None:
    with opened_client(target) as client:
        found = client.workspace_ai()
        found = client.change_workspace_ai(enabled=enabled, expected=found.consent_revision)
    _show(found, as_json=as_json)


def _show(found: WorkspaceAi, *, as_json: bool) -> None:
    if as_json:
        show_json(found)
        return
    show(f"AI      {'on' if found.enabled else 'off'}")
    show(f"skills  {'trusted' if found.skills_trusted else 'not trusted'}")

"""`workspace-memory version`."""

import platform
import sqlite3

import click

from workspace_memory import __version__
from workspace_memory.cli.output import show, show_json
from workspace_memory.cli.target import json_option


@click.command(epilog="\b\nExample:\n  workspace-memory version --json")
@json_option
def version(as_json: bool) -> None:
    """Print the version."""
    facts = {
        "version": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "system": platform.platform(),
    }
    if as_json:
        show_json(facts)
    else:
        show(f"workspace-memory {facts['version']} (Python {facts['python']}, SQLite {facts['sqlite']})")

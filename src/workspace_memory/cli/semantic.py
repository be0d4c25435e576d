"""`workspace-memory semantic`: whether searches go by meaning, for whoever holds the data folder."""

from pathlib import Path

import click

from workspace_memory.cli.output import moment, show, show_json
from workspace_memory.cli.target import data_option, json_option, load_settings


@click.command(epilog="\b\nExample:\n  workspace-memory semantic --json")
@data_option
@json_option
def semantic(data: Path | None, as_json: bool) -> None:
    """Show whether searches go by meaning, and how many vectors are made.

    It speaks of all workspaces together, and says how many texts the model refused and why. Environment variables set
    the model; see docs/howto/search-by-meaning.md.
    """
    # Here, since the database takes half a second that --help need not wait for.
    from workspace_memory.cli.local import opened  # noqa: PLC0415
    from workspace_memory.services.embeddings import semantic_progress_here  # noqa: PLC0415

    with opened(load_settings(data=data)) as way:
        progress = way.runner(semantic_progress_here)
    if as_json:
        show_json(progress)
    elif progress is None:
        show("semantic  off")
    else:
        show(f"semantic  {progress.embedder}")
        show(f"vectors   {progress.vectors:,} of {progress.items:,} items")
        if progress.failing:
            show(f"failing   {progress.failing_reason}; searches go by words alone meanwhile")
        for refused in progress.refused:
            waits = "1 text waits" if refused.texts == 1 else f"{refused.texts:,} texts wait"
            next_try = moment(refused.next_try_at)
            show(f"refused   {waits}, to be tried again from {next_try} on: {refused.reason}")

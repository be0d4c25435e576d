"""`workspace-memory mcp`: one local user over standard input and output.

Light: the handshake is answered while `local_user.py` opens the memory in a thread beside it.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import ExitStack, suppress
from pathlib import Path

import click

from workspace_memory.cli.logs import start_logging
from workspace_memory.cli.target import data_option, load_settings
from workspace_memory.mcp.stdio import LocalUser, serve_stdio_while_opening

SCANNER_VARIABLE = "WORKSPACE_MEMORY_SECRET_SCANNER"

EPILOG = """\b
Examples:
  workspace-memory mcp
  workspace-memory mcp --data /srv/memory --as alice@example.com
  workspace-memory connect claude-code --stdio

AI clients start it themselves; 'workspace-memory connect CLIENT --stdio' prints how. Several at once are fine, also
while 'workspace-memory serve' runs on the same folder. Messages about its work go to standard error.
"""


@click.command(epilog=EPILOG)
@data_option
@click.option(
    "--as", "account", default="", metavar="EMAIL", help="Act for this account.  [default: first one]"
)
@click.option(
    "--workspace", default="", metavar="NAME", help="A workspace by name or id.  [default: the oldest]"
)
def mcp(data: Path | None, account: str, workspace: str) -> None:
    """Serve one local user over standard input and output.

    No ceremony: the first start makes account, workspace and MCP server.
    """
    start_logging("warning")
    _check_scanner(data)
    with ExitStack() as opened:

        def open_local() -> LocalUser:
            from workspace_memory.cli.local_user import local_user  # noqa: PLC0415  what takes the time

            return opened.enter_context(local_user(data=data, account=account, workspace=workspace))

        asyncio.run(_until_told(serve_stdio_while_opening(open_local)))


def _check_scanner(data: Path | None) -> None:
    """End with a sentence when the secret scanner that is wanted is missing: no client looks into a log."""
    # The settings cost a tenth of a second, which only those pay who ask for a scanner.
    if SCANNER_VARIABLE in os.environ:
        from workspace_memory.cli.opening import check_scanner  # noqa: PLC0415

        check_scanner(load_settings(data=data))


async def _until_told(work: Coroutine[object, object, None]) -> None:
    """Work until it ends or the client ends this process; the folder is then released in order."""
    task = asyncio.ensure_future(work)
    if sys.platform != "win32":
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task

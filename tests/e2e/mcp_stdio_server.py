"""A small program that serves one local user over stdio, for test_mcp_stdio.py.

    python mcp_stdio_server.py DATABASE TOKEN SERVER

It prints to standard output, which must not disturb the protocol.
"""

import asyncio
import sys
from functools import partial
from pathlib import Path

from workspace_memory.domain.ids import ServerId
from workspace_memory.mcp.stdio import LocalUser, serve_stdio_while_opening


def open_local() -> LocalUser:
    from workspace_memory.services.deps import Deps  # noqa: PLC0415  what takes the time
    from workspace_memory.services.running import run  # noqa: PLC0415
    from workspace_memory.storage.database import open_sqlite  # noqa: PLC0415

    print("noise", flush=True)  # noqa: T201  on purpose
    return LocalUser(partial(run, Deps(open_sqlite(Path(sys.argv[1])))), sys.argv[2], ServerId(sys.argv[3]))


if __name__ == "__main__":
    asyncio.run(serve_stdio_while_opening(open_local))

"""A small program that serves one local user over stdio, for test_mcp_stdio.py.

    python mcp_stdio_server.py DATABASE TOKEN SERVER

It prints to standard output at every use case, which must not disturb the protocol.
"""

import asyncio
import sys
from pathlib import Path

from workspace_memory.domain.ids import ServerId
from workspace_memory.mcp.stdio import LocalUser, serve_stdio_while_opening


def open_local() -> LocalUser:
    from workspace_memory.services.deps import Deps  # noqa: PLC0415  what takes the time
    from workspace_memory.services.running import Runner, run  # noqa: PLC0415
    from workspace_memory.storage.database import open_sqlite  # noqa: PLC0415

    deps = Deps(open_sqlite(Path(sys.argv[1])))

    def noisy(use_case, /, *args, **kwargs):  # type: ignore[no-untyped-def]  # noqa: ANN
        print("noise", flush=True)  # noqa: T201
        return run(deps, use_case, *args, **kwargs)

    runner: Runner = noisy
    return LocalUser(runner, sys.argv[2], ServerId(sys.argv[3]))


if __name__ == "__main__":
    asyncio.run(serve_stdio_while_opening(open_local))

"""Servers that a benchmark starts on the loopback, and ends again whatever happens.

A server is ended by its own process handle, also after an error and on Ctrl-C or SIGTERM. Its output goes to a
file, so that a full pipe cannot stop it and `--json` stays clean; the end of that file is shown when it fails.
"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

START_SECONDS = 120.0
END_SECONDS = 15.0
_LOG_LINES = 20


class ServerFailed(Exception):
    """A server did not start, or ended by itself; the message has the end of what it printed."""


# One token does everything here, more often in a minute than the limits allow.
_UNLIMITED = {"WORKSPACE_MEMORY_RATE_SAVES": "0", "WORKSPACE_MEMORY_RATE_SEARCHES": "0"}


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers."""

    url: str
    process: "subprocess.Popen[bytes]"

    def resident_bytes(self) -> int:
        """The memory that the server's process occupies now, or 0 where the system does not tell."""
        shown = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, text=True, check=False
        ).stdout.strip()
        return int(shown) * 1024 if shown.isdigit() else 0

    def cpu_seconds(self) -> float:
        """The processor time that the server's process has used so far, or 0 where the system does not tell."""
        return cpu_seconds_of(self.process.pid)


def cpu_seconds_of(pid: int) -> float:
    """The processor time that a process of this machine has used so far, or 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    # User and system time are fields 14 and 15 of proc(5); the text begins at the third.
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def product(
    folder: Path,
    *,
    database_url: str = "",
    ready_path: str = "/healthz",
    more: Mapping[str, str] | None = None,
) -> Generator[Running]:
    """The product's own command, `workspace-memory serve`, over a data folder, once a path answers.

    `more` are further settings.

    Raises: ServerFailed.
    """
    command = Path(sys.executable).with_name("workspace-memory")
    if not command.exists():
        raise ServerFailed(f"{command.name} is not installed beside {sys.executable}; ./run setup does that")
    port = free_port()
    settings = {"WORKSPACE_MEMORY_DATABASE_URL": database_url} if database_url else {}
    # What is measured is the work, not how soon a busy client is asked to wait.
    settings |= {"WORKSPACE_MEMORY_RATE_SAVES": "0", "WORKSPACE_MEMORY_RATE_SEARCHES": "0", **(more or {})}
    # A given --data goes before a database in the environment, so there is either the one or the other.
    place = [] if database_url else ["--data", str(folder)]
    words = [str(command), "serve", *place, "--host", "127.0.0.1", "--port", str(port)]
    with running(
        words, port, folder.parent / "server.log", ready_path=ready_path, settings=settings
    ) as server:
        yield server


@contextmanager
def running(
    command: Sequence[str],
    port: int,
    log: Path,
    *,
    ready_path: str = "/",
    settings: Mapping[str, str] | None = None,
) -> Generator[Running]:
    """A command that serves HTTP on this port of the loopback, from its first answer on. Raises: ServerFailed."""
    # Settings of whoever runs the benchmark must not change what is measured.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("WORKSPACE_MEMORY_")
    }
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**environment, **_UNLIMITED, **(settings or {})},
        )
    try:
        _wait_for(port, ready_path, process, log)
        yield Running(f"http://127.0.0.1:{port}", process)
    finally:
        _end(process)


def free_port() -> int:
    """A port of the loopback that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def end_on_signals() -> None:
    """Let SIGTERM unwind like Ctrl-C does, so that the servers started are ended then too."""
    signal.signal(signal.SIGTERM, _unwind)


def _unwind(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _wait_for(port: int, path: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    give_up_at = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up_at:
        if process.poll() is not None:
            raise ServerFailed(f"the server ended with exit code {process.returncode}:\n{_last_lines(log)}")
        if _answers(port, path):
            return
        time.sleep(0.05)
    raise ServerFailed(f"the server did not answer within {START_SECONDS:.0f} s:\n{_last_lines(log)}")


def _answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def _last_lines(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-_LOG_LINES:])


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

"""The command line as other programs use it: words in, exit code and both streams out, every wait bounded."""

import io
import json
import os
import pty
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from workspace_memory.cli.main import main
from workspace_memory.storage.database import open_sqlite
from workspace_memory.storage.migrating import migrate

COMMAND = Path(sys.executable).with_name("workspace-memory")
BOUND_SECONDS = 100.0  # for a loaded machine
PASSWORD = "a long enough password"
INTERRUPT = "\x03"  # what Ctrl+C types
KEYS = (INTERRUPT, "\x04")  # … and Ctrl+D


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    """This process's environment without the product's own variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WORKSPACE_MEMORY_")}
    return {**kept, "PYTHONWARNINGS": "default", **more}


def run(*words: object, stdin: str = "", env: Mapping[str, str] | None = None) -> Ended:
    """Run the command in this process: the same code, without the second that an interpreter's start takes."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    kept = sys.argv, sys.stdin
    sys.argv, sys.stdin = [str(COMMAND), *(str(word) for word in words)], io.StringIO(stdin)
    code: object = 0
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            main()
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.argv, sys.stdin = kept
    assert isinstance(code, int)
    return Ended(code, _text(out), _text(err))


def run_process(*words: object, stdin: str = "", env: Mapping[str, str] | None = None) -> Ended:
    """Run the installed command as a process of its own."""
    done = subprocess.run(
        [str(COMMAND), *(str(word) for word in words)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=BOUND_SECONDS,
        env=environment(**(env or {})),
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def on_a_terminal(
    words: list[str], questions: list[bytes], answers: list[str], env: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run a command on a terminal of its own; each answer is typed once its question is there."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(COMMAND, [str(COMMAND), *words], environment(TERM="dumb", **(env or {})))  # noqa: S606  it has no shell on purpose
    giving_up = threading.Timer(BOUND_SECONDS, os.kill, (child, signal.SIGKILL))
    giving_up.start()
    shown = b""
    try:
        for question, answer in zip(questions, answers, strict=True):
            before = len(shown)
            while question not in shown[before:]:
                shown += os.read(terminal, 1_024)
            # A key such as Ctrl-C acts by itself; a line feed behind it would answer a question that is not there yet.
            os.write(terminal, answer.encode() + (b"" if answer.endswith(KEYS) else b"\n"))
        while chunk := _read(terminal, again=INTERRUPT in answers and b"Interrupted" not in shown):
            shown += chunk
    except OSError:
        pass  # Linux says EIO where others say end of file: the command has ended
    _, status = os.waitpid(child, 0)
    giving_up.cancel()
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode()


def _read(terminal: int, *, again: bool) -> bytes:
    # Python loses an interruption that comes in the moment before it begins to wait for a line, so it is repeated.
    while again and not select.select([terminal], [], [], 1)[0]:
        os.write(terminal, INTERRUPT.encode())
    return os.read(terminal, 1_024)


def succeed(*words: object, stdin: str = "", env: Mapping[str, str] | None = None) -> str:
    """Run a command that has to succeed; its standard output without the last line feed."""
    ended = run(*words, stdin=stdin, env=env)
    assert ended.code == 0, ended.err
    return ended.out.rstrip("\n")


@cache
def _migrated() -> bytes:
    """An empty database of the newest schema; what `init` does with no file at all stands in test_cli_init.py."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        opened = open_sqlite(path)
        migrate(opened)
        opened.close()
        return path.read_bytes()


def migrated(folder: Path) -> Path:
    """The folder, with an empty database as a `serve` leaves it that nobody has used: migrating takes half a second."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "memory.db"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(_migrated())
    return folder


def set_up(folder: Path, email: str = "alice@example.com") -> dict[str, str]:
    """`init --json` on a folder, parsed."""
    migrated(folder)
    return json.loads(succeed("init", "--data", folder, "--email", email, "--json"))


@dataclass
class Serve:
    """A running `serve` on a port of its own; `said` is what it has printed so far."""

    process: subprocess.Popen[str]
    lines: "queue.SimpleQueue[str | None]" = field(default_factory=queue.SimpleQueue[str | None])
    said: list[str] = field(default_factory=list[str])
    url: str = ""

    def read_until(self, wanted: str) -> str:
        """The next line that contains a text."""
        while (line := self.lines.get(timeout=BOUND_SECONDS)) is not None:
            self.said.append(line)
            if wanted in line:
                return line.rstrip("\n")
        raise AssertionError(f"serve ended without '{wanted}': {''.join(self.said)}")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and give the exit code."""
        self.process.send_signal(number)
        return self.process.wait(BOUND_SECONDS)

    def everything_said(self) -> str:
        """All output of a process that has ended."""
        while (line := self.lines.get(timeout=BOUND_SECONDS)) is not None:
            self.said.append(line)
        return "".join(self.said)


@contextmanager
def serving(
    folder: Path, *words: object, port: int = 0, env: Mapping[str, str] | None = None
) -> Generator[Serve]:
    """`serve` on the folder, or on the database of `env`, once it answers; killed at the end if it still runs."""
    place = () if "WORKSPACE_MEMORY_DATABASE_URL" in (env or {}) else ("--data", str(folder))
    process = subprocess.Popen(
        [str(COMMAND), "serve", *place, "--port", str(port), *(str(word) for word in words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(PYTHONUNBUFFERED="1", WORKSPACE_MEMORY_DATA=str(folder), **(env or {})),
    )
    assert process.stdout is not None
    stream = process.stdout
    serve = Serve(process)

    def read() -> None:
        for line in stream:
            serve.lines.put(line)
        serve.lines.put(None)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        serve.url = serve.read_until("is running at").split()[-1]
        yield serve
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(BOUND_SECONDS)
        reader.join(BOUND_SECONDS)
        stream.close()


def sentence(ended: Ended) -> str:
    """The one plain sentence of a refusal: no traceback, nothing on standard output."""
    assert ended.code == 1, (ended.out, ended.err)
    assert ended.out == ""
    assert "Traceback" not in ended.err
    assert ended.err.count("\n") == 1, ended.err
    return ended.err.removeprefix("Error: ").rstrip("\n")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.detach()
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()

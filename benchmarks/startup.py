"""How long a client waits for a fresh process: `mcp` until it answers `initialize`, `serve` until it is ready.

    benchmarks/startup.py [--starts 5] [--json]

Each start is a new process, on a data folder that nobody has used before and then on one that exists. `mcp` is timed
from its start to the answer to `initialize`, and to the first search's answer; `serve` to the first 200 of /readyz.
Given are the median and the worst, and the processor time of a whole process that answered `initialize` and ended.
The files of the program may be in the system's cache: that is how it is on a machine where a client was used before.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from _arguments import report_parser
from _progress import say
from _servers import ServerFailed, end_on_signals, product
from _tables import table

LIMIT_SECONDS = 1.0
STARTS_MAX = 100
END_SECONDS = 20.0
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_SEARCH = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "memory_search", "arguments": {"query": "tea"}},
}


class StartFailed(Exception):
    """A process ended before it had answered; the message has the end of what it said."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """Of several starts: the median, the worst, and the median of the processor time (0 where it was not taken)."""

    median: float
    worst: float
    cpu: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    end_on_signals()
    try:
        measured = measure(options.starts)
    except (StartFailed, ServerFailed) as error:
        print(f"startup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if options.json:
        print(json.dumps({name: asdict(seconds) for name, seconds in measured.items()}))
    else:
        print(as_text(measured))
    return 0


def measure(starts: int) -> Mapping[str, Seconds]:
    """Start each kind so many times. Raises: StartFailed, ServerFailed."""
    with tempfile.TemporaryDirectory(prefix="wm-startup-") as temporary:
        folder = Path(temporary)
        fresh = [folder / f"new{number}" / "data" for number in range(starts)]
        for place in fresh:
            place.parent.mkdir()
        say(f"mcp, {starts} starts on new folders and on folders that exist")
        new = [_mcp(place) for place in fresh]
        again = [_mcp(place) for place in fresh]
        say(f"serve, {starts} starts on folders that exist")
        serving = [(_serve(place), 0.0) for place in fresh]
    return {
        "mcp, new folder, initialize": summary([(first, cpu) for first, _, cpu in new]),
        "mcp, new folder, first search": summary([(search, 0.0) for _, search, _ in new]),
        "mcp, initialize": summary([(first, cpu) for first, _, cpu in again]),
        "mcp, first search": summary([(search, 0.0) for _, search, _ in again]),
        "serve, ready": summary(serving),
    }


def summary(starts: Sequence[tuple[float, float]]) -> Seconds:
    """Of elapsed and processor seconds of each start. Raises: StatisticsError for none."""
    elapsed = [seconds for seconds, _ in starts]
    return Seconds(
        round(median(elapsed), 4), round(max(elapsed), 4), round(median(cpu for _, cpu in starts), 4)
    )


def _mcp(folder: Path) -> tuple[float, float, float]:
    """Seconds to the answer to initialize and to the first search, and the processor time of the whole process."""
    command = [str(Path(sys.executable).with_name("workspace-memory")), "mcp", "--data", str(folder)]
    before = _children_cpu()
    started = time.perf_counter()
    # Settings of whoever runs the benchmark must not change what is measured.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("WORKSPACE_MEMORY_")
    }
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        try:
            first = _ask(process, started, [_INITIALIZE], lambda answer: "serverInfo" in answer["result"])
            search = _ask(
                process, started, [_INITIALIZED, _SEARCH], lambda answer: not answer["result"]["isError"]
            )
            assert process.stdin is not None  # noqa: S101  it was asked for
            process.stdin.close()
            process.wait(END_SECONDS)
        finally:
            process.kill()
    return first, search, _children_cpu() - before


def _ask(
    process: "subprocess.Popen[bytes]",
    started: float,
    messages: Sequence[object],
    is_good: Callable[[Mapping[str, Mapping[str, object]]], object],
) -> float:
    assert process.stdin is not None  # noqa: S101  both were asked for
    assert process.stdout is not None  # noqa: S101
    try:
        process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
        process.stdin.flush()
        line = process.stdout.readline()
        elapsed = time.perf_counter() - started
        if is_good(json.loads(line)):
            return elapsed
    except (OSError, ValueError, KeyError):
        pass
    process.kill()
    _, said = process.communicate()
    raise StartFailed(f"mcp did not answer: {said.decode(errors='replace')[-500:].strip()}")


def _serve(folder: Path) -> float:
    started = time.perf_counter()
    with product(folder, ready_path="/readyz"):
        return time.perf_counter() - started


def _children_cpu() -> float:
    times = os.times()
    return times.children_user + times.children_system


def as_text(measured: Mapping[str, Seconds]) -> str:
    """The report for people, in seconds."""
    rows = [
        [name, f"{one.median:.2f}", f"{one.worst:.2f}", f"{one.cpu:.2f}" if one.cpu else "–"]
        for name, one in measured.items()
    ]
    return table(["from the start to", "median s", "worst s", "CPU s"], rows)


def starts(text: str) -> int:
    """How many starts of each kind. Raises: ArgumentTypeError."""
    if not (text.isdigit() and 1 <= int(text) <= STARTS_MAX):
        raise argparse.ArgumentTypeError(f"a number of starts lies between 1 and {STARTS_MAX}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = report_parser("startup", __doc__)
    parser.add_argument("--starts", type=starts, default=5, metavar="N", help="of each kind (5)")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

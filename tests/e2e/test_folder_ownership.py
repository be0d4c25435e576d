"""One process owns a data folder and nobody notices: real processes, started, stopped and killed.

The processes run folder_counter.py. Its database is opened in SQLite's exclusive mode, so that a moment with two
owners fails loudly.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import pytest

import workspace_memory

PROGRAM = Path(__file__).with_name("folder_counter.py")
BOUND_SECONDS = 15.0
TAKEOVER_SECONDS_MAX = 5.0  # the aim is 1 s; the rest is for a loaded machine


class Process:
    """A running folder_counter.py: commands in, answers out, every wait with a bound."""

    def __init__(self, mode: str, folder: Path, call_seconds_max: float) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, str(PROGRAM), mode, str(folder), str(call_seconds_max)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**os.environ, "PYTHONPATH": str(Path(workspace_memory.__file__).parents[1])},
        )
        self.pid = self._popen.pid
        self._answers: queue.SimpleQueue[dict[str, object] | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def say(self, *words: object) -> None:
        assert self._popen.stdin is not None
        self._popen.stdin.write(" ".join(str(word) for word in words) + "\n")
        self._popen.stdin.flush()

    def answer(self) -> dict[str, object]:
        answer = self._answers.get(timeout=BOUND_SECONDS)
        assert answer is not None, "the process ended"
        return answer

    def ask(self, *words: object) -> dict[str, object]:
        self.say(*words)
        return self.answer()

    def answers_until_end(self) -> list[dict[str, object]]:
        answers: list[dict[str, object]] = []
        while (answer := self._answers.get(timeout=BOUND_SECONDS)) is not None:
            answers.append(answer)
        return answers

    def kill(self) -> None:
        self._popen.kill()
        self._popen.wait(BOUND_SECONDS)

    def freeze(self) -> None:
        """Stop the process, and wait until every thread of it stands: the signal alone is only on its way."""
        os.kill(self.pid, signal.SIGSTOP)
        give_up_at = time.monotonic() + 10
        while time.monotonic() < give_up_at and not all(
            task.read_text().rpartition(")")[2].split()[0] == "T"
            for task in Path(f"/proc/{self.pid}/task").glob("*/stat")
        ):
            time.sleep(0.01)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> int:
        """End of input: the program closes its gateway and leaves."""
        assert self._popen.stdin is not None
        with suppress(BrokenPipeError):
            self._popen.stdin.close()
        return self._popen.wait(BOUND_SECONDS)

    def _read(self) -> None:
        assert self._popen.stdout is not None
        for line in self._popen.stdout:
            self._answers.put(json.loads(line))
        self._answers.put(None)

    def end(self) -> None:
        self.kill()
        for stream in (self._popen.stdin, self._popen.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator["Start"]:
    started: list[Process] = []

    def start_one(mode: str, call_seconds_max: float = 10.0) -> Process:
        process = Process(mode, tmp_path / "folder", call_seconds_max)
        started.append(process)
        return process

    yield start_one
    for process in started:
        process.end()


class Start(Protocol):
    """Starts a process on the folder of this test; it is killed when the test ends."""

    def __call__(self, mode: str, call_seconds_max: float = 10.0) -> Process: ...


def started(process: Process) -> Process:
    assert process.answer() == {"ready": process.pid}
    return process


def test_a_process_without_an_owner_owns_the_folder_itself(start: Start) -> None:
    alone = started(start("forward"))
    assert alone.ask("owner") == {"owner": alone.pid}


def test_a_second_process_forwards_to_the_first(start: Start) -> None:
    first, second = started(start("forward")), started(start("forward"))
    first.ask("owner")
    assert second.ask("owner") == {"owner": first.pid}


def test_what_one_process_writes_another_finds(start: Start) -> None:
    first, second = started(start("forward")), started(start("forward"))
    first.ask("owner")
    second.ask("append", "tea")
    assert first.ask("find", "tea") == {"found": "tea"}


def test_a_domain_error_of_the_owner_is_the_same_error_in_the_caller(start: Start) -> None:
    first, second = started(start("forward")), started(start("forward"))
    first.ask("owner")
    assert second.ask("find", "nothing") == {"error": "NotFound", "message": "There is no such key."}


def test_the_next_process_takes_over_when_the_owner_is_killed(start: Start) -> None:
    first, second = started(start("forward")), started(start("forward"))
    first.ask("owner")
    second.ask("owner")
    first.kill()
    since = time.monotonic()
    assert second.ask("owner") == {"owner": second.pid}
    assert time.monotonic() - since < TAKEOVER_SECONDS_MAX


def test_the_next_process_takes_over_when_the_owner_leaves_in_order(start: Start) -> None:
    first, second = started(start("forward")), started(start("forward"))
    first.ask("owner")
    second.ask("owner")
    assert first.stop() == 0
    assert second.ask("owner") == {"owner": second.pid}


def test_an_owner_that_leaves_in_order_leaves_no_address_behind(start: Start, tmp_path: Path) -> None:
    alone = started(start("forward"))
    alone.ask("owner")
    alone.stop()
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["keys.db", "owner.lock"]


def test_the_socket_of_a_killed_owner_is_in_nobodys_way(start: Start, tmp_path: Path) -> None:
    killed = started(start("forward"))
    killed.ask("owner")
    killed.kill()
    assert (tmp_path / "folder" / "owner.sock").exists()
    first, second = started(start("forward")), started(start("forward"))
    assert first.ask("owner") == {"owner": first.pid}
    assert second.ask("owner") == {"owner": first.pid}


def test_a_second_serve_is_refused_and_told_which_process_runs(start: Start, tmp_path: Path) -> None:
    first = started(start("serve"))
    refusal = start("serve").answer()
    assert refusal["error"] == "AnotherServeRuns"
    assert f"(process {first.pid})" in str(refusal["message"])
    assert str(tmp_path / "folder") in str(refusal["message"])


def test_a_serve_can_start_after_another_was_killed(start: Start) -> None:
    started(start("serve")).kill()
    second = started(start("serve"))
    assert second.ask("owner") == {"owner": second.pid}


def test_a_starting_serve_gets_the_folder_from_the_process_that_owns_it(start: Start) -> None:
    stdio = started(start("forward"))
    stdio.ask("owner")
    serve = started(start("serve"))
    assert stdio.ask("owner") == {"owner": serve.pid}


def test_a_process_that_gave_up_the_folder_takes_it_back_when_serve_ends(start: Start) -> None:
    stdio = started(start("forward"))
    stdio.ask("owner")
    serve = started(start("serve"))
    stdio.ask("owner")
    serve.stop()
    assert stdio.ask("owner") == {"owner": stdio.pid}


def test_a_hand_over_waits_for_the_calls_in_flight_and_loses_none(start: Start, tmp_path: Path) -> None:
    owner, caller = started(start("forward")), started(start("forward"))
    owner.ask("owner")
    begun, go_on = tmp_path / "begun", tmp_path / "go-on"
    caller.say("append_when_told", "tea", begun, go_on)
    wait_for(begun.exists)
    serve = start("serve")
    serve_lock = tmp_path / "folder" / "serve.lock"
    wait_for(lambda: serve_lock.exists() and serve_lock.read_text() == f"{serve.pid}\n")
    go_on.touch()
    started(serve)
    assert caller.answer() == {"added": "tea"}
    assert serve.ask("read_all") == {"keys": ["tea"]}


def test_four_processes_write_on_while_serve_starts_and_stops(start: Start) -> None:
    writers = [started(start("forward")) for _ in range(4)]
    added: list[str] = []
    for turn in range(3):
        for number, writer in enumerate(writers):
            writer.say("add", f"turn{turn}-w{number}", 100)
        serve = started(start("serve"))
        assert serve.ask("owner") == {"owner": serve.pid}
        assert serve.stop() == 0
        added += [str(writer.answer()["added"]) for writer in writers for _ in range(100)]
    assert Counter(as_words(writers[0].ask("read_all")["keys"])) == Counter(added)


@pytest.mark.parametrize("owner_mode", ["serve", "forward"])
def test_no_acknowledged_write_is_lost_or_doubled_when_owners_are_killed(
    start: Start, owner_mode: str
) -> None:
    owner = started(start(owner_mode))
    owner.ask("owner")
    writers = [started(start("forward")) for _ in range(4)]
    for number, writer in enumerate(writers):
        writer.say("add", f"w{number}", 50)
    first_answers = [str(writers[0].answer()["added"]) for _ in range(10)]
    owner.kill()
    added = first_answers + [str(writers[0].answer()["added"]) for _ in range(40)]
    added += [str(writer.answer()["added"]) for writer in writers[1:] for _ in range(50)]
    kept = Counter(as_words(writers[0].ask("read_all")["keys"]))
    assert kept == Counter(added)
    assert len(kept) == 200


def test_a_writer_that_took_over_and_is_killed_too_loses_nothing_acknowledged(start: Start) -> None:
    owner = started(start("serve"))
    writers = [started(start("forward")) for _ in range(4)]
    for number, writer in enumerate(writers):
        writer.say("add", f"w{number}", 50)
    writers[0].answer()
    owner.kill()
    survivor = started(start("forward"))
    heir = survivor.ask("owner")["owner"]
    killed = next((writer for writer in writers if writer.pid == heir), writers[0])
    killed.kill()
    others = [writer for writer in writers if writer is not killed]
    added = {
        str(writer.answer()["added"]) for writer in others for _ in range(49 if writer is writers[0] else 50)
    }
    added |= {str(answer["added"]) for answer in killed.answers_until_end()}
    kept = Counter(as_words(survivor.ask("read_all")["keys"]))
    assert added <= set(kept)
    assert max(kept.values()) == 1


def test_a_call_that_may_not_be_repeated_ends_as_owner_lost(start: Start, tmp_path: Path) -> None:
    owner, caller = started(start("forward")), started(start("forward"))
    owner.ask("owner")
    begun = tmp_path / "begun"
    caller.say("append_when_told", "tea", begun, tmp_path / "never")
    wait_for(begun.exists)
    owner.kill()
    assert caller.answer()["error"] == "OwnerLost"
    assert caller.ask("read_all") == {"keys": []}


def test_an_owner_that_hangs_makes_callers_busy_and_its_later_waking_writes_nothing(start: Start) -> None:
    owner, caller = started(start("forward")), started(start("forward", call_seconds_max=0.5))
    owner.ask("owner")
    caller.ask("owner")
    owner.freeze()
    refusal = caller.ask("append", "tea")
    owner.thaw()
    assert refusal["error"] == "FolderBusy"
    assert f"Process {owner.pid}" in str(refusal["message"])
    assert owner.ask("read_all") == {"keys": []}
    assert caller.ask("read_all") == {"keys": []}


def as_words(keys: object) -> list[str]:
    assert isinstance(keys, list)
    return [str(key) for key in keys]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - JSON


def wait_for(condition: Callable[[], bool]) -> None:
    """Look again and again, with a bound, where a file is all that another process can show."""
    deadline = time.monotonic() + BOUND_SECONDS
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "it did not come"
        pause.wait(0.002)

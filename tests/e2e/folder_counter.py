"""A small program that writes keys into a shared data folder, for test_folder_ownership.py.

    python folder_counter.py forward|serve FOLDER CALL_SECONDS_MAX

It takes one command per line and answers with one JSON value per line. Its services are a SQLite table and know
nothing of folders, like those of the product.
"""

import contextlib
import json
import os
import sqlite3
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from workspace_memory.domain.errors import DomainError, NotFound
from workspace_memory.folder.calls import CallRegistry
from workspace_memory.folder.gateway import FolderGateway


@dataclass
class Keys:
    """The opened database. One lock: writers of SQLite queue anyway."""

    connection: sqlite3.Connection
    guard: threading.Lock


class OpenKeys:
    """LocalServices of this program. A second process with the file open at once is found out."""

    def __init__(self, folder: Path) -> None:
        connection = sqlite3.connect(folder / "keys.db", isolation_level=None, check_same_thread=False)
        # EXCLUSIVE: a second process that opened the database while we have it would fail with "database is locked".
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA busy_timeout=0")
        connection.execute("CREATE TABLE IF NOT EXISTS keys (key TEXT, writer INTEGER)")
        self.deps = Keys(connection, threading.Lock())

    def close(self) -> None:
        self.deps.connection.close()


def add(keys: Keys, key: str) -> None:
    """Write a key once, however often it is asked: repeatable."""
    with keys.guard:
        keys.connection.execute(
            "INSERT INTO keys SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM keys WHERE key = ?)",
            (key, os.getpid(), key),
        )


def append(keys: Keys, key: str) -> None:
    """Write a key again each time: not repeatable."""
    with keys.guard:
        keys.connection.execute("INSERT INTO keys VALUES (?, ?)", (key, os.getpid()))


def read_all(keys: Keys) -> list[str]:
    with keys.guard:
        return [key for (key,) in keys.connection.execute("SELECT key FROM keys")]


def owner_pid(keys: Keys) -> int:
    return os.getpid()


def find(keys: Keys, key: str) -> str:
    with keys.guard:
        row = keys.connection.execute("SELECT key FROM keys WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise NotFound("key")
    return str(row[0])


def append_when_told(keys: Keys, key: str, started: Path, go_on: Path) -> None:
    """A call that stays in flight until the test lets it go on (bounded)."""
    started.touch()
    deadline = time.monotonic() + 20
    while not go_on.exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    append(keys, key)


REGISTRY = CallRegistry(
    {
        "keys.add": add,
        "keys.append": append,
        "keys.read_all": read_all,
        "keys.owner_pid": owner_pid,
        "keys.find": find,
        "keys.append_when_told": append_when_told,
    },
    repeatable={add, read_all, owner_pid, find},
)


def main(mode: str, folder: Path, call_seconds_max: float) -> None:
    gateway = FolderGateway(
        folder,
        lambda: OpenKeys(folder),
        registry=REGISTRY,
        version="1",
        call_seconds_max=call_seconds_max,
    )
    with contextlib.closing(gateway):
        try:
            if mode == "serve":
                gateway.own_as_serve()
            say({"ready": os.getpid()})
            for line in sys.stdin:
                obey(gateway, *line.split())
        except DomainError as error:
            say({"error": type(error).__name__, "message": str(error)})


def obey(gateway: FolderGateway[Keys], command: str, *words: str) -> None:
    try:
        match command, words:
            case "add", (prefix, count):
                for number in range(int(count)):
                    gateway.call(add, f"{prefix}-{number}")
                    say({"added": f"{prefix}-{number}"})
            case "append", (key,):
                gateway.call(append, key)
                say({"added": key})
            case "append_when_told", (key, started, go_on):
                gateway.call(append_when_told, key, Path(started), go_on=Path(go_on))
                say({"added": key})
            case "find", (key,):
                say({"found": gateway.call(find, key)})
            case "read_all", ():
                say({"keys": gateway.call(read_all)})
            case "owner", ():
                say({"owner": gateway.call(owner_pid)})
            case _:
                say({"error": "unknown command"})
    except DomainError as error:
        say({"error": type(error).__name__, "message": str(error)})


def say(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))

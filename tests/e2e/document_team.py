"""Members at their command lines, by one of three ways: in the folder, beside a server on it, or over its address.

Each member has a folder of what the own client remembers, a passphrase in a file, and a place for drafts.
"""

import json
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.e2e.command_line import PASSWORD, Ended, Serve, migrated, run, serving, succeed
from tests.e2e.in_thread import Here, serving_here

PASSPHRASE = "a long walk along the river"
ANOTHER_PASSPHRASE = "another walk, along the sea"
WAYS = ("folder", "beside", "url")


@dataclass
class Person:
    """One member. `here` are the options that say where commands go and for whom."""

    email: str
    here: tuple[object, ...]
    own: Path
    recovery_key: str = ""
    fingerprint: str = ""
    env: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def passphrase_file(self) -> Path:
        return self.own / "passphrase"

    @property
    def unlocking(self) -> tuple[object, ...]:
        return ("--passphrase-file", self.passphrase_file)

    @property
    def drafts(self) -> list[Path]:
        """The drafts that were kept."""
        return sorted((self.own / "run").iterdir())

    def choose(self, passphrase: str) -> None:
        """Write another passphrase into the file."""
        self.passphrase_file.write_text(f"{passphrase}\n")

    def file(self, text: str | bytes, name: str = "memory.md") -> Path:
        """A file with a text."""
        path = self.own / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def tries(
        self, *words: object, stdin: str = "", unlocked: bool = True, env: Mapping[str, str] | None = None
    ) -> Ended:
        """Run a command that may fail."""
        unlocking = self.unlocking if unlocked else ()
        return run(*words, *self.here, *unlocking, stdin=stdin, env={**self.env, **(env or {})})

    def does(
        self, *words: object, stdin: str = "", unlocked: bool = True, env: Mapping[str, str] | None = None
    ) -> str:
        """Run a command that has to succeed; what it printed."""
        ended = self.tries(*words, stdin=stdin, unlocked=unlocked, env=env)
        assert ended.code == 0, ended.err
        return ended.out.rstrip("\n")

    def sees(self, *words: object, unlocked: bool = False) -> Any:
        """The JSON that a command prints."""
        return json.loads(self.does(*words, "--json", unlocked=unlocked))

    def sets_up_keys(self) -> None:
        """`keys setup`, keeping what was shown."""
        made = self.sees("keys", "setup", unlocked=True)
        self.recovery_key, self.fingerprint = made["recovery_key"], made["fingerprint"]

    def saves(self, text: str) -> int:
        """`document save` of a text; its version."""
        return self.sees("document", "save", self.file(text), unlocked=True)["version"]

    def grants(self, other: "Person") -> None:
        """`keys grant` after comparing fingerprints."""
        self.does("keys", "grant", other.email, "--fingerprint", other.fingerprint)


@dataclass
class Team:
    """The members of one workspace, whom alice invites."""

    way: str
    folder: Path
    beside: Path
    serve: Serve | Here | None = None

    def join(self, email: str, role: str = "editor", *, keys: bool = True) -> Person:
        """Another member, who signs in with PASSWORD."""
        link = succeed("user", "add", email, "--role", role, "--data", self.folder)
        succeed("user", "accept", link, "--data", self.folder, "--password-stdin", stdin=PASSWORD + "\n")
        return self.person(email, keys=keys)

    def person(self, email: str, *, keys: bool = True) -> Person:
        """A member at a machine where nothing is remembered yet."""
        own = self.beside / f"{email.partition('@')[0]}-{len(list(self.beside.iterdir()))}"
        (own / "run").mkdir(parents=True)
        here: tuple[object, ...] = ("--data", self.folder, "--as", email)
        env = {"XDG_RUNTIME_DIR": str(own / "run")}
        if self.way == "url":
            assert self.serve is not None
            token = succeed("token", "create", "--name", "own", *here)
            here = ("--url", self.serve.url, "--token", token)
            env["WORKSPACE_MEMORY_DATA"] = str(own / "data")
        person = Person(email, here, own, env=env)
        person.choose(PASSPHRASE)
        if keys:
            person.sets_up_keys()
        return person


@contextmanager
def gathered(way: str, folder: Path, *, process: bool = False) -> Generator[Team]:
    """A team of alice alone, its admin, without keys; its server is in this process unless `process` is asked for."""
    data, beside = folder / "memory", folder / "people"
    beside.mkdir()
    migrated(data)
    succeed(
        *("init", "--data", data, "--email", "alice@example.com", "--json", "--password-stdin"),
        stdin=PASSWORD + "\n",
    )
    team = Team(way, data, beside)
    if way == "folder":
        yield team
        return
    server: AbstractContextManager[Serve | Here] = serving(data) if process else serving_here(data)
    with server as team.serve:
        yield team

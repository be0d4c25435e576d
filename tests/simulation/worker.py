"""A process of its own that works on the memory document until it is told to end, or is killed.

It tells what was acknowledged, after the service has answered and never before, so that whoever kills it knows what
must be there. test_many_processes.py and test_kills.py start it.
"""

import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from tests.conftest import MovableClock, World
from tests.contract.keyed import Keyed
from tests.contract.memory_stage import Stage, Turn, add

from workspace_memory.crypto.user_keys import UserKeys
from workspace_memory.crypto.workspace_keys import WorkspaceKey
from workspace_memory.domain.document_errors import AiDisabled, EpochConflict, KeySessionRequired
from workspace_memory.domain.errors import Conflict, DomainError
from workspace_memory.domain.ids import ConversationId, ServerId, UserId, Version, WorkspaceId
from workspace_memory.domain.policy import Mode
from workspace_memory.domain.rate import RateLimits
from workspace_memory.services.captures import CaptureOutcome
from workspace_memory.services.deps import Deps, new_uuid7
from workspace_memory.services.key_sessions import list_key_sessions, revoke_key_session
from workspace_memory.services.running import run
from workspace_memory.storage.database import open_postgresql, open_sqlite

Ack = dict[str, str | int]
R = TypeVar("R")
PATIENCE_SECONDS = 60.0
PERSISTENCE = 20
SHARED = 0.2
INTERRUPTED = 0.25


@dataclass(frozen=True)
class Scene:
    """All that a process needs to act in a workspace. `place` is a file or a PostgreSQL URL.

    `key` is the first workspace key. `private` are the halves of alice's own keys, by which later ones are opened.
    """

    place: str
    workspace: WorkspaceId
    server: ServerId
    alice: UserId
    bob: UserId
    key: WorkspaceKey = field(repr=False)
    private: tuple[bytes, bytes] = field(repr=False)
    secret: bytes = field(repr=False)
    conversations: tuple[ConversationId, ...]

    def open(self) -> Stage:
        """The services over this workspace, with the machine's clock and a key store of this process."""
        on_server = self.place.startswith("postgresql")
        database = open_postgresql(self.place) if on_server else open_sqlite(Path(self.place))
        deps = Deps(database, instance_secret=self.secret, rates=RateLimits(0, 0, 0))
        nobody = UserId("")
        world = World(
            deps=deps,
            clock=MovableClock(),
            workspace=self.workspace,
            server=self.server,
            alice=self.alice,
            bob=self.bob,
            carol=nobody,
            mallory=nobody,
            other_workspace=WorkspaceId(""),
            other_server=ServerId(""),
        )
        return Stage(world, self.keyed(world).key)

    def keyed(self, world: World) -> Keyed:
        """Alice's own keys, and the newest workspace key opened by them."""
        receiving, signing = self.private
        own = UserKeys(
            X25519PrivateKey.from_private_bytes(receiving), Ed25519PrivateKey.from_private_bytes(signing)
        )
        keyed = Keyed(world, {self.alice: own}, [self.key])
        keyed.open_newest(self.alice)
        return keyed


def a_scene(world: World, place: str) -> Scene:
    """The cast's workspace with a key, AI on, in auto mode and with a text, as other processes need to know it."""
    keyed = Keyed(world)
    keyed.set_up(world.alice)
    keyed.start(world.alice)
    stage = Stage(world, keyed.key)
    stage.set_ai(True)
    stage.set_mode(Mode.AUTO)
    stage.save("# Team\n\n- We ship on Thursday\n")
    own = keyed.keys[world.alice]
    return Scene(
        place=place,
        workspace=world.workspace,
        server=world.server,
        alice=world.alice,
        bob=world.bob,
        key=keyed.key,
        private=(own.receiving.private_bytes_raw(), own.signing.private_bytes_raw()),
        secret=world.deps.instance_secret,
        conversations=(stage.converse(world.alice), stage.converse(world.bob)),
    )


class Worker:
    """One process's hands. Each deed is tried once; what is refused is only counted."""

    def __init__(
        self, scene: Scene, seed: int, deeds: tuple[str, ...], acknowledge: Callable[[Ack], None]
    ) -> None:
        self.scene = scene
        self.stage = scene.open()
        self.random = random.Random(seed)  # noqa: S311
        self.acknowledge = acknowledge
        self.counts: Counter[str] = Counter()
        self.others = [deed for deed in deeds if deed != "capture"]
        self.keyed = scene.keyed(self.stage.world)
        self.own_conversations = tuple(self.stage.converse(user) for user in (scene.alice, scene.bob))

    def do(self, name: str) -> None:
        deeds: dict[str, Callable[[], None]] = {
            "capture": self.capture,
            "save": self.save,
            "undo": self.undo,
            "clear": self.clear,
            "delete": self.delete,
            "mode": self.change_mode,
            "ai": self.change_ai,
            "revoke": self.revoke,
            "rotate": self.rotate,
        }
        try:
            deeds[name]()
            self.counts[name] += 1
        except DomainError as refusal:
            self.counts[f"{name} {type(refusal).__name__}"] += 1
            if isinstance(refusal, KeySessionRequired | EpochConflict):
                self.learn_the_key()

    def run(self, call: Callable[[], R]) -> R:
        """As an edge does: again after contention."""
        return run(self.stage.world.deps, lambda _: call())

    def insist(self, call: Callable[[], R]) -> R:
        """As a person does: again, on what has become the newest."""
        for _ in range(PERSISTENCE):
            try:
                return self.run(call)
            except EpochConflict:
                self.learn_the_key()
            except Conflict:
                self.counts["again"] += 1
        return self.run(call)

    def learn_the_key(self) -> None:
        """Open the newest workspace key, and let go of sessions that may have ended with the one before."""
        epoch = self.keyed.open_newest(self.scene.alice)
        self.counts["keys learned"] += epoch != self.stage.key.epoch
        self.stage.key = self.keyed.key
        self.stage.tokens.clear()

    def turn(self) -> Turn:
        user = self.random.choice((self.scene.alice, self.scene.bob))
        if user in self.stage.sessions and self.random.random() < 0.1:
            self.stage.tokens.pop(user, None)
        place = 0 if user == self.scene.alice else 1
        # Mostly one that no other process has a turn in, or hardly any turn would live as long as its capture.
        shared = self.random.random() < SHARED
        talk = (self.scene.conversations if shared else self.own_conversations)[place]
        key = new_uuid7()
        for _ in range(PERSISTENCE):
            # AI that is off is on again in a moment, and a turn that is not admitted proves nothing.
            with suppress(AiDisabled):
                return self.run(lambda: self.stage.admit(user, conversation=talk, key=key))
        raise AiDisabled

    def capture(self) -> None:
        turn = self.turn()
        self.counts["admitted"] += 1
        self.counts[f"recall {self.stage.recall(turn).status.value}"] += 1
        self.be_interrupted(turn)
        line = f"line {self.random.getrandbits(64)}"
        captured = self.run(lambda: self.stage.capture(turn, add(line)))
        self.counts[f"capture {captured.outcome.value}"] += 1
        if captured.outcome is CaptureOutcome.COMMITTED and captured.version is not None:
            ack: Ack = {"did": "capture", "version": captured.version, "admission": turn.admission}
            self.acknowledge({**ack, "line": line})
        elif captured.proposal is not None:
            self.acknowledge({"did": "propose", "proposal": captured.proposal})

    def be_interrupted(self, turn: Turn) -> None:
        """Now and then by what this process does at other times: two processes seldom meet at this very moment."""
        if self.random.random() < INTERRUPTED:
            name = self.random.choice(("newer turn", *self.others))
            if name == "newer turn":
                self.run(lambda: self.stage.admit(turn.user, conversation=turn.conversation, key=new_uuid7()))
                self.counts[name] += 1
            else:
                self.do(name)

    def save(self) -> None:
        text = f"- saved {self.random.getrandbits(64)}\n"
        written = self.insist(lambda: self.stage.save(text, self.scene.bob))
        self.acknowledge({"did": "save", "version": written.version, "text": text})

    def undo(self) -> None:
        to = Version(self.random.randint(1, self.stage.version()))
        written = self.insist(lambda: self.stage.undo(to, self.scene.alice))
        self.acknowledge({"did": "undo", "version": written.version})

    def clear(self) -> None:
        written = self.insist(lambda: self.stage.clear(self.scene.alice))
        self.acknowledge({"did": "clear", "version": written.version, "generation": written.clear_generation})

    def delete(self) -> None:
        """And write a document again, since no capture may do that."""
        written = self.insist(lambda: self.stage.delete(self.scene.alice))
        self.acknowledge(
            {"did": "delete", "version": written.version, "generation": written.clear_generation}
        )
        self.save()

    def change_mode(self) -> None:
        """To another one and back: what was admitted before, and in between, is retired."""
        for mode in (self.random.choice((Mode.OFF, Mode.READ_ONLY)), Mode.AUTO):
            policy = self.insist(partial(self.stage.set_mode, mode))
            self.acknowledge({"did": "mode", "revision": policy.revision})

    def change_ai(self) -> None:
        """Off and on again: consent that was given anew is another consent."""
        for enabled in (False, True):
            self.insist(partial(self.stage.set_ai, enabled))

    def rotate(self) -> None:
        self.insist(lambda: self.keyed.rotate(self.scene.alice, [self.scene.alice]))
        self.acknowledge({"did": "rotate", "epoch": self.keyed.key.epoch})
        self.stage.key = self.keyed.key
        self.stage.tokens.clear()

    def revoke(self) -> None:
        deps, here = self.stage.world.deps, self.scene.workspace
        by = self.stage.actor(self.random.choice((self.scene.alice, self.scene.bob)))
        found = list_key_sessions(deps, by, here)
        if found:
            session = self.random.choice(found)
            self.run(lambda: revoke_key_session(deps, by, here, session.session.id))
            self.acknowledge({"did": "revoke", "session": session.session.id})


def work_into_file(
    scene: Scene,
    seed: int,
    deeds: tuple[str, ...],
    seconds: float,
    rounds: int,
    path: str,
    together: Barrier,
) -> None:
    """Do all deeds, in any order, for so long and at least so many rounds, however busy the machine is.

    Acknowledgements, and counts at the end, become lines of JSON in the file.
    """
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(ack: object) -> None:
        os.write(file, json.dumps(ack).encode() + b"\n")

    worker = Worker(scene, seed, deeds, write)
    # Once by itself, so that the time is spent on work and not on the first compilation of each statement.
    worker.do("capture")
    together.wait(PATIENCE_SECONDS)
    until = time.monotonic() + seconds
    while rounds > 0 or time.monotonic() < until:
        for deed in worker.random.sample(deeds, len(deeds)):
            worker.do(deed)
        rounds -= 1
    write({"counts": worker.counts})
    worker.stage.world.deps.database.close()


def work_into_pipe(scene: Scene, seed: int, deeds: tuple[str, ...], pipe: "Connection[Ack, None]") -> None:
    """Do deeds at random until the process is killed."""
    worker = Worker(scene, seed, deeds, pipe.send)
    while True:
        worker.do(worker.random.choice(deeds))

"""kill -9 at random points of a process that works on the memory document: all or nothing, nothing acknowledged lost.

On SQLite the process owns the file; on PostgreSQL it is the client that is killed, in the midst of its transactions.
"""

import multiprocessing
import random
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from tests.conftest import World
from tests.contract.memory_stage import Stage
from tests.simulation.committed import check_everything
from tests.simulation.worker import PATIENCE_SECONDS, Ack, Scene, a_scene, work_into_pipe

DEEDS = ("capture", "capture", "capture", "save", "undo", "clear", "delete")
# Children are forked from a process that has imported everything, but has no thread and no connection.
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.simulation.worker"])


@pytest.mark.timeout(1800)
def test_a_killed_process_leaves_nothing_torn_and_nothing_acknowledged_is_lost(
    world: World, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kills = 100 if request.config.getoption("--exhaustive") else 5
    on_sqlite = world.deps.database.dialect.writer.name == "sqlite"
    place = str(tmp_path / "memory.db") if on_sqlite else request.getfixturevalue("migrated_postgresql_url")
    scene = a_scene(world, place)
    world.deps.database.close()
    chance = random.Random(kills)  # noqa: S311
    acknowledged = committed = 0
    for kill in range(kills):
        acks = work_until_killed(scene, kill, chance)
        acknowledged += len(acks)
        with opened(scene) as stage:
            committed = check_everything(stage, acks)
            if on_sqlite:
                assert pragma(stage, "integrity_check") == "ok"
                assert pragma(stage, "foreign_key_check") is None
            base = stage.version()
            assert stage.save("- written after the kill\n").version == base + 1
    print(f"{kills} kills, {acknowledged} acknowledged writes, {committed} captures")  # noqa: T201
    assert acknowledged >= kills


def work_until_killed(scene: Scene, seed: int, chance: random.Random) -> list[Ack]:
    """Let a process work until some acknowledgements and a moment later; all that it had acknowledged."""
    receive, send = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=work_into_pipe, args=(scene, seed, DEEDS, send))
    process.start()
    send.close()
    acks = [next(received(receive)) for _ in range(chance.randint(1, 8))]
    threading.Event().wait(chance.random() * 0.03)
    process.kill()
    process.join(PATIENCE_SECONDS)
    acks += received(receive)
    receive.close()
    process.close()
    return acks


class Receiver(Protocol):
    """The reading end of a pipe: a class of its own on each operating system."""

    def poll(self, timeout: float) -> bool: ...
    def recv(self) -> Any: ...


def received(pipe: Receiver) -> Iterator[Ack]:
    """What comes through the pipe until its other end is gone."""
    while pipe.poll(PATIENCE_SECONDS):
        try:
            yield pipe.recv()
        except EOFError:
            return


@contextmanager
def opened(scene: Scene) -> Generator[Stage]:
    stage = scene.open()
    try:
        yield stage
    finally:
        stage.world.deps.database.close()


def pragma(stage: Stage, name: str) -> object:
    with stage.world.deps.database.read() as tx:
        return tx.connection.exec_driver_sql(f"PRAGMA {name}").scalar()

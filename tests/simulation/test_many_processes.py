"""Real processes on PostgreSQL: capturers, writers, clearers, mode flippers and revokers, then a look at the tables."""

import json
import multiprocessing
from collections import Counter
from pathlib import Path

import pytest
from tests.conftest import World
from tests.simulation.committed import check_everything
from tests.simulation.worker import Ack, Scene, a_scene, work_into_file

# Each is a round. Most of it captures, for whoever disturbs retires the turns of all.
CAPTURES = ("capture",) * 12
CAPTURER, WRITER = CAPTURES, (*CAPTURES, "save", "undo")
CLEARER, FLIPPER, REVOKER = (
    (*CAPTURES, "clear", "delete"),
    (*CAPTURES, "mode", "ai"),
    (*CAPTURES, "revoke", "rotate"),
)
CONSENTER = (*CAPTURES, "ai", "ai")
CASTS = (CAPTURER, CLEARER, FLIPPER, REVOKER, CAPTURER, CONSENTER, WRITER, CAPTURER)
# However slow the rounds are that are always done.
BUSY_SECONDS = 300.0
DISTURBANCES = {"clear", "delete", "mode", "ai", "revoke", "rotate", "newer turn"}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_no_capture_of_many_processes_was_committed_without_its_authority(
    world: World, migrated_postgresql_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    exhaustive = bool(request.config.getoption("--exhaustive"))
    casts, seconds, rounds = (CASTS, 10.0, 3) if exhaustive else (CASTS[:4], 2.0, 2)
    scene = a_scene(world, migrated_postgresql_url)
    acks, counts = let_work(scene, casts, seconds, rounds, tmp_path)
    stage = scene.open()
    try:
        committed = check_everything(stage, acks)
    finally:
        stage.world.deps.database.close()
    print(f"{len(casts)} processes, {seconds:g} s: {committed} captures of {dict(counts)}")  # noqa: T201
    assert committed == counts["capture committed"]
    # Both must have happened, or it would say nothing: captures that hold, among all that takes their authority away.
    assert committed >= 5 * len(casts) * rounds // 10
    assert {deed for deed in DISTURBANCES if counts[deed] == 0} == set()
    assert counts["capture AdmissionRetired"] > 0


def let_work(
    scene: Scene, casts: tuple[tuple[str, ...], ...], seconds: float, rounds: int, folder: Path
) -> tuple[list[Ack], Counter[str]]:
    """One process for each cast, all at once; what they acknowledged and counted."""
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(len(casts))
    files = [folder / f"{number}.jsonl" for number in range(len(casts))]
    processes = [
        context.Process(
            target=work_into_file, args=(scene, number, cast, seconds, rounds, str(file), together)
        )
        for number, (cast, file) in enumerate(zip(casts, files, strict=True))
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(seconds + BUSY_SECONDS)
    assert [process.exitcode for process in processes] == [0] * len(casts)
    return read_acknowledgements(files)


def read_acknowledgements(files: list[Path]) -> tuple[list[Ack], Counter[str]]:
    acks: list[Ack] = []
    counts: Counter[str] = Counter()
    for file in files:
        for line in file.read_text().splitlines():
            read = json.loads(line)
            if "did" in read:
                acks.append(read)
            counts.update(read.get("counts", {}))
    return acks, counts

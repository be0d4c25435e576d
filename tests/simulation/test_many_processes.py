"""Real processes on PostgreSQL: capturers, writers, clearers, mode flippers and revokers, then a look at the tables."""

import json
import multiprocessing
from collections import Counter
from pathlib import Path

import pytest
from tests.conftest import World
from tests.simulation.committed import check_everything
from tests.simulation.worker import PATIENCE_SECONDS, Ack, a_scene, work_into_file

CAPTURER, WRITER = ("capture",) * 12 + ("save",), ("save", "save", "undo", "capture")
CLEARER = ("clear", "capture", "capture", "save", "save", "save", "delete")
FLIPPER, REVOKER = ("mode", "capture", "capture", "ai"), ("revoke", "capture", "capture")
CASTS = (CAPTURER, CLEARER, FLIPPER, REVOKER, CAPTURER, CAPTURER, WRITER, CAPTURER)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_no_capture_of_many_processes_was_committed_without_its_authority(
    world: World, migrated_postgresql_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    exhaustive = bool(request.config.getoption("--exhaustive"))
    casts, seconds = (CASTS, 10.0) if exhaustive else (CASTS[:4], 2.0)
    scene = a_scene(world, migrated_postgresql_url)
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(len(casts))
    files = [tmp_path / f"{number}.jsonl" for number in range(len(casts))]
    processes = [
        context.Process(target=work_into_file, args=(scene, number, cast, seconds, str(file), together))
        for number, (cast, file) in enumerate(zip(casts, files, strict=True))
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(seconds + PATIENCE_SECONDS)
    assert [process.exitcode for process in processes] == [0] * len(casts)
    acks, counts = read_acknowledgements(files)
    stage = scene.open()
    try:
        committed = check_everything(stage, acks)
    finally:
        stage.world.deps.database.close()
    print(f"{len(casts)} processes, {seconds:g} s: {committed} captures of {dict(counts)}")  # noqa: T201
    assert committed == counts["capture committed"] > 0
    assert counts.total() > 100


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

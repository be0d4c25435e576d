"""A full disk while people and turns write: told as such, nothing half written, and all is well once there is room.

By SQLite's own bound on pages, and on a file system that is really full, where this user may mount one.
"""

import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from tests.conftest import World, make_world
from tests.contract.memory_stage import Stage, add, make_stage
from tests.simulation.committed import check_everything

from workspace_memory.domain.document_errors import CaptureWithheld
from workspace_memory.domain.errors import StorageFull
from workspace_memory.storage.database import Database, open_sqlite

WRITES_MAX = 5_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of two megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def on_small_disk(small_disk: Path, migrated_file: Path) -> Generator[Stage]:
    path = small_disk / "memory.db"
    shutil.copyfile(migrated_file, path)
    opened = open_sqlite(path)
    try:
        yield make_stage(make_world(opened))
    finally:
        opened.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_no_page_left_is_told_and_leaves_nothing_half_written(world: World, database: Database) -> None:
    stage = make_stage(world)
    with database.begin() as tx:
        pages = tx.connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        tx.connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 30}")
    written = write_until_full(stage)
    with database.dialect.writer.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1073741823")
    check_whole_and_writable(stage, written)


def test_a_really_full_disk_is_told_and_leaves_nothing_half_written(
    on_small_disk: Stage, small_disk: Path
) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(max(0, shutil.disk_usage(small_disk).free - 300_000)))
    written = write_until_full(on_small_disk)
    filler.unlink()
    check_whole_and_writable(on_small_disk, written)


def test_a_full_disk_opens_no_key_session_and_keeps_no_key(on_small_disk: Stage, small_disk: Path) -> None:
    stage = on_small_disk
    (small_disk / "filler").write_bytes(bytes(shutil.disk_usage(small_disk).free))
    opened = attempts_until_full(lambda: stage.open_session(stage.world.bob))
    assert stage.world.deps.key_store.count() == opened


def test_a_full_disk_withholds_the_memory_for_want_of_a_receipt(
    on_small_disk: Stage, small_disk: Path
) -> None:
    turn = on_small_disk.admit()
    (small_disk / "filler").write_bytes(bytes(shutil.disk_usage(small_disk).free))
    recalled = on_small_disk.recall(turn)
    for _ in range(WRITES_MAX):
        if recalled.receipt is None:
            break
        assert recalled.block is not None
        recalled = on_small_disk.recall(turn)
    assert (recalled.receipt, recalled.status.value, recalled.block) == (None, "unavailable", None)


def write_until_full(stage: Stage) -> int:
    """Save, capture and clear in turn until the disk is full; how many versions were acknowledged."""
    written = stage.version()

    def write() -> None:
        nonlocal written
        match written % 4:
            case 0:
                written = stage.clear().version
            case 1:
                written = stage.capture(stage.shown(), add("likes tea " * 20)).version or written
            case _:
                written = stage.save("- tea\n" * 500).version

    attempts_until_full(write)
    return written


def attempts_until_full(attempt: Callable[[], object]) -> int:
    """How often it succeeded."""
    for number in range(WRITES_MAX):
        try:
            attempt()
        except (StorageFull, CaptureWithheld):
            # A turn whose receipt found no room was not given the memory, and may not write.
            return number
    raise AssertionError("the disk did not get full")


def check_whole_and_writable(stage: Stage, written: int) -> None:
    assert stage.version() == written
    check_everything(stage, [])
    with stage.world.deps.database.read() as tx:
        assert tx.connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    assert stage.save("- there is room again\n").version == written + 1

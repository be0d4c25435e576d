import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from workspace_memory.domain.errors import FolderUnusable
from workspace_memory.folder.lock import OWNER_LOCK, FolderLock, prepare_folder, unusable

NOBODY = 65534


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    first, second = FolderLock(tmp_path, OWNER_LOCK), FolderLock(tmp_path, OWNER_LOCK)
    assert first.try_acquire()
    assert not second.try_acquire()


def test_a_released_lock_can_be_taken(tmp_path: Path) -> None:
    first, second = FolderLock(tmp_path, OWNER_LOCK), FolderLock(tmp_path, OWNER_LOCK)
    first.try_acquire()
    first.release()
    assert second.try_acquire()


def test_a_lock_says_who_holds_it(tmp_path: Path) -> None:
    FolderLock(tmp_path, OWNER_LOCK).try_acquire()
    assert FolderLock(tmp_path, OWNER_LOCK).holder_pid() == os.getpid()


def test_a_lock_that_nobody_ever_took_says_nobody(tmp_path: Path) -> None:
    assert FolderLock(tmp_path, OWNER_LOCK).holder_pid() is None


def test_a_missing_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = prepare_folder(tmp_path / "new" / "folder")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_lock_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = prepare_folder(tmp_path / "folder")
    assert stat.S_IMODE((folder / OWNER_LOCK).stat().st_mode) == 0o600


def test_a_file_is_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnusable, match="it is not a folder"):
        prepare_folder(tmp_path / "file")


def test_a_path_below_a_file_is_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnusable, match="it is not a folder"):
        prepare_folder(tmp_path / "file" / "folder")


def test_a_folder_that_may_not_be_written_is_refused_in_plain_words(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o555)
    with without_root_rights(), pytest.raises(FolderUnusable, match="this user may not write it"):
        prepare_folder(folder)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.EROFS, "read-only file system"),
        (errno.ENOLCK, "no file locks"),
        (errno.ENOSPC, "the disk is full"),
    ],
)
def test_each_cause_has_its_own_words(code: int, words: str) -> None:
    assert words in str(unusable(Path("folder"), OSError(code, "")))


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can own files of others"
)
def test_a_file_that_root_makes_belongs_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    prepare_folder(folder)
    assert (folder / OWNER_LOCK).stat().st_uid == NOBODY


@contextmanager
def without_root_rights() -> Generator[None]:
    """Root writes everywhere; so act as nobody, in folders that nobody can reach."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
